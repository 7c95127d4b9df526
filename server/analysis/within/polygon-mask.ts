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
} from '../../zarr/index.js';
import { assertSame, type Centres, selectCentres } from './centres.js';
import { extentAlong, reachOf } from './extent.js';
import type { Polygons } from './geometry.js';
import { makeMask, type PreparedPolygons } from './make-mask.js';
import { countCrossings, crossingsOf, sortLatitudes } from './scan-lines.js';

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
