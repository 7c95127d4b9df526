/** Splits a large strided copy into pieces of limited duration. */
import type { CopyDim } from './strided-copy.js';

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
