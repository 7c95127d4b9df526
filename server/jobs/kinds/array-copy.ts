/** The tasks that copy the values of a slice to an array, each to whole stored objects. */
import { defined } from '../../../wire/guards.js';
import { needOfRead } from '../../memory/needs.js';
import { type Block, type CallOptions, type LazySlice, type Selection } from '../../zarr/index.js';
import { taskLimits, TASK_NEED_BYTES, TASK_READ_BYTES, TASK_VALUE_BYTES } from '../limits.js';
import { noCounts, type TaskContext, type TaskReport } from '../plan.js';
import { roundedTo } from './rounded.js';
import { currentVersions, TaskVersions } from '../seen-versions.js';
import {
  type TaskBox,
  boxOfTask,
  chooseTaskShape,
  taskGrid,
  type TaskGrid,
  type TaskPrice,
} from '../task-grid.js';

export interface ArrayCopy {
  /** Path of the new array. */
  readonly path: string;
  readonly grid: TaskGrid;
  readonly needBytes: number;
  readonly totalBytes: number;
  /** The values to copy. */
  slice(context: Pick<TaskContext, 'target'>): Promise<LazySlice>;
  /** Whether the source may change, so that its versions are compared. */
  readonly isWatched: boolean;
}

/** Encoded objects are collected in memory before they are stored. */
const ENCODED_SHARE = 1.25;

/** Divides the copy of a slice. @param objectShape shape of the stored objects of the new array */
export function divideCopy(
  slice: LazySlice,
  objectShape: readonly number[],
): Pick<ArrayCopy, 'grid' | 'needBytes' | 'totalBytes'> {
  const { shape } = slice;
  const price = (box: TaskBox): TaskPrice => priceOf(slice.select(selectionOfBox(box)));
  if (shape.includes(0))
    return {
      grid: taskGrid(
        shape,
        shape.map((size) => Math.max(1, size)),
      ),
      needBytes: 0,
      totalBytes: 0,
    };
  const taskShape = chooseTaskShape(shape, objectShape, chunkLengths(slice), price, {
    valueBytes: TASK_VALUE_BYTES,
    needBytes: TASK_NEED_BYTES,
    readBytes: TASK_READ_BYTES,
  });
  const grid = taskGrid(shape, taskShape);
  const { needBytes } = price({ start: shape.map(() => 0), stop: taskShape });
  const middle = price(boxOfTask(grid, Math.floor(grid.tasks / 2)));
  return { grid, needBytes: Math.max(needBytes, middle.needBytes), totalBytes: priceOf(slice).readBytes };
}

function priceOf(part: LazySlice): TaskPrice {
  const { decodedBytes, reducedBytes } = part.cost();
  const { resultBytes, inFlightBytes } = needOfRead(part);
  return {
    readBytes: decodedBytes + reducedBytes,
    valueBytes: resultBytes,
    needBytes: resultBytes * (1 + ENCODED_SHARE) + inFlightBytes,
  };
}

/** Chunk lengths along the dimensions of a slice, where they are known. */
function chunkLengths({ origin, shape }: LazySlice): (number | undefined)[] {
  const { selection, chunks } = origin;
  if (selection.kind === 'points') return shape.map(() => undefined);
  const kept = selection.dims.flatMap((dim, d) => (dim.dropped ? [] : [d]));
  return shape.map((_, d) => {
    const at = kept[d];
    const dim = at === undefined ? undefined : selection.dims[at];
    const length = at === undefined ? undefined : chunks[at]?.longest;
    return dim?.kind === 'range' && dim.step === 1 ? length : undefined;
  });
}

export function selectionOfBox({ start, stop }: TaskBox): Selection {
  return {
    kind: 'dims',
    dims: start.map((from, d) => ({ kind: 'slice', start: from, stop: defined(stop[d]) })),
  };
}

/** Copies the values of one task. */
export async function runCopy(copy: ArrayCopy, task: number, context: TaskContext): Promise<TaskReport> {
  const { signal, memory } = context;
  const slice = await copy.slice(context);
  const target = await context.target(copy.path);
  const { block, selection, report } = await readTask(copy, slice, task, context, memory);
  const values = roundedTo(block, target.meta.dtype);
  const written = await target.select(selection).write(values, { signal, limits: taskLimits });
  const { bytesWritten, chunksWritten } = written;
  return { ...report, counts: { ...report.counts, bytesWritten, chunksWritten } };
}

/** Reads the values of one task, all of one state. @param memory for the values. @default new memory */
export async function readTask(
  { grid, isWatched }: Pick<ArrayCopy, 'grid' | 'isWatched'>,
  slice: LazySlice,
  task: number,
  { signal }: CallOptions,
  memory?: TaskContext['memory'],
): Promise<{ readonly block: Block; readonly selection: Selection; readonly report: TaskReport }> {
  const selection = selectionOfBox(boxOfTask(grid, task));
  const part = slice.select(selection);
  const versions = new TaskVersions();
  const block = await part.read({
    signal,
    limits: taskLimits,
    keepChunks: false,
    onVersion: versions.onVersion,
    ...memory?.outFor(part),
  });
  versions.assertOneState();
  const { decodedBytes, reducedBytes } = part.cost();
  const counts = { ...noCounts, bytesRead: decodedBytes + reducedBytes };
  return { block, selection, report: { counts, seen: isWatched ? versions.digest() : 0n } };
}

export async function seenByCopy(
  copy: Pick<ArrayCopy, 'grid' | 'isWatched'>,
  task: number,
  slice: LazySlice,
  { signal }: CallOptions,
): Promise<bigint | undefined> {
  if (!copy.isWatched) return 0n;
  return currentVersions(slice.select(selectionOfBox(boxOfTask(copy.grid, task))), signal);
}
