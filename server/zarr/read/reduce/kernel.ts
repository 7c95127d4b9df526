/** Interface of reducers for elements. */
import type { Piece } from './piece.js';
import type { ReduceState, SlotRun, StateArray } from './state.js';

/** A repeated element. */
export interface Repeated {
  /** One number per plane. */
  readonly planes: readonly number[];
  readonly isMissing: boolean;
  /** Number of repetitions; at least 1. */
  readonly times: number;
  /** Positions of its first and last occurrence. */
  readonly first: number;
  readonly last: number;
}

export interface Kernel {
  /** The arrays of the state, in addition to the number of values. */
  readonly arrays: readonly StateArray[];
  /** Whether pieces have positions. */
  readonly needsPositions: boolean;
  /** Number of passes over the elements of a task. The count of each slot is known after the first pass. */
  readonly passes: 1 | 2;
  /** Adds elements to the state of a task. Their count is tracked by the caller. */
  add(state: ReduceState, piece: Piece, pass: number): void;
  /** Called at the end of each pass. */
  endPass?(state: ReduceState, pass: number): void;
  /** Adds elements of one value to an empty slot, in closed form. */
  repeat(state: ReduceState, slot: number, element: Repeated): void;
  /**
   * Merges slots into those of another state. Called before the counts are updated. An array of `from` may
   * have one entry for all slots (see `placeIn`).
   */
  merge(into: ReduceState, from: ReduceState, run: SlotRun): void;
  /**
   * Adds elements, at most one per slot, to a state that is not empty. Defined only if it is faster than
   * merging a state of these elements. Called before the counts are updated.
   */
  addEach?(into: ReduceState, piece: Piece): void;
}
