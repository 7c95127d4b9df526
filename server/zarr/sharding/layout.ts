/**
 * The units that an array is read in: its innermost chunks, through every level of shards that can be taken apart by
 * ranges. Pure; the rest of the reader knows one grid and one chain, sharded or not.
 */
import type { CodecChain, ShardSpec } from '../codec/codec.js';
import { chunkShapeOf, regularGrid, type ChunkGrid } from '../chunk/grid.js';

/** One level of shards, from the outside in. */
export interface ShardLevel {
  readonly spec: ShardSpec;
  /** Dimension i of the shard, as its sharding codec sees it, is dimension axes[i] of the array. */
  readonly axes: readonly number[];
}

export interface ReadUnits {
  /** The innermost chunks over the whole array, in the array's own dimensions. */
  readonly grid: ChunkGrid;
  /** The codecs of an innermost chunk. */
  readonly chain: CodecChain;
  /** Dimension i of `chain.rep` is dimension axes[i] of the array. */
  readonly axes: readonly number[];
  /** Empty where the array is not sharded, or its shards can only be decoded whole. */
  readonly levels: readonly ShardLevel[];
}

/**
 * A shard is taken apart where nothing but transposes stands before the sharding codec and nothing behind it: then
 * the bytes of an inner chunk lie in the object as they are.
 */
export function readUnits(grid: ChunkGrid, chain: CodecChain): ReadUnits {
  const shape = grid.dims.map((dim) => dim.size);
  const levels: ShardLevel[] = [];
  let axes: readonly number[] = shape.map((_, d) => d);
  let chunkShape = chunkShapeOf(grid);
  let current = chain;
  for (;;) {
    const spec = current.arrayToBytes.shard;
    const inner = spec === undefined ? undefined : layoutOnly(current, axes);
    if (spec === undefined || inner === undefined) break;
    levels.push({ spec, axes: inner });
    axes = inner;
    chunkShape = inArrayOrder(spec.chain.rep.shape, axes);
    current = spec.chain;
  }
  return { grid: regularGrid(shape, chunkShape), chain: current, axes, levels };
}

/** The axes behind the chain's transposes; undefined where other codecs stand around the sharding codec. */
function layoutOnly(chain: CodecChain, axes: readonly number[]): readonly number[] | undefined {
  if (chain.bytesToBytes.length > 0) return undefined;
  let result = axes;
  for (const codec of chain.arrayToArray) {
    const permutation = codec.permutation;
    if (permutation === undefined) return undefined;
    const before = result;
    result = permutation.map((d) => before[d] ?? d);
  }
  return result;
}

/** A list by a codec's dimensions, put in the order of the array's. */
export function inArrayOrder(list: readonly number[], axes: readonly number[]): number[] {
  const ordered = new Array<number>(list.length).fill(0);
  axes.forEach((d, i) => (ordered[d] = list[i] ?? 0));
  return ordered;
}

/** Where an innermost chunk lies: the object's place in the stored grid, and its place in each level's index. */
export interface UnitPlace {
  readonly object: readonly number[];
  /** One number a level: the entry (C order) in that shard's index. */
  readonly entries: readonly number[];
}

/** @param index the innermost chunk's place in `units.grid` */
export function placeOfUnit(units: ReadUnits, index: readonly number[]): UnitPlace {
  if (units.levels.length === 0) return { object: index, entries: [] };
  const entries: number[] = [];
  const rest = [...index];
  // From the innermost level outwards: what is left after each division is the place among the next larger units.
  for (let l = units.levels.length - 1; l >= 0; l--) {
    const level = units.levels[l];
    if (level === undefined) continue;
    let entry = 0;
    level.axes.forEach((d, i) => {
      const count = level.spec.counts[i] ?? 1;
      const place = rest[d] ?? 0;
      entry = entry * count + (place % count);
      rest[d] = Math.floor(place / count);
    });
    entries.unshift(entry);
  }
  return { object: rest, entries };
}

/** Innermost chunks along each dimension of one stored object. */
export function unitsPerObject(units: Pick<ReadUnits, 'grid' | 'levels'>): number[] {
  const counts = units.grid.dims.map(() => 1);
  for (const level of units.levels)
    level.axes.forEach((d, i) => (counts[d] = (counts[d] ?? 1) * (level.spec.counts[i] ?? 1)));
  return counts;
}
