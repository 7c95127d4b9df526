/** Computes the mask of the cells of a slice whose centre is within polygons. */
import {
  AbortedError,
  type CellMask,
  costBeside,
  createPause,
  type DimSelection,
  inTurns,
  type PlanCost,
  runToEnd,
  type SliceMask,
  throwIfAborted,
} from '../../zarr/index.js';
import type { Reserve } from '../../dataset/coordinate-reader.js';
import { assertSame, type Centres, selectCentres } from './centres.js';
import { extentAlong, reachOf } from './extent.js';
import type { Polygons } from './geometry.js';
import { countCrossings, crossingsOf, sortLatitudes } from './scan-lines.js';
import { mostStretches } from './wrapped-longitudes.js';
import { isRangeAlong, makeMask, MAX_RUNS, type PreparedPolygons } from './make-mask.js';

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
  const stretches = await inTurns(mostStretches(longitude.values, reach.west));
  // Longitudes of the same dimension are selected together with the latitudes.
  return maskOf(
    { polygons, reach, stretches },
    latitude,
    longitude,
    { ...latitude, values: crossings },
    extent,
  );
}

/** Memory per latitude: its sorted position and value, and its number of crossings. */
const ROW_BYTES = 4 + 8 + 8;

/** Memory while a mask is computed, and of the mask: per latitude, longitude, crossing and run of cells. */
const ROW_HELD_BYTES = 40;
const COLUMN_HELD_BYTES = 40;
const CROSSING_HELD_BYTES = 8;
const RUN_HELD_BYTES = 80;

type Extent = readonly (DimSelection | undefined)[];

/**
 * @param crossings number of edges that cross each latitude
 * @param known the extent of the mask, if it is known
 */
function maskOf(
  prepared: PreparedPolygons,
  latitude: Centres,
  longitude: Centres,
  crossings: Centres,
  known?: Extent,
): SliceMask {
  const { reach, stretches } = prepared;
  const count = countCrossings(crossings.values);
  let extent = known;
  let making: Promise<CellMask> | undefined;

  async function make(signal: AbortSignal | undefined): Promise<CellMask> {
    const pause = createPause();
    const steps = makeMask(prepared, latitude, longitude, crossings.values);
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
    get preparation() {
      if (extent !== undefined) return undefined;
      return {
        bytes: 0,
        *steps() {
          extent ??= yield* extentAlong(reach, latitude, longitude);
        },
      };
    },
    addTo(cost: PlanCost): PlanCost {
      const held =
        CROSSING_HELD_BYTES * count +
        ROW_HELD_BYTES * latitude.values.length +
        COLUMN_HELD_BYTES * longitude.values.length +
        RUN_HELD_BYTES * Math.min(MAX_RUNS, (count / 2) * stretches);
      return costBeside(costBeside(cost, latitude.source.cost(), 0), longitude.source.cost(), held);
    },
    select(selection) {
      const columns = selectCentres(longitude, selection);
      const isRange = longitude.axis === undefined || isRangeAlong(selection, longitude.axis);
      return maskOf(
        { ...prepared, stretches: isRange ? stretches : columns.values.length },
        selectCentres(latitude, selection),
        columns,
        selectCentres(crossings, selection),
      );
    },
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
