/** The median or quantiles of more values than fit into memory, exactly, in passes over counts of their bits. */
import { foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';
import { quantileOf } from '../../read/reduce/ranks.js';
import { rankPosition } from '../../read/reduce/select-ranks.js';
import { QuantileSearch } from '../../read/statistics/quantile-search.js';
import { statisticsFold } from '../../read/statistics/statistics-fold.js';
import { createPause } from '../../turns.js';
import type { RankedResult } from './rank-tiles.js';

/**
 * @param quantiles undefined for the median
 * @throws errors from `foldSlice`. The caller checks that all passes read the same values.
 */
export async function readRanks(
  slice: LazySlice,
  quantiles: readonly number[] | undefined,
  options: SliceFoldOptions,
): Promise<RankedResult> {
  const pause = createPause();
  const asked = quantiles ?? [0.5];
  const search = new QuantileSearch(slice.dtype, asked, (q, count) => {
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
      quantileOf(asked[k] ?? 0, search.count, Number(below) + 0, Number(above) + 0, quantiles === undefined),
    );
  return { present: search.count, results: () => results };
}
