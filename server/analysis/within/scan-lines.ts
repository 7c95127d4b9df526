/**
 * Intersects parallels with polygons. Edges are straight lines in degrees. Points on western and southern
 * edges are inside, points on eastern and northern edges outside: a point on a shared edge belongs to
 * exactly one polygon. The north pole is inside polygons that reach it.
 */
import { LimitError } from '../../zarr/index.js';
import type { Polygons, Position } from './geometry.js';
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
  return {
    positions,
    latitudes: Float64Array.from(positions, (position) => atPole(unsorted[position] ?? 0)),
  };
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
      changes[first] = (changes[first] ?? 0) + 1;
      changes[end] = (changes[end] ?? 0) - 1;
      if (++steps % STEPS === 0) yield;
    }
  const crossings = new Float64Array(size);
  let edges = 0;
  positions.forEach((position, row) => {
    edges += changes[row] ?? 0;
    crossings[position] = edges;
  });
  return crossings;
}

/**
 * @param crossings number of crossings of each row of cells
 * @returns the total
 * @throws LimitError if the total is too large
 */
export function countCrossings(crossings: Float64Array): number {
  const count = crossings.reduce((sum, crossed) => sum + crossed, 0);
  if (count > MAX_CROSSINGS)
    throw new LimitError(
      `the edges of the geometry cross ${count} rows of cells; at most ${MAX_CROSSINGS} are allowed; simplify the geometry, or select fewer elements`,
      { excess: [{ limit: 'crossings', allowed: MAX_CROSSINGS, needed: count }] },
    );
  return count;
}

/**
 * The longitudes inside the polygons for each latitude, as pairs of a western end (inclusive) and an
 * eastern end (exclusive). Pairs of different polygons may overlap. Yields every few hundred edges and rows.
 */
export function* scanLines(
  { coordinates }: Polygons,
  { latitudes, positions }: SortedLatitudes,
): Generator<void, ReadonlyMap<number, readonly number[]>> {
  const inside = new Map<number, number[]>();
  let steps = 0;
  for (const polygon of coordinates) {
    const crossings = new Map<number, number[]>();
    for (const ring of polygon)
      for (let i = 1; i < ring.length; i++) {
        const [a, b] = [ring[i - 1], ring[i]];
        if (a !== undefined && b !== undefined) addCrossings(a, b, latitudes, crossings);
        if (++steps % STEPS === 0) yield;
      }
    for (const [row, longitudes] of crossings) {
      const position = positions[row] ?? 0;
      const known = inside.get(position) ?? [];
      inside.set(position, known);
      for (const longitude of Float64Array.from(longitudes).sort()) known.push(longitude);
      if (++steps % STEPS === 0) yield;
    }
  }
  return inside;
}

const STEPS = 256;

function addCrossings(
  a: Position,
  b: Position,
  latitudes: Float64Array,
  crossings: Map<number, number[]>,
): void {
  // Computed in the same direction for both polygons of a shared edge, so that the results are equal.
  const [south, north] = a[1] <= b[1] ? [a, b] : [b, a];
  const end = firstFrom(latitudes, north[1]);
  for (let row = firstFrom(latitudes, south[1]); row < end; row++) {
    const share = ((latitudes[row] ?? 0) - south[1]) / (north[1] - south[1]);
    const longitude = south[0] + share * (north[0] - south[0]);
    const known = crossings.get(row);
    if (known === undefined) crossings.set(row, [longitude]);
    else known.push(longitude);
  }
}
