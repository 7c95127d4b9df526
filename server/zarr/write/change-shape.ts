/** The shape of an array in its metadata; what lies in its chunks is the caller's to see to. */
import { ZarrArray } from '../array.js';
import { NotFoundError } from '../errors.js';
import { nodeDocuments } from '../metadata/create.js';
import type { ArrayMeta } from '../metadata/model.js';
import { resizedDocuments } from '../metadata/resize.js';
import { resolveNode } from '../metadata/resolve-node.js';
import type { NodeHome } from '../node-home.js';
import { lockOf } from './locks.js';
import { changeNode, type ChangeOptions } from './stored-node.js';
import { updateConsolidated } from './update-consolidated.js';

/** An array before and after. */
export interface ShapeChange {
  readonly before: ZarrArray;
  readonly after: ZarrArray;
}

/**
 * @param shapeOf the new shape, given what the array is; may be called again, where others change it
 * @param check called with what the array would become, before anything is written
 * Whoever listens is told by the caller, when the chunks fit the new shape.
 * @throws InputError for a shape that is none; otherwise as changeNode, and what `check` throws
 */
export async function changeShape(
  home: NodeHome,
  prefix: string,
  shapeOf: (meta: ArrayMeta) => readonly number[],
  check: (change: ShapeChange) => void,
  options: ChangeOptions,
): Promise<ShapeChange> {
  let change: ShapeChange | undefined;
  const { documents } = await changeNode(
    home,
    prefix,
    (meta) => {
      if (meta.kind !== 'array') throw new NotFoundError('there is no array here, but a group');
      const changed = resizedDocuments(meta, shapeOf(meta));
      const resized = resolveNode(nodeDocuments({ ...meta.documents, ...changed }), home.registry);
      if (resized?.kind !== 'array') throw new NotFoundError('there is no array here');
      const path = `/${prefix}`;
      change = {
        before: new ZarrArray(home, path, meta, undefined),
        after: new ZarrArray(home, path, resized, undefined),
      };
      check(change);
      return changed;
    },
    options,
  );
  if (change === undefined) throw new NotFoundError('there is no array here');
  try {
    await updateConsolidated(home, [{ prefix, documents }], options.signal);
  } catch (error) {
    home.changed?.({ kind: 'resized', path: change.after.path });
    throw error;
  }
  return change;
}

/**
 * Resizing and appending to one array, one after the other: what is cut off must not be new.
 */
export function holdShape<T>(
  { store }: NodeHome,
  prefix: string,
  signal: AbortSignal | undefined,
  body: () => Promise<T>,
): Promise<T> {
  return lockOf(store).hold(`//shape//${prefix}`, body, signal);
}
