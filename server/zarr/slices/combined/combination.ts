/** How one value is made of the values of several slices at the same place. */
import type { FixedSizeType } from '../../dtype/data-type.js';
import type { LazySlice } from '../lazy-slice.js';
import { type Program, registerBytes, RUN } from '../../read/program/program.js';
import { createMachine } from '../../read/program/run-program.js';

/** A slice whose values are combined with those of others, by broadcasting. Its data type has a fixed size. */
export interface CombinedInput {
  readonly slice: LazySlice;
  /** The axis of the result that each of its dimensions lies along; ascending or not, none twice. */
  readonly axes: readonly number[];
}

export interface Combination {
  readonly dtype: FixedSizeType;
  /** Operations on each element: see `combinedCost`. */
  readonly steps: number;
  /** Most elements that a combiner takes at once. */
  readonly run: number;
  /** Bytes that a combiner holds. */
  readonly workBytes: number;
  createCombiner(): Combiner;
}

/** Has memory of its own, for one run at a time. */
export interface Combiner {
  /**
   * Yields after some tenths of a millisecond each.
   * @param inputs `count` elements of each input, aligned to their types
   * @param out `count` elements of the result
   */
  run(inputs: readonly Uint8Array[], count: number, out: Uint8Array): Generator<void>;
}

export function combinationOf(program: Program): Combination {
  return {
    dtype: program.result.dtype,
    steps: program.steps.length,
    run: RUN,
    workBytes: registerBytes(program),
    createCombiner: () => createMachine(program),
  };
}
