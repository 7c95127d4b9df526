/**
 * Interfaces of reducers: kernels, and collectors for reductions that need all elements of a result at once; and
 * requests that have been resolved.
 */
import type { ReductionName } from '../../wire/result-types.js';
import type { Values } from '../core/bytes/values.js';
import type { DataType } from '../core/dtype/data-type.js';
import type { Piece } from './piece.js';
import type { ReduceState, SlotRun, StateArray } from './state.js';
import type { Widened } from './number-planes.js';

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
  /** The SIMD kernel that computes the same state for adjacent results; see column-kernels.ts. */
  readonly columns?: 'moments' | 'sum' | 'count' | 'pairs' | ExtremeColumns;
}

/** The smallest or largest values. */
export interface ExtremeColumns {
  readonly isLargest: boolean;
  /**
   * Whether the state has the positions of the values too, and before the values those of the first missing elements:
   * infinite if these are skipped.
   */
  readonly positions?: { readonly skipMissing: boolean } | undefined;
}

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

/** A validated reduction. Applies to a part of a slice or to the whole slice. */
export interface ResolvedReduce {
  readonly by: ReductionName;
  /** The quantiles, from 0 to 1; undefined unless the reduction is QUANTILE. */
  readonly q: readonly number[] | undefined;
  readonly skipMissing: boolean;
  /** Data type of the input. */
  readonly source: DataType;
  /** Data type of the result. */
  readonly dtype: DataType;
  readonly ddof: number;
  readonly minCount: number | undefined;
  /** Whether the reduction is weighted. */
  readonly isWeighted?: boolean | undefined;
  /** Whether the SUM of no elements is missing, as for a group without members. Otherwise it is 0. */
  readonly isEmptyMissing?: boolean | undefined;
}

/** Properties of the elements of each result. */
export interface SlotFacts {
  /** Number of elements of a result, including missing ones. */
  readonly elements: (slot: number) => number;
  /** Converts the position of an element to the index that ARGMIN and ARGMAX return. */
  readonly indexOf: (position: number) => number;
}

/** One result; undefined or NaN if it is missing. */
export type Result = number | bigint | readonly [re: number, im: number] | undefined;

/** Computes a result that is not missing from the state of its slot. */
export type FinishSlot = (
  state: ReduceState,
  slot: number,
  resolved: ResolvedReduce,
  facts: SlotFacts,
) => Result;

/** Writes all results; undefined if this does not apply. */
export type FinishAll = (
  state: ReduceState,
  resolved: ResolvedReduce,
  bytes: Uint8Array,
) => Generator<void> | undefined;
