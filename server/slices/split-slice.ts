/**
 * Splits a slice into consecutive parts: runs of its elements in C order, each small enough for memory. If
 * possible, parts end at chunk boundaries, so that no chunk is decoded twice. Pure functions.
 */
import { defined } from '../../wire/guards.js';
import { sizeOf } from '../core/bytes/shape.js';
import { chargedItemBytes } from '../core/dtype/data-type.js';
import type { BlockEnd, ElementRange, LazySlice } from './lazy-slice.js';
import type { Limits } from '../core/limits.js';
import { chunkAt, chunkLength, chunkStart, type GridDim } from '../format/grid.js';
import type { PlanCost } from '../format/plan/cost.js';
import type { Selection } from '../format/selection/selection.js';

/**
 * Maximum size, in bytes, of a part of a slice without chunks, such as groups. Larger parts read shared
 * chunks less often.
 */
const MAX_UNCHUNKED_BYTES = 32 * 2 ** 20;

/** Size of a part in bytes if chunk boundaries are irrelevant. */
const PART_BYTES = 8 * 2 ** 20;

/** Maximum size, in bytes, of a part that ends at a chunk boundary. */
export const MAX_ALIGNED_BYTES = 48 * 2 ** 20;

/** Assumed size of a value of variable length, in bytes. */
const VARIABLE_BYTES = 64;

/** A part of a slice, and the range of the slice's elements that it contains. */
export interface SlicePart extends ElementRange {
  readonly slice: LazySlice;
}

/**
 * Splits a slice into parts that cover all elements of a range. The first and the last part may include elements
 * before and after it.
 * @param limits limits of each part, unless a single element exceeds them
 */
export function* splitSlice(slice: LazySlice, range: ElementRange, limits: Limits): Generator<SlicePart> {
  const size = sizeOf(slice.shape);
  if (range.from >= range.to || size === 0) return;
  const axis = slice.shape.findIndex((length) => length > 1);
  const wholeBytes = slice.isReadWhole === true ? MAX_ALIGNED_BYTES : PART_BYTES;
  if (axis < 0 || (sliceBytes(slice) <= wholeBytes && slice.exceeded(limits).length === 0)) {
    yield { slice, from: 0, to: size };
    return;
  }
  const length = slice.shape[axis] ?? 1;
  const rowSize = size / length;
  const rowBytes = sliceBytes(slice) / length;
  let start = Math.floor(range.from / rowSize);
  const blockEnd = slice.dims[axis]?.start === undefined ? slice.blockEndAlong?.(axis) : undefined;
  while (start * rowSize < range.to) {
    let stop = Math.min(length, start + rowsFrom(slice, axis, start, rowBytes, blockEnd));
    let part = slice.select(rows(axis, start, stop));
    while (stop - start > 1 && part.exceeded(limits).length > 0) {
      stop = start + Math.ceil((stop - start) / 2);
      part = slice.select(rows(axis, start, stop));
    }
    const offset = start * rowSize;
    const isWhole = rowBytes <= MAX_ALIGNED_BYTES && part.exceeded(limits).length === 0;
    if (stop - start > 1 || isWhole) yield { slice: part, from: offset, to: stop * rowSize };
    else {
      const inner = { from: Math.max(0, range.from - offset), to: Math.min(rowSize, range.to - offset) };
      for (const { from, to, ...rest } of splitSlice(part, inner, limits))
        yield { ...rest, from: from + offset, to: to + offset };
    }
    start = stop;
  }
}

/** Upper bounds for the parts of a slice. */
export interface PartBounds {
  /** Size of the values of a part. */
  readonly bytes: number;
  /** Size of the chunks that are decoded for a part. */
  readonly decodedBytes: number;
}

/**
 * Bounds for the parts of a slice that is read by `splitSlice`, without enumerating them.
 * @returns undefined if parts do not end at chunk boundaries, or chunks have different lengths
 */
export function partBounds(slice: LazySlice): PartBounds | undefined {
  const bytes = sliceBytes(slice);
  const axis = slice.shape.findIndex((length) => length > 1);
  if (axis < 0 || bytes <= PART_BYTES) return { bytes, decodedBytes: slice.cost().decodedBytes };
  const length = defined(slice.shape[axis]);
  const rowBytes = bytes / length;
  const toChunkEnd = rowsToChunkEnd(slice, axis, 0);
  const isUniform = slice.origin.chunks.every((chunks) => chunks?.runs === undefined);
  if (slice.dtype.itemSize === null || toChunkEnd === undefined || !isUniform) return undefined;
  const row = slice.select(rows(axis, 0, 1));
  if (rowBytes > MAX_ALIGNED_BYTES) return partBounds(row);
  const ofPart = Math.max(1, Math.floor(PART_BYTES / rowBytes));
  // A chunk may have one row more than `each` if the step does not divide its length.
  const ofChunk = Math.min(toChunkEnd.each + 1, Math.max(1, Math.floor(MAX_ALIGNED_BYTES / rowBytes)));
  const most = Math.min(length, Math.max(ofPart, ofChunk));
  const start = Math.min(toChunkEnd.first, length - most);
  // A part of as many rows may begin and end within a chunk, and then decodes one more.
  const decodedBytes =
    slice.select(rows(axis, start, start + most)).cost().decodedBytes + row.cost().decodedBytes;
  return { bytes: most * rowBytes, decodedBytes };
}

