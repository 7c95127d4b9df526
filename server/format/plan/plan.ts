/**
 * The plan of a read: its chunks, the region of each, and the cost. Limits check the cost; only then are the
 * tasks enumerated (`planTasks`) and run (`read.ts`). Pure.
 */
import { STEPS_BETWEEN_PAUSES } from '../../core/turns.js';
import { blocksOf, chunkLength, isUniform } from '../grid.js';
import { locateInnerChunk, type ChunkForm, type InnerChunkLayout, type InnerChunkLocation } from './layout.js'; // prettier-ignore
import { isFixedSize, type DataType } from '../../core/dtype/data-type.js';
import type { Limits } from '../../core/limits.js';
import { type ResolvedSelection, selectedShape } from '../selection/selection.js';
import { type PlanCost, readCost, transformedCost } from './cost.js';
import { type ElementTransform, transformNsPerElement } from './element-transform.js';
import { groupPoints, listParts, type DimPart } from './parts.js';

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
  /** The tasks to run; undefined for all of them. */
  readonly span: TaskSpan | undefined;
}

/** Consecutive tasks of a plan, by their numbers. */
export interface TaskSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
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
  const resultType = transform?.dtype ?? dtype;
  return { layout, dtype, transform, resultType, selection, shape, cost, span: undefined };
}

