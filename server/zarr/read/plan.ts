/**
 * What a read will do, before it does anything: which chunks, what of each goes where, and what that costs. Limits
 * look at the cost; only then is a plan opened into tasks (`planTasks`) and run (`read.ts`). Pure.
 */
import { sizeOf } from '../bytes/shape.js';
import { indexCost } from '../sharding/index-cost.js';
import {
  locateInnerChunk,
  type ChunkGeometry,
  type InnerChunkLayout,
  type InnerChunkLocation,
} from '../sharding/layout.js';
import type { DataType } from '../dtype/data-type.js';
import { selectedShape } from '../selection/compose.js';
import type { ResolvedSelection } from '../selection/selection.js';
import type { ElementTransform } from './transform/element-transform.js';
import { transformNsPerElement } from './transform/speed.js';
import { countBlocks, countPointBlocks, groupPoints, listParts, type DimPart } from './parts.js';

export interface PlanCost {
  /** Chunks that are decoded. */
  readonly chunks: number;
  /** Upper bound on requests to the store: shard indexes and neighbours are not known before. */
  readonly requests: number;
  /**
   * Bytes of those chunks, decoded, and of the shard indexes that lead to them. `chargedItemBytes` counts elements: a
   * lower bound for variable length.
   */
  readonly decodedBytes: number;
  /**
   * Bytes that are decoded and reduced where they are, of which only partial results are kept: once for each pass. They
   * are not among `decodedBytes`.
   */
  readonly reducedBytes: number;
  /** The part of `decodedBytes` that shard indexes take. */
  readonly indexBytes: number;
  /** Bytes of one decoded chunk; for variable length, the least that it is charged. */
  readonly chunkBytes: number;
  /** Most bytes that one chunk takes while it is decoded, also between its codecs. */
  readonly stepBytes: number;
  /** undefined: values of variable length. */
  readonly outputBytes: number | undefined;
  /** Bytes that the result is charged before it is read: its elements, without the contents of variable length. */
  readonly allocatedBytes: number;
  /** Bytes of values that are held beside the result while it is computed from them; 0 for values as they are stored. */
  readonly intermediateBytes: number;
}

export interface ReadPlan {
  readonly layout: InnerChunkLayout;
  readonly dtype: DataType;
  /** What becomes of the stored elements; undefined: they stay as they are. */
  readonly transform: ElementTransform | undefined;
  readonly selection: ResolvedSelection;
  /** Shape of the result. */
  readonly shape: readonly number[];
  readonly cost: PlanCost;
}

/**
 * @param selection resolved against the array of this layout
 * @param transform of values of `dtype`
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
  return { layout, dtype, transform, selection, shape, cost };
}

/** The type of the result. */
export function resultType({ dtype, transform }: ReadPlan): DataType {
  return transform?.dtype ?? dtype;
}

/** Bytes of the result (or items) that a whole chunk becomes. */
export function placedChunkBytes({ cost, dtype, transform }: ReadPlan): number {
  return transform === undefined
    ? cost.chunkBytes
    : (cost.chunkBytes / (dtype.itemSize ?? 1)) * transform.dtype.itemSize;
}

/** How long the transform of a whole chunk takes, ns. */
export function transformNs({ cost, dtype, transform }: ReadPlan): number {
  if (transform === undefined) return 0;
  return (cost.chunkBytes / (dtype.itemSize ?? 1)) * transformNsPerElement(transform);
}

/** What a read takes whose elements are transformed as they are placed: only values of the new type are held. */
export function transformedCost(
  cost: PlanCost,
  shape: readonly number[],
  { dtype }: ElementTransform,
): PlanCost {
  const outputBytes = sizeOf(shape) * dtype.itemSize;
  return { ...cost, outputBytes, allocatedBytes: outputBytes };
}

/** What a read takes. */
export function readCost(
  geometry: ChunkGeometry,
  dtype: DataType,
  selection: ResolvedSelection,
  shape: readonly number[] = selectedShape(selection),
): PlanCost {
  const { chunk } = geometry;
  const elements = sizeOf(shape);
  const chunks = countUnits(selection, chunk.shape);
  const shards = shardsCost(geometry, selection, chunks);
  const indexBytes = shards.bytes + chunks * chunk.indexBytes;
  return {
    chunks,
    requests: chunks + shards.requests,
    decodedBytes: chunks * chunk.chargedBytes + indexBytes,
    reducedBytes: 0,
    indexBytes,
    chunkBytes: chunk.bytes,
    stepBytes: chunk.stepBytes,
    outputBytes: dtype.itemSize === null ? undefined : elements * dtype.itemSize,
    allocatedBytes: elements * chunk.chargedItemBytes,
    intermediateBytes: 0,
  };
}

/** What the indexes take, of every level of shards that is taken apart. */
function shardsCost(
  { chunk, levels }: ChunkGeometry,
  selection: ResolvedSelection,
  chunks: number,
): { readonly bytes: number; readonly requests: number } {
  let [bytes, requests] = [0, 0];
  if (levels.length === 0) return { bytes, requests };
  // From the inside out: the inner chunks of a level are the index entries read at the next one.
  let entries = chunks;
  const lengths = [...chunk.shape];
  for (const { spec, axes } of levels.toReversed()) {
    axes.forEach((d, i) => (lengths[d] = (lengths[d] ?? 1) * (spec.counts[i] ?? 1)));
    const shards = Math.min(entries, countUnits(selection, lengths));
    const cost = indexCost(spec, shards, entries);
    bytes += cost.bytes;
    requests += cost.requests;
    entries = shards;
  }
  return { bytes, requests };
}

