/**
 * Changes the shape of an array. First, new elements of a larger shape are set to the fill value, because
 * other programs may have left values there. Doing this later would overwrite new values. Then the metadata
 * is written. Finally, elements outside a smaller shape are deleted, or set to the fill value in remaining
 * chunks.
 */
import { defined } from '../../../wire/guards.js';
import { ZarrArray } from '../nodes/array.js';
import { sameShape } from '../../core/bytes/shape.js';
import { chunkShapeOf, parseChunkKey } from '../../format/grid.js';
import { loadCodecs } from '../../format/codec/run-chain.js';
import { NotFoundError } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import { nodeDocuments, resizedDocuments } from '../../format/metadata/create.js';
import type { ArrayMeta, AnyMeta, Documents } from '../../format/metadata/model.js';
import { resolveNode } from '../../format/metadata/resolve-node.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { createObjectCut, outcomeOfCut } from '../../chunks/write/edit-shard.js';
import type { LockedBody } from '../../store/store.js';
import { createPause } from '../../core/turns.js';
import type { Cut } from '../../chunks/write/chunk-edit.js';
import type { ChunkContext } from '../../chunks/write/edit.js';
import { runEdits, type EditSettings, type ObjectEdit } from '../../chunks/write/execute.js';
import { SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import { lockOf } from '../../chunks/write/locks.js';
import { settled } from './settle-changes.js';
import { type ChangeOptions, changeNode, metaOf, readStoredNode } from './stored-node.js';
import {
  editSettings,
  storesEmptyChunks,
  assertWritable,
  versionConflict,
} from '../../chunks/write/write-region.js';

export interface ResizeOptions extends ChangeOptions {
  /** Limits, of which `maxDecodedBytes` applies to each chunk. @default the limits of the hierarchy */
  readonly limits?: Limits | undefined;
}

/**
 * @throws InputError for an invalid shape or another rank; UnsupportedError if chunks cannot be decoded;
 * ConflictError if another writer changed the array. If an error interrupts the change of chunks, its
 * `written` reports the chunks that were cut so far; resizing to the same shape again completes the change.
 */
export function resizeArray(
  context: NodeContext,
  prefix: string,
  shape: readonly number[],
  options: ResizeOptions,
): Promise<void> {
  return holdShape(context, prefix, options.signal, async (signal, assertHeld) => {
    const settings = { ...options, signal, assertHeld };
    const plan = await planShape(context, prefix, () => shape, settings);
    plan.after.source();
    const old = plan.before.shape;
    const grows = shape.some((length, d) => length > defined(old[d]));
    if (grows) await cutChunks(plan.after, { keep: old, until: shape }, settings);
    const shapeOf = (current: ArrayMeta): readonly number[] => {
      assertSameShape(current, old);
      return shape;
    };
    const { after } = await changeShape(
      context,
      prefix,
      shapeOf,
      (change) => {
        change.after.source();
        assertHeld?.();
      },
      settings,
    );
    try {
      // Also runs for an unchanged shape, to complete an interrupted attempt.
      if (!grows || shape.some((length, d) => length < defined(old[d])))
        await cutChunks(after, { keep: shape, until: shape.map(() => Infinity) }, settings);
    } finally {
      context.changed?.({ kind: 'resized', path: after.path });
    }
  });
}

/** Number of objects to delete per call. */
const DELETED_AT_ONCE = 500;

async function cutChunks(
  array: ZarrArray,
  cut: Cut,
  { limits, signal, assertHeld }: ResizeOptions & Pick<EditSettings, 'assertHeld'>,
): Promise<void> {
  const { context, meta } = array;
  const { layout, source } = array.source();
  const objectShape = chunkShapeOf(meta.grid);
  const gone: string[] = [];
  const edits: ObjectEdit[] = [];
  const bounds = limits ?? context.limits;
  await loadCodecs(meta.chain);
  const pause = createPause(signal);
  const chunkContext: ChunkContext = {
    layout,
    fill: source.fill,
    writeEmptyChunks: storesEmptyChunks(meta, false),
    threads: {
      pool: context.decoding.pool ?? undefined,
      here: context.decoding.here ?? true,
    },
    maxChunkBytes: bounds.maxDecodedBytes,
    signal,
    pause,
  };
  const prefix = array.path.slice(1);
  // Completes the listing before anything changes, because listings during changes are unreliable.
  for await (const { key } of context.store.walk(prefix, { signal })) {
    const object = parseChunkKey(
      meta.keys,
      key.slice(prefix === '' ? 0 : prefix.length + 1),
      objectShape.length,
    );
    if (object === undefined) continue;
    const start = object.map((i, d) => i * (objectShape[d] ?? 1));
    const outcome = outcomeOfCut(start, objectShape, cut);
    if (outcome === 'dropped') gone.push(key);
    else if (outcome === 'cut') edits.push({ key, edit: createObjectCut(chunkContext, object, cut) });
  }
  for (let i = 0; i < gone.length; i += DELETED_AT_ONCE) {
    assertHeld?.();
    await context.store.delete(gone.slice(i, i + DELETED_AT_ONCE), undefined, { signal });
  }
  await runEdits(context.store, edits, {
    ...editSettings(meta, bounds, pause, signal),
    assertHeld,
  });
}

// Changes the shape of an array in its metadata. The caller changes the chunks.

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
  return lockOf(store).withLock(`//shape//${prefix}`, body, { signal });
}
