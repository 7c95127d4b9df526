/** Computes the exact median or quantiles of more values than fit into memory, in several passes that count digits of the values. */
import { defined } from '../../../wire/guards.js';
import { quantileOf, rankPosition } from '../../compute/ranks.js';
import { QuantileSearch } from '../../compute/statistics/quantile-search.js';
import { statisticsFold } from '../../compute/reduce/statistics-fold.js';
import { createPause } from '../../core/turns.js';
import { foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';
import type { RankedResult } from './ranks.js';

/**
 * @param quantiles quantiles; undefined for the median
 * @throws errors from `foldSlice`. The caller checks that all passes read the same values
 */
export async function readRanks(
  slice: LazySlice,
  quantiles: readonly number[] | undefined,
  options: SliceFoldOptions,
): Promise<RankedResult> {
  const pause = createPause();
  const fractions = quantiles ?? [0.5];
  const search = new QuantileSearch(slice.dtype, fractions, (q, count) => {
    const { low, high } = rankPosition(q, count);
    return [low, high];
  });
  for (let digits = search.next; digits !== undefined; digits = search.next) {
    const spec = { summary: false, bins: [], digits };
    const total = await foldSlice(slice, statisticsFold(spec, slice.shape.length), options);
    if (total.digits !== undefined) for (const _ of search.add(total.digits)) await pause();
  }
  // Adding 0 replaces -0.
  const results = search
    .finish()
    .map(({ below, above }, k) =>
      quantileOf(
        defined(fractions[k]),
        search.count,
        Number(below) + 0,
        Number(above) + 0,
        quantiles === undefined,
      ),
    );
  return { present: search.count, results: () => results };
}
