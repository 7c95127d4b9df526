/**
 * The plan of a read: its chunks, the region of each, and the cost. Limits check the cost; only then are the
 * tasks enumerated (`planTasks`) and run (`read.ts`). Pure.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import { indexCost } from '../codec/sharding/index-cost.js';
import {
  locateInnerChunk,
  type ChunkGeometry,
  type InnerChunkLayout,
  type InnerChunkLocation,
} from './layout.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { type ResolvedSelection, selectedShape } from '../selection/selection.js';
import { type ElementTransform, transformNsPerElement } from './element-transform.js';
import { countBlocks, countPointBlocks, groupPoints, listParts, type DimPart } from './parts.js';

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
   * Operations on elements in addition to decoding and a single pass, in about a nanosecond each. See `work.ts`.
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

export interface ReadPlan {
  readonly layout: InnerChunkLayout;
  readonly dtype: DataType;
  /** The transform of stored elements; undefined for none. */
  readonly transform: ElementTransform | undefined;
  /** The data type of the result. */
  readonly resultType: DataType;
  readonly selection: ResolvedSelection;
  /** Shape of the result. */
  readonly shape: readonly number[];
  readonly cost: PlanCost;
}

/**
 * @param selection selection that has been resolved against the array
 * @param transform transform of values of type `dtype`
 */
export function planRead(
  layout: InnerChunkLayout,
  dtype: DataType,
  selection: ResolvedSelection,
  transform?: ElementTransform,
): ReadPlan {
  const shape = selectedShape(selection);
  const stored = readCost(layout, dtype, selection, shape);
  const cost = transform === undefined ? stored : transformedCost(stored, shape, transform);
  return { layout, dtype, transform, resultType: transform?.dtype ?? dtype, selection, shape, cost };
}

/** Number of bytes of the result for a whole chunk; for values of variable length, their minimum charge. */
export function placedChunkBytes({ cost, dtype, transform }: ReadPlan): number {
  return transform === undefined
    ? cost.chunkBytes
    : (cost.chunkBytes / (dtype.itemSize ?? 1)) * transform.dtype.itemSize;
}

