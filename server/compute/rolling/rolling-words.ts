/** Exact sums and extremes of windows of 64-bit integers, computed from upper and lower 32 bits. */
import { assertLength } from '../../core/bytes/bounds.js';
import { InputError } from '../../core/errors.js';
import { integerOf } from '../number-planes.js';
import { type PutWord, rollRows, sumWindow, type Windows, type WordRows } from './rolling.js';

/** Number of integers per step. */
const STEP = 1024;

/**
 * Computes sums. Sums of the halves are exact, because a window has at most 100,000 of them. Yields every 100
 * microseconds.
 * @throws InputError for a sum that does not fit in 64 bits
 */
export function* rollWordSums(
  { upper, lower, stride, first, end, isSigned }: WordRows,
  windows: Windows,
  put: PutWord,
): Generator<void> {
  const size = (windows.to - windows.from) * stride;
  const ofUpper = new Float64Array(size);
  const keep = (position: number, column: number, results: Float64Array): void =>
    ofUpper.set(results, (position - windows.from) * stride + column);
  yield* rollRows({ values: upper, stride, first, end }, sumWindow, windows, keep);
  yield* rollRows({ values: lower, stride, first, end }, sumWindow, windows, (position, column, results) => {
    results.forEach((low, c) => {
      const high = ofUpper[(position - windows.from) * stride + column + c];
      const sum = integerOf(high, low);
      if ((isSigned ? BigInt.asIntN(64, sum) : BigInt.asUintN(64, sum)) !== sum)
        throw new InputError(
          `the sum of a window is ${sum}, which does not fit in 64 bits; convert the values to floats first`,
        );
      put(position, column + c, sum);
    });
  });
}

/**
 * Computes extremes. Keeps the positions that may still become the extreme of a window, best first. Yields every 100
 * microseconds.
 */
export function rollWordExtremes(
  largest: boolean,
): (rows: WordRows, windows: Windows, put: PutWord) => Generator<void> {
  return (rows, windows, put) => extremes(largest, rows, windows, put);
}

function* extremes(
  largest: boolean,
  { upper, lower, stride, first, end }: WordRows,
  { window, after, from, to }: Windows,
  put: PutWord,
): Generator<void> {
  for (const words of [upper, lower]) assertLength(words, (end - first) * stride, 'the list of values');
  const isBetter = (a: number, b: number): boolean => {
    const [high, other] = [upper[a], upper[b]];
    const [x, y] = high === other ? [lower[a], lower[b]] : [high, other];
    return largest ? x >= y : x <= y;
  };
  let done = 0;
  for (let column = 0; column < stride; column++) {
    const offsetAt = (position: number): number => (position - first) * stride + column;
    const queue: number[] = [];
    let head = 0;
    for (let position = first; position < to + after; position++) {
      if (position < end) {
        while (queue.length > head && isBetter(offsetAt(position), offsetAt(queue[queue.length - 1])))
          queue.pop();
        queue.push(position);
      }
      while ((queue[head] ?? Infinity) <= position - window) head++;
      if (position >= from + after) {
        const best = offsetAt(queue[head] ?? first);
        put(position - after, column, integerOf(upper[best], lower[best]));
      }
      if (++done % STEP === 0) yield;
    }
  }
}
