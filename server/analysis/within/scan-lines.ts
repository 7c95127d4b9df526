/**
 * Intersects parallels with polygons. Edges are straight lines in degrees. Points on western and southern
 * edges are inside, points on eastern and northern edges outside: a point on a shared edge belongs to
 * exactly one polygon. The north pole is inside polygons that reach it.
 */
import { defined } from '../../../wire/guards.js';
import { LimitError } from '../../zarr/index.js';
import type { Polygons } from './geometry.js';
import { firstFrom, sortedPositions } from './sorted-positions.js';

/** Maximum number of crossings of edges and parallels. */
const MAX_CROSSINGS = 2 ** 22;

/** Latitudes in ascending order. */
export interface SortedLatitudes {
  readonly latitudes: Float64Array;
  /** Index of each latitude before sorting. */
  readonly positions: Uint32Array;
}

/** Excludes missing latitudes. Yields every few thousand latitudes. */
export function* sortLatitudes(unsorted: Float64Array): Generator<void, SortedLatitudes, void> {
  const positions = yield* sortedPositions(unsorted);
  const latitudes = new Float64Array(positions.length);
  for (let i = 0; i < latitudes.length; i++) {
    latitudes[i] = atPole(defined(unsorted[defined(positions[i])]));
    if (i % PIECE === PIECE - 1) yield;
  }
  return { positions, latitudes };
}

/**
 * Moves a latitude at the North Pole slightly south, so that cells at the pole are inside polygons whose
 * northern edge reaches it.
 */
function atPole(latitude: number): number {
  return latitude === 90 ? BELOW_POLE : latitude;
}

const BELOW_POLE = 90 - 2 ** -46;

/**
 * The number of edges that cross each latitude, in the original order. Yields every few hundred edges.
 * @param size number of latitudes, including missing ones
 * @throws LimitError if the total is too large
 */
export function* crossingsOf(
  { coordinates }: Polygons,
  { latitudes, positions }: SortedLatitudes,
  size: number,
): Generator<void, Float64Array, void> {
  const changes = new Float64Array(latitudes.length + 1);
  let steps = 0;
  for (const ring of coordinates.flat())
    for (let i = 1; i < ring.length; i++) {
      const [a = 0, b = 0] = [ring[i - 1]?.[1], ring[i]?.[1]];
      const [first, end] = [firstFrom(latitudes, Math.min(a, b)), firstFrom(latitudes, Math.max(a, b))];
      changes[first] = defined(changes[first]) + 1;
      changes[end] = defined(changes[end]) - 1;
      if (++steps % STEPS === 0) yield;
    }
  const crossings = new Float64Array(size);
  let edges = 0;
  for (let row = 0; row < positions.length; row++) {
    edges += defined(changes[row]);
    crossings[defined(positions[row])] = edges;
    if (row % PIECE === PIECE - 1) yield;
  }
  return crossings;
}

/**
 * @param crossings number of crossings of each row of cells
 * @returns the total
 * @throws LimitError if the total is too large
 */
export function countCrossings(crossings: Float64Array): number {
  let count = 0;
  for (let i = 0; i < crossings.length; i++) count += defined(crossings[i]);
  if (count > MAX_CROSSINGS)
    throw new LimitError(
      `the edges of the geometry cross ${count} rows of cells; at most ${MAX_CROSSINGS} are allowed; simplify the geometry, or select fewer elements`,
      { excess: [{ limit: 'crossings', allowed: MAX_CROSSINGS, needed: count }] },
    );
  return count;
}

/** The longitudes inside the polygons at each latitude, in the original order of the latitudes. */
export interface Lines {
  /** Start of the longitudes of each latitude, followed by the end of the last ones. */
  readonly starts: Uint32Array;
  readonly longitudes: Float64Array;
}

/**
 * The intervals at a latitude, as pairs of a western end (inclusive) and an eastern end (exclusive). Intervals of
 * different polygons may overlap.
 */
export function intervalsAt({ starts, longitudes }: Lines, position: number): Float64Array {
  return longitudes.subarray(starts[position], starts[position + 1]);
}

/**
 * Intersects the polygons with each latitude. Yields every few thousand crossings.
 * @param crossings number of edges that cross each latitude; see `crossingsOf`
 */
export function* scanLines(
  { coordinates }: Polygons,
  { latitudes, positions }: SortedLatitudes,
  crossings: Float64Array,
): Generator<void, Lines, void> {
  const starts = new Uint32Array(crossings.length + 1);
  for (let i = 0; i < crossings.length; i++) {
    starts[i + 1] = defined(starts[i]) + defined(crossings[i]);
    if (i % PIECE === PIECE - 1) yield;
  }
  const longitudes = new Float64Array(defined(starts[crossings.length]));
  // For each latitude: the end of its longitudes so far, and the start of those of the current polygon.
  const [ends, begins] = [starts.slice(), starts.slice()];
  let steps = 0;
  for (const polygon of coordinates) {
    let [least, most] = [latitudes.length, 0];
    for (const ring of polygon)
      for (let i = 1; i < ring.length; i++) {
        const [a, b] = [ring[i - 1], ring[i]];
        if (a === undefined || b === undefined) continue;
        // Computed in the same direction for both polygons of a shared edge, so that the results are equal.
        const [south, north] = a[1] <= b[1] ? [a, b] : [b, a];
        const [first, end] = [firstFrom(latitudes, south[1]), firstFrom(latitudes, north[1])];
        least = Math.min(least, first);
        most = Math.max(most, end);
        for (let row = first; row < end; row++) {
          const share = (defined(latitudes[row]) - south[1]) / (north[1] - south[1]);
          const position = defined(positions[row]);
          const at = defined(ends[position]);
          longitudes[at] = south[0] + share * (north[0] - south[0]);
          ends[position] = at + 1;
          if (++steps % PIECE === 0) yield;
        }
        if (++steps % STEPS === 0) yield;
      }
    for (let row = least; row < most; row++) {
      const position = defined(positions[row]);
      longitudes.subarray(begins[position], ends[position]).sort();
      begins[position] = defined(ends[position]);
      if (++steps % STEPS === 0) yield;
    }
  }
  return { starts, longitudes };
}

/** Number of edges or rows, and of simpler steps, between two yields. */
const STEPS = 256;
const PIECE = 4096;
