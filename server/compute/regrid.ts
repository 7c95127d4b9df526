/** Means of overlapping cells along one axis after the other: first-order conservative regridding. Pure. */
import { assertLength } from '../core/bytes/bounds.js';
import { sizeOf } from '../core/bytes/shape.js';

/** For each cell of the result, the cells of the source that it overlaps, with the size of each overlap. */
export interface Overlaps {
  /** Index in the lists of the first overlap of each cell, followed by the number of overlaps. */
  readonly starts: Float64Array;
  readonly positions: Uint32Array;
  readonly sizes: Float64Array;
}

/** Sums of values, and of the sizes of their cells. Missing values have the size 0. */
export interface WeightedSums {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

/** Number of products between two yields. */
const STEP = 65_536;

/** Adds the overlaps along an axis. Yields between pieces of work. */
export function* addOverlaps(
  { sums, sizes }: WeightedSums,
  shape: readonly number[],
  axis: number,
  overlaps: Overlaps,
): Generator<void, WeightedSums, void> {
  const [length, inner] = [shape[axis], sizeOf(shape.slice(axis + 1))];
  const outer = sizeOf(shape.slice(0, axis));
  assertLength(sums, outer * length * inner, 'the list of sums');
  assertLength(sizes, sums.length, 'the list of sizes');
  const count = overlaps.starts.length - 1;
  const result = { sums: new Float64Array(outer * count * inner), sizes: new Float64Array(outer * count * inner) };
  let done = 0;
  for (let o = 0; o < outer; o++)
    for (let k = 0; k < count; k++) {
      const to = (o * count + k) * inner;
      for (let i = overlaps.starts[k]; i < overlaps.starts[k + 1]; i++) {
        const size = overlaps.sizes[i];
        const from = (o * length + overlaps.positions[i]) * inner;
        for (let c = 0; c < inner; c++) {
          result.sums[to + c] += size * sums[from + c];
          result.sizes[to + c] += size * sizes[from + c];
        }
        done += inner;
        if (done < STEP) continue;
        done = 0;
        yield;
      }
    }
  return result;
} // prettier-ignore

/**
 * The overlaps of intervals.
 * @param source pairs of ends of each cell, in any order
 * @param target ascending edges of the cells of the result
 * @param sizeOfInterval the size of an interval: its length, or the area of a zone
 * @param period the length of a circle on which the cells lie
 */
export function overlapsOf(
  source: Float64Array,
  target: Float64Array,
  sizeOfInterval: (low: number, high: number) => number,
  period?: number,
): Overlaps {
  const count = target.length - 1;
  const found: { readonly position: number; readonly size: number }[][] = Array.from({ length: count }, () => []); // prettier-ignore
  const [first, last] = [target[0], target[count]];
  const shifts = period === undefined ? [0] : [-2, -1, 0, 1, 2].map((turns) => turns * period);
  for (let p = 0; p < source.length / 2; p++) {
    const low = Math.min(source[2 * p], source[2 * p + 1]);
    const high = Math.max(source[2 * p], source[2 * p + 1]);
    for (const shift of shifts) {
      const [from, to] = [Math.max(first, low + shift), Math.min(last, high + shift)];
      if (!(to > from)) continue;
      // The edges are equally far apart, apart from rounding and clipping.
      let k = Math.max(0, Math.floor(((from - first) / (last - first)) * count) - 2);
      while (k < count && target[k + 1] <= from) k++;
      for (; k < count && target[k] < to; k++) {
        const size = sizeOfInterval(Math.max(from, target[k]), Math.min(to, target[k + 1]));
        if (size > 0) found[k].push({ position: p, size });
      }
    }
  }
  const starts = new Float64Array(count + 1);
  found.forEach((list, k) => (starts[k + 1] = starts[k] + list.length));
  const all = found.flat();
  return {
    starts,
    positions: Uint32Array.from(all, ({ position }) => position),
    sizes: Float64Array.from(all, ({ size }) => size),
  };
}
