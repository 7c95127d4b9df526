/** Medians and quantiles of neighbouring results together: see `columnRanks`. */
import { stridesOf } from '../../bytes/shape.js';
import { copyStrided } from '../../bytes/strided-copy.js';
import { columnRanks, lanesOf } from '../../read/reduce/column-ranks.js';
import { onePlane, planesOf, PIECE, widen } from '../../read/reduce/widen.js';
import { quantileOf } from '../../read/reduce/ranks.js';
import { indexOfResult, tileResults, type Tiles } from './collect-tiles.js';

/** Maximum number of elements per result: the vectors of a tile are 4 MiB then. */
export const MAX_RANK_ELEMENTS = 2 ** 18;

/** Elements of a tile of float32, which is gathered without another copy: long rows are read faster. */
const TILE_ELEMENTS = 2 ** 17;

export interface RankedResult {
  /** Number of values that are not missing. */
  readonly present: number;
  results(): number[];
}

/**
 * Yields after each tile, some 5 ms of work at most.
 * @param quantiles undefined for the median
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
  const asked = quantiles ?? [0.5];
  const room = isSingle ? TILE_ELEMENTS : PIECE;
  const widest = Math.min(kept.at(-1)?.count ?? 1, Math.max(lanes, Math.floor(room / elements)));
  const columns = Math.ceil(widest / lanes) * lanes;
  // Rows of the tile are the elements of all its results with the same index.
  const gathered = isSingle ? undefined : new Uint8Array(elements * columns * itemSize);
  const strides = stridesOf([...all.map(({ count }) => count), columns], itemSize);
  const inside = all.map(({ count, stride }, d) => ({ count, from: stride, to: strides[d] ?? 0 }));
  for (const part of tileResults(tiles, columns)) {
    const dims = [...inside, { count: part.count, from: part.stride, to: itemSize }];
    const fill = (tile: Uint8Array): void => {
      const into = gathered ?? tile;
      // A tile at the end is not full.
      if (part.count < columns) into.fill(0);
      copyStrided(bytes, part.from, into, 0, dims, itemSize);
      if (gathered === undefined) return;
      const { planes } = widen({ values: { bytes: gathered }, count: elements * columns }, dtype);
      const numbers = onePlane({ planes, length: elements * columns }, planesOf(dtype));
      new Float64Array(tile.buffer, tile.byteOffset, elements * columns).set(
        numbers.subarray(0, elements * columns),
      );
    };
    const { present, found } = columnRanks({ rows: elements, columns, isSingle, fill }, asked);
    for (let i = 0; i < part.count; i++) {
      const count = present[i] ?? 0;
      const results = (): number[] =>
        asked.map((q, k) => {
          const at = 2 * (i * asked.length + k);
          return quantileOf(q, count, found[at] ?? NaN, found[at + 1] ?? NaN, quantiles === undefined);
        });
      take({ present: count, results }, indexOfResult(part, i));
    }
    yield;
  }
}
