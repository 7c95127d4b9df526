/** Sorts the positions of numbers, in steps of a few tenths of a millisecond. */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../zarr/index.js';

/** Number of positions sorted or merged per step. */
const STEP = 4096;

/** The positions of numbers in ascending order. Omits missing numbers. Stable for equal numbers. */
export function* sortedPositions(numbers: Float64Array): Generator<void, Uint32Array, void> {
  const positions = yield* presentPositions(numbers);
  const direction = yield* directionOf(positions, numbers);
  if (direction === 'ascending') return positions;
  if (direction === 'descending') return positions.reverse();
  const compare = (a: number, b: number): number => defined(numbers[a]) - defined(numbers[b]) || a - b;
  for (let from = 0; from < positions.length; from += STEP) {
    positions.subarray(from, from + STEP).sort(compare);
    yield;
  }
  let source = positions;
  let target: Uint32Array = new Uint32Array(positions.length);
  for (let size = STEP; size < positions.length; size *= 2) {
    for (let from = 0; from < positions.length; from += 2 * size)
      yield* merge(source, target, from, from + size, Math.min(positions.length, from + 2 * size), compare);
    [source, target] = [target, source];
  }
  return source;
}

/** The positions of numbers that are not missing. */
export function* presentPositions(numbers: Float64Array): Generator<void, Uint32Array, void> {
  const positions = new Uint32Array(numbers.length);
  let count = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] === numbers[i]) positions[count++] = i;
    if (i % STEP === STEP - 1) yield;
  }
  return positions.subarray(0, count);
}

/**
 * Determines the direction of numbers. Equal numbers do not count as descending, because reversing them would
 * change their order.
 */
function* directionOf(
  positions: Uint32Array,
  numbers: Float64Array,
): Generator<void, 'ascending' | 'descending' | undefined, void> {
  let [isAscending, isDescending] = [true, true];
  for (let i = 1; i < positions.length && (isAscending || isDescending); i++) {
    const [before, after] = [
      defined(numbers[defined(positions[i - 1])]),
      defined(numbers[defined(positions[i])]),
    ];
    if (after < before) isAscending = false;
    if (after >= before) isDescending = false;
    if (i % STEP === 0) yield;
  }
  return isAscending ? 'ascending' : isDescending ? 'descending' : undefined;
}

/** Merges two adjacent sorted runs of `source`. */
function* merge(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  end: number,
  compare: (a: number, b: number) => number,
): Generator<void, void, void> {
  let a = from;
  let b = Math.min(middle, end);
  const aEnd = b;
  for (let at = from; at < end; at++) {
    const isFirst = a < aEnd && (b >= end || compare(defined(source[a]), defined(source[b])) <= 0);
    target[at] = defined(isFirst ? source[a++] : source[b++]);
    if (at % STEP === STEP - 1) yield;
  }
}

/** Index of the first number that is at least `value`, in ascending numbers. */
export function firstFrom(numbers: Float64Array, value: number): number {
  return firstIndexWhere(0, numbers.length, (i) => (numbers[i] ?? Infinity) >= value);
}
