/**
 * Folds in parts, which any process may compute: the partial results of consecutive tasks of one plan are merged in the
 * order of the plan, so that the result is that of one fold bit by bit.
 */
import { defined } from '../../wire/guards.js';
import type { ObjectVersions, VersionOptions } from '../chunks/read/object-versions.js';
import { sizeOf } from '../core/bytes/shape.js';
import type { Fold, Total } from '../compute/reduce/fold.js';
import type { TaskSpan } from '../format/plan/plan.js';
import { foldSlice } from './fold-slice.js';
import type { FoldPlan, LazySlice, SliceFoldOptions } from './lazy-slice.js';

export interface FoldParts<T> extends Pick<FoldPlan, 'tasks' | 'tasksPerObject' | 'chunkBytes'> {
  /** Partial result of a chunk, in bytes, as of the first and the middle one. */
  readonly partialBytes: number;
  /** The partial results of tasks, in order. @throws errors from `LazySlice.read` */
  reduce(span: TaskSpan, options: SliceFoldOptions): Promise<readonly unknown[]>;
  /** The versions of the stored objects of tasks; see `ArraySlice.objectVersions`. */
  versions(span: TaskSpan, options: VersionOptions): Promise<ObjectVersions | undefined>;
  /** @param state that of another merge, to continue with; taken over. @throws TypeError for a malformed state */
  createMerge(state?: unknown): PartMerge<T>;
}

/** Merges partial results. */
export interface PartMerge<T> {
  /**
   * Merges the partial results of the next tasks. Yields at least every few milliseconds.
   * @throws TypeError for malformed partial results, or another number of them
   */
  add(span: TaskSpan, partials: readonly unknown[]): Generator<void>;
  /** See `Total.state`. */
  state(): unknown;
  /** Computes the result. Called once. */
  finish(): T;
}

/** Divides a fold by the plan of its slice; undefined for slices whose folds follow no plan of one array. */
export function foldParts<T>(slice: LazySlice, fold: Fold<T>): FoldParts<T> | undefined {
  const { planned } = slice;
  if (planned === undefined) return undefined;
  const plan = planned.stored.foldPlan(fold, planned.transform);
  return {
    tasks: plan.tasks,
    tasksPerObject: plan.tasksPerObject,
    chunkBytes: plan.chunkBytes,
    partialBytes:
      fold.slotBytes * Math.max(...[0, Math.floor(plan.tasks / 2)].map((task) => slotsOf(plan, task))),
    async reduce(span, options) {
      const partials = await foldSlice(slice, { ...collecting(fold), span }, options);
      assertCount(span, partials);
      return partials;
    },
    versions: (span, options) => plan.versions(span, options),
    createMerge(state) {
      const total = totalOf(fold, state);
      return {
        *add(span, partials) {
          assertCount(span, partials);
          let next = 0;
          for (const placement of plan.placements(span)) {
            if (placement === undefined) yield;
            else yield* total.add(defined(partials[next++]), placement.axes, placement.form);
          }
        },
        state: () => total.state?.(),
        finish: () => total.finish(),
      };
    },
  };
}

/** @param state of another total, to continue with. @throws TypeError for a malformed state */
export function totalOf<T>(fold: Fold<T>, state: unknown): Total<T> {
  if (state === undefined) return fold.createTotal();
  if (fold.resumeTotal === undefined) throw new TypeError('the fold cannot be continued');
  return fold.resumeTotal(state);
}

/** Number of results that a task contributes to. */
function slotsOf(plan: FoldPlan, task: number): number {
  if (task >= plan.tasks) return 0;
  for (const placement of plan.placements({ from: task, to: task + 1 }))
    if (placement !== undefined) return sizeOf(placement.axes.map(({ axis }) => axis.slots));
  return 0;
}

/** Keeps the partial results of a fold in order instead of merging them. */
export function collecting({ resumeTotal: _, ...fold }: Fold<unknown>): Fold<readonly unknown[]> {
  return { ...fold, createTotal: collectPartials };
}

function collectPartials(): Total<readonly unknown[]> {
  const partials: unknown[] = [];
  return {
    *add(partial) {
      partials.push(partial);
      yield;
    },
    finish: () => partials,
  };
}

function assertCount({ from, to }: TaskSpan, { length }: readonly unknown[]): void {
  if (length !== to - from) throw new TypeError(`expected ${to - from} partial results, not ${length}`);
}
