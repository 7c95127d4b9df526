/** Computes the mask of the cells of a slice whose centre is within polygons. */
import {
  AbortedError,
  type CellMask,
  costBeside,
  createPause,
  type DimSelection,
  type PlanCost,
  inTurns,
  runToEnd,
  type SliceMask,
  throwIfAborted,
  LimitError,
} from '../../zarr/index.js';
import type { Reserve } from '../../dataset/coordinate-reader.js';
import { assertSame, type Centres, selectCentres } from './centres.js';
import { extentAlong, reachOf, type Reach } from './extent.js';
import type { Polygons } from './geometry.js';
import {
  countCrossings,
  crossingsOf,
  intervalsAt,
  type Lines,
  scanLines,
  sortLatitudes,
} from './scan-lines.js';
import { WrappedLongitudes } from './wrapped-longitudes.js';

/** @throws LimitError for too many edges for this many cells */
export async function polygonMask(
  polygons: Polygons,
  latitude: Centres,
  longitude: Centres,
  reserve: Reserve,
): Promise<SliceMask> {
  await reserve(latitude.values.length * ROW_BYTES);
  const reach = await inTurns(reachOf(polygons));
  const sorted = await inTurns(sortLatitudes(latitude.values));
  const crossings = await inTurns(crossingsOf(polygons, sorted, latitude.values.length));
  const extent = await inTurns(extentAlong(reach, latitude, longitude));
  // Longitudes of the same dimension are selected together with the latitudes.
  return maskOf({ polygons, reach }, latitude, longitude, { ...latitude, values: crossings }, extent);
}

/** Memory per latitude: its sorted position and value, and its number of crossings. */
const ROW_BYTES = 4 + 8 + 8;

type Extent = readonly (DimSelection | undefined)[];

/**
 * @param crossings number of edges that cross each latitude
 * @param known the extent of the mask, if it is known
 */
function maskOf(
  { polygons, reach }: PreparedPolygons,
  latitude: Centres,
  longitude: Centres,
  crossings: Centres,
  known?: Extent,
): SliceMask {
  const count = countCrossings(crossings.values);
  let extent = known;
  let making: Promise<CellMask> | undefined;

  async function make(signal: AbortSignal | undefined): Promise<CellMask> {
    const pause = createPause();
    const steps = makeMask({ polygons, reach }, latitude, longitude, crossings.values);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pause();
      throwIfAborted(signal);
    }
  }

  return {
    inputs: [...latitude.source.inputs, ...longitude.source.inputs],
    get extent() {
      return (extent ??= runToEnd(extentAlong(reach, latitude, longitude)));
    },
    addTo(cost: PlanCost): PlanCost {
      const held = 40 * count + 32 * (latitude.values.length + longitude.values.length);
      return costBeside(costBeside(cost, latitude.source.cost(), 0), longitude.source.cost(), held);
    },
    select: (selection) =>
      maskOf(
        { polygons, reach },
        selectCentres(latitude, selection),
        selectCentres(longitude, selection),
        selectCentres(crossings, selection),
      ),
    async read(options) {
      await Promise.all([assertSame(latitude, options), assertSame(longitude, options)]);
      for (;;) {
        try {
          return await (making ??= make(options.signal).catch((error: unknown) => {
            making = undefined;
            throw error;
          }));
        } catch (error) {
          // The reader that started the mask was cancelled.
          if (!(error instanceof AbortedError) || options.signal?.aborted === true) throw error;
        }
      }
    },
  };
}

// Computes masks of cells within polygons, in steps of a few tenths of a millisecond.

/** Polygons, and their bounding intervals. */
interface PreparedPolygons {
  readonly polygons: Polygons;
  readonly reach: Reach;
}

/**
 * Computes the mask of a grid with rows of equal latitude, or of one row of cells.
 * @throws LimitError for too many runs of cells
 */
function* makeMask(
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
      runs.endRow();
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
    columns.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, (first, end) => runs.add(first, end));
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
  return rowOf(runs, axis);
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
        longitudes.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, () => runs.add(position, position + 1));
    }
    if (position % 256 === 255) yield;
  }
  return rowOf(runs, latitude.axis);
}

function rowOf(runs: RunList, column: number | undefined): CellMask {
  runs.endRow();
  return { row: undefined, column, starts: Float64Array.of(0, runs.count), runs: runs.list() };
}

// The runs of unmasked cells in each row.

/** Maximum number of runs in all rows. */
const MAX_RUNS = 2 ** 22;

class RunList {
  #runs = new Float64Array(1024);
  #length = 0;
  #row: (readonly [first: number, end: number])[] = [];

  get count(): number {
    return this.#length / 2;
  }

  add(first: number, end: number): void {
    this.#row.push([first, end]);
    if (this.#row.length + this.count > MAX_RUNS)
      throw new LimitError(
        `the geometry divides the rows of cells into more than ${MAX_RUNS} runs; simplify the geometry, or select fewer elements`,
        {
          excess: [{ limit: 'runs', allowed: MAX_RUNS, needed: MAX_RUNS + 1 }],
        },
      );
  }

  /** Sorts the runs of a row and merges adjacent ones. */
  endRow(): void {
    this.#row.sort((a, b) => a[0] - b[0]);
    const start = this.#length;
    for (const [first, end] of this.#row) {
      const last = this.#length - 1;
      if (last > start && first <= (this.#runs[last] ?? 0)) this.#runs[last] = Math.max(this.#runs[last] ?? 0, end);
      else this.#push(first, end);
    }
    this.#row = [];
  } // prettier-ignore

  #push(first: number, end: number): void {
    if (this.#length === this.#runs.length) {
      const longer = new Float64Array(2 * this.#length);
      longer.set(this.#runs);
      this.#runs = longer;
    }
    this.#runs[this.#length++] = first;
    this.#runs[this.#length++] = end;
  }

  list(): Float64Array {
    return this.#runs.slice(0, this.#length);
  }
}
