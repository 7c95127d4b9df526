/** Medians and quantiles of windows that move along rows of numbers. Keeps the values of a window sorted. */
import { assertLength } from '../../core/bytes/bounds.js';
import { medianOf, quantileOf, rankPosition } from '../ranks.js';
import type { PutRow, Rows, Windows } from './rolling.js';

/** Approximate number of operations per step. */
const STEP = 65_536;

/** Computes the medians, or the quantiles. Skips missing values. Yields every 100 microseconds. */
export function* rollMedians(
  { values, stride, first, end }: Rows,
  { window, after, minCount, q, from, to }: Windows,
  put: PutRow,
): Generator<void> {
  assertLength(values, (end - first) * stride, 'the list of values');
  const sorted = new Float64Array(window);
  const result = new Float64Array(1);
  let done = 0;
  for (let column = 0; column < stride; column++) {
    const at = (position: number): number =>
      position >= first && position < end ? values[(position - first) * stride + column] : NaN;
    let count = 0;
    for (let position = Math.max(first, from + after - window + 1); position < to + after; position++) {
      const left = at(position - window);
      if (left === left && position - window >= from + after - window + 1)
        count = remove(sorted, count, left);
      const value = at(position);
      if (value === value) count = insert(sorted, count, value);
      done += 32 + count / 16;
      if (done >= STEP) {
        done = 0;
        yield;
      }
      if (position < from + after) continue;
      result[0] = count < minCount ? NaN : q === undefined ? medianOf(count, sorted[(count - 1) >> 1], sorted[count >> 1]) : quantileIn(sorted, count, q); // prettier-ignore
      put(position - after, column, result);
    }
  }
}

function quantileIn(sorted: Float64Array, count: number, q: number): number {
  const { low, high } = rankPosition(q, count);
  return quantileOf(q, count, sorted[low], sorted[high], false);
}

function insert(sorted: Float64Array, count: number, value: number): number {
  const index = insertionIndex(sorted, count, value);
  sorted.copyWithin(index + 1, index, count);
  sorted[index] = value;
  return count + 1;
}

function remove(sorted: Float64Array, count: number, value: number): number {
  const index = insertionIndex(sorted, count, value);
  sorted.copyWithin(index, index + 1, count);
  return count - 1;
}

/** The first position with a number that is not less than `value`. `firstIndexWhere` would take 1.12 times as long. */
function insertionIndex(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
