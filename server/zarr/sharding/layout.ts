/**
 * Layout of the innermost chunks of an array, through every level of shards that can be read by byte ranges. Pure.
 * The rest of the reader sees one grid and one codec chain, whether the array is sharded or not.
 */
import type { CodecChain, ShardSpec } from '../codec/codec.js';
import { chunkShapeOf, regularGrid, type ChunkGrid } from '../chunk/grid.js';

/** One level of shards, from the outside in. */
export interface ShardLevel {
  readonly spec: ShardSpec;
  /** Dimension i of the shard, as its sharding codec sees it, is dimension axes[i] of the array. */
  readonly axes: readonly number[];
}

export interface InnerChunkLayout {
  /** The innermost chunks over the whole array, in the array's own dimensions. */
  readonly grid: ChunkGrid;
  /** The codecs of an innermost chunk. */
  readonly chain: CodecChain;
  /** Dimension i of `chain.rep` is dimension axes[i] of the array. */
  readonly axes: readonly number[];
  /** Empty if the array is not sharded, or its shards can only be decoded whole. */
  readonly levels: readonly ShardLevel[];
}

/**
 * Inner chunks can be read by ranges if only transposes precede the sharding codec and no codec follows it: then their
 * encoded bytes are stored contiguously in the object.
 */
export function innerChunkLayout(grid: ChunkGrid, chain: CodecChain): InnerChunkLayout {
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

/** The axes after the chain's transposes; undefined if any other codec surrounds the sharding codec. */
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

/** Reorders a list from the codec's dimensions to those of the array. */
export function inArrayOrder(list: readonly number[], axes: readonly number[]): number[] {
  const ordered = new Array<number>(list.length).fill(0);
  axes.forEach((d, i) => (ordered[d] = list[i] ?? 0));
  return ordered;
}

/** Location of an innermost chunk: its object in the stored grid, and its entry in the index of each level. */
export interface InnerChunkLocation {
  readonly object: readonly number[];
  /** One number a level: the entry (C order) in that shard's index. */
  readonly entries: readonly number[];
}

/** @param index the innermost chunk's position in `layout.grid` */
export function locateInnerChunk(layout: InnerChunkLayout, index: readonly number[]): InnerChunkLocation {
  if (layout.levels.length === 0) return { object: index, entries: [] };
  const entries: number[] = [];
  const rest = [...index];
  // From the innermost level outwards: each quotient is the position among the chunks of the next outer level.
  for (let l = layout.levels.length - 1; l >= 0; l--) {
    const level = layout.levels[l];
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
export function innerChunksPerObject(layout: Pick<InnerChunkLayout, 'grid' | 'levels'>): number[] {
  const counts = layout.grid.dims.map(() => 1);
  for (const level of layout.levels)
    level.axes.forEach((d, i) => (counts[d] = (counts[d] ?? 1) * (level.spec.counts[i] ?? 1)));
  return counts;
}