/** Time to transform a whole chunk, in nanoseconds. */
export function transformNs({ cost, dtype, transform }: ReadPlan): number {
  if (transform === undefined) return 0;
  return (cost.chunkBytes / (dtype.itemSize ?? 1)) * transformNsPerElement(transform);
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
  const { chunk } = geometry;
  const elements = sizeOf(shape);
  const chunks = countUnits(selection, chunk.shape);
  const shards = geometry.levels.length === 0 ? noShards : shardsCost(geometry, selection, chunks);
  const indexBytes = shards.bytes + chunks * chunk.indexBytes;
  return {
    chunks,
    requests: chunks + shards.requests,
    decodedBytes: chunks * chunk.chargedBytes + indexBytes,
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
  { chunk, levels }: ChunkGeometry,
  selection: ResolvedSelection,
  chunks: number,
): { readonly bytes: number; readonly requests: number } {
  let [bytes, requests] = [0, 0];
  // Iterates from the innermost level outwards: the shards of a level are the index entries of the next one.
  let entries = chunks;
  const lengths = [...chunk.shape];
  for (const { spec, axes } of levels.toReversed()) {
    axes.forEach((d, i) => (lengths[d] = lengths[d] * spec.counts[i]));
    const shards = Math.min(entries, countUnits(selection, lengths));
    const cost = indexCost(spec, shards, entries);
    bytes += cost.bytes;
    requests += cost.requests;
    entries = shards;
  }
  return { bytes, requests };
}

/** Number of blocks of these lengths that a selection touches. */
export function countUnits(selection: ResolvedSelection, lengths: readonly number[]): number {
  if (selection.kind === 'points') return countPointBlocks(selection.at, selection.count, lengths);
  let units = 1;
  for (const [d, dim] of selection.dims.entries()) {
    const blocks = countBlocks(dim, lengths[d]);
    // 0 times Infinity must be 0, because an empty dimension makes the selection empty.
    if (blocks === 0) return 0;
    units *= blocks;
  }
  return units;
}

/** The part of a read that concerns one chunk. */
export interface ReadTask {
  /** Position in the order of the plan, from 0. */
  readonly index: number;
  /** Coordinates in the innermost grid. */
  readonly chunk: readonly number[];
  readonly location: InnerChunkLocation;
  /** The region to copy: see `copyRegion`. */
  readonly parts:
    readonly DimPart[] | { readonly points: readonly Float64Array[]; readonly to: Float64Array };
  /** Whether the whole chunk is selected in order, for one contiguous piece of the result. */
  readonly contiguous: boolean;
}

/**
 * Generates the tasks of a plan one at a time, to bound the memory. The tasks of a box are in C order of the
 * result; with shards, only within each shard.
 */
export function* planTasks(plan: ReadPlan): Generator<ReadTask> {
  const { layout, selection } = plan;
  if (plan.cost.chunks === 0) return;
  let index = 0;
  if (selection.kind === 'points') {
    for (const group of groupPoints(selection.at, selection.count, layout.grid.dims))
      yield {
        index: index++,
        chunk: group.chunk,
        location: locateInnerChunk(layout, group.chunk),
        parts: { points: group.from, to: group.to },
        contiguous: false,
      };
    return;
  }
  const { grid, levels, chunksPerObject } = layout;
  const perDim: DimPart[][] = [];
  for (const [d, dim] of selection.dims.entries()) {
    const gridDim = grid.dims[d];
    perDim.push(gridDim === undefined ? [] : listParts(dim, gridDim));
  }
  // Orders the tasks by shard, so that all parts of one object are requested together.
  const blocks =
    levels.length === 0
      ? [perDim]
      : combinations(perDim.map((parts, d) => groupByObject(parts, chunksPerObject[d])));
  for (const block of blocks) for (const parts of combinations(block)) yield boxTask(plan, parts, index++);
}

/** @param parts one per dimension @param index index of the task in the order of the plan, if needed */
export function boxTask(plan: ReadPlan, parts: readonly DimPart[], index = 0): ReadTask {
  const chunk = parts.map((part) => part.chunk);
  const contiguous = isContiguous(plan, parts);
  return { index, chunk, location: locateInnerChunk(plan.layout, chunk), parts, contiguous };
}

/**
 * Yields one inner chunk of each object that a box needs, so the number of steps does not depend on the number
 * of inner chunks. For points, yields every inner chunk.
 */
export function* planObjects({ cost, layout, selection }: ReadPlan): Generator<ReadTask['location']> {
  if (cost.chunks === 0) return;
  if (selection.kind === 'points') {
    for (const { chunk } of groupPoints(selection.at, selection.count, layout.grid.dims))
      yield locateInnerChunk(layout, chunk);
    return;
  }
  const perDim = selection.dims.map((dim, d) => {
    const [gridDim, chunksPer] = [layout.grid.dims[d], layout.chunksPerObject[d]];
    const object = { ...gridDim, chunkSize: gridDim.chunkSize * chunksPer };
    return listParts(dim, object).map(({ chunk }) => chunk * chunksPer);
  });
  for (const chunk of combinations(perDim)) yield locateInnerChunk(layout, chunk);
}

function groupByObject(parts: readonly DimPart[], chunksPer: number): DimPart[][] {
  const groups = new Map<number, DimPart[]>();
  for (const part of parts) {
    const object = Math.floor(part.chunk / chunksPer);
    const group = groups.get(object);
    if (group === undefined) groups.set(object, [part]);
    else group.push(part);
  }
  return [...groups.values()];
}

/** Generates every combination of one entry per list. The last list varies fastest. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  for (const list of lists) if (list.length === 0) return;
  const indices = new Array<number>(lists.length).fill(0);
  for (;;) {
    yield lists.map((list, d) => list[indices[d]]);
    // Advances the last list that is not at its end, and restarts the lists after it.
    let turning = lists.length - 1;
    while (turning >= 0 && indices[turning] + 1 === lists[turning].length) indices[turning--] = 0;
    if (turning < 0) return;
    indices[turning] = indices[turning] + 1;
  }
}

function isContiguous(plan: ReadPlan, parts: readonly DimPart[]): boolean {
  const { layout, selection } = plan;
  if (selection.kind === 'points') return false;
  let innerWhole = true;
  for (let d = parts.length - 1; d >= 0; d--) {
    const part = parts[d];
    const dim = selection.dims[d];
    const gridDim = layout.grid.dims[d];
    if (part === undefined || dim === undefined || gridDim === undefined || 'at' in part.from) return false;
    // All elements of the chunk are selected, in order ...
    if (part.from.count !== gridDim.chunkSize || (part.from.count > 1 && part.from.step !== 1)) return false;
    // ... and the dimensions inside this one fill the result's inner dimensions.
    if (part.from.count > 1 && !innerWhole) return false;
    if (dim.kind !== 'range' || part.from.count !== dim.count) innerWhole = false;
  }
  return true;
}
