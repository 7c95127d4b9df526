/** The elements of a region of a decoded chunk, as contiguous runs of bounded length: what reductions work on. */
import { copyPieces } from '../../bytes/copy-pieces.js';
import type { Items } from '../../bytes/items.js';
import { stridesOf } from '../../bytes/shape.js';
import { copyStrided, type CopyDim } from '../../bytes/strided-copy.js';
import type { Values } from '../../bytes/values.js';
import type { ElementRegion } from '../region.js';

/** Elements in C order, one behind the other. */
export interface ElementRun {
  /** Bytes at an address that is a multiple of 8, or items. Valid until the next run. */
  readonly values: Values;
  readonly count: number;
}

/** One dimension of a run; `to` is the distance of what its elements go to. */
export interface RunDim {
  readonly count: number;
  readonly to: number;
}

/** A run, and where its elements go to: the first, and the others by dimension. */
export interface PlacedRun extends ElementRun {
  readonly to: number;
  readonly dims: readonly RunDim[];
}

/** A region of a chunk; `to` is the distance of what elements go to along each dimension. */
export interface RunRegion {
  readonly from: number;
  readonly dims: readonly (ElementRegion['dims'][number] & RunDim)[];
}

/** Each run has at most so many elements. */
export function* elementRuns(
  values: Values,
  { from, dims }: RunRegion,
  itemSize: number | null,
  maxElements: number,
): Generator<PlacedRun> {
  const unit = itemSize ?? 1;
  // Elements of no bytes are counted all the same.
  for (const piece of copyPieces({ from, to: 0, dims }, 1, maxElements)) {
    const strides = stridesOf(
      piece.dims.map((dim) => dim.count),
      unit,
    );
    const ordered = piece.dims.map((dim, d) => ({ ...dim, to: strides[d] ?? 0 }));
    const count = ordered.reduce((product, dim) => product * dim.count, 1);
    if (count === 0) continue;
    yield {
      values:
        'bytes' in values
          ? { bytes: gatherBytes(values.bytes, piece.from, ordered, unit, count) }
          : { items: gatherItems(values.items, piece.from, ordered, count) },
      count,
      to: piece.to,
      dims: piece.dims,
    };
  }
}

let scratch = new Uint8Array(0);

function gatherBytes(
  bytes: Uint8Array,
  from: number,
  dims: readonly CopyDim[],
  itemSize: number,
  count: number,
): Uint8Array {
  const length = count * itemSize;
  if (isContiguous(dims) && (bytes.byteOffset + from) % 8 === 0) return bytes.subarray(from, from + length);
  if (scratch.length < length) scratch = new Uint8Array(length);
  copyStrided(bytes, from, scratch, 0, dims, itemSize);
  return scratch.subarray(0, length);
}

/** The contents stay where they are. */
function gatherItems(
  { starts, lengths, bytes }: Items,
  from: number,
  dims: readonly CopyDim[],
  count: number,
): Items {
  if (isContiguous(dims))
    return {
      starts: starts.subarray(from, from + count),
      lengths: lengths.subarray(from, from + count),
      bytes,
    };
  const wordDims = dims.map((dim) => ({
    count: dim.count,
    from: dim.from * 4,
    to: dim.to * 4,
    ...(dim.fromAt === undefined ? {} : { fromAt: dim.fromAt.map((at) => at * 4) }),
  }));
  const gather = (words: Uint32Array): Uint32Array => {
    const gathered = new Uint32Array(count);
    const source = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    copyStrided(source, from * 4, new Uint8Array(gathered.buffer), 0, wordDims, 4);
    return gathered;
  };
  return { starts: gather(starts), lengths: gather(lengths), bytes };
}

function isContiguous(dims: readonly CopyDim[]): boolean {
  return dims.every((dim) => dim.fromAt === undefined && (dim.count === 1 || dim.from === dim.to));
}
