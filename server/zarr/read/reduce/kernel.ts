/**
 * Interfaces of reducers: kernels, and collectors for reductions that need all elements of a result at once.
 */
import type { Values } from '../../bytes/values.js';
import type { Piece } from './piece.js';
import type { ReduceState, SlotRun, StateArray } from './state.js';
import type { Widened } from '../number-planes.js';

/** A repeated element. */
export interface Repeated {
  /** The value: one number per plane. */
  readonly planes: readonly number[];
  readonly isMissing: boolean;
  /** Number of repetitions; at least 1. */
  readonly times: number;
  /** Positions of the first and the last occurrence. */
  readonly first: number;
  readonly last: number;
}

export interface Kernel {
  /** The arrays of the state, in addition to the number of values. */
  readonly arrays: readonly StateArray[];
  /** Whether the state contains positions. */
  readonly needsPositions: boolean;
  /** Number of passes over the elements of a task. The count of each slot is known after the first pass. */
  readonly passes: 1 | 2;
  /** Adds elements to the state of a task. The caller keeps the count of elements. */
  add(state: ReduceState, piece: Piece, pass: number): void;
  /** Called at the end of each pass. */
  endPass?(state: ReduceState, pass: number): void;
  /** Adds elements of one value to an empty slot, in closed form. */
  repeat(state: ReduceState, slot: number, element: Repeated): void;
  /**
   * Merges slots into those of another state. Called before the counts are updated. An array of `from` may
   * have one entry for all slots (see `layoutIn`).
   */
  merge(into: ReduceState, from: ReduceState, run: SlotRun): void;
  /**
   * Adds elements, at most one per slot, to a state that is not empty. Defined only for kernels where this is
   * faster than merging a state of these elements. Called before the counts are updated.
   */
  addEach?(into: ReduceState, piece: Piece): void;
}

// Reductions that need all elements of a result at once.

/** Receives the elements of one result after another. */
export interface Collector {
  /** Starts the next result. @param count number of its elements, including missing ones */
  begin(count: number): void;
  /**
   * Adds some elements, in C order.
   * @param widened elements as numbers; zeros for types that are not numeric; NaN if missing
   * @param values the stored elements
   */
  add(widened: Widened, count: number, values: Values): void;
  /** Number of values that are not missing. */
  readonly present: number;
  /** The result, or all results; bytes for elements that are not numbers. Called only if there are values. */
  results(): readonly (number | bigint | Uint8Array)[];
}