/** A plan of some tasks. Its cost is their share of the whole cost. @throws RangeError for tasks that do not exist */
export function partOfPlan(plan: ReadPlan, span: TaskSpan): ReadPlan {
  const { cost } = plan;
  const { from, to } = span;
  const isValid = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from;
  if (!isValid || to > cost.chunks)
    throw new RangeError(`the plan has ${cost.chunks} tasks, not those from ${from} to ${to - 1}`);
  const chunks = to - from;
  const share = (whole: number): number => Math.ceil((whole * chunks) / cost.chunks);
  const indexBytes = share(cost.indexBytes);
  // The tasks of a part may be the largest ones.
  const decodedBytes = isUniform(plan.layout.grid)
    ? share(cost.decodedBytes)
    : Math.min(cost.decodedBytes, chunks * plan.layout.largest.chargedBytes + indexBytes);
  return {
    ...plan,
    cost: {
      ...cost,
      chunks,
      requests: share(cost.requests),
      decodedBytes,
      indexBytes,
      work: share(cost.work),
    },
    span,
  };
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
 * Maximum stored size of a chunk in bytes. It is larger than an exact size, so that the codec can report an
 * unexpected length. No compressor doubles the size of fixed-size values.
 */
export function maxStoredBytes(plan: ReadPlan, { maxDecodedBytes }: Pick<Limits, 'maxDecodedBytes'>): number {
  const { sizes } = plan.layout.largest.chain;
  const most = isFixedSize(plan.dtype) ? 2 * plan.cost.chunkBytes : Infinity;
  const stored = sizes[sizes.length - 1]?.bytes ?? most;
  return Math.min(stored + 2 ** 20, Math.max(maxDecodedBytes, 2 ** 20) * 2);
}

/** The part of a read that concerns one chunk. */
export interface ReadTask {
  /** Position in the order of the plan, from 0. */
  readonly index: number;
  /** Coordinates in the innermost grid. */
  readonly chunk: readonly number[];
  readonly location: InnerChunkLocation;
  readonly form: ChunkForm;
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
  const { from, to } = plan.span ?? { from: 0, to: Infinity };
  let index = from;
  if (selection.kind === 'points') {
    const groups = groupPoints(selection.at, selection.count, layout.grid.dims);
    for (const group of plan.span === undefined ? groups : groups.slice(from, to))
      yield {
        index: index++,
        chunk: group.chunk,
        location: locateInnerChunk(layout, group.chunk),
        form: layout.formOf(group.chunk),
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
  let before = 0;
  for (const block of blocks) {
    const count = block.reduce((product, { length }) => product * length, 1);
    if (before + count > index)
      for (const parts of combinations(block, index - before)) {
        if (index >= to) return;
        yield boxTask(plan, parts, index++);
      }
    before += count;
  }
}

/** @param parts one per dimension @param index index of the task in the order of the plan, if needed */
export function boxTask(plan: ReadPlan, parts: readonly DimPart[], index = 0): ReadTask {
  const chunk = parts.map((part) => part.chunk);
  const contiguous = isContiguous(plan, parts);
  const { layout } = plan;
  return { index, chunk, location: locateInnerChunk(layout, chunk), form: layout.formOf(chunk), parts, contiguous }; // prettier-ignore
}

/**
 * Yields one inner chunk of each object that a box needs, so the number of steps does not depend on the number
 * of inner chunks. For points, yields every inner chunk.
 */
export function* planObjects(plan: ReadPlan): Generator<ReadTask['location']> {
  const { cost, layout, selection } = plan;
  if (cost.chunks === 0) return;
  if (plan.span !== undefined) {
    let last: ReadTask | undefined;
    for (const task of planTasks(plan)) {
      if (!sameObject(last, task)) yield task.location;
      last = task;
    }
    return;
  }
  if (selection.kind === 'points') {
    for (const { chunk } of groupPoints(selection.at, selection.count, layout.grid.dims))
      yield locateInnerChunk(layout, chunk);
    return;
  }
  const perDim = selection.dims.map((dim, d) => {
    const [gridDim, chunksPer] = [layout.grid.dims[d], layout.chunksPerObject[d]];
    const object = chunksPer === 1 ? gridDim : blocksOf(gridDim, chunksPer);
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

/** Generates every combination of one entry per list. The last list varies fastest. @param first number of the first one */
function* combinations<T>(lists: readonly (readonly T[])[], first = 0): Generator<T[]> {
  for (const list of lists) if (list.length === 0) return;
  const indices = new Array<number>(lists.length).fill(0);
  for (let d = lists.length - 1, rest = first; rest > 0 && d >= 0; d--) {
    const { length } = lists[d];
    indices[d] = rest % length;
    rest = Math.floor(rest / length);
  }
  for (;;) {
    const combination = new Array<T>(lists.length);
    for (let d = 0; d < lists.length; d++) combination[d] = lists[d][indices[d]];
    yield combination;
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
    if (part.from.count !== chunkLength(gridDim, part.chunk) || (part.from.count > 1 && part.from.step !== 1))
      return false;
    // ... and the dimensions inside this one fill the result's inner dimensions.
    if (part.from.count > 1 && !innerWhole) return false;
    if (dim.kind !== 'range' || part.from.count !== dim.count) innerWhole = false;
  }
  return true;
}

/**
 * Number of tasks after which a batch ends. A batch with a shard ends only after the shard, so that all its
 * inner chunks have the same version.
 */
const BATCH_TASKS = 64;
/** Decoded size of a batch in bytes, which bounds the memory in flight. A batch has at least one chunk. */
const BATCH_BYTES = 16 * 2 ** 20;

/**
 * Maximum number of batches from the oldest incomplete one to the newest. Bounds the memory of a sink that
 * merges in the order of the plan.
 */
export const BATCHES_AHEAD = 4;

function tasksOfBatch(chunkBytes: number): number {
  return Math.min(BATCH_TASKS, Math.max(1, Math.floor(BATCH_BYTES / Math.max(1, chunkBytes))));
}

/**
 * Maximum number of chunks that are requested and not merged. Shards can exceed it; see `BATCH_TASKS`.
 * @param chunkBytes decoded bytes of a chunk
 */
export function tasksInFlight(chunkBytes: number): number {
  return BATCHES_AHEAD * tasksOfBatch(chunkBytes);
}

/** Yields undefined periodically within a long batch, so that the caller can pause. */
export function* batchesOf(plan: ReadPlan): Generator<readonly ReadTask[] | undefined> {
  let batch: ReadTask[] = [];
  const tasks = tasksOfBatch(plan.cost.chunkBytes);
  for (const task of planTasks(plan)) {
    const last = batch[batch.length - 1];
    if (batch.length >= tasks && !sameObject(last, task)) {
      yield batch;
      batch = [];
    }
    if (batch.push(task) % STEPS_BETWEEN_PAUSES === 0) yield undefined;
  }
  if (batch.length > 0) yield batch;
}

function sameObject(a: ReadTask | undefined, b: ReadTask): boolean {
  return a !== undefined && a.location.object.every((i, d) => i === b.location.object[d]);
}
