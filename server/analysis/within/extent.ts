/** The part of a slice within the bounding boxes of polygons. Reductions need not read the rest. */
import type { DimSelection } from '../../zarr/index.js';
import type { Polygons } from './geometry.js';
import type { Centres } from './centres.js';
import { turnedFrom } from './turned-longitudes.js';

export interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** One box per polygon. */
export function boxesOf({ coordinates }: Polygons): Box[] {
  return coordinates.map((rings) => {
    let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [longitude, latitude] of rings.flat()) {
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
    }
    return { west, east, south, north };
  });
}

/** Maximum number of positions listed individually. */
const MAX_LISTED = 2 ** 14;

/**
 * @param west the westernmost meridian of all boxes
 * @returns of each dimension up to the last of both axes
 */
export function extentAlong(
  boxes: readonly Box[],
  west: number,
  latitude: Centres,
  longitude: Centres,
): (DimSelection | undefined)[] {
  const extent: (DimSelection | undefined)[] = [];
  const { axis: row } = latitude;
  const { axis: column } = longitude;
  if (row !== undefined && row !== column)
    extent[row] = reached(latitude.values, isWithinAny(boxes.map(({ south, north }) => [south, north])));
  if (column !== undefined && row !== column) {
    const isWithin = isWithinAny(boxes.flatMap((box) => turnsOf(box, west)));
    extent[column] = reached(longitude.values, (value) => isWithin(turnedFrom(west, value)));
  }
  return extent;
}

type Interval = readonly [from: number, to: number];

/** The longitudes of a box, and the same in each further turn from `west` on. */
function turnsOf(box: Box, west: number): Interval[] {
  const turns: Interval[] = [];
  for (let turn = 0; turn <= box.east - west; turn += 360) turns.push([box.west - turn, box.east - turn]);
  return turns;
}

/** Overlapping intervals are merged, so that each value takes a binary search, however many polygons there are. */
function isWithinAny(intervals: readonly Interval[]): (value: number) => boolean {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [from, to] of intervals.toSorted(([a], [b]) => a - b)) {
    const last = ends.at(-1);
    if (last !== undefined && from <= last) ends[ends.length - 1] = Math.max(last, to);
    else {
      starts.push(from);
      ends.push(to);
    }
  }
  return (value) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? Infinity) <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (ends[low - 1] ?? -Infinity);
  };
}

/** A run from the first to the last position, or a list if it is shorter. */
function reached(values: Float64Array, isWithin: (value: number) => boolean): DimSelection {
  let [first, last, count] = [-1, -1, 0];
  values.forEach((value, i) => {
    if (!isWithin(value)) return;
    if (first < 0) first = i;
    last = i;
    count++;
  });
  if (first < 0) return { kind: 'slice', start: 0, stop: 0 };
  const isRun = last - first + 1 === count;
  if (isRun || count > MAX_LISTED) return { kind: 'slice', start: first, stop: last + 1 };
  const indices: number[] = [];
  for (let i = first; i <= last; i++) if (isWithin(values[i] ?? NaN)) indices.push(i);
  return { kind: 'indices', indices };
}
