/** Costs of reads and writes from their plans, and their comparison with limits. */
import { sizeOf } from '../../core/bytes/shape.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { type Cost, costError, excessOf } from '../../core/cost.js';
import type { Excess } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import type { ResolvedSelection } from '../selection/selection.js';
import { indexBytesOfShard } from '../codec/sharding/index-cost.js';
import type { ChunkGeometry } from './layout.js';
import { type PlanCost, countUnits, readCost } from './plan.js';

/**
 * What a plan counts towards the limits. Values of variable length count with their elements; their contents are
 * checked while they are read. A chunk must be within the limit in each step of its decoding.
 */
export function costOf(plan: PlanCost): Cost {
  return {
    outputBytes: plan.allocatedBytes,
    decodedBytes: Math.max(plan.decodedBytes, plan.chunks === 0 ? 0 : plan.stepBytes),
    reducedBytes: plan.reducedBytes,
    work: plan.work,
    chunks: plan.chunks,
  };
}

export function exceededLimits(plan: PlanCost, limits: Limits): Excess[] {
  return excessOf(costOf(plan), limits);
}

/** @throws LimitError with the allowed and the needed amount of every exceeded limit */
export function assertWithinLimits(plan: PlanCost, limits: Limits): void {
  const excess = exceededLimits(plan, limits);
  if (excess.length > 0)
    throw costError(excess, { problem: 'the selection is too large', advice: 'select fewer elements' });
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
