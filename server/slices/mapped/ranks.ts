/** Computes medians and quantiles of neighbouring results together; see `columnRanks`. */
import { defined } from '../../../wire/guards.js';
import { stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { columnRanks, lanesOf } from '../../compute/column-ranks.js';
import { quantileOf, rankPosition } from '../../compute/ranks.js';
import { onePlane, PIECE, planesOf, widen } from '../../compute/number-planes.js';
import { indexOfResult, tileResults, type Tiles } from './collect-tiles.js';
import { QuantileSearch } from '../../compute/statistics/quantile-search.js';
import { statisticsFold } from '../../compute/reduce/statistics-fold.js';
import { createPause } from '../../core/turns.js';
import { foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions } from '../lazy-slice.js';

/** Maximum number of elements per result. The vectors of a tile then have 4 MiB. */
export const MAX_RANK_ELEMENTS = 2 ** 18;

/**
 * Number of elements of a float32 tile. Gathering it makes no second copy, so a tile can be larger and its
 * rows longer.
 */
const TILE_ELEMENTS = 2 ** 17;

export interface RankedResult {
  /** Number of values that are not missing. */
  readonly present: number;
  results(): number[];
}

/**
 * Computes all results. Yields after each tile, which takes at most about 5 ms.
 * @param quantiles quantiles; undefined for the median
 * @param take called with the index of each result
 */
export function* rankTiles(
  tiles: Tiles,
  quantiles: readonly number[] | undefined,
  take: (ranked: RankedResult, index: readonly number[]) => void,
): Generator<void> {
  const { bytes, dtype, itemSize, all, kept, elements } = tiles;
  const isSingle = dtype.name === 'float32';
  const lanes = lanesOf(isSingle);
  const fractions = quantiles ?? [0.5];
  const maxElements = isSingle ? TILE_ELEMENTS : PIECE;
  const widest = Math.min(kept.at(-1)?.count ?? 1, Math.max(lanes, Math.floor(maxElements / elements)));
  const columns = Math.ceil(widest / lanes) * lanes;
  // A row of the tile contains one element of each result.
  const gathered = isSingle ? undefined : new Uint8Array(elements * columns * itemSize);
  const strides = stridesOf([...all.map(({ count }) => count), columns], itemSize);
  const inside = all.map(({ count, stride }, d) => ({ count, from: stride, to: defined(strides[d]) }));
  for (const part of tileResults(tiles, columns)) {
    const dims = [...inside, { count: part.count, from: part.stride, to: itemSize }];
    const fill = (tile: Uint8Array): void => {
      const into = gathered ?? tile;
      // The last tile of a row of results may not be full.
      if (part.count < columns) into.fill(0);
      copyStrided(bytes, part.from, into, 0, dims, itemSize);
      if (gathered === undefined) return;
      const { planes } = widen({ values: { bytes: gathered }, count: elements * columns }, dtype);
      const numbers = onePlane({ planes, length: elements * columns }, planesOf(dtype));
      new Float64Array(tile.buffer, tile.byteOffset, elements * columns).set(
        numbers.subarray(0, elements * columns),
      );
    };
    const { present, found } = columnRanks({ rows: elements, columns, isSingle, fill }, fractions);
    for (let i = 0; i < part.count; i++) {
      const count = defined(present[i]);
      const results = (): number[] =>
        fractions.map((q, k) => {
          const at = 2 * (i * fractions.length + k);
          return quantileOf(q, count, found[at] ?? NaN, found[at + 1] ?? NaN, quantiles === undefined);
        });
      take({ present: count, results }, indexOfResult(part, i));
    }
    yield;
  }
}

/**
 * Computes the exact median or quantiles of more values than fit into memory, in several passes that count digits of
 * the values.
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