/** How many blocks of these lengths a selection touches. */
export function countUnits(selection: ResolvedSelection, lengths: readonly number[]): number {
  if (selection.kind === 'points') return countPointBlocks(selection.at, selection.count, lengths);
  let units = 1;
  for (const [d, dim] of selection.dims.entries()) {
    const blocks = countBlocks(dim, lengths[d] ?? 1);
    // 0 wins over Infinity: an empty dimension makes everything empty.
    if (blocks === 0) return 0;
    units *= blocks;
  }
  return units;
}

/** One chunk's share of a read. Strides are those of the chunk as the array sees it, in bytes (or items). */
export interface ReadTask {
  /** Its number in the order of the plan, from 0. */
  readonly index: number;
  /** The chunk's place in the innermost grid. */
  readonly chunk: readonly number[];
  readonly place: InnerChunkLocation;
  /** What is copied: see `copyRegion`. */
  readonly parts:
    readonly DimPart[] | { readonly points: readonly Float64Array[]; readonly to: Float64Array };
  /** The whole chunk goes, in its own order, to one contiguous piece of the result. */
  readonly contiguous: boolean;
}

/** The tasks of a plan, in C order of the result, one at a time: a plan of many chunks is never a list in memory. */
export function* planTasks(plan: ReadPlan): Generator<ReadTask> {
  const { layout, selection } = plan;
  if (plan.cost.chunks === 0) return;
  let index = 0;
  if (selection.kind === 'points') {
    for (const group of groupPoints(selection.at, selection.count, layout.grid.dims))
      yield {
        index: index++,
        chunk: group.chunk,
        place: locateInnerChunk(layout, group.chunk),
        parts: { points: group.from, to: group.to },
        contiguous: false,
      };
    return;
  }
  const perDim = selection.dims.map((dim, d) => {
    const gridDim = layout.grid.dims[d];
    return gridDim === undefined ? [] : listParts(dim, gridDim);
  });
  for (const block of blocksByObject(layout, perDim))
    for (const parts of combinations(block)) yield boxTask(plan, parts, index++);
}

/** Shard by shard, so that everything that is wanted of one object is asked for together. */
function blocksByObject(
  { levels, chunksPerObject }: InnerChunkLayout,
  perDim: readonly DimPart[][],
): Iterable<readonly DimPart[][]> {
  if (levels.length === 0) return [perDim];
  return combinations(perDim.map((parts, d) => groupByObject(parts, chunksPerObject[d] ?? 1)));
}

/** @param parts one a dimension; @param index of the task in the order of the plan, where that matters */
export function boxTask(plan: ReadPlan, parts: readonly DimPart[], index = 0): ReadTask {
  const chunk = parts.map((part) => part.chunk);
  const contiguous = isContiguous(plan, parts);
  return { index, chunk, place: locateInnerChunk(plan.layout, chunk), parts, contiguous };
}

/** One inner chunk of each object that a plan reads: as many steps as objects, however many inner chunks each holds. */
export function* planObjects({ cost, layout, selection }: ReadPlan): Generator<ReadTask['place']> {
  if (cost.chunks === 0) return;
  if (selection.kind === 'points') {
    for (const { chunk } of groupPoints(selection.at, selection.count, layout.grid.dims))
      yield locateInnerChunk(layout, chunk);
    return;
  }
  const perDim = selection.dims.map((dim, d) => {
    const [gridDim, chunksPer = 1] = [layout.grid.dims[d], layout.chunksPerObject[d]];
    if (gridDim === undefined) return [];
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

/** Every way to take one of each list, the last list fastest. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  if (lists.some((list) => list.length === 0)) return;
  const places = lists.map(() => 0);
  for (;;) {
    const taken: T[] = [];
    for (let d = 0; d < lists.length; d++) {
      const one = lists[d]?.[places[d] ?? 0];
      if (one !== undefined) taken.push(one);
    }
    yield taken;
    // Like an odometer: the last list goes on, and where one is through, the one before it.
    let turning = lists.length - 1;
    while (turning >= 0 && (places[turning] ?? 0) + 1 === lists[turning]?.length) places[turning--] = 0;
    if (turning < 0) return;
    places[turning] = (places[turning] ?? 0) + 1;
  }
}

function isContiguous(plan: ReadPlan, parts: readonly DimPart[]): boolean {
  const { layout, selection } = plan;
  if (selection.kind === 'points') return false;
  let innerWhole = true;
  for (let d = parts.length - 1; d >= 0; d--) {
    const [part, dim, gridDim] = [parts[d], selection.dims[d], layout.grid.dims[d]];
    if (part === undefined || dim === undefined || gridDim === undefined || 'at' in part.from) return false;
    // Every element of the chunk is taken, in order ...
    if (part.from.count !== gridDim.chunkSize || (part.from.count > 1 && part.from.step !== 1)) return false;
    // ... and what lies inside of this dimension fills the result's inner dimensions.
    if (part.from.count > 1 && !innerWhole) return false;
    if (dim.kind !== 'range' || part.from.count !== dim.count) innerWhole = false;
  }
  return true;
}
