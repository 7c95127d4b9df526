/** Reductions that have to see all elements of a result together. */
import type { Values } from '../../bytes/values.js';
import type { Widened } from './widen.js';

/** Sees the elements of one result after another. */
export interface Collector {
  /** The next result. @param count of its elements, missing ones among them */
  begin(count: number): void;
  /**
   * Elements in C order, some thousands at a time.
   * @param widened their numbers, or for other types zeros; NaN where they are missing
   * @param values the same as they are
   */
  add(widened: Widened, count: number, values: Values): void;
  /** After all elements of the result. @returns whether they have to be shown once more */
  endPass(): boolean;
  /** Values that are not missing. */
  readonly present: number;
  /** The result, or several; bytes of an element for what is no number. Asked for only where something is present. */
  results(): readonly (number | bigint | Uint8Array)[];
}
