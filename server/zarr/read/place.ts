/** One task done: a chunk (or what stands for a missing one) written to its place in the result. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { copyPieces } from '../bytes/copy-pieces.js';
import { throwIfAborted } from '../errors.js';
import type { InnerChunkLayout } from '../sharding/layout.js';
import { fillValues, copyValues, unitOf, type MutableValues } from '../bytes/values.js';
import { decodeChunk, stridesOfParts, type DecodedChunk } from '../codec/decode-chunk.js';
import type { Element } from '../dtype/data-type.js';
import { asValues } from '../dtype/item-values.js';
import type { Run } from './parts.js';
import { copyOf, type ReadPlan, type ReadTask } from './plan.js';

/** The strides of a decoded chunk by the array's dimensions, where the chunk has its own order of them. */
export function stridesByArray(layout: InnerChunkLayout, strides: readonly number[]): number[] {
  const ordered = new Array<number>(strides.length).fill(0);
  layout.axes.forEach((d, i) => (ordered[d] = strides[i] ?? 0));
  return ordered;
}

/**
 * Decodes a chunk straight into the result where it lies there in one piece, else by way of a scratch buffer.
 * @param until see `neededBytes`
 * @returns the chunk; its bytes live until the next decode, or are a part of the result
 */
export function placeEncoded(
  plan: ReadPlan,
  task: ReadTask,
  encoded: Uint8Array,
  result: MutableValues,
  limit: number,
  until: number,
): DecodedChunk {
  const { layout, cost } = plan;
  const inPlace =
    task.contiguous && layout.chain.arrayToArray.length === 0 && layout.axes.every((d, i) => d === i);
  if (!inPlace || !('bytes' in result)) {
    const decoded = decodeChunk(layout.chain, encoded, limit, undefined, until);
    placeDecoded(plan, task, decoded, result);
    return decoded;
  }
  const start = copyOf(plan, task, [], unitOf(plan.dtype.itemSize)).to;
  const into = result.bytes.subarray(start, start + cost.chunkBytes);
  const decoded = decodeChunk(layout.chain, encoded, limit, into);
  if ('bytes' in decoded.values && decoded.values.bytes !== into) into.set(decoded.values.bytes);
  return decoded;
}

/** @param decoded strides by the dimensions of the chain's chunk */
export function placeDecoded(
  plan: ReadPlan,
  task: ReadTask,
  decoded: DecodedChunk,
  result: MutableValues,
): void {
  const itemSize = plan.dtype.itemSize;
  const copy = copyOf(plan, task, stridesByArray(plan.layout, decoded.strides), unitOf(itemSize));
  copyValues(decoded.values, copy.from, result, copy.to, copy.dims, itemSize);
}

/** As `placeDecoded`, piece by piece. @throws AbortedError */
export async function placeInTurns(
  plan: ReadPlan,
  task: ReadTask,
  decoded: DecodedChunk,
  result: MutableValues,
  signal: AbortSignal,
): Promise<void> {
  const itemSize = plan.dtype.itemSize;
  const copy = copyOf(plan, task, stridesByArray(plan.layout, decoded.strides), unitOf(itemSize));
  for (const piece of copyPieces(copy, unitOf(itemSize))) {
    throwIfAborted(signal);
    copyValues(decoded.values, piece.from, result, piece.to, piece.dims, itemSize);
    await nextTurn();
  }
}

export function placeFill(plan: ReadPlan, task: ReadTask, fill: Element, result: MutableValues): void {
  const itemSize = plan.dtype.itemSize;
  const copy = copyOf(plan, task, [], unitOf(itemSize));
  fillValues(asValues(fill, plan.dtype), result, copy.to, copy.dims, itemSize);
}

/** How many bytes of the decoded chunk's beginning hold all that the task takes of it; all, if its codecs do not ask. */
export function neededBytes({ layout, dtype, cost }: ReadPlan, { parts }: ReadTask): number {
  if (!layout.chain.decodesPart) return cost.chunkBytes;
  const strides = stridesByArray(layout, stridesOfParts(layout.chain));
  const runs = 'points' in parts ? parts.points.map((at) => ({ at })) : parts.map((part) => part.from);
  const last = runs.reduce((at, run, d) => at + lastOf(run) * (strides[d] ?? 0), 0);
  return Math.min(last + unitOf(dtype.itemSize), cost.chunkBytes);
}

function lastOf(run: Run): number {
  if ('at' in run) return run.at.reduce((a, b) => Math.max(a, b), 0);
  return Math.max(run.start, run.start + (run.count - 1) * run.step);
}

/** Where the last of what the task writes to the result ends, in bytes (or items). */
export function endOf(plan: ReadPlan, task: ReadTask): number {
  const unit = unitOf(plan.dtype.itemSize);
  const { to, dims } = copyOf(plan, task, [], unit);
  const last = dims.reduce(
    (at, dim) =>
      at + lastOf(dim.toAt === undefined ? { start: 0, step: dim.to, count: dim.count } : { at: dim.toAt }),
    to,
  );
  return last + unit;
}
