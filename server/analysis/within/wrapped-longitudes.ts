/** Normalises longitudes of any convention to one circle, in ascending order. */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../zarr/index.js';
import { firstFrom, presentPositions, sortedPositions } from './sorted-positions.js';

/** Runs of sorted longitudes that are also contiguous in the original order. */
interface Stretches {
  /** Start of each run among the sorted longitudes, followed by the end of the last one. */
  readonly starts: Uint32Array;
  /** Original positions of the first and the last longitude of each run. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

/** Number of longitudes processed between two yields. */
const STEP = 4096;

/** Numbers outside this range are not longitudes. */
const MAX_DEGREES = 7200;

export class WrappedLongitudes {
  readonly #west: number;
  readonly #sorted: Float64Array;
  readonly #stretches: Stretches;

  private constructor(west: number, sorted: Float64Array, stretches: Stretches) {
    this.#west = west;
    this.#sorted = sorted;
    this.#stretches = stretches;
  }

  /**
   * Sorts longitudes, starting at a meridian. Yields every few thousand longitudes.
   * @param longitudes longitudes in degrees; missing ones are omitted
   * @param west a meridian west of all longitudes to be searched for
   */
  static *of(longitudes: Float64Array, west: number): Generator<void, WrappedLongitudes, void> {
    const wrapped = new Float64Array(longitudes.length);
    for (let i = 0; i < wrapped.length; i++) {
      wrapped[i] = wrappedFrom(west, longitudes[i] ?? NaN);
      if (i % STEP === STEP - 1) yield;
    }
    const positions = yield* positionsOf(wrapped);
    const sorted = new Float64Array(positions.length);
    for (let i = 0; i < sorted.length; i++) {
      sorted[i] = defined(wrapped[defined(positions[i])]);
      if (i % STEP === STEP - 1) yield;
    }
    return new WrappedLongitudes(west, sorted, yield* stretchesOf(positions));
  }

  /**
   * Calls `visit` with the positions `first` to `end` (exclusive) of longitudes from `west` to `east`
   * (exclusive). Yields every few thousand visits.
   */
  *visitWithin(
    west: number,
    east: number,
    visit: (first: number, end: number) => void,
  ): Generator<void, void, void> {
    for (let shift = 0; shift < east - this.#west; shift += 360) {
      const from = firstFrom(this.#sorted, west - shift);
      const to = firstFrom(this.#sorted, east - shift);
      if (from < to) yield* this.#visitPositions(from, to, visit);
    }
  }

  *#visitPositions(
    from: number,
    to: number,
    visit: (first: number, end: number) => void,
  ): Generator<void, void, void> {
    const { starts, firsts, lasts } = this.#stretches;
    for (
      let s = firstIndexWhere(0, firsts.length, (i) => defined(starts[i + 1]) > from);
      s < firsts.length;
      s++
    ) {
      const [start = 0, end = 0, firstOf = 0, lastOf = 0] = [starts[s], starts[s + 1], firsts[s], lasts[s]];
      if (start >= to) return;
      const step = lastOf < firstOf ? -1 : 1;
      const first = firstOf + step * (Math.max(from, start) - start);
      const last = firstOf + step * (Math.min(to, end) - 1 - start);
      visit(Math.min(first, last), Math.max(first, last) + 1);
      if (s % STEP === STEP - 1) yield;
    }
  }
}

/**
 * Upper bound on the number of stretches. It is small for the longitudes of a regular grid: they are monotonic with at
 * most one jump. Yields every few thousand longitudes.
 */
export function* mostStretches(longitudes: Float64Array, west: number): Generator<void, number, void> {
  let [rises, falls, gaps] = [0, 0, 0];
  let [first, before]: (number | undefined)[] = [];
  for (let i = 0; i < longitudes.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const longitude = wrappedFrom(west, longitudes[i] ?? NaN);
    if (Number.isNaN(longitude)) {
      gaps++;
      continue;
    }
    if (before !== undefined && longitude > before) rises++;
    if (before !== undefined && longitude < before) falls++;
    first ??= longitude;
    before = longitude;
  }
  if (first === undefined || before === undefined) return 1;
  const isRegular =
    Math.min(rises, falls) === 0 || (falls === 1 && before <= first) || (rises === 1 && before >= first);
  return Math.min(longitudes.length, isRegular ? 2 + gaps : Infinity);
}

/**
 * The longitude shifted to between `west` (inclusive) and `west + 360` (exclusive); NaN if it is missing or
 * not a longitude.
 */
export function wrappedFrom(west: number, longitude: number): number {
  if (!(Math.abs(longitude) <= MAX_DEGREES)) return NaN;
  const wrapped = longitude - 360 * Math.floor((longitude - west) / 360);
  if (wrapped < west) return west;
  return wrapped >= west + 360 ? wrapped - 360 : wrapped;
}

/**
 * The positions of the values in ascending order. The longitudes of a regular grid are monotonic with at
 * most one jump, so they need no sorting.
 */
function* positionsOf(values: Float64Array): Generator<void, Uint32Array, void> {
  const positions = yield* presentPositions(values);
  const at = (i: number): number => defined(values[defined(positions[i])]);
  const { length } = positions;
  if (length > 1 && at(1) < at(0) && (length < 3 || at(2) < at(1) || at(0) < at(length - 1)))
    positions.reverse();
  const jumps: number[] = [];
  for (let i = 1; i < length && jumps.length < 2; i++) {
    if (at(i) < at(i - 1)) jumps.push(i);
    if (i % STEP === STEP - 1) yield;
  }
  const [jump] = jumps;
  if (jump === undefined) return positions;
  yield;
  if (jumps.length > 1 || at(length - 1) > at(0)) return yield* sortedPositions(values);
  const wrapped = new Uint32Array(length);
  wrapped.set(positions.subarray(jump));
  wrapped.set(positions.subarray(0, jump), length - jump);
  return wrapped;
}

function* stretchesOf(positions: Uint32Array): Generator<void, Stretches, void> {
  const starts = new Uint32Array(positions.length + 1);
  let [count, from] = [0, 0];
  for (let i = 1; i <= positions.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const step = (positions[from + 1] ?? NaN) - (positions[from] ?? NaN);
    const continues =
      (step === 1 || step === -1) && (positions[i] ?? NaN) - (positions[i - 1] ?? NaN) === step;
    if (continues) continue;
    starts[++count] = i;
    from = i;
  }
  const [firsts, lasts] = [new Uint32Array(count), new Uint32Array(count)];
  for (let s = 0; s < count; s++) {
    if (s % STEP === STEP - 1) yield;
    firsts[s] = defined(positions[defined(starts[s])]);
    lasts[s] = defined(positions[defined(starts[s + 1]) - 1]);
  }
  return { starts: starts.slice(0, count + 1), firsts, lasts };
}
