/**
 * Finds the first, smallest, largest and last value among consecutive elements in one pass. Missing elements
 * are NaN.
 */
import type { Planes } from '../number-planes.js';

export interface Found {
  /** Index in the planes. */
  readonly index: number;
  /** The last missing index before it; less than `from` if there is none. */
  readonly gap: number;
}

export interface Scanned {
  readonly first: Found;
  readonly least: Found;
  readonly greatest: Found;
  readonly last: Found;
  /** The last missing index; less than `from` if there is none. */
  readonly missing: number;
}

/** @returns undefined if all elements are missing */
export function scan({ first: values, second: lows }: Planes, from: number, to: number): Scanned | undefined {
  let start = from;
  while (start < to && values[start] !== values[start]) start++;
  if (start >= to) return undefined;
  const inner = lows === undefined ? scanValues(values, start, to) : scanWords(values, lows, start, to);
  let last = to - 1;
  while (values[last] !== values[last]) last--;
  // Missing elements after the last value do not precede any value.
  let gap = inner.missing;
  if (last < to - 1) {
    gap = last - 1;
    while (gap >= from && values[gap] === values[gap]) gap--;
  }
  return { first: { index: start, gap: start - 1 }, last: { index: last, gap }, ...inner };
}

type Inner = Pick<Scanned, 'least' | 'greatest' | 'missing'>;

/** @param start index of a value */
function scanValues(values: Float64Array, start: number, to: number): Inner {
  let least = values[start];
  let greatest = least;
  let leastAt = start;
  let greatestAt = start;
  let leastGap = start - 1;
  let greatestGap = start - 1;
  let missing = start - 1;
  for (let i = start + 1; i < to; i++) {
    const value = values[i];
    if (value > greatest) {
      greatest = value;
      greatestAt = i;
      greatestGap = missing;
    } else if (value < least) {
      least = value;
      leastAt = i;
      leastGap = missing;
    } else if (value !== value) missing = i;
  }
  return {
    least: { index: leastAt, gap: leastGap },
    greatest: { index: greatestAt, gap: greatestGap },
    missing,
  };
}

/** Like `scanValues`, for values with two planes. */
function scanWords(highs: Float64Array, lows: Float64Array, start: number, to: number): Inner {
  let least = highs[start];
  let leastLow = lows[start];
  let greatest = least;
  let greatestLow = leastLow;
  let leastAt = start;
  let greatestAt = start;
  let leastGap = start - 1;
  let greatestGap = start - 1;
  let missing = start - 1;
  for (let i = start + 1; i < to; i++) {
    const value = highs[i];
    const low = lows[i];
    if (value > greatest || (value === greatest && low > greatestLow)) {
      greatest = value;
      greatestLow = low;
      greatestAt = i;
      greatestGap = missing;
    } else if (value < least || (value === least && low < leastLow)) {
      least = value;
      leastLow = low;
      leastAt = i;
      leastGap = missing;
    } else if (value !== value) missing = i;
  }
  return {
    least: { index: leastAt, gap: leastGap },
    greatest: { index: greatestAt, gap: greatestGap },
    missing,
  };
}
