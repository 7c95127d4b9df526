/** Selects the cells that are nearest to places. */
import * as z from 'zod';
import { defined } from '../../../wire/guards.js';
import { type FoundCells, findCells } from '../../dataset/near/find-cells.js';
import { floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { type DimSelection, guardSlice, InputError, type LazySlice, SelectionError, takePositions } from '../../zarr/index.js'; // prettier-ignore
import { declareOperation } from './declared.js';

const MAX_KILOMETRES = 20_100;
const MAX_PLACES = 1024;
const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-720).max(720);

export const nearOperation = declareOperation({
  about: 'The cell that is nearest to a place, along the great circle; its dimensions are dropped.',
  details:
    'Lists of places have one dimension, with the latitudes and longitudes of their cells. For coordinates in degrees_north and degrees_east of one or two dimensions, such as those of ocean models and swaths. Longitudes may use another convention than the data. Cells without coordinates are never nearest. Up to 2,097,152 cells of two-dimensional coordinates are searched.',
  form: z.strictObject({
    latitude: latitude.exactOptional().meta({ description: 'Degrees north.' }),
    longitude: longitude.exactOptional().meta({ description: 'Degrees east.' }),
    tolerance: z
      .number()
      .min(0)
      .max(MAX_KILOMETRES)
      .exactOptional()
      .meta({ description: 'Maximum distance in kilometres; a larger one is `BAD_SELECTION`.' }),
    latitudes: z
      .array(latitude)
      .max(MAX_PLACES)
      .exactOptional()
      .meta({ description: `Degrees north of up to ${MAX_PLACES} places, instead of \`latitude\`.` }),
    longitudes: z
      .array(longitude)
      .max(MAX_PLACES)
      .exactOptional()
      .meta({ description: 'Degrees east of the same places.' }),
    along: z
      .string()
      .min(1)
      .max(256)
      .exactOptional()
      .meta({ description: 'Name of the dimension of the places; `place` by default.' }),
  }),
  result: 'same',
  step: (near) => ({ near }),
  async apply(slice, { tolerance, along = 'place', ...given }, scope) {
    const { places, isList } = placesOf(given);
    const cells = await findCells(slice, places, '"near"', scope);
    for (const { place, latitude: north, longitude: east, kilometres } of cells.found)
      if (tolerance !== undefined && !(kilometres <= tolerance))
        throw new SelectionError(
          `no cell within ${tolerance} km of ${place.join(', ')}: the nearest one is at ${north}, ${east}, in ${kilometres.toFixed(3)} km`,
        );
    const result = isList ? pointsOf(slice, cells, along) : cellOf(slice, cells);
    return guardSlice(result, cells.known);
  },
});

interface GivenPlaces {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly latitudes?: readonly number[] | undefined;
  readonly longitudes?: readonly number[] | undefined;
}

/** @throws InputError for arguments of both forms, and for lists of different lengths */
function placesOf({ latitude: north, longitude: east, latitudes, longitudes }: GivenPlaces) {
  const one = north !== undefined && east !== undefined;
  const list = latitudes !== undefined && longitudes !== undefined;
  const count = [north, east, latitudes, longitudes].filter((argument) => argument !== undefined).length;
  if (count !== 2 || one === list)
    throw new InputError(
      '"near" requires either "latitude" and "longitude", or "latitudes" and "longitudes"',
    );
  if (!list) return { isList: false, places: [[defined(north), defined(east)] as const] };
  if (latitudes.length !== longitudes.length)
    throw new InputError(
      `"latitudes" has ${latitudes.length} values and "longitudes" ${longitudes.length}; their lengths must be equal`,
    );
  return { isList: true, places: latitudes.map((value, i) => [value, defined(longitudes[i])] as const) };
}

function cellOf(slice: LazySlice, { axes, found }: FoundCells): LazySlice {
  const dims = slice.dims.map((_, d): DimSelection => {
    const at = axes.indexOf(d);
    return at < 0 ? { kind: 'slice' } : { kind: 'index', index: defined(found[0]?.positions[at]) };
  });
  return slice.select({ kind: 'dims', dims });
}

function pointsOf(slice: LazySlice, { axes, found, coordinates }: FoundCells, name: string): LazySlice {
  if (slice.dims.some((dim, d) => dim.name === name && !axes.includes(d)))
    throw new InputError(`the result would have two dimensions "${name}"; choose another "along"`);
  const labelled = (which: 'latitude' | 'longitude'): MadeLabels => {
    const { name: own, units, attributes } = coordinates[which];
    const stored = floatLabels(Float64Array.from(found, (cell) => cell[which]));
    return new MadeLabels(own, { stored, units, attributes });
  };
  const labels = labelled('latitude');
  const made = { labels, chosen: undefined, points: { dimension: name, beside: [labelled('longitude')] } };
  const along = axes.map((axis, a) => {
    const at = Float64Array.from(found, ({ positions }) => defined(positions[a]));
    return { axis, below: at, above: at, share: new Float64Array(at.length) };
  });
  return takePositions(slice, { name, made, axes: along, count: found.length, dropped: false });
}
