/**
 * Splits the elements of a region of a decoded chunk into contiguous runs of bounded length, the input of
 * reductions.
 */
import type { Items } from '../core/bytes/items.js';
import { sizeOf, stridesOf } from '../core/bytes/shape.js';
import { copyStrided, type CopyDim } from '../core/bytes/strided-copy.js';
import type { Values } from '../core/bytes/values.js';
import type { ElementRegion } from '../format/plan/region.js';

/** Contiguous elements in C order. */
export interface ElementRun {
  /** Bytes (aligned to 8), or items. Valid until the next run. */
  readonly values: Values;
  readonly count: number;
}

/** The part of a region that a run contains, along one dimension. */
export interface RunDim {
  readonly start: number;
  readonly count: number;
}

/** A run and its position in the region. */
export interface PlacedRun extends ElementRun {
  readonly dims: readonly RunDim[];
}

/** Splits a region into consecutive runs in C order. @param maxElements maximum number of elements per run */
export function* elementRuns(
  values: Values,
  region: ElementRegion,
  itemSize: number | null,
  maxElements: number,
): Generator<PlacedRun> {
  const unit = itemSize ?? 1;
  const whole = region.dims.map(({ count }): RunDim => ({ start: 0, count }));
  for (const box of boxesOf(whole, maxElements)) {
    const count = sizeOf(box.map((dim) => dim.count));
    if (count === 0) continue;
    const { from, dims } = partOf(region, box, unit);
    yield {
      values:
        'bytes' in values
          ? { bytes: gatherBytes(values.bytes, from, dims, unit, count) }
          : { items: gatherItems(values.items, from, dims, count) },
      count,
      dims: box,
    };
  }
}

/** Splits a box into consecutive parts of at most `maxElements` elements in C order. */
export function* boxesOf(box: readonly RunDim[], maxElements: number): Generator<readonly RunDim[]> {
  const size = sizeOf(box.map(({ count }) => count));
  const d = box.findIndex(({ count }) => count > 1);
  const dim = box[d];
  if (size <= maxElements || dim === undefined) {
    yield box;
    return;
  }
  const step = Math.max(1, Math.floor(maxElements / (size / dim.count)));
  for (let done = 0; done < dim.count; done += step) {
    const part = { start: dim.start + done, count: Math.min(step, dim.count - done) };
    yield* boxesOf(box.with(d, part), maxElements);
  }
}

/** Describes the copy of a part of a region to C order. */
function partOf(
  region: ElementRegion,
  box: readonly RunDim[],
  unit: number,
): { readonly from: number; readonly dims: readonly CopyDim[] } {
  const strides = stridesOf(
    box.map(({ count }) => count),
    unit,
  );
  let { from } = region;
  const dims = box.map(({ start, count }, d): CopyDim => {
    const dim = region.dims[d];
    const to = strides[d];
    if (dim.fromAt !== undefined)
      return { count, from: dim.from, to, fromAt: dim.fromAt.subarray(start, start + count) };
    const stride = dim.from;
    from += start * stride;
    return { count, from: stride, to };
  });
  return { from, dims };
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

/** Collects the items of a box without copying their contents. */
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
