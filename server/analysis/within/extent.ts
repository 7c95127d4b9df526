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
    extent[row] = reached(latitude.values, (value) => boxes.some((box) => value >= box.south && value <= box.north));
  if (column !== undefined && row !== column)
    extent[column] = reached(longitude.values, (value) => {
      const turned = turnedFrom(west, value);
      return boxes.some((box) => {
        for (let turn = 0; turn <= box.east - west; turn += 360)
          if (turned >= box.west - turn && turned <= box.east - turn) return true;
        return false;
      });
    });
  return extent;
} // prettier-ignore

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
