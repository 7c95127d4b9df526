/** Computes masks of cells within polygons, in steps of a few tenths of a millisecond. */
import { defined } from '../../../wire/guards.js';
import { type CellMask, LimitError, type ResolvedSelection } from '../../zarr/index.js';
import type { Centres } from './centres.js';
import type { Reach } from './extent.js';
import type { Polygons } from './geometry.js';
import { intervalsAt, type Lines, scanLines, sortLatitudes } from './scan-lines.js';
import { sortedPositions } from './sorted-positions.js';
import { WrappedLongitudes } from './wrapped-longitudes.js';

/** Polygons, and their bounding intervals. */
export interface PreparedPolygons {
  readonly polygons: Polygons;
  readonly reach: Reach;
  /** Upper bound on the stretches of the longitudes; see `mostStretches`. */
  readonly stretches: number;
}

export function isRangeAlong(selection: ResolvedSelection, axis: number): boolean {
  return selection.kind === 'box' && selection.dims[axis]?.kind === 'range';
}

/**
 * Computes the mask of a grid with rows of equal latitude, or of one row of cells.
 * @throws LimitError for too many runs of cells
 */
export function* makeMask(
  { polygons, reach: { west } }: PreparedPolygons,
  latitude: Centres,
  longitude: Centres,
  crossings: Float64Array,
): Generator<void, CellMask, void> {
  const lines = yield* scanLines(polygons, yield* sortLatitudes(latitude.values), crossings);
  const { axis } = latitude;
  if (axis !== undefined && longitude.axis !== undefined && axis !== longitude.axis)
    return yield* gridOf(lines, latitude, longitude, west);
  return yield* axis === undefined
    ? alongParallel(intervalsAt(lines, 0), longitude, west)
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
    const ends = intervalsAt(lines, row);
    if (ends.length > 0) {
      yield* addRuns(runs, ends, columns);
      yield* runs.endRow();
    }
    starts[row + 1] = runs.count;
    if (ends.length > STEP || row % ROWS === ROWS - 1) yield;
  }
  return { row: latitude.axis, column: longitude.axis, starts, runs: runs.list() };
}

/** Number of interval ends, and of rows, processed per step. */
const STEP = 1024;
const ROWS = 64;

function* addRuns(runs: RunList, ends: Float64Array, columns: WrappedLongitudes): Generator<void> {
  for (let i = 0; i + 1 < ends.length; i += 2) {
    yield* columns.visitWithin(defined(ends[i]), defined(ends[i + 1]), (first, end) => runs.add(first, end));
    if (i % STEP === STEP - 2) yield;
  }
}

/** The mask of cells that all have the same latitude. */
function* alongParallel(
  ends: Float64Array,
  { values, axis }: Centres,
  west: number,
): Generator<void, CellMask, void> {
  const runs = new RunList();
  yield* addRuns(runs, ends, yield* WrappedLongitudes.of(values, west));
  return yield* rowOf(runs, axis);
}

/** The mask of cells with separate latitudes. Longitudes are separate too, or all cells share one. */
function* positionByPosition(
  lines: Lines,
  latitude: Centres,
  longitude: Centres,
  west: number,
): Generator<void, CellMask, void> {
  const runs = new RunList();
  for (let position = 0; position < latitude.values.length; position++) {
    const own = longitude.values[longitude.axis === undefined ? 0 : position] ?? NaN;
    const ends = intervalsAt(lines, position);
    if (ends.length > 0) {
      const longitudes = yield* WrappedLongitudes.of(Float64Array.of(own), west);
      for (let i = 0; i + 1 < ends.length; i += 2)
        yield* longitudes.visitWithin(defined(ends[i]), defined(ends[i + 1]), () =>
          runs.add(position, position + 1),
        );
    }
    if (position % 256 === 255) yield;
  }
  return yield* rowOf(runs, latitude.axis);
}

function* rowOf(runs: RunList, column: number | undefined): Generator<void, CellMask, void> {
  yield* runs.endRow();
  return { row: undefined, column, starts: Float64Array.of(0, runs.count), runs: runs.list() };
}

/** Maximum number of runs in all rows. */
export const MAX_RUNS = 2 ** 22;

class RunList {
  readonly #runs = new PairList();
  #row = new PairList();

  get count(): number {
    return this.#runs.count;
  }

  add(first: number, end: number): void {
    this.#row.push(first, end);
    if (this.#row.count + this.count > MAX_RUNS)
      throw new LimitError(
        `the geometry divides the rows of cells into more than ${MAX_RUNS} runs; simplify the geometry, or select fewer elements`,
        {
          excess: [{ limit: 'runs', allowed: MAX_RUNS, needed: MAX_RUNS + 1 }],
        },
      );
  }

  /** Sorts the runs of a row and merges adjacent ones. Yields every few thousand runs. */
  *endRow(): Generator<void, void, void> {
    const row = this.#row;
    const start = this.count;
    const order = row.count < 2 ? undefined : yield* sortedPositions(row.firsts());
    for (let i = 0; i < row.count; i++) {
      const [first, end] = row.at(order?.[i] ?? i);
      if (!(this.count > start && this.#runs.extendLast(first, end))) this.#runs.push(first, end);
      if (i % STEP === STEP - 1) yield;
    }
    this.#row = new PairList();
  }

  list(): Float64Array {
    return this.#runs.list();
  }
}

/** Pairs of numbers. */
class PairList {
  #numbers = new Float64Array(16);
  #length = 0;

  get count(): number {
    return this.#length / 2;
  }

  at(i: number): readonly [first: number, end: number] {
    return [defined(this.#numbers[2 * i]), defined(this.#numbers[2 * i + 1])];
  }

  firsts(): Float64Array {
    const firsts = new Float64Array(this.count);
    for (let i = 0; i < firsts.length; i++) firsts[i] = defined(this.#numbers[2 * i]);
    return firsts;
  }

  push(first: number, end: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Float64Array(2 * this.#length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = first;
    this.#numbers[this.#length++] = end;
  }

  /** Extends the last run if another one begins within it or at its end. @returns whether it does */
  extendLast(first: number, end: number): boolean {
    const last = this.#length - 1;
    if (first > defined(this.#numbers[last])) return false;
    this.#numbers[last] = Math.max(defined(this.#numbers[last]), end);
    return true;
  }

  list(): Float64Array {
    return this.#numbers.slice(0, this.#length);
  }
}
