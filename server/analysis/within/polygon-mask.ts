/** Computes the mask of the cells of a slice whose centre is within polygons. */
import {
  AbortedError,
  type CellMask,
  costBeside,
  createPause,
  type DimSelection,
  type PlanCost,
  runInTurns,
  type SliceMask,
  throwIfAborted,
  LimitError,
} from '../../zarr/index.js';
import { assertSame, type Centres, selectCentres } from './centres.js';
import { extentAlong, reachOf, type Reach } from './extent.js';
import type { Polygons } from './geometry.js';
import { countCrossings, crossingsOf, sortLatitudes, scanLines } from './scan-lines.js';
import { WrappedLongitudes } from './wrapped-longitudes.js';

/** @throws LimitError for too many edges for this many cells */
export async function polygonMask(
  polygons: Polygons,
  latitude: Centres,
  longitude: Centres,
): Promise<SliceMask> {
  const reach = await runInTurns(reachOf(polygons));
  const sorted = await runInTurns(sortLatitudes(latitude.values));
  const crossings = await runInTurns(crossingsOf(polygons, sorted, latitude.values.length));
  // Longitudes of the same dimension are selected together with the latitudes.
  return maskOf({ polygons, reach }, latitude, longitude, { ...latitude, values: crossings });
}

/** @param crossings number of edges that cross each latitude */
function maskOf(
  { polygons, reach }: PreparedPolygons,
  latitude: Centres,
  longitude: Centres,
  crossings: Centres,
): SliceMask {
  const count = countCrossings(crossings.values);
  let extent: readonly (DimSelection | undefined)[] | undefined;
  let making: Promise<CellMask> | undefined;

  async function make(signal: AbortSignal | undefined): Promise<CellMask> {
    const pause = createPause();
    const steps = makeMask({ polygons, reach }, latitude, longitude);
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
      return (extent ??= extentAlong(reach, latitude, longitude));
    },
    addTo(cost: PlanCost): PlanCost {
      const held = 32 * count + 24 * (latitude.values.length + longitude.values.length);
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

/** For each latitude: the intervals inside the polygons, as pairs of western and eastern ends. */
type Lines = ReadonlyMap<number, readonly number[]>;

/**
 * Computes the mask of a grid with rows of equal latitude, or of one row of cells.
 * @throws LimitError for too many runs of cells
 */
function* makeMask(
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

/** Number of interval ends processed per step. */
const STEP = 1024;

function* addRuns(runs: RunList, ends: readonly number[], columns: WrappedLongitudes): Generator<void> {
  for (let i = 0; i + 1 < ends.length; i += 2) {
    columns.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, (first, end) => runs.add(first, end));
    if (i % STEP === STEP - 2) yield;
  }
}

/** The mask of cells that all have the same latitude. */
function* alongParallel(
  ends: readonly number[],
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
    const ends = lines.get(position);
    if (ends !== undefined) {
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
  readonly #runs: number[] = [];
  #row: (readonly [first: number, end: number])[] = [];

  get count(): number {
    return this.#runs.length / 2;
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
    const start = this.#runs.length;
    for (const [first, end] of this.#row) {
      const last = this.#runs.length - 1;
      if (last > start && first <= (this.#runs[last] ?? 0)) this.#runs[last] = Math.max(this.#runs[last] ?? 0, end);
      else this.#runs.push(first, end);
    }
    this.#row = [];
  } // prettier-ignore

  list(): Float64Array {
    return Float64Array.from(this.#runs);
  }
}
