/** Edits of single chunks: writes values, or clears elements beyond the edge of the array. */
import { defined } from '../../../wire/guards.js';
import { copyValues, fillValues, type MutableValues } from '../../core/bytes/values.js';
import type { CopyDim } from '../../core/bytes/strided-copy.js';
import { asValues } from '../../core/dtype/item-values.js';
import { isZarrError } from '../../core/errors.js';
import type { ChunkForm } from '../../format/plan/layout.js';
import type { ReadTask } from '../../format/plan/plan.js';
import { copyInTurns } from '../../core/bytes/large-buffers.js';
import { sameValues, snapshot } from './encode-values.js';
import type { ChunkEdit, ChunkContext } from './edit.js';
import { eachPiece, openChunk, uninitialisedChunk } from './open-chunk.js';
import { copyIntoChunk, isWhole, isWithinArray, type WritePlan } from './plan.js';

/**
 * Writes a task's values into its chunk. Keeps stored elements beyond the edge of the array, because the
 * array may have grown since this writer read its metadata. Growing an array clears them.
 */
export function createChunkWrite(context: ChunkContext, plan: WritePlan, task: ReadTask): ChunkEdit {
  const { form } = task;
  const whole = isWhole(plan, task);
  const replaced = whole && isWithinArray(context.layout, task.chunk);
  return {
    form,
    needsOld: !replaced,
    async values(old, memory) {
      const { values, strides } = replaced
        ? uninitialisedChunk(context, form, memory)
        : ((whole ? await unlessBrokenChunk(() => openChunk(context, form, old, memory)) : undefined) ??
          (await openChunk(context, form, whole ? undefined : old, memory)));
      const { itemSize } = plan.values.dtype;
      await eachPiece(context, copyIntoChunk(plan, task, strides), itemSize, ({ from, to, dims }) =>
        copyValues(plan.values, from, values, to, dims, itemSize),
      );
      return values;
    },
  };
}

/**
 * Runs `read`. Undefined if the old bytes are unreadable, which is irrelevant if all elements within the
 * array are overwritten.
 */
export function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH')) return undefined;
    throw error;
  }
}

/** Like `unlessBroken`, for an asynchronous read. */
async function unlessBrokenChunk<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH')) return undefined;
    throw error;
  }
}

/** A part that starts at the origin of a chunk or array, as its extent along each dimension. */
export interface Cut {
  readonly keep: readonly number[];
  /** Elements beyond this extent are kept; Infinity to keep none. */
  readonly until: readonly number[];
}

/** Sets the elements of a chunk beyond `keep` and within `until` to the fill value. @param form form of the chunk */
export function createChunkCut(context: ChunkContext, form: ChunkForm, { keep, until }: Cut): ChunkEdit {
  return {
    form,
    needsOld: true,
    async values(old, memory) {
      if (old === undefined) return undefined;
      const { values, strides } = await openChunk(context, form, old, memory);
      const before =
        'bytes' in values
          ? { bytes: await copyInTurns(values.bytes, context.signal) }
          : { items: snapshot(values.items) };
      await fillBeyond(context, form, values, strides, keep, until);
      return (await sameValues(before, values, context.pause)) ? 'unchanged' : values;
    },
  };
}

/** Fills the elements beyond the extent of each dimension, within the extents of the previous dimensions. */
async function fillBeyond(
  context: ChunkContext,
  form: ChunkForm,
  values: MutableValues,
  strides: readonly number[],
  extent: readonly number[],
  until: readonly number[],
): Promise<void> {
  const { fill } = context;
  const { dtype } = form.chain.rep;
  const { itemSize } = dtype;
  const lengths = form.shape.map((length, d) => Math.min(length, until[d] ?? Infinity));
  for (const [cut, length] of lengths.entries()) {
    const start = defined(extent[cut]);
    if (start >= length) continue;
    const dims: CopyDim[] = lengths.map((whole, d) => ({
      count: d < cut ? Math.min(defined(extent[d]), whole) : d === cut ? length - start : whole,
      from: 0,
      to: defined(strides[d]),
    }));
    await eachPiece(context, { from: 0, to: start * defined(strides[cut]), dims }, itemSize, (piece) =>
      fillValues(asValues(fill, dtype), values, piece.to, piece.dims, itemSize),
    );
  }
}
