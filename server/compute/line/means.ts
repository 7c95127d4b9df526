/**
 * State of each bin of a line of means: its last missing position, the first position with a value, the
 * missing position before it, the last position with a value, the number of values, and their compensated
 * sums (one per plane).
 */
import {
  addSums,
  type CompensatedSum,
  integerSum,
  roundedSum,
  sumOf,
  sumOfEqual,
} from '../compensated-sum.js';
import { WORD } from '../number-planes.js';
import { type LineKernel, MISSING_AT, lineNumberAt } from './line-kernel.js';

const [FIRST_AT, FIRST_GAP, LAST_AT, COUNT, SUM, LOW_SUM] = [1, 2, 3, 4, 5, 7];

/** A run of values in a slot, and the preceding missing position. */
interface Group {
  readonly first: number;
  readonly gap: number;
  readonly last: number;
  readonly count: number;
  readonly sum: CompensatedSum;
  readonly lowSum: CompensatedSum;
}

/** @param meanOf computes the mean from a sum and a count */
function createMeans(
  meanOf: (sum: CompensatedSum, lowSum: CompensatedSum, count: number) => Mean,
): LineKernel {
  return {
    width: 9,
    add(state, row, { first: values, second: lows }, from, to, position) {
      const shift = position - from;
      let [start, end] = [from, to];
      while (start < end && values[start] !== values[start]) start++;
      while (end > start && values[end - 1] !== values[end - 1]) end--;
      if (start < end)
        addGroup(state, row, {
          first: start + shift,
          gap: start > from ? start - 1 + shift : -1,
          last: end - 1 + shift,
          count: countPresent(values, start, end),
          sum: sumOf(values, start, end),
          lowSum: lows === undefined ? [0, 0] : sumOf(lows, start, end),
        });
      for (let i = to - 1; i >= from; i--) {
        if (values[i] === values[i]) continue;
        state[row + MISSING_AT] = i + shift;
        break;
      }
    },
    addEqual(state, row, { first, second }, count, position) {
      addGroup(state, row, {
        first: position,
        gap: -1,
        last: position + count - 1,
        count,
        sum: sumOfEqual(first[0], count),
        lowSum: sumOfEqual(second?.[0] ?? 0, count),
      });
    },
    append(into, row, from, other) {
      const group = groupAt(from, other);
      if (group.count > 0) addGroup(into, row, group);
      const missing = lineNumberAt(from, other + MISSING_AT);
      if (missing >= 0) into[row + MISSING_AT] = missing;
    },
    points(state, row) {
      const { first, gap, last, count, sum, lowSum } = groupAt(state, row);
      return count === 0 ? [] : [{ at: first, to: last, gap, ...meanOf(sum, lowSum, count) }];
    },
  };
}

interface Mean {
  readonly value: number;
  readonly low: number;
}

/** Means of numbers. */
export const means = createMeans((sum, _, count) => ({ value: roundedSum(sum) / count, low: 0 }));

/** Means of 64-bit integers, as float64. */
export const integerMeans = createMeans((sum, lowSum, count) => ({
  value: Number(wholeSum(sum, lowSum)) / count,
  low: 0,
}));

/** Means of times, rounded down to whole counts. */
export const timeMeans = createMeans((sum, lowSum, count) => {
  const mean = floorQuotient(wholeSum(sum, lowSum), BigInt(count));
  const high = floorQuotient(mean, BigInt(WORD));
  return { value: Number(high), low: Number(mean - high * BigInt(WORD)) };
});

function wholeSum(high: CompensatedSum, low: CompensatedSum): bigint {
  return integerSum(high) * BigInt(WORD) + integerSum(low);
}

export function floorQuotient(a: bigint, b: bigint): bigint {
  return a % b < 0n ? a / b - 1n : a / b;
}

function groupAt(state: Float64Array, row: number): Group {
  const at = (column: number): number => lineNumberAt(state, row + column);
  if (at(COUNT) < 0) return { first: -1, gap: -1, last: -1, count: 0, sum: [0, 0], lowSum: [0, 0] };
  return {
    first: at(FIRST_AT),
    gap: at(FIRST_GAP),
    last: at(LAST_AT),
    count: at(COUNT),
    sum: [at(SUM), at(SUM + 1)],
    lowSum: [at(LOW_SUM), at(LOW_SUM + 1)],
  };
}

function addGroup(state: Float64Array, row: number, added: Group): void {
  const group = groupAt(state, row);
  if (group.count === 0) {
    state[row + FIRST_AT] = added.first;
    state[row + FIRST_GAP] = added.gap < 0 ? lineNumberAt(state, row + MISSING_AT) : added.gap;
  }
  state[row + LAST_AT] = added.last;
  state[row + COUNT] = group.count + added.count;
  state.set(addSums(group.sum, added.sum), row + SUM);
  state.set(addSums(group.lowSum, added.lowSum), row + LOW_SUM);
}

function countPresent(values: Float64Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (values[i] === values[i]) count++;
  return count;
}
