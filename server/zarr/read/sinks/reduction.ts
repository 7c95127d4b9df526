/** What a reduction is: partial results of some elements, which are merged. Partial results are plain data. */
import type { DataType } from '../../dtype/data-type.js';
import type { ElementRun } from './elements.js';

export interface Reduction<P, R> {
  /** The partial result of no elements. */
  readonly empty: P;
  ofElements(run: ElementRun, dtype: DataType): P;
  /** Of the elements, repeated `times` times, in closed form: what is not stored is not looped over. */
  ofRepeated(run: ElementRun, times: number, dtype: DataType): P;
  /** For what comes back from a thread. */
  isPartial(value: unknown): value is P;
  /** Partial results are merged in the order of the array's elements, always the same way. */
  merge(a: P, b: P): P;
  finish(total: P): R;
}
