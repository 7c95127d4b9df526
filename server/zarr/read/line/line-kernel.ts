/** How the points of one bin become a few: what a kernel of lines has to do. */
import type { Planes } from '../number-planes.js';

/** One point of a finished line. Positions are along the line. */
export interface LinePoint {
  /** First and last position that the point stands for: the same but for a mean. */
  readonly at: number;
  readonly to: number;
  readonly value: number;
  /** See `Planes.second`. */
  readonly low: number;
  /** The last missing position before the point, as far as its bin knows; -1: none. */
  readonly gap: number;
}

/**
 * A state has one row of numbers for each slot (a bin of one series) in a single array, which travels between threads
 * cheaply. Elements come in ascending positions.
 */
export interface LineKernel {
  /** Numbers of a row. Of a slot that has seen nothing, all are -1. The first is the slot's last missing position. */
  readonly width: number;
  /**
   * Adds neighbouring elements of one slot.
   * @param row where the slot's row begins
   * @param from index of the first element, in the planes
   * @param to index behind the last one
   * @param position of the first element
   */
  add(state: Float64Array, row: number, planes: Planes, from: number, to: number, position: number): void;
  /** Adds as many elements of one value, which is not missing. @param planes hold it at index 0 */
  addEqual(state: Float64Array, row: number, planes: Planes, count: number, position: number): void;
  /** Adds a slot of another state, whose elements lie behind. */
  append(into: Float64Array, row: number, from: Float64Array, other: number): void;
  /** The points of a slot, in ascending positions; none where all is missing. */
  points(state: Float64Array, row: number): readonly LinePoint[];
}

/** Within a row. */
export const MISSING_AT = 0;

/** Adds missing elements. */
export function addMissing(state: Float64Array, row: number, count: number, position: number): void {
  if (count > 0) state[row + MISSING_AT] = position + count - 1;
}

export function numberAt(state: Float64Array, i: number): number {
  return state[i] ?? NaN;
}
