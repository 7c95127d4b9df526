/** Exact medians and quantiles of lists in memory. */
import type { DataType } from '../../dtype/data-type.js';
import type { Collector } from './collector.js';
import { between, rankPosition, selectRank } from './select-ranks.js';
import { numberOf, planesOf } from './widen.js';

/** Maximum number of elements in memory. */
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
      if (first === undefined) return;
      for (let i = 0; i < count; i++) {
        const value = numberOf(first[i] ?? NaN, second?.[i], planes);
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

/** @param list at least one element; modified */
function ranksOf(list: Float64Array, count: number, quantiles: readonly number[] | undefined): number[] {
  return (quantiles ?? [0.5]).map((q) => {
    const position = rankPosition(q, count);
    const low = selectRank(list, position.low, 0, count);
    // The next rank is the minimum of the elements after it.
    let high = position.high === position.low ? low : Infinity;
    for (let i = position.high; i < count && i > position.low; i++)
      high = Math.min(high, list[i] ?? Infinity);
    return quantileOf(q, count, low, high, quantiles === undefined);
  });
}

/**
 * A quantile, from the values of the ranks next to it.
 * @param count number of values
 */
export function quantileOf(q: number, count: number, low: number, high: number, isMedian: boolean): number {
  const { fraction, ...ranks } = rankPosition(q, count);
  if (ranks.low === ranks.high) return low;
  if (!isMedian) return between(low, high, fraction);
  return fraction === 0 ? low : (low + high) / 2;
}
