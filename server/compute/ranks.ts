/** Computes exact medians and quantiles of lists in memory. */
import type { DataType } from '../core/dtype/data-type.js';
import type { Collector } from './kernel.js';
import { numberOf, planesOf } from './number-planes.js';

/** Maximum number of elements of one result that are held in memory. */
export const MAX_HELD = 2 ** 20;

/** @param quantiles between 0 and 1; undefined for the median */
export function rankCollector(dtype: DataType, quantiles: readonly number[] | undefined): Collector {
  const planes = planesOf(dtype);
  let held = new Float64Array(0);
  let present = 0;
  return {
    begin(count) {
      present = 0;
      if (held.length < count) held = new Float64Array(count);
    },
    add(widened, count) {
      const [first, second] = widened.planes;
      for (let i = 0; i < count; i++) {
        const value = numberOf(first[i], second?.[i], planes);
        // Replaces -0 by 0.
        if (value === value) held[present++] = value + 0;
      }
    },
    get present() {
      return present;
    },
    results: () => ranksOf(held, present, quantiles),
  };
}

/** @param list list of at least one element, which is modified */
function ranksOf(list: Float64Array, count: number, quantiles: readonly number[] | undefined): number[] {
  return (quantiles ?? [0.5]).map((q) => {
    const position = rankPosition(q, count);
    const low = selectRank(list, position.low, 0, count);
    // The element of the next rank is the minimum of all elements after this one.
    let high = position.high === position.low ? low : Infinity;
    for (let i = position.high; i < count && i > position.low; i++)
      high = Math.min(high, list[i] ?? Infinity);
    return quantileOf(q, count, low, high, quantiles === undefined);
  });
}

/**
 * Computes a quantile from the values of the ranks on either side.
 * @param count number of values
 */
export function quantileOf(q: number, count: number, low: number, high: number, isMedian: boolean): number {
  const { fraction, ...ranks } = rankPosition(q, count);
  if (ranks.low === ranks.high) return low;
  return isMedian ? medianOf(count, low, high) : between(low, high, fraction);
}

/** The median, from the values of rank (count - 1) / 2, rounded down and up. */
export function medianOf(count: number, low: number, high: number): number {
  return count % 2 === 1 ? low : (low + high) / 2;
}

/**
 * Moves the element of rank `rank` to its sorted position, with smaller or equal elements before it and
 * larger or equal elements after it (Hoare's quickselect).
 * @param list list without NaN, which is modified
 * @param from, to the part of the list (`to` exclusive) that contains the position
 */
function selectRank(list: Float64Array, rank: number, from: number, to: number): number {
  let left = from;
  let right = to - 1;
  while (left < right) {
    const pivot = medianOfThree(list[left], list[(left + right) >>> 1], list[right]);
    let i = left;
    let j = right;
    while (i <= j) {
      while (list[i] < pivot) i++;
      while (list[j] > pivot) j--;
      if (i > j) break;
      const swapped = list[i];
      list[i++] = list[j];
      list[j--] = swapped;
    }
    if (rank <= j) right = j;
    else if (rank >= i) left = i;
    else break;
  }
  return list[rank];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * The position of a quantile in a sorted list, by NumPy's method `linear`: between two indices, with a
 * fraction.
 */
export interface RankPosition {
  readonly low: number;
  readonly high: number;
  readonly fraction: number;
}

/** @param count number of values, at least 1 */
export function rankPosition(q: number, count: number): RankPosition {
  const virtual = (count - 1) * q;
  const low = Math.min(Math.floor(virtual), count - 1);
  return { low, high: virtual <= 0 ? 0 : Math.min(low + 1, count - 1), fraction: virtual - low };
}

/** Like NumPy's `_lerp`, exact at both ends. */
function between(low: number, high: number, fraction: number): number {
  const distance = high - low;
  return fraction >= 0.5 ? high - distance * (1 - fraction) : low + distance * fraction;
}
