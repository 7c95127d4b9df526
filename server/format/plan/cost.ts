/**
 * Costs of reads and writes, known before any I/O. A cost is compared with all limits on bytes and chunks, so
 * that the error names every exceeded one.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { LimitError, type Excess } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import type { ResolvedSelection } from '../selection/selection.js';
import { indexBytesOfShard } from '../codec/sharding/index-cost.js';
import type { ChunkGeometry } from './layout.js';
import { type PlanCost, countUnits, readCost } from './plan.js';

export function exceededLimits(cost: PlanCost, limits: Limits): Excess[] {
  const decoded = Math.max(cost.decodedBytes, cost.chunks === 0 ? 0 : cost.stepBytes);
  const excess: Excess[] = [];
  for (const check of [
    { limit: 'maxOutputBytes', allowed: limits.maxOutputBytes, needed: cost.allocatedBytes },
    { limit: 'maxDecodedBytes', allowed: limits.maxDecodedBytes, needed: decoded },
    { limit: 'maxReducedBytes', allowed: limits.maxReducedBytes, needed: cost.reducedBytes },
    { limit: 'maxWork', allowed: limits.maxWork, needed: cost.work },
    { limit: 'maxChunks', allowed: limits.maxChunks, needed: cost.chunks },
  ])
    if (!(check.needed <= check.allowed)) excess.push(check);
  return excess;
}

/** @throws LimitError with the allowed and the needed amount of every exceeded limit */
export function assertWithinLimits(cost: PlanCost, limits: Limits): void {
  const excess = exceededLimits(cost, limits);
  if (excess.length === 0) return;
  const parts = excess.map(
    ({ limit, allowed, needed }) => `${limit} is ${allowed}, but ${needed} are needed`,
  );
  throw new LimitError(`the selection is too large: ${parts.join('; ')}; select fewer elements`, {
    excess,
  });
}

// The cost of a write, computed before any I/O. Objects are written as a whole.

/**
 * Like the cost of a read, but each modified shard counts as a whole, because it is read and rewritten with
 * its indexes. Only the part of a shard within the array counts.
 */
export function writeCost(geometry: ChunkGeometry, dtype: DataType, selection: ResolvedSelection): PlanCost {
  const cost = readCost(geometry, dtype, selection);
  const { chunk, chunksPerObject, grid, levels } = geometry;
  const [outer] = levels;
  if (outer === undefined || cost.chunks === 0) return cost;
  const lengths = chunk.shape.map((length, d) => length * chunksPerObject[d]);
  const objects = countUnits(selection, lengths);
  const chunksWithin = grid.dims.map((dim, d) => Math.min(dim.chunks, chunksPerObject[d]));
  const chunkBytes = (cost.decodedBytes - cost.indexBytes) / cost.chunks;
  const shardBytes = sizeOf(chunksWithin) * chunkBytes;
  // Counts both the old and the new indexes.
  const indexBytes = 2 * objects * indexBytesOfShard(outer.spec);
  return { ...cost, indexBytes, decodedBytes: objects * shardBytes + indexBytes };
}
