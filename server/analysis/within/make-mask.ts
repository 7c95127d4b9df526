/** Computes masks of cells within polygons, in steps of a few tenths of a millisecond. */
import type { CellMask } from '../../zarr/index.js';
import type { Centres } from './centres.js';
import type { Reach } from './extent.js';
import type { Polygons } from './geometry.js';
import { RunList } from './run-list.js';
import { scanLines, sortLatitudes } from './scan-lines.js';
import { WrappedLongitudes } from './wrapped-longitudes.js';

/** Polygons, with precomputed values. */
export interface PreparedPolygons {
  readonly polygons: Polygons;
  readonly reach: Reach;
}

/** For each latitude: the intervals inside the polygons, as pairs of western and eastern ends. */
type Lines = ReadonlyMap<number, readonly number[]>;

/**
 * Computes the mask of a grid with rows of equal latitude, or of one row of cells.
 * @throws LimitError for too many runs of cells
 */
export function* makeMask(
  { polygons, reach: { west } }: PreparedPolygons,
  latitude: Centres,
  longitude: Centres,
): Generator<void, CellMask, void> {
  const lines = yield* scanLines(polygons, yield* sortLatitudes(latitude.values));
  const { axis } = latitude;
  if (axis !== undefined && longitude.axis !== undefined && axis !== longitude.axis)
    return yield* gridOf(lines, latitude, longitude, west);
  return yield* axis === undefined
    ? alongParallel(lines.get(0) ?? [], longitude, west)
    : positionByPosition(lines, latitude, longitude, west);
}

function* gridOf(
  lines: Lines,
  latitude: Centres,
  longitude: Centres,
  west: number,
): Generator<void, CellMask, void> {
  const columns = yield* WrappedLongitudes.of(longitude.values, west);
  const starts = new Float64Array(latitude.values.length + 1);
  const runs = new RunList();
  for (let row = 0; row < latitude.values.length; row++) {
    const ends = lines.get(row);
    if (ends !== undefined) {
      yield* addRuns(runs, ends, columns);
      runs.endRow();
      yield;
    }
    starts[row + 1] = runs.count;
  }
  return { row: latitude.axis, column: longitude.axis, starts, runs: runs.list() };
}

/** Number of line ends processed per step. */
const STEP = 1024;

function* addRuns(runs: RunList, ends: readonly number[], columns: WrappedLongitudes): Generator<void> {
  for (let i = 0; i + 1 < ends.length; i += 2) {
    columns.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, (first, end) => runs.add(first, end));
    if (i % STEP === STEP - 2) yield;
  }
}

/** All cells are at one latitude. */
function* alongParallel(
  ends: readonly number[],
  { values, axis }: Centres,
  west: number,
): Generator<void, CellMask, void> {
  const runs = new RunList();
  yield* addRuns(runs, ends, yield* WrappedLongitudes.of(values, west));
  return rowOf(runs, axis);
}

/** Each cell has a separate latitude. Longitudes are separate too, or all cells share one. */
function* positionByPosition(
  lines: Lines,
  latitude: Centres,
  longitude: Centres,
  west: number,
): Generator<void, CellMask, void> {
  const runs = new RunList();
  for (let position = 0; position < latitude.values.length; position++) {
    const own = longitude.values[longitude.axis === undefined ? 0 : position] ?? NaN;
    const ends = lines.get(position);
    if (ends !== undefined) {
      const one = yield* WrappedLongitudes.of(Float64Array.of(own), west);
      for (let i = 0; i + 1 < ends.length; i += 2)
        one.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, () => runs.add(position, position + 1));
    }
    if (position % 256 === 255) yield;
  }
  return rowOf(runs, latitude.axis);
}

function rowOf(runs: RunList, column: number | undefined): CellMask {
  runs.endRow();
  return { row: undefined, column, starts: Float64Array.of(0, runs.count), runs: runs.list() };
}
