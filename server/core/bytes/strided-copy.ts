/**
 * Copies a box of elements between two strided layouts. Used to place chunks in a result, fill in fill values
 * (a source stride of 0), transpose, and gather lists and points.
 */
import { assertInside, type CopyDim } from './bounds.js';
import { copyKernels, longRows, rows64, unalignedRows, type RunKernel } from './copy-kernels.js';

export type { CopyDim };

interface Strided {
  count: number;
  from: number;
  to: number;
}

/**
 * Minimum size of a row, in bytes, that `Uint8Array.set` copies faster than a loop, also into shared memory
 * (see bench/records.md).
 */
const LONG_ROW_BYTES = 2048;
/** The same minimum for rows that are not aligned to 8 bytes, which a loop copies more slowly. */
const LONG_UNALIGNED_ROW_BYTES = 256;
/** Minimum size, in bytes, of a row that `unalignedRows` copies. Shorter rows are copied unit by unit. */
const MIN_UNALIGNED_ROW_BYTES = 8;

/**
 * @param source, dest bytes; a position is `start + sum(index * stride)`
 * @param itemSize bytes per element
 * @throws RangeError if an element is outside `source` or `dest`
 */
export function copyStrided(
  source: Uint8Array,
  sourceStart: number,
  dest: Uint8Array,
  destStart: number,
  dims: readonly CopyDim[],
  itemSize: number,
): void {
  if (itemSize === 0) return;
  let lists: CopyDim[] | undefined;
  for (const dim of dims) {
    if (dim.count === 0) return;
    if (dim.fromAt !== undefined || dim.toAt !== undefined) (lists ??= []).push(dim);
  }
  assertInside(dims, 'from', sourceStart, itemSize, source.length);
  assertInside(dims, 'to', destStart, itemSize, dest.length);
  const starts = source.byteOffset | sourceStart | dest.byteOffset | destStart;
  const bits = lists === undefined ? starts : starts | bitsOfLists(lists);
  const box = simplify(dims);
  const copy = planBox(source, dest, box, itemSize, bits);
  if (lists === undefined) overBox(box, 0, copy, sourceStart, destStart);
  else overLists(lists, 0, sourceStart, destStart, (from, to) => overBox(box, 0, copy, from, to));
}

function overLists(
  lists: readonly CopyDim[],
  depth: number,
  from: number,
  to: number,
  copy: (from: number, to: number) => void,
): void {
  const dim = lists[depth];
  if (dim === undefined) return copy(from, to);
  for (let i = 0; i < dim.count; i++) {
    overLists(
      lists,
      depth + 1,
      from + (dim.fromAt?.[i] ?? i * dim.from),
      to + (dim.toAt?.[i] ?? i * dim.to),
      copy,
    );
  }
}

/** The lowest bits of all offsets. Conversion to 32 bits preserves them. */
function bitsOfLists(lists: readonly CopyDim[]): number {
  let bits = 0;
  for (const { from, to, fromAt, toAt } of lists) {
    if (fromAt === undefined) bits |= from;
    else for (const offset of fromAt) bits |= offset;
    if (toAt === undefined) bits |= to;
    else for (const offset of toAt) bits |= offset;
  }
  return bits;
}

/** Drops dimensions of length 1 and lists, and merges neighbours that are contiguous on both sides. */
function simplify(dims: readonly CopyDim[]): Strided[] {
  const box: Strided[] = [];
  let outer: Strided | undefined;
  for (const { count, from, to, fromAt, toAt } of dims) {
    if (count === 1 || fromAt !== undefined || toAt !== undefined) continue;
    if (outer !== undefined && outer.from === from * count && outer.to === to * count) {
      outer.count *= count;
      outer.from = from;
      outer.to = to;
    } else box.push((outer = { count, from, to }));
  }
  return box;
}

/** The copy of the two innermost dimensions of a box, which are no longer in the box. */
interface BoxKernel {
  readonly run: RunKernel;
  /** Bytes per unit of positions and strides. */
  readonly unit: number;
  readonly outer: Strided;
  readonly inner: Strided;
}

