/** Reductions that need all elements of a result at once. */
import type { Values } from '../../bytes/values.js';
import type { Widened } from './widen.js';

/** Receives the elements of one result after another. */
export interface Collector {
  /** Starts the next result. @param count number of its elements, including missing ones */
  begin(count: number): void;
  /**
   * Adds elements in C order, a few thousand at a time.
   * @param widened the elements as numbers; zeros for other types; NaN if missing
   * @param values the stored elements
   */
  add(widened: Widened, count: number, values: Values): void;
  /** Number of values that are not missing. */
  readonly present: number;
  /** The result or results; bytes for elements that are not numbers. Called only if there are values. */
  results(): readonly (number | bigint | Uint8Array)[];
}