/** Number of parts whose cost is computed. */
const PRICED_PARTS = 8;

/** The cost of reading all parts. If there are many, it is estimated from the first ones. Reads nothing. */
export function costOfParts(slice: LazySlice, limits: Limits): PlanCost {
  const cost = slice.cost();
  const size = sizeOf(slice.shape);
  let [decodedBytes, reducedBytes, work, priced, end] = [0, 0, 0, 0, 0];
  for (const { slice: part, to } of splitSlice(slice, { from: 0, to: size }, limits)) {
    const own = part.cost();
    decodedBytes += own.decodedBytes;
    reducedBytes += own.reducedBytes;
    work += own.work;
    end = to;
    if (++priced === PRICED_PARTS) break;
  }
  const share = Math.max(1, size) / Math.max(1, end);
  return {
    ...cost,
    decodedBytes: Math.max(cost.decodedBytes, Math.round(decodedBytes * share)),
    reducedBytes: Math.max(cost.reducedBytes, Math.round(reducedBytes * share)),
    work: Math.max(cost.work, Math.round(work * share)),
  };
}

/** The cost of `LazySlice.stream`, including chunks that are read again. */
export function streamedCost(slice: LazySlice, limits: Limits): PlanCost {
  return slice.streamedCost?.(limits) ?? slice.cost();
}

function sliceBytes({ shape, dtype }: LazySlice): number {
  return sizeOf(shape) * (dtype.itemSize === null ? VARIABLE_BYTES : chargedItemBytes(dtype));
}

function rows(axis: number, start: number, stop: number): Selection {
  const before = Array.from({ length: axis }, () => ({ kind: 'slice' as const }));
  return { kind: 'dims', dims: [...before, { kind: 'slice', start, stop }, { kind: 'ellipsis' }] };
}

/**
 * The number of rows of a part: as many as fill a part, rounded to the end of the last chunk that fits. A chunk
 * that does not fit is split into parts of similar size, each of which decodes the chunk again.
 */
function rowsFrom(
  slice: LazySlice,
  axis: number,
  start: number,
  rowBytes: number,
  blockEnd: BlockEnd | undefined,
): number {
  const rowsIn = (bytes: number): number => Math.max(1, Math.floor(bytes / Math.max(1, rowBytes)));
  if (blockEnd !== undefined) {
    const [least, most] = [rowsIn(PART_BYTES), rowsIn(MAX_UNCHUNKED_BYTES)];
    return (slice.shape[axis] ?? 1) - start <= least ? least : blockEnd(start, least, most) - start;
  }
  const toChunkEnd = rowsToChunkEnd(slice, axis, start);
  if (toChunkEnd === undefined)
    return rowsIn(slice.dims[axis]?.start === undefined ? MAX_UNCHUNKED_BYTES : PART_BYTES);
  const { first, each } = toChunkEnd;
  const most = rowsIn(MAX_ALIGNED_BYTES);
  if (first > most) return Math.ceil(first / Math.ceil(first / most));
  return first + Math.max(0, Math.floor((rowsIn(PART_BYTES) - first) / each)) * each;
}

/**
 * Number of rows to the end of the chunk that contains `start`, and number of rows of each later chunk, or of the
 * longest one.
 * Undefined for lists, points and dimensions without chunks.
 */
export function rowsToChunkEnd(
  slice: Pick<LazySlice, 'dims' | 'origin'>,
  axis: number,
  start: number,
): { readonly first: number; readonly each: number } | undefined {
  const dim = slice.dims[axis];
  const chunks = chunksAlong(slice, axis);
  if (dim?.start === undefined || dim.step === undefined || chunks === undefined) return undefined;
  const { step } = dim;
  const position = dim.start + start * step;
  const chunk = chunkAt(chunks, position);
  const inChunk = position - chunkStart(chunks, chunk);
  const left = step > 0 ? chunkLength(chunks, chunk) - inChunk : inChunk + 1;
  const each = Math.max(1, Math.floor(chunks.longest / Math.abs(step)));
  return { first: Math.ceil(left / Math.abs(step)), each };
}

/**
 * The length of the longest chunk along a dimension of the result, according to its origin, at which to split reads;
 * undefined for points, dimensions of a field and dimensions without chunks.
 */
export function chunkSizeAlong(slice: Pick<LazySlice, 'origin'>, axis: number): number | undefined {
  return chunksAlong(slice, axis)?.longest;
}

function chunksAlong({ origin }: Pick<LazySlice, 'origin'>, axis: number): GridDim | undefined {
  const { selection, chunks } = origin;
  if (selection.kind === 'points') return undefined;
  const kept = selection.dims.flatMap((dim, d) => (dim.dropped ? [] : [d]));
  return chunks[kept[axis] ?? -1];
}
