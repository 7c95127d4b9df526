/** Linear interpolation of rows of neighbouring values. */
import { assertLength } from '../core/bytes/bounds.js';

/** Minimum number of elements that are copied faster by `set` than in a loop. */
const LONG = 32;

/** @param values numbers of any type, or booleans */
export function loadRow(values: ArrayLike<unknown>, from: number, count: number, row: Float64Array): void {
  assertLength(values, from + count, 'the list of values');
  assertLength(row, count, 'the row');
  if (count >= LONG && (values instanceof Float32Array || values instanceof Float64Array))
    row.set(values.subarray(from, from + count));
  else for (let i = 0; i < count; i++) row[i] = Number(values[from + i]);
}

/** The positions of the neighbours of results in a row of values; -1 for a result outside. */
export interface RowNeighbours {
  readonly below: Float64Array;
  readonly above: Float64Array;
  /** Fraction of the distance between the neighbours, from 0 to 1. */
  readonly share: Float64Array;
}

/**
 * Interpolates between values of one row.
 * @param base position of the row
 * @param start index of the first result
 */
export function loadBetween(
  values: ArrayLike<unknown>,
  base: number,
  { below, above, share }: RowNeighbours,
  start: number,
  count: number,
  row: Float64Array,
): void {
  for (const list of [below, above, share]) assertLength(list, start + count, 'the list of neighbours');
  assertLength(row, count, 'the row');
  for (let i = 0; i < count; i++) {
    const [from, to] = [below[start + i], above[start + i]];
    if (from < 0) {
      row[i] = NaN;
      continue;
    }
    const low = Number(values[base + from]);
    row[i] = from === to ? low : low + share[start + i] * (Number(values[base + to]) - low);
  }
}

/** Moves numbers from `low` towards those of `high`, by a fraction of the distance. */
export function interpolateRow(
  low: Float64Array,
  high: Float64Array,
  share: number,
  count: number,
  row: Float64Array,
): void {
  for (const list of [low, high, row]) assertLength(list, count, 'the row');
  for (let i = 0; i < count; i++) row[i] = low[i] + share * (high[i] - low[i]);
}

export function copyRow(row: Float64Array, count: number, to: Float64Array, at: number): void {
  assertLength(row, count, 'the row');
  assertLength(to, at + count, 'the result');
  if (count >= LONG) to.set(row.subarray(0, count), at);
  else for (let i = 0; i < count; i++) to[at + i] = row[i];
}
