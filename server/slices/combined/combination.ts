/** Computes each value from the values of several slices at the same position. */
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import type { Combiner } from '../../compute/program/combine-box.js';
import { type Program, registerBytes, RUN } from '../../compute/program/program.js';
import { createMachine } from '../../compute/program/run-program.js';
import type { LazySlice } from '../lazy-slice.js';

/** A slice whose values are combined with those of others, by broadcasting. Its data type has a fixed size. */
export interface CombinedInput {
  readonly slice: LazySlice;
  /** The axis of the result for each dimension of the input, in any order, without repeats. */
  readonly axes: readonly number[];
}

export interface Combination {
  readonly dtype: FixedSizeType;
  /** Number of operations per element; see `combinedCost`. */
  readonly steps: number;
  /** Maximum number of elements that a combiner accepts at once. */
  readonly run: number;
  /** Memory of a combiner in bytes. */
  readonly workBytes: number;
  createCombiner(): Combiner;
  /**
   * The operations as plain data, so that threads can compute too; undefined if only this thread can compute
   * them.
   */
  readonly program?: Program;
}

export function combinationOf(program: Program): Combination {
  return {
    dtype: program.result.dtype,
    steps: program.steps.length,
    run: RUN,
    workBytes: registerBytes(program),
    createCombiner: () => createMachine(program),
    program,
  };
}
