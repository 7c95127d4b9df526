/**
 * Tasks that compute parts of the values of a slice, which are combined in memory: for results without a destination that
 * partial results of chunks do not give.
 */
import { defined, isRecord } from '../../../wire/guards.js';
import {
  type Block,
  copyStrided,
  type LazySlice,
  sizeOf,
  stridesOf,
  UnsupportedError,
} from '../../zarr/index.js';
import type { JobMerging, JobPlan, JobResult, TaskMerge } from '../plan.js';
import { boxOfTask, type TaskBox } from '../task-grid.js';
import { divideCopy, readTask, seenByCopy } from './array-copy.js';
import { statePartials } from './state-partials.js';

/** The members of a plan that depend on how a reduction is divided. */
export interface DividedWork extends Pick<JobPlan, 'tasks' | 'needBytes' | 'totalBytes' | 'run' | 'seenNow'> {
  /** What the numbers of tasks mean, for the digest of the plan. */
  readonly division: unknown;
  /** @param finish keeps or writes the values */
  readonly merging: (finish: FinishValues) => JobMerging;
}

/** @param read the values after all steps */
export type FinishValues = (
  read: () => Promise<Block>,
  ...more: Parameters<TaskMerge['finish']>
) => Promise<JobResult>;

/** @throws UnsupportedError for values of variable length */
export function divideResults(slice: LazySlice, isWatched: boolean): DividedWork {
  const { dtype, shape, where } = slice;
  const { itemSize } = dtype;
  if (itemSize === null)
    throw new UnsupportedError(
      `a job keeps no values of type ${dtype.name}; give it a destination, where they become an array`,
      { where },
    );
  // Every result is a unit, so that tasks end where the chunks of the source do.
  const divided = { ...divideCopy(slice, shape.map(() => 1)), isWatched }; // prettier-ignore
  const { grid, needBytes, totalBytes } = divided;
  const bytes = sizeOf(shape) * itemSize;
  return {
    division: grid.taskShape,
    tasks: grid.tasks,
    needBytes,
    totalBytes,
    async run(task, context) {
      const { block, report } = await readTask(divided, slice, task, context);
      return { ...report, partial: [{ elements: elementsOf(block) }] };
    },
    seenNow: (task, options) => seenByCopy(divided, task, slice, options),
    merging: (finish) => ({
      partialBytes: sizeOf(grid.taskShape) * itemSize,
      codec: statePartials,
      start(from) {
        const values = from === undefined ? new Uint8Array(bytes) : checkedElements(from.state, bytes);
        let next = from?.tasks ?? 0;
        return {
          async add(partial) {
            const box = boxOfTask(grid, next);
            const only: readonly unknown[] = Array.isArray(partial) ? partial : [];
            const part = checkedElements(only[0], sizeOf(shapeOf(box)) * itemSize);
            placeBox(part, box, values, shape, itemSize);
            next++;
          },
          state: () => ({ elements: values }),
          finish: (...more) => finish(async () => ({ dtype, shape, bytes: values }), ...more),
        };
      },
    }),
  };
}

function shapeOf({ start, stop }: TaskBox): number[] {
  return start.map((from, d) => defined(stop[d]) - from);
}

function placeBox(
  part: Uint8Array,
  box: TaskBox,
  into: Uint8Array,
  shape: readonly number[],
  itemSize: number,
): void {
  const counts = shapeOf(box);
  const [from, to] = [stridesOf(counts, itemSize), stridesOf(shape, itemSize)];
  const at = box.start.reduce((sum, start, d) => sum + start * defined(to[d]), 0);
  const dims = counts.map((count, d) => ({ count, from: defined(from[d]), to: defined(to[d]) }));
  copyStrided(part, 0, into, at, dims, itemSize);
}

function elementsOf(block: Block): Uint8Array {
  if ('bytes' in block) return block.bytes;
  throw new TypeError('values of fixed size are bytes');
}

/** @throws TypeError for something else than this number of bytes */
function checkedElements(partial: unknown, length: number): Uint8Array {
  const elements = isRecord(partial) ? partial['elements'] : undefined;
  if (elements instanceof Uint8Array && elements.length === length) return elements;
  throw new TypeError('a task returned an invalid partial result');
}