const once: Strided = { count: 1, from: 0, to: 0 };

/**
 * Plans the copy of a box. Short and without temporary arrays, because the first reads of a process spend
 * more time on compiling this function than on running it.
 * @param box the box, whose innermost dimensions are removed
 * @param bits the lowest bits of all positions
 */
function planBox(
  source: Uint8Array,
  dest: Uint8Array,
  box: Strided[],
  itemSize: number,
  bits: number,
): BoxKernel {
  // A row is one element (such as a struct), or a whole run if both sides are contiguous.
  const last = box[box.length - 1];
  let rowBytes = itemSize;
  if (last?.from === itemSize && last.to === itemSize) {
    rowBytes *= last.count;
    box.pop();
  }
  bits |= rowBytes;
  for (const { from, to } of box) bits |= from | to;
  const unit = bits & 1 ? 1 : bits & 2 ? 2 : bits & 4 ? 4 : 8;
  const middle = box.pop() ?? once;
  let kernel = copyKernels[unit];
  if (rowBytes >= (unit === 8 ? LONG_ROW_BYTES : LONG_UNALIGNED_ROW_BYTES)) kernel = longRows;
  else if (unit < 8 && rowBytes > unit && rowBytes >= MIN_UNALIGNED_ROW_BYTES) kernel = unalignedRows;
  else if (unit === 8 && rowBytes % 64 === 0) kernel = rows64;
  else if (rowBytes === unit) {
    // For single units, the two innermost dimensions of the box are the kernel's two loops.
    return { run: kernel(source, dest), unit, outer: box.pop() ?? once, inner: middle };
  }
  const step = kernel === longRows || kernel === unalignedRows ? 1 : unit;
  const row = { count: rowBytes / step, from: step, to: step };
  return { run: kernel(source, dest), unit: step, outer: middle, inner: row };
}

function overBox(box: readonly Strided[], depth: number, copy: BoxKernel, from: number, to: number): void {
  const dim = box[depth];
  if (dim === undefined) {
    const { run, unit, outer, inner } = copy;
    run(
      from / unit,
      to / unit,
      outer.count,
      outer.from / unit,
      outer.to / unit,
      inner.count,
      inner.from / unit,
      inner.to / unit,
    );
    return;
  }
  for (let i = 0; i < dim.count; i++) overBox(box, depth + 1, copy, from + i * dim.from, to + i * dim.to);
}

/** A box of elements to copy, and its start in source and destination, in the units of the strides. */
export interface BoxCopy {
  readonly from: number;
  readonly to: number;
  readonly dims: readonly CopyDim[];
}

/** Number of bytes that can be copied or filled within a few milliseconds, even in untouched memory. */
export const PIECE_BYTES = 4 * 2 ** 20;

/** Splits `copy` into copies of at most `maxBytes` each (or one element). */
export function* copyPieces(copy: BoxCopy, itemSize: number, maxBytes = PIECE_BYTES): Generator<BoxCopy> {
  const bytes = copy.dims.reduce((product, dim) => product * dim.count, itemSize);
  const d = copy.dims.findIndex((dim) => dim.count > 1);
  const dim = copy.dims[d];
  if (bytes <= maxBytes || dim === undefined) {
    yield copy;
    return;
  }
  const step = Math.max(1, Math.floor(maxBytes / (bytes / dim.count)));
  for (let start = 0; start < dim.count; start += step) {
    const end = Math.min(start + step, dim.count);
    const part: CopyDim = {
      ...dim,
      count: end - start,
      ...(dim.fromAt === undefined ? {} : { fromAt: dim.fromAt.subarray(start, end) }),
      ...(dim.toAt === undefined ? {} : { toAt: dim.toAt.subarray(start, end) }),
    };
    const piece = {
      from: copy.from + (dim.fromAt === undefined ? start * dim.from : 0),
      to: copy.to + (dim.toAt === undefined ? start * dim.to : 0),
      dims: copy.dims.with(d, part),
    };
    yield* copyPieces(piece, itemSize, maxBytes);
  }
}

/** Views of `bytes`, each of `pieceBytes` except the last. */
export function* bytesInPieces(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
