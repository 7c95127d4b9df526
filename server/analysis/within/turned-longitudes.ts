/** Normalises longitudes of any convention to one circle, in ascending order. */
import { firstFrom, sortedPlaces } from './sorted-places.js';

/** Runs of sorted longitudes that are also contiguous in the original order. */
interface Stretch {
  /** Position of the run among the sorted longitudes. */
  readonly from: number;
  readonly to: number;
  /** Original positions of the first and the last longitude. */
  readonly first: number;
  readonly last: number;
}

/** Numbers outside this range are not longitudes. */
const MAX_DEGREES = 7200;

export class TurnedLongitudes {
  readonly #west: number;
  readonly #sorted: Float64Array;
  readonly #stretches: readonly Stretch[];

  private constructor(west: number, sorted: Float64Array, stretches: readonly Stretch[]) {
    this.#west = west;
    this.#sorted = sorted;
    this.#stretches = stretches;
  }

  /**
   * Yields every few thousand longitudes. @param longitudes missing longitudes are omitted @param west a
   * meridian west of all longitudes to be searched for
   */
  static *of(longitudes: Float64Array, west: number): Generator<void, TurnedLongitudes, void> {
    const turned = longitudes.map((longitude) => turnedFrom(west, longitude));
    yield;
    const places = yield* placesOf(turned);
    const sorted = Float64Array.from(places, (place) => turned[place] ?? 0);
    yield;
    return new TurnedLongitudes(west, sorted, stretchesOf(places));
  }

  /** Calls `visit` with the positions `first` to `end` (exclusive) of longitudes from `west` to `east` (exclusive). */
  forEachWithin(west: number, east: number, visit: (first: number, end: number) => void): void {
    for (let turn = 0; turn < east - this.#west; turn += 360) {
      const from = firstFrom(this.#sorted, west - turn);
      const to = firstFrom(this.#sorted, east - turn);
      if (from < to) this.#visitPlaces(from, to, visit);
    }
  }

  #visitPlaces(from: number, to: number, visit: (first: number, end: number) => void): void {
    let [low, high] = [0, this.#stretches.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle]?.to ?? 0) > from) high = middle;
      else low = middle + 1;
    }
    for (let s = low; s < this.#stretches.length; s++) {
      const stretch = this.#stretches[s];
      if (stretch === undefined || stretch.from >= to) return;
      const step = stretch.last < stretch.first ? -1 : 1;
      const first = stretch.first + step * (Math.max(from, stretch.from) - stretch.from);
      const last = stretch.first + step * (Math.min(to, stretch.to) - 1 - stretch.from);
      visit(Math.min(first, last), Math.max(first, last) + 1);
    }
  }
}

/** The same meridian between `west` (inclusive) and `west + 360` (exclusive); NaN if it is missing. */
export function turnedFrom(west: number, longitude: number): number {
  if (!(Math.abs(longitude) <= MAX_DEGREES)) return NaN;
  const turned = longitude - 360 * Math.floor((longitude - west) / 360);
  if (turned < west) return west;
  return turned >= west + 360 ? turned - 360 : turned;
}

/**
 * The positions of the values in ascending order. The longitudes of a regular grid are monotonic with at
 * most one jump, so they need no sorting.
 */
function* placesOf(values: Float64Array): Generator<void, Uint32Array, void> {
  const places = Uint32Array.from(values.keys()).filter((place) => values[place] === values[place]);
  const at = (i: number): number => values[places[i] ?? 0] ?? 0;
  const { length } = places;
  if (length > 1 && at(1) < at(0) && (length < 3 || at(2) < at(1) || at(0) < at(length - 1)))
    places.reverse();
  const jumps: number[] = [];
  for (let i = 1; i < length && jumps.length < 2; i++) if (at(i) < at(i - 1)) jumps.push(i);
  const [jump] = jumps;
  if (jump === undefined) return places;
  yield;
  if (jumps.length > 1 || at(length - 1) > at(0)) return yield* sortedPlaces(values);
  const turned = new Uint32Array(length);
  turned.set(places.subarray(jump));
  turned.set(places.subarray(0, jump), length - jump);
  return turned;
}

function stretchesOf(places: Uint32Array): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (let i = 1; i <= places.length; i++) {
    const step = (places[from + 1] ?? NaN) - (places[from] ?? NaN);
    const goesOn = (step === 1 || step === -1) && (places[i] ?? NaN) - (places[i - 1] ?? NaN) === step;
    if (goesOn) continue;
    stretches.push({ from, to: i, first: places[from] ?? 0, last: places[i - 1] ?? 0 });
    from = i;
  }
  return stretches;
}
