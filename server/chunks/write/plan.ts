/**
 * Plans a write before any I/O: the objects, their chunks, and the region of the values for each. Chunks and
 * copies are the same as in a read plan, in the opposite direction. Pure functions.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { broadcastStrides } from '../../core/bytes/broadcast.js';
import type { CopyDim } from '../../core/bytes/strided-copy.js';
import { unitOf } from '../../core/bytes/values.js';
import { chunkLength, lengthWithin } from '../../format/grid.js';
import type { InnerChunkLayout } from '../../format/plan/layout.js';
import type { Block, DataType } from '../../core/dtype/data-type.js';
import { copyOfField, fieldShape, type FieldView } from '../../format/plan/field-view.js';
import { runLength } from '../../format/plan/parts.js';
import { writeCost, type PlanCost } from '../../format/plan/cost.js';
import { planRead, planTasks, type ReadPlan, type ReadTask } from '../../format/plan/plan.js';
import { copyRegion } from '../../format/plan/region.js';
import type { ResolvedSelection } from '../../format/selection/selection.js';

export interface WritePlan {
  readonly read: ReadPlan;
  readonly cost: PlanCost;
  /** The part of each element to write; undefined for whole elements. */
  readonly field: FieldView | undefined;
  readonly values: Block;
  /**
   * Strides that broadcast the values to the shape of the selection (and of the field). They are 0 along
   * repeated dimensions.
   */
  readonly strides: readonly number[];
}

/** The tasks of one stored object: a chunk, or the chunks of a shard. */
export interface ObjectWrite {
  /** Position of the object in the grid of stored objects. */
  readonly object: readonly number[];
  readonly tasks: readonly ReadTask[];
}

/**
 * @param values values of the data type of the array or field
 * @throws InputError if their shape does not broadcast to the shape of the selection
 */
export function planWrite(
  layout: InnerChunkLayout,
  dtype: DataType,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  values: Block,
): WritePlan {
  const read = planRead(layout, dtype, selection);
  const shape = field === undefined ? read.shape : [...read.shape, ...fieldShape(field)];
  const own = stridesOf(values.shape, unitOf(values.dtype.itemSize));
  return {
    read,
    cost: writeCost(layout, dtype, selection),
    field,
    values,
    strides: broadcastStrides(values.shape, own, shape),
  };
}

/**
 * Generates one object after the other, so that the complete list of a large plan is never in memory. Only a
 * selection of points collects all objects first.
 */
export function* planObjectWrites(plan: WritePlan): Generator<ObjectWrite> {
  if (plan.read.selection.kind === 'points') {
    // Points are ordered by the first point in each chunk, so the chunks of one shard may be scattered.
    const objects = new Map<string, { object: readonly number[]; tasks: ReadTask[] }>();
    for (const task of planTasks(plan.read)) {
      const key = task.location.object.join();
      const known = objects.get(key);
      if (known === undefined) objects.set(key, { object: task.location.object, tasks: [task] });
      else known.tasks.push(task);
    }
    yield* objects.values();
    return;
  }
  let current: { object: readonly number[]; tasks: ReadTask[] } | undefined;
  for (const task of planTasks(plan.read)) {
    const { object } = task.location;
    if (current?.object.every((i, d) => i === object[d]) === true) {
      current.tasks.push(task);
      continue;
    }
    if (current !== undefined) yield current;
    current = { object, tasks: [task] };
  }
  if (current !== undefined) yield current;
}

/** Whether a task covers every element of its chunk within the array, so that old values are irrelevant. */
export function isWhole(plan: WritePlan, task: ReadTask): boolean {
  if (plan.field !== undefined) return false;
  const { layout } = plan.read;
  const extent = layout.grid.dims.map((dim, d) => lengthWithin(dim, defined(task.chunk[d])));
  if ('points' in task.parts) {
    const { points, to } = task.parts;
    const count = sizeOf(extent);
    if (to.length < count) return false;
    const seen = new Set<number>();
    for (let p = 0; p < to.length; p++)
      seen.add(extent.reduce((position, length, d) => position * length + defined(points[d]?.[p]), 0));
    return seen.size === count;
  }
  return task.parts.every(({ from }, d) => {
    const wanted = defined(extent[d]);
    if (!('at' in from)) return from.count === wanted;
    return runLength(from) >= wanted && new Set(from.at).size === wanted;
  });
}

/** Whether a chunk does not extend beyond the array. */
export function isWithinArray(layout: InnerChunkLayout, chunk: readonly number[]): boolean {
  return layout.grid.dims.every((dim, d) => {
    const at = defined(chunk[d]);
    return lengthWithin(dim, at) === chunkLength(dim, at);
  });
}

/** Whether the tasks cover all chunks of their object, all chunks within the array, or only some. */
export function coverageOf(plan: WritePlan, { object, tasks }: ObjectWrite): 'object' | 'array' | 'some' {
  const { layout } = plan.read;
  const perObject = layout.chunksPerObject;
  if (tasks.length === sizeOf(perObject)) return 'object';
  const withinArray = layout.grid.dims.map((dim, d) => {
    const per = perObject[d] ?? 1;
    return Math.min(per, dim.chunks - defined(object[d]) * per);
  });
  return tasks.length === sizeOf(withinArray) ? 'array' : 'some';
}

/** The copy of a task's values into a chunk: the reverse of the copy in a read. */
export function copyIntoChunk(
  plan: WritePlan,
  task: ReadTask,
  chunkStrides: readonly number[],
): { readonly from: number; readonly to: number; readonly dims: readonly CopyDim[] } {
  const { read, field, strides, values } = plan;
  const rank = read.shape.length;
  const copy = copyRegion(read, task, chunkStrides, unitOf(values.dtype.itemSize), strides.slice(0, rank));
  const within = field === undefined ? { start: 0, dims: [] } : copyOfField(field, strides.slice(rank));
  return {
    from: copy.to,
    to: copy.from + within.start,
    dims: [...copy.dims, ...within.dims].map(reversed),
  };
}

function reversed(dim: CopyDim): CopyDim {
  return {
    count: dim.count,
    from: dim.to,
    to: dim.from,
    ...(dim.toAt === undefined ? {} : { fromAt: dim.toAt }),
    ...(dim.fromAt === undefined ? {} : { toAt: dim.fromAt }),
  };
}
