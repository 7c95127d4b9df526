/**
 * Folds reduce the values of a slice. Threads that decode chunks compute partial results by a `ReducerSpec`;
 * a `Total` merges them in the order of the plan, so that the result is reproducible bit by bit.
 */
import type { AxisMap, PlacedAxis } from '../axis-map.js';
import type { Cells } from '../cells.js';
import type { PieceForm } from '../piece.js';
import type { ReducerSpec } from './reducer.js';
import type { TaskSpan } from '../../format/plan/plan.js';

/** The merged partial results. */
export interface Total<T> {
  /**
   * Merges the partial result of the next task. Yields at least every few milliseconds.
   * @param partial partial result of a task with these axes, possibly from another thread
   * @param form form of the task's elements
   * @throws TypeError for a malformed partial result
   */
  add(partial: unknown, axes: readonly PlacedAxis[], form: PieceForm): Generator<void>;
  /**
   * Whether each step of `add` merges a separate piece of the result, so that the steps of several tasks may
   * interleave.
   * @default false
   */
  readonly mergesByPieces?: boolean;
  /** What has been merged, as plain data that changes with the next `add`: see `Fold.resumeTotal`. */
  state?(): unknown;
  /** Computes the result. Called once. */
  finish(): T;
}

/** @typeParam T the type of the result */
export interface Fold<T> {
  readonly reducer: ReducerSpec;
  /** Mapping of each dimension of the slice to the result. */
  readonly maps: readonly AxisMap[];
  /** Masks, weights and offsets. Their axes are the dimensions of the slice. */
  readonly cells?: Cells | undefined;
  /** The tasks of the plan to fold: see `LazySlice.planned`. @default all */
  readonly span?: TaskSpan | undefined;
  /** Memory of the merged result, in bytes. */
  readonly totalBytes: number;
  /** Memory of a partial result, in bytes per element of the result that it contributes to. */
  readonly slotBytes: number;
  createTotal(): Total<T>;
  /** Continues with the state of another total, which it takes over. @throws TypeError for a malformed state */
  readonly resumeTotal?: (state: unknown) => Total<T>;
}
