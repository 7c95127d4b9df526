/**
 * Tasks that reduce parts of a slice. A task returns the partial results of its chunks without merging them, and tasks are
 * consecutive parts of the plan of one read, so that merging all partial results in order gives the result of that read
 * bit by bit.
 */
import { defined } from '../../../wire/guards.js';
import { needOfRead } from '../../memory/needs.js';
import {
  type CallOptions,
  createPause,
  type Fold,
  foldSlice,
  type LazySlice,
  type Total,
} from '../../zarr/index.js';
import { taskLimits } from '../limits.js';
import { noCounts, type TaskContext, type TaskReport } from '../plan.js';
import { currentVersions, TaskVersions } from '../seen-versions.js';
import { boxOfTask, taskGrid, type TaskGrid } from '../task-grid.js';
import { selectionOfBox } from './array-copy.js';

/** Chunks of a task: their partial results are in memory together. */
const MAX_CHUNKS = 64;
/** Decoded bytes of a task, unless one stored object has more. */
const TASK_BYTES = 256 * 2 ** 20;

/** The arguments of one `Total.add`. */
type Addition = Parameters<Total<unknown>['add']>;

/**
 * Divides a slice into consecutive parts of the plan of its read: whole objects along the last dimensions, and runs of
 * objects along the dimension before them.
 * @param splits whether a dimension may be divided
 */
export function divideFold(slice: LazySlice, splits: (dim: number) => boolean = () => true): TaskGrid {
  const { shape } = slice;
  const whole = taskGrid(
    shape,
    shape.map((size) => Math.max(1, size)),
  );
  const unit = alignedUnit(slice);
  if (unit === undefined || shape.includes(0)) return whole;
  const taskShape = shape.map((size, d) => Math.min(defined(unit[d]), size));
  let first = shape.length;
  // From the last dimension on, dimensions are selected entirely while a task stays small.
  for (let d = shape.length - 1; d >= 0; d--) {
    const at = defined(unit[d]);
    const most = mostObjects(slice, taskShape, d, at);
    first = d;
    if (most * at >= defined(shape[d])) taskShape[d] = defined(shape[d]);
    else {
      taskShape[d] = Math.max(1, most) * at;
      break;
    }
  }
  // A dimension that must not be divided is selected entirely, with all that follow it.
  for (let d = 0; d <= Math.min(first, shape.length - 1); d++)
    if (!splits(d) && defined(taskShape[d]) < defined(shape[d])) {
      for (let later = d; later < shape.length; later++) taskShape[later] = defined(shape[later]);
      break;
    }
  return taskGrid(shape, taskShape);
}

/** How many objects along a dimension fit into a task, with the given lengths along the others. */
function mostObjects(slice: LazySlice, taskShape: readonly number[], d: number, unit: number): number {
  const one = slice.select(
    selectionOfBox({
      start: taskShape.map(() => 0),
      stop: taskShape.with(d, Math.min(unit, defined(slice.shape[d]))),
    }),
  );
  const { decodedBytes, chunks } = one.cost();
  return Math.floor(Math.min(MAX_CHUNKS / Math.max(1, chunks), TASK_BYTES / Math.max(1, decodedBytes)));
}

/** Shape of the stored objects, if the slice begins and continues at their boundaries; undefined if it does not. */
function alignedUnit(slice: LazySlice): readonly number[] | undefined {
  const [input, ...others] = slice.inputs;
  if (slice.fold === undefined || input === undefined || others.length > 0) return undefined;
  const { selection } = slice.origin;
  if (selection.kind === 'points' || selection !== input.selection) return undefined;
  const objects = input.array.meta.grid.dims;
  const unit: number[] = [];
  for (const [d, dim] of selection.dims.entries()) {
    const length = defined(objects[d]).chunkSize;
    if (dim.dropped) continue;
    if (dim.kind !== 'range' || dim.step !== 1 || dim.start % length !== 0) return undefined;
    unit.push(length);
  }
  return unit.length === slice.shape.length ? unit : undefined;
}

/** Reduces one part. */
export async function foldTask(
  slice: LazySlice,
  grid: TaskGrid,
  task: number,
  foldOf: (part: LazySlice) => Fold<unknown>,
  { signal }: TaskContext,
  isWatched: boolean,
): Promise<TaskReport> {
  const part = slice.select(selectionOfBox(boxOfTask(grid, task)));
  const versions = new TaskVersions();
  const partial = await foldSlice(part, collecting(foldOf(part)), {
    signal,
    limits: taskLimits,
    keepChunks: false,
    onVersion: versions.onVersion,
  });
  versions.assertOneState();
  const { decodedBytes, reducedBytes } = part.cost();
  return {
    counts: { ...noCounts, bytesRead: decodedBytes + reducedBytes },
    seen: isWatched ? versions.digest() : 0n,
    partial,
  };
}

/** A fold that keeps the partial results in order instead of merging them. */
function collecting(fold: Fold<unknown>): Fold<readonly Addition[]> {
  return {
    ...fold,
    createTotal() {
      const additions: Addition[] = [];
      return {
        *add(...addition) {
          additions.push(addition);
          yield;
        },
        finish: () => additions,
      };
    },
  };
}

/** Merges the partial results of all tasks. */
export class MergedFold<T> {
  readonly #total: Total<T>;

  constructor(fold: Fold<T>) {
    this.#total = fold.createTotal();
  }

  /** @throws TypeError for a malformed partial result */
  async add(partial: unknown): Promise<void> {
    if (!isAdditions(partial)) throw new TypeError('a task returned no list of partial results');
    const pause = createPause();
    for (const addition of partial) for (const _ of this.#total.add(...addition)) await pause();
  }

  finish(): T {
    return this.#total.finish();
  }
}

/** The partial results of this process are trusted; those of others are checked when they are received. */
function isAdditions(value: unknown): value is readonly Addition[] {
  return Array.isArray(value) && value.every((each) => Array.isArray(each) && each.length === 3);
}

export async function seenByFold(
  slice: LazySlice,
  grid: TaskGrid,
  task: number,
  { signal }: CallOptions,
): Promise<bigint | undefined> {
  return currentVersions(slice.select(selectionOfBox(boxOfTask(grid, task))), signal);
}

/** Memory of a task, in bytes. */
export function needOfFold(slice: LazySlice, grid: TaskGrid): number {
  if (grid.tasks === 0) return 0;
  const { inFlightBytes } = needOfRead(slice.select(selectionOfBox(boxOfTask(grid, 0))));
  return inFlightBytes;
}
