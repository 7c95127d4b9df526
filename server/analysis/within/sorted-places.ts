/** Sorts the positions of numbers, in steps of a few tenths of a millisecond. */

/** Number of positions sorted or merged per step. */
const STEP = 4096;

/** The positions of numbers in ascending order. Omits missing numbers. Stable for equal numbers. */
export function* sortedPlaces(numbers: Float64Array): Generator<void, Uint32Array, void> {
  const places = yield* presentPlaces(numbers);
  const direction = yield* directionOf(places, numbers);
  if (direction === 'ascending') return places;
  if (direction === 'descending') return places.reverse();
  const compare = (a: number, b: number): number => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b;
  for (let from = 0; from < places.length; from += STEP) {
    places.subarray(from, from + STEP).sort(compare);
    yield;
  }
  let source = places;
  let target: Uint32Array = new Uint32Array(places.length);
  for (let size = STEP; size < places.length; size *= 2) {
    for (let from = 0; from < places.length; from += 2 * size)
      yield* merge(source, target, from, from + size, Math.min(places.length, from + 2 * size), compare);
    [source, target] = [target, source];
  }
  return source;
}

function* presentPlaces(numbers: Float64Array): Generator<void, Uint32Array, void> {
  const places = new Uint32Array(numbers.length);
  let count = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] === numbers[i]) places[count++] = i;
    if (i % STEP === STEP - 1) yield;
  }
  return places.subarray(0, count);
}

/** Equal numbers do not count as descending: reversing them would change their order. */
function* directionOf(
  places: Uint32Array,
  numbers: Float64Array,
): Generator<void, 'ascending' | 'descending' | undefined, void> {
  let [isAscending, isDescending] = [true, true];
  for (let i = 1; i < places.length && (isAscending || isDescending); i++) {
    const [before, after] = [numbers[places[i - 1] ?? 0] ?? 0, numbers[places[i] ?? 0] ?? 0];
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
    const isFirst = a < aEnd && (b >= end || compare(source[a] ?? 0, source[b] ?? 0) <= 0);
    target[at] = (isFirst ? source[a++] : source[b++]) ?? 0;
    if (at % STEP === STEP - 1) yield;
  }
}

/** Index of the first number that is at least `value`, in ascending numbers. */
export function firstFrom(numbers: Float64Array, value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
