/** Interface of the methods that reduce the elements of a bin to a few points. */
import type { Planes } from '../number-planes.js';

/** One point of a finished line. Positions are along the line. */
export interface LinePoint {
  /** First (`at`) and last (`to`) position that the point represents. They differ only for means. */
  readonly at: number;
  readonly to: number;
  readonly value: number;
  /** Second plane of the value; see `Planes.second`. */
  readonly low: number;
  /** The last missing position before the point, within its bin; -1 if there is none. */
  readonly gap: number;
}

/**
 * The state is one array with a row of numbers per slot (a bin of one series), which is cheap to transfer
 * between threads. Elements are added in ascending positions.
 */
export interface LineKernel {
  /**
   * Number of entries per row. All are -1 for an empty slot; the first entry is the last missing position of
   * the slot.
   */
  readonly width: number;
  /**
   * Adds consecutive elements of one slot.
   * @param row offset of the slot's row
   * @param from index of the first element, in the planes
   * @param to index after the last element
   * @param position position of the first element along the line
   */
  add(state: Float64Array, row: number, planes: Planes, from: number, to: number, position: number): void;
  /** Adds elements that all have the same value, which is not missing. @param planes the value, at index 0 */
  addEqual(state: Float64Array, row: number, planes: Planes, count: number, position: number): void;
  /** Merges a slot of another state whose elements come later. */
  append(into: Float64Array, row: number, from: Float64Array, other: number): void;
  /** The points of a slot, in ascending positions; none if all elements are missing. */
  points(state: Float64Array, row: number): readonly LinePoint[];
}

/** Offset of the last missing position within a row. */
export const MISSING_AT = 0;

/** Adds consecutive missing elements. */
export function addMissing(state: Float64Array, row: number, count: number, position: number): void {
  if (count > 0) state[row + MISSING_AT] = position + count - 1;
}

export function lineNumberAt(state: Float64Array, i: number): number {
  return state[i];
}
