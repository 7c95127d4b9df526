/**
 * Collects the elements of several adjacent results at a time, so that memory is read in rows. Used if the
 * elements of each result are far apart, as for medians over time.
 */
import { defined } from '../../../wire/guards.js';
import { indicesOf, sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { type Block, isFixedSize } from '../../core/dtype/data-type.js';
import { PIECE, type PlaneList, widen } from '../../compute/number-planes.js';
import type { Collector } from '../../compute/kernel.js';

/** The plan for gathering the elements of a part of a block. */
export interface Tiles {
  readonly bytes: Uint8Array;
  readonly dtype: Block['dtype'];
  readonly itemSize: number;
  /** Position of the first element of the first result in bytes. */
  readonly from: number;
  /**
   * Remaining axes: the number of results along each, and the stride of their elements. The last axis is
   * divided into tiles.
   */
  readonly kept: readonly Axis[];
  /** The reduced axes. */
  readonly all: readonly Axis[];
  /** Number of elements per result. */
  readonly elements: number;
}

interface Axis {
  readonly count: number;
  readonly stride: number;
}

/** The elements of a block that some results consist of. */
export interface TiledPart {
  /** The first element and the number of elements along each axis. */
  readonly start: readonly number[];
  readonly counts: readonly number[];
  /** Whether each element along an axis has a separate result; otherwise they are reduced to one. */
  readonly isKept: readonly boolean[];
}

/** Minimum number of results. A single one is computed faster on its own. */
const MIN_TILE_RESULTS = 2;

/**
 * @param most maximum number of elements per result, above which tiles do not help
 * @returns undefined if elements cannot be gathered in tiles
 */
export function tilesOf(block: Block, { start, counts, isKept }: TiledPart, most: number): Tiles | undefined {
  const { dtype, shape } = block;
  if (!('bytes' in block) || !isFixedSize(dtype)) return undefined;
  const strides = stridesOf(shape, dtype.itemSize);
  const axes = counts.map((count, d): Axis => ({ count, stride: defined(strides[d]) }));
  const kept = axes.filter((_, d) => isKept[d] === true);
  const all = axes.filter((_, d) => isKept[d] === false);
  const elements = sizeOf(all.map(({ count }) => count));
  const results = sizeOf(kept.map(({ count }) => count));
  if (kept.length === 0 || results < MIN_TILE_RESULTS || elements === 0 || elements > most) return undefined;
  const from = start.reduce((sum, first, d) => sum + first * defined(strides[d]), 0);
  return { bytes: block.bytes, dtype, itemSize: dtype.itemSize, from, kept, all, elements };
}

/** The results of a tile. */
export interface TileResults {
  /** Index of the first result. The others follow along the last axis. */
  readonly index: readonly number[];
  readonly count: number;
  /** Position of the first element of the first result. */
  readonly from: number;
  /** Stride of results. */
  readonly stride: number;
}

/** @param size maximum number of results per tile */
export function* tileResults({ from, kept }: Tiles, size: number): Generator<TileResults> {
  const last = kept.length - 1;
  const { count = 1, stride = 0 } = kept[last] ?? {};
  for (const outer of indicesOf(kept.slice(0, -1).map((axis) => axis.count))) {
    const start = outer.reduce((sum, i, d) => sum + i * defined(kept[d]).stride, from);
    for (let first = 0; first < count; first += size)
      yield {
        index: [...outer, first],
        count: Math.min(size, count - first),
        from: start + first * stride,
        stride,
      };
  }
}

/** The index of a result of a tile. */
export function indexOfResult({ index }: TileResults, i: number): number[] {
  return index.with(-1, defined(index.at(-1)) + i);
}

/** Maximum number of elements of one result that is collected by tiles. */
export const MAX_TILE_ELEMENTS = PIECE / 8;

/**
 * Collects all results. Yields after each tile.
 * @param take called with the index of each result whose elements have all been collected
 */
export function* collectTiles(
  collector: Collector,
  tiles: Tiles,
  take: (index: readonly number[]) => void,
): Generator<void> {
  const { bytes, dtype, itemSize, all, elements } = tiles;
  const rows = Math.floor(PIECE / elements);
  const tile = new Uint8Array(rows * elements * itemSize);
  const strides = stridesOf(
    all.map(({ count }) => count),
    itemSize,
  );
  const inside = all.map(({ count, stride }, d) => ({ count, from: stride, to: defined(strides[d]) }));
  for (const part of tileResults(tiles, rows)) {
    const { count: size, from: start, stride } = part;
    const dims = [...inside, { count: size, from: stride, to: elements * itemSize }];
    copyStrided(bytes, start, tile, 0, dims, itemSize);
    const { planes, hasMissing } = widen({ values: { bytes: tile }, count: size * elements }, dtype);
    const [first, second] = planes;
    for (let i = 0; i < size; i++) {
      const [from, to] = [i * elements, (i + 1) * elements];
      const values = { bytes: tile.subarray(from * itemSize, to * itemSize) };
      const ownFirst = first.subarray(from, to);
      const own: PlaneList = second === undefined ? [ownFirst] : [ownFirst, second.subarray(from, to)];
      collector.begin(elements);
      collector.add({ planes: own, hasMissing }, elements, values);
      take(indexOfResult(part, i));
    }
    yield;
  }
}
