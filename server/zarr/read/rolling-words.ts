/** Exact sums and extremes of windows of 64-bit integers, computed from upper and lower 32 bits. */
import { InputError } from '../errors.js';
import { integerOf } from './number-planes.js';
import { rollRows, type Rows, type Windows } from './rolling.js';

export type WordName = 'SUM' | 'MIN' | 'MAX';

export function isWordName(name: string): name is WordName {
  return name === 'SUM' || name === 'MIN' || name === 'MAX';
}

/** Upper and lower halves of the integers, at the same positions. Lower halves are never negative. */
export interface WordRows extends Omit<Rows, 'values'> {
  readonly upper: Float64Array;
  readonly lower: Float64Array;
}

/** Number of integers per step. */
const STEP = 1024;

/**
 * Computes sums and extremes. Yields every 100 microseconds.
 * @param isSigned whether sums must fit in int64; otherwise uint64
 * @throws InputError for a sum that does not fit
 */
export function* rollWords(
  rows: WordRows,
  windows: Windows<WordName>,
  isSigned: boolean,
  put: (position: number, column: number, value: bigint) => void,
): Generator<void> {
  yield* windows.by === 'SUM' ? sums(rows, windows, isSigned, put) : extremes(rows, windows, put);
}

/** Computes sums. Sums of the halves are exact, because a window has at most 100,000 of them. */
function* sums(
  { upper, lower, stride, first, end }: WordRows,
  windows: Windows<WordName>,
  isSigned: boolean,
  put: (position: number, column: number, value: bigint) => void,
): Generator<void> {
  const size = (windows.to - windows.from) * stride;
  const ofUpper = new Float64Array(size);
  const keep = (position: number, column: number, results: Float64Array): void =>
    ofUpper.set(results, (position - windows.from) * stride + column);
  const request = { ...windows, by: 'SUM' } as const;
  yield* rollRows({ values: upper, stride, first, end }, request, keep);
  yield* rollRows({ values: lower, stride, first, end }, request, (position, column, results) => {
    results.forEach((low, c) => {
      const high = ofUpper[(position - windows.from) * stride + column + c] ?? 0;
      const sum = integerOf(high, low);
      if ((isSigned ? BigInt.asIntN(64, sum) : BigInt.asUintN(64, sum)) !== sum)
        throw new InputError(
          `the sum of a window is ${sum}, which does not fit in 64 bits; convert the values to floats first`,
        );
      put(position, column + c, sum);
    });
  });
}

/** Computes extremes. Keeps the positions that may still become the extreme of a window, best first. */
function* extremes(
  { upper, lower, stride, first, end }: WordRows,
  { by, window, after, from, to }: Windows<WordName>,
  put: (position: number, column: number, value: bigint) => void,
): Generator<void> {
  const isBetter = (a: number, b: number): boolean => {
    const [high, other] = [upper[a] ?? 0, upper[b] ?? 0];
    const [x, y] = high === other ? [lower[a] ?? 0, lower[b] ?? 0] : [high, other];
    return by === 'MIN' ? x <= y : x >= y;
  };
  let done = 0;
  for (let column = 0; column < stride; column++) {
    const offsetAt = (position: number): number => (position - first) * stride + column;
    const queue: number[] = [];
    let head = 0;
    for (let position = first; position < to + after; position++) {
      if (position < end) {
        while (queue.length > head && isBetter(offsetAt(position), offsetAt(queue.at(-1) ?? 0))) queue.pop();
        queue.push(position);
      }
      while ((queue[head] ?? Infinity) <= position - window) head++;
      if (position >= from + after) {
        const best = offsetAt(queue[head] ?? first);
        put(position - after, column, integerOf(upper[best] ?? 0, lower[best] ?? 0));
      }
      if (++done % STEP === 0) yield;
    }
  }
}
