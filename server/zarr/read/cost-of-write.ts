/** The cost of a write, computed before any I/O. Objects are written as a whole. Pure. */
import { sizeOf } from '../bytes/shape.js';
import { indexBytesOfShard } from '../sharding/index-cost.js';
import type { ChunkGeometry } from '../sharding/layout.js';
import type { DataType } from '../dtype/data-type.js';
import type { ResolvedSelection } from '../selection/selection.js';
import { countUnits, readCost, type PlanCost } from './plan.js';

/**
 * Like the cost of a read, but each modified shard counts as a whole, because it is read and rewritten with
 * its indexes. Only the part of a shard within the array counts.
 */
export function writeCost(geometry: ChunkGeometry, dtype: DataType, selection: ResolvedSelection): PlanCost {
  const cost = readCost(geometry, dtype, selection);
  const { chunk, chunksPerObject, grid, levels } = geometry;
  const [outer] = levels;
  if (outer === undefined || cost.chunks === 0) return cost;
  const lengths = chunk.shape.map((length, d) => length * (chunksPerObject[d] ?? 1));
  const objects = countUnits(selection, lengths);
  const chunksWithin = grid.dims.map((dim, d) => Math.min(dim.chunks, chunksPerObject[d] ?? 1));
  const chunkBytes = (cost.decodedBytes - cost.indexBytes) / cost.chunks;
  const shardBytes = sizeOf(chunksWithin) * chunkBytes;
  // Both the old and the new indexes.
  const indexBytes = 2 * objects * indexBytesOfShard(outer.spec);
  return { ...cost, indexBytes, decodedBytes: objects * shardBytes + indexBytes };
}
