/** Restricts a slice to the bounding boxes of polygons, so that reductions do not read the rest. */
import { firstIndexWhere } from '../../zarr/index.js';
import type { DimSelection } from '../../zarr/index.js';
import type { Polygons } from './geometry.js';
import type { Centres } from './centres.js';
import { wrappedFrom } from './wrapped-longitudes.js';

/** The bounding intervals of the polygons. */
export interface Reach {
  /** Western limit of all polygons, in degrees. */
  readonly west: number;
  /** Latitude intervals, disjoint and ascending. */
  readonly latitudes: readonly Interval[];
  /**
   * Longitude intervals, disjoint and ascending. Shifted by full circles so that they contain every reached
   * longitude from `west` to `west + 360`.
   */
  readonly longitudes: readonly Interval[];
}

type Interval = readonly [from: number, to: number];

const STEP = 4096;

/** Determines the latitudes and longitudes that polygons cover. Yields every few thousand vertices. */
export function* reachOf({ coordinates }: Polygons): Generator<void, Reach, void> {
  const latitudes: Interval[] = [];
  const meridians: Interval[] = [];
  let steps = 0;
  for (const rings of coordinates) {
    let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const ring of rings)
      for (const [longitude, latitude] of ring) {
        west = Math.min(west, longitude);
        east = Math.max(east, longitude);
        south = Math.min(south, latitude);
        north = Math.max(north, latitude);
        if (++steps % STEP === 0) yield;
      }
    latitudes.push([south, north]);
    meridians.push([west, east]);
  }
  const west = meridians.reduce((least, [from]) => Math.min(least, from), Infinity);
  yield;
  const merged = mergedOf(latitudes);
  yield;
  return {
    west,
    latitudes: merged,
    longitudes: mergedOf(meridians.flatMap((range) => turnsOf(range, west))),
  };
}

/** Maximum number of positions listed individually. */
const MAX_LISTED = 2 ** 14;

/**
 * Yields every few thousand positions.
 * @returns one selection per dimension, up to the last of both axes
 */
export function* extentAlong(
  { west, latitudes, longitudes }: Reach,
  latitude: Centres,
  longitude: Centres,
): Generator<void, (DimSelection | undefined)[], void> {
  const extent: (DimSelection | undefined)[] = [];
  const { axis: row } = latitude;
  const { axis: column } = longitude;
  if (row !== undefined && row !== column)
    extent[row] = yield* reached(latitude.values, (value) => isWithinAny(latitudes, value));
  if (column !== undefined && row !== column)
    extent[column] = yield* reached(longitude.values, (value) => isWithinAny(longitudes, wrappedFrom(west, value))); // prettier-ignore
  return extent;
}

/** The longitude interval of a polygon, shifted west by 0, 1, 2 ... full circles while it reaches `west`. */
function turnsOf([from, to]: Interval, west: number): Interval[] {
  const turns: Interval[] = [];
  for (let turn = 0; turn <= to - west; turn += 360) turns.push([from - turn, to - turn]);
  return turns;
}

/** Merges overlapping intervals, so that a binary search finds a value. */
function mergedOf(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const [from, to] of intervals.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last === undefined || from > last[1]) merged.push([from, to]);
    else merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return merged;
}

function isWithinAny(intervals: readonly Interval[], value: number): boolean {
  const after = firstIndexWhere(0, intervals.length, (i) => (intervals[i]?.[0] ?? Infinity) > value);
  return after > 0 && value <= (intervals[after - 1]?.[1] ?? -Infinity);
}

/**
 * A range from the first to the last position, or a list if it has gaps and at most `MAX_LISTED` positions.
 */
function* reached(
  values: Float64Array,
  isWithin: (value: number) => boolean,
): Generator<void, DimSelection, void> {
  let [first, last, count] = [-1, -1, 0];
  for (let i = 0; i < values.length; i++) {
    if (i % STEP === STEP - 1) yield;
    if (!isWithin(values[i] ?? NaN)) continue;
    if (first < 0) first = i;
    last = i;
    count++;
  }
  if (first < 0) return { kind: 'slice', start: 0, stop: 0 };
  const isRun = last - first + 1 === count;
  if (isRun || count > MAX_LISTED) return { kind: 'slice', start: first, stop: last + 1 };
  const indices: number[] = [];
  for (let i = first; i <= last; i++) {
    if (i % STEP === STEP - 1) yield;
    if (isWithin(values[i] ?? NaN)) indices.push(i);
  }
  return { kind: 'indices', indices };
}
