/** Computes each value from the values of several slices at the same position. */
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import { type Combining, machineOf } from '../../compute/program/combine-box.js';
import { type Program, registerBytes, RUN } from '../../compute/program/program.js';
import type { LazySlice } from '../lazy-slice.js';

/** A slice whose values are combined with those of others, by broadcasting. Its data type has a fixed size. */
export interface CombinedInput {
  readonly slice: LazySlice;
  /** The axis of the result for each dimension of the input, in any order, without repeats. */
  readonly axes: readonly number[];
}

export interface Combination extends Omit<Combining, 'itemSize'> {
  readonly dtype: FixedSizeType;
  /** Number of operations per element; see `combinedCost`. */
  readonly steps: number;
  /** Memory of a combiner in bytes. */
  readonly workBytes: number;
}

export function combinationOf(program: Program): Combination {
  return {
    dtype: program.result.dtype,
    steps: program.steps.length,
    run: RUN,
    workBytes: registerBytes(program),
    programs: [program],
    createCombiner: machineOf,
  };
}

/** The program that computes the values, so that threads can compute them too; undefined if there is no single one. */
export function programOf({ programs }: Combination): Program | undefined {
  return programs.length === 1 ? programs[0] : undefined;
}
