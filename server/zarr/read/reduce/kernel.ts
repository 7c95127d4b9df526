/** What a reducer does with elements. */
import type { Piece } from './piece.js';
import type { ReduceState, SlotRun, StateArray } from './state.js';

/** An element that occurs again and again. */
export interface Repeated {
  /** One number of each plane. */
  readonly planes: readonly number[];
  readonly isMissing: boolean;
  /** At least 1. */
  readonly times: number;
  /** Positions of the first and the last. */
  readonly first: number;
  readonly last: number;
}

export interface Kernel {
  /** Of its state, beside the count of values. */
  readonly arrays: readonly StateArray[];
  /** Whether pieces have positions. */
  readonly needsPositions: boolean;
  /** How often the elements of a task are shown; the count of each slot is known after the first time. */
  readonly passes: 1 | 2;
  /** Adds elements to the state of a task, whose count is kept elsewhere. */
  add(state: ReduceState, piece: Piece, pass: number): void;
  /** After all elements were shown, each time. */
  endPass?(state: ReduceState, pass: number): void;
  /** Adds elements to one slot that has seen none, in closed form. */
  repeat(state: ReduceState, slot: number, element: Repeated): void;
  /**
   * Merges slots into those of another state. The counts of both are still as they were. In `from` an array may stand for
   * all slots (see `placeIn`).
   */
  merge(into: ReduceState, from: ReduceState, run: SlotRun): void;
  /**
   * Adds elements of which no two go to one slot to a state that has seen others, where that is sooner done than to make a
   * state of them. The counts are still as they were.
   */
  addEach?(into: ReduceState, piece: Piece): void;
}
