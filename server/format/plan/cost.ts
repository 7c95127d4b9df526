/**
 * Costs of reads and writes from their plans, and their comparison with limits. Pure. The cost of a write,
 * computed before any I/O. Objects are written as a whole.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { type Cost, costError, excessOf } from '../../core/cost.js';
import type { Excess } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import { type ResolvedSelection, selectedShape } from '../selection/selection.js';
import { indexBytesOfShard, indexCost } from '../codec/sharding/index-cost.js';
import type { ElementTransform } from './element-transform.js';
import { blocksOf } from '../grid.js';
import type { ChunkGeometry } from './layout.js';
import { touchedUnits } from './parts.js';

export interface PlanCost {
  /** Number of chunks to decode. */
  readonly chunks: number;
  /**
   * Upper bound on the number of requests to the store. The effect of shard indexes and coalescing is unknown
   * in advance.
   */
  readonly requests: number;
  /**
   * Decoded bytes of these chunks, and bytes of their shard indexes. For values of variable length, this is a
   * lower bound: `chargedItemBytes` per element.
   */
  readonly decodedBytes: number;
  /** Decoded bytes of chunks that are only reduced; each pass counts. They are not part of `decodedBytes`. */
  readonly reducedBytes: number;
  /**
   * Operations on elements in addition to decoding and a single pass, in about a nanosecond each. See `workOf`.
   * Computed in floating point, so that products of long axes do not overflow.
   */
  readonly work: number;
  /** The shard indexes' part of `decodedBytes`. */
  readonly indexBytes: number;
  /** Bytes of one decoded chunk; for values of variable length, its minimum charge. */
  readonly chunkBytes: number;
  /** Maximum size of one chunk during decoding in bytes, including intermediate results of its codecs. */
  readonly stepBytes: number;
  /** Bytes of the result; undefined for variable-length values. */
  readonly outputBytes: number | undefined;
  /** Bytes charged for the result before it is read: its elements, without contents of variable length. */
  readonly allocatedBytes: number;
  /** Bytes of intermediate values in memory in addition to the result; 0 for stored values. */
  readonly intermediateBytes: number;
}

/**
 * Operations that take longer than decoding their elements, in nanoseconds of one CPU core. Measured with random values in
 * float32 on a busy machine, and rounded up. Their products with counts of elements are the `work` of a cost.
 */
export const workOf = {
  /** One step of moving windows along their axis: the values at one position, which are adjacent in memory. */
  windowStep: 100,
  /** One value of moving windows, whose states are updated as the window moves. */
  windowValue: 40,
  /** One value of moving medians, and moving one value of the sorted window. */
  rankedWindowValue: 150,
  sortedValue: 0.1,
  /** One neighbour of an interpolated result. */
  neighbour: 50,
  /** Sorting one value for a median, quantiles or a mode, and one result of a mode. */
  rankedValue: 50,
  mode: 4000,
  /** Counting the digits of one value, for each pass and each quantile. */
  digit: 6,
  /** One operation of an expression on an element. */
  step: 1,
} as const;

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
  const excess = excessOf(costOf(plan), limits);
  if (excess.length > 0)
    throw costError(excess, { problem: 'the selection is too large', advice: 'select fewer elements' });
}

/**
 * The cost of a read that transforms elements while placing them, so that only transformed values are in
 * memory.
 */
export function transformedCost(
  cost: PlanCost,
  shape: readonly number[],
  { dtype }: ElementTransform,
): PlanCost {
  const outputBytes = sizeOf(shape) * dtype.itemSize;
  return { ...cost, outputBytes, allocatedBytes: outputBytes };
}

export function readCost(
  geometry: ChunkGeometry,
  dtype: DataType,
  selection: ResolvedSelection,
  shape: readonly number[] = selectedShape(selection),
): PlanCost {
  const touched = touchedUnits(selection, geometry.grid.dims);
  const chunk = geometry.sizeOf(touched.largest);
  const elements = sizeOf(shape);
  const chunks = touched.count;
  const shards = geometry.levels.length === 0 ? noShards : shardsCost(geometry, selection, chunks);
  const indexBytes = shards.bytes + chunks * chunk.indexBytes;
  return {
    chunks,
    requests: chunks + shards.requests,
    decodedBytes: touched.elements * chunk.chargedItemBytes + indexBytes,
    reducedBytes: 0,
    work: 0,
    indexBytes,
    chunkBytes: chunk.bytes,
    stepBytes: chunk.stepBytes,
    outputBytes: dtype.itemSize === null ? undefined : elements * dtype.itemSize,
    allocatedBytes: elements * chunk.chargedItemBytes,
    intermediateBytes: 0,
  };
}

const noShards = { bytes: 0, requests: 0 };

/** The cost of the indexes of all levels of shards that are read in parts. */
function shardsCost(
  { grid, levels }: ChunkGeometry,
  selection: ResolvedSelection,
  chunks: number,
): { readonly bytes: number; readonly requests: number } {
  let [bytes, requests] = [0, 0];
  // Iterates from the innermost level outwards: the shards of a level are the index entries of the next one.
  let entries = chunks;
  const units = [...grid.dims];
  for (const { spec, axes } of levels.toReversed()) {
    axes.forEach((d, i) => (units[d] = blocksOf(units[d], spec.counts[i])));
    const shards = Math.min(entries, touchedUnits(selection, units).count);
    const cost = indexCost(spec, shards, entries);
    bytes += cost.bytes;
    requests += cost.requests;
    entries = shards;
  }
  return { bytes, requests };
}

/**
 * Like the cost of a read, but each modified shard counts as a whole, because it is read and rewritten with
 * its indexes. Only the part of a shard within the array counts.
 */
export function writeCost(geometry: ChunkGeometry, dtype: DataType, selection: ResolvedSelection): PlanCost {
  const cost = readCost(geometry, dtype, selection);
  const { chunksPerObject, grid, levels } = geometry;
  const [outer] = levels;
  if (outer === undefined || cost.chunks === 0) return cost;
  const objects = touchedUnits(
    selection,
    grid.dims.map((dim, d) => blocksOf(dim, chunksPerObject[d])),
  ).count;
  const chunksWithin = grid.dims.map((dim, d) => Math.min(dim.chunks, chunksPerObject[d]));
  const chunkBytes = (cost.decodedBytes - cost.indexBytes) / cost.chunks;
  const shardBytes = sizeOf(chunksWithin) * chunkBytes;
  // Counts both the old and the new indexes.
  const indexBytes = 2 * objects * indexBytesOfShard(outer.spec);
  return { ...cost, indexBytes, decodedBytes: objects * shardBytes + indexBytes };
}
