/** Changes the shape of an array in its metadata. The caller changes the chunks. */
import { ZarrArray } from '../nodes/array.js';
import { sameShape } from '../../core/bytes/shape.js';
import { NotFoundError } from '../../core/errors.js';
import { nodeDocuments } from '../../format/metadata/create.js';
import { resizedDocuments } from '../../format/metadata/changed-documents.js';
import type { AnyMeta, ArrayMeta, Documents } from '../../format/metadata/model.js';
import { resolveNode } from '../../format/metadata/resolve-node.js';
import type { NodeContext } from '../../chunks/node-context.js';
import type { LockedBody } from '../../store/store.js';
import { SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import { withLock } from '../../chunks/write/locks.js';
import { settled } from './settle-changes.js';
import { changeNode, type ChangeOptions, metaOf, readStoredNode } from './stored-node.js';
import { assertWritable, versionConflict } from '../../chunks/write/write-region.js';

/** An array before and after the change. */
interface ShapeChange {
  readonly before: ZarrArray;
  readonly after: ZarrArray;
}

/** Computes a change of shape without writing. @throws errors from `changeShape` */
export async function planShape(
  context: NodeContext,
  prefix: string,
  shapeOf: (meta: ArrayMeta) => readonly number[],
  { ifVersion, signal }: ChangeOptions,
): Promise<ShapeChange> {
  assertWritable(context.store);
  const node = await readStoredNode(context, prefix, signal);
  if (ifVersion !== undefined && node.version !== ifVersion) throw versionConflict(node.version);
  return reshaped(context, prefix, metaOf(node, context), shapeOf).change;
}

function reshaped(
  context: NodeContext,
  prefix: string,
  meta: AnyMeta,
  shapeOf: (meta: ArrayMeta) => readonly number[],
): { readonly change: ShapeChange; readonly documents: Documents } {
  if (meta.kind !== 'array') throw new NotFoundError('no array at this path; found a group');
  const documents = resizedDocuments(meta, shapeOf(meta));
  const resized = resolveNode(
    { ...nodeDocuments({ ...meta.documents, ...documents }), isNetcdf: meta.netcdfShuffle },
    context.registry,
    context.metadataOptions,
  );
  if (resized?.kind !== 'array') throw new NotFoundError('no array at this path');
  const path = `/${prefix}`;
  const before = new ZarrArray(context, path, meta, undefined);
  return { change: { before, after: new ZarrArray(context, path, resized, undefined) }, documents };
}

/**
 * Changes the shape. The caller notifies subscribers.
 * @param shapeOf returns the new shape, given the current metadata; called again if other writers change the
 * array
 * @param check called with the resulting metadata before it is written
 * @throws InputError for an invalid shape; errors from `changeNode` and `check`
 */
export async function changeShape(
  context: NodeContext,
  prefix: string,
  shapeOf: (meta: ArrayMeta) => readonly number[],
  check: (change: ShapeChange) => void,
  options: ChangeOptions,
): Promise<ShapeChange> {
  let change: ShapeChange | undefined;
  const reshape = (meta: AnyMeta): Documents => {
    const next = reshaped(context, prefix, meta, shapeOf);
    change = next.change;
    return next.documents;
  };
  await settled(context, prefix, (begin) =>
    changeNode(context, prefix, reshape, options, async (changes) => {
      await begin(changes);
      if (change !== undefined) check(change);
    }),
  );
  if (change === undefined) throw new NotFoundError('no array at this path');
  return change;
}

/** @throws ConflictError if the shape has changed since the chunks were written */
export function assertSameShape({ shape }: ArrayMeta, expected: readonly number[]): void {
  if (sameShape(shape, expected)) return;
  throw new SettledConflictError('another program changed the shape without the lock; read the array again');
}

/**
 * Serialises resizing and appending to one array, so that a resize does not discard newly appended values.
 */
export function holdShape<T>(
  { store }: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
  body: LockedBody<T>,
): Promise<T> {
  return withLock(store, `//shape//${prefix}`, body, { signal });
}
