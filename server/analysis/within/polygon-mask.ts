/** The mask of the cells of a slice whose centre is within polygons, by latitude and longitude. */
import {
  AbortedError,
  type CellMask,
  costBeside,
  createPause,
  type DimSelection,
  type PlanCost,
  type SliceMask,
  throwIfAborted,
} from '../../zarr/index.js';
import { assertSame, type Centres, selectCentres } from './centres.js';
import { boxesOf, extentAlong } from './extent.js';
import type { Polygons } from './geometry.js';
import { RunList } from './run-list.js';
import { countCrossings, scanLines, sortLatitudes } from './scan-lines.js';
import { TurnedLongitudes } from './turned-longitudes.js';

/** @throws LimitError for too many edges for this many cells */
export function polygonMask(polygons: Polygons, latitude: Centres, longitude: Centres): SliceMask {
  const boxes = boxesOf(polygons);
  const west = boxes.reduce((least, box) => Math.min(least, box.west), Infinity);
  const sorted = sortLatitudes(latitude.values);
  const crossings = countCrossings(polygons, sorted);
  let extent: readonly (DimSelection | undefined)[] | undefined;
  let making: Promise<CellMask> | undefined;

  /** A grid of rows of latitudes, or one row of cells. */
  async function make(signal: AbortSignal | undefined): Promise<CellMask> {
    const pause = createPause();
    const isGrid =
      latitude.axis !== undefined && longitude.axis !== undefined && latitude.axis !== longitude.axis;
    const steps = scanLines(polygons, sorted);
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        const mask = isGrid ? gridOf(step.value) : rowOf(step.value);
        for (const one of mask) {
          if (one !== undefined) return one;
          await pause();
          throwIfAborted(signal);
        }
      }
      await pause();
      throwIfAborted(signal);
    }
  }

  function* gridOf(lines: ReadonlyMap<number, readonly number[]>): Generator<CellMask | undefined> {
    const columns = new TurnedLongitudes(longitude.values, west);
    const starts = new Float64Array(latitude.values.length + 1);
    const runs = new RunList();
    for (let row = 0; row < latitude.values.length; row++) {
      const ends = lines.get(row);
      if (ends !== undefined) {
        for (let i = 0; i + 1 < ends.length; i += 2)
          columns.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, (first, end) => runs.add(first, end));
        runs.endRow();
        yield;
      }
      starts[row + 1] = runs.count;
    }
    yield { row: latitude.axis, column: longitude.axis, starts, runs: runs.list() };
  }

  /** Each cell has its own latitude and longitude. */
  function* rowOf(lines: ReadonlyMap<number, readonly number[]>): Generator<CellMask | undefined> {
    const column = latitude.axis ?? longitude.axis;
    const count = Math.max(latitude.values.length, longitude.values.length);
    const runs = new RunList();
    const own = (place: number, { axis, values }: Centres): number =>
      values[axis === undefined ? 0 : place] ?? NaN;
    if (latitude.axis === undefined) {
      const columns = new TurnedLongitudes(longitude.values, west);
      const ends = lines.get(0) ?? [];
      for (let i = 0; i + 1 < ends.length; i += 2)
        columns.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, (first, end) => runs.add(first, end));
    } else
      for (let place = 0; place < count; place++) {
        const ends = lines.get(place) ?? [];
        const one = new TurnedLongitudes(Float64Array.of(own(place, longitude)), west);
        for (let i = 0; i + 1 < ends.length; i += 2)
          one.forEachWithin(ends[i] ?? 0, ends[i + 1] ?? 0, () => runs.add(place, place + 1));
        if (place % 256 === 255) yield;
      }
    runs.endRow();
    yield { row: undefined, column, starts: Float64Array.of(0, runs.count), runs: runs.list() };
  }

  return {
    inputs: [...latitude.source.inputs, ...longitude.source.inputs],
    get extent() {
      return (extent ??= extentAlong(boxes, west, latitude, longitude));
    },
    addTo(cost: PlanCost): PlanCost {
      const held = 32 * crossings + 24 * (latitude.values.length + longitude.values.length);
      return costBeside(costBeside(cost, latitude.source.cost(), 0), longitude.source.cost(), held);
    },
    select: (selection) =>
      polygonMask(polygons, selectCentres(latitude, selection), selectCentres(longitude, selection)),
    async read(options) {
      await Promise.all([assertSame(latitude, options), assertSame(longitude, options)]);
      for (;;) {
        try {
          return await (making ??= make(options.signal).catch((error: unknown) => {
            making = undefined;
            throw error;
          }));
        } catch (error) {
          // Another reader began the mask, and was cancelled.
          if (!(error instanceof AbortedError) || options.signal?.aborted === true) throw error;
        }
      }
    },
  };
}
