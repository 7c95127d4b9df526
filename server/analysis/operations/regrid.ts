/** Conservative regridding to a regular grid of latitudes and longitudes. */
import * as z from 'zod';
import { defined } from '../../../wire/guards.js';
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { decodedLabels, type SliceCoordinate } from '../../dataset/slice-coordinate.js';
import {
  guardSlice,
  InputError,
  isZarrError,
  type KnownValues,
  type LazySlice,
  LimitError,
  overlapsOf,
  type RegriddedAxis,
  regridSlice,
  toTypedArray,
} from '../../zarr/index.js';
import { boundsAlong } from '../weights/cell-areas.js';
import { declareOperation } from './declared.js';
import type { OperationScope } from './operation.js';

/** Maximum number of cells along an axis. */
const MAX_CELLS = 2 ** 14;
const step = z.number().min(0.001).max(180);

export const regridOperation = declareOperation({
  about: 'First-order conservative means on a regular grid of latitudes and longitudes.',
  details:
    'Each result is the mean of the cells that its cell overlaps, weighted by the areas of the overlaps; missing values have no weight. Cells are the bounds of the coordinates, or between the middles of neighbouring centres. The grid has edges at multiples of the steps, and covers the cells of the slice. Integers become float64, floats keep their type.',
  form: z.strictObject({
    latitude: step.describe('The height of a cell in degrees.'),
    longitude: step.describe('The width of a cell in degrees.'),
    minShare: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('The share of a cell that values must cover, else the result is missing; 0 for any.'),
  }),
  result: 'mean',
  step: (regrid) => ({ regrid }),
  async apply(slice, { latitude, longitude, minShare }, scope) {
    const known: KnownValues[] = [];
    const rows = await regridded(slice, 'latitude', latitude, scope, known);
    const columns = await regridded(slice, 'longitude', longitude, scope, known);
    return guardSlice(regridSlice(slice, [columns, rows], minShare), known);
  },
});

const DEGREE = Math.PI / 180;
const CIRCLE = 360;

async function regridded(
  slice: LazySlice,
  kind: GeographicAxis,
  width: number,
  scope: OperationScope,
  known: KnownValues[],
): Promise<RegriddedAxis> {
  const dataset = await scope.dataset();
  const coordinate = findGeographic(slice, dataset, kind, 'regrid');
  const [axis, ...others] = coordinate.axes;
  if (axis === undefined || others.length > 0)
    throw new InputError(`regridding requires a ${kind} along one dimension; "${coordinate.name}" has ${coordinate.axes.length}`); // prettier-ignore
  const isLatitude = kind === 'latitude';
  const cells = (await boundsOf(slice, kind, scope, known)) ?? cellsOf(coordinate.name, await centresOf(coordinate, scope, known), isLatitude); // prettier-ignore
  const edges = edgesOf(cells, width, isLatitude);
  const count = edges.length - 1;
  const size = isLatitude
    ? (low: number, high: number) => Math.sin(high * DEGREE) - Math.sin(low * DEGREE)
    : (low: number, high: number) => high - low;
  const bounds = Float64Array.from({ length: 2 * count }, (_, i) => defined(edges[(i + 1) >> 1]));
  const middles = Float64Array.from({ length: count }, (_, k) => (defined(edges[k]) + defined(edges[k + 1])) / 2);
  const { units, attributes } = coordinate;
  const labels = new MadeLabels(coordinate.name, { stored: floatLabels(middles), bounds: floatLabels(bounds, [count, 2]), units, attributes }); // prettier-ignore
  return {
    axis,
    overlaps: overlapsOf(cells, edges, size, isLatitude ? undefined : CIRCLE),
    sizes: middles.map((_, k) => size(defined(edges[k]), defined(edges[k + 1]))),
    made: { labels, chosen: undefined },
  };
} // prettier-ignore

/** The bounds of the cells in pairs; undefined if the metadata has none. */
async function boundsOf(
  slice: LazySlice,
  kind: GeographicAxis,
  scope: OperationScope,
  known: KnownValues[],
): Promise<Float64Array | undefined> {
  let source: LazySlice | { readonly numbers: Float64Array };
  try {
    ({ source } = await boundsAlong(slice, await scope.dataset(), kind, scope));
  } catch (error) {
    if (isZarrError(error, 'BAD_INPUT') && error.detail.includes('has no bounds')) return undefined;
    throw error;
  }
  if ('numbers' in source) return source.numbers;
  const block = await scope.coordinates.read(source);
  known.push({ slice: source, block });
  return Float64Array.from(toTypedArray(block), Number);
}

async function centresOf(
  coordinate: SliceCoordinate,
  scope: OperationScope,
  known: KnownValues[],
): Promise<Float64Array> {
  const labels = await coordinate.labels(scope.coordinates);
  if (labels === undefined) throw new InputError(`"${coordinate.name}" has no labels to regrid by`);
  const source = decodedLabels(labels);
  const block = await scope.coordinates.read(source);
  known.push({ slice: source, block });
  return Float64Array.from(toTypedArray(block), Number);
}

/** Cells between the middles of neighbours; those at the ends are as wide as the distance to their neighbour. */
function cellsOf(name: string, centres: Float64Array, isLatitude: boolean): Float64Array {
  const { length } = centres;
  if (length < 2)
    throw new InputError(`"${name}" has ${length} labels and no bounds, so the width of its cells is not known`);
  const at = (i: number): number => defined(centres[i]);
  const edges = Float64Array.from({ length: length + 1 }, (_, i) => {
    if (i === 0) return at(0) - (at(1) - at(0)) / 2;
    return i === length ? at(length - 1) + (at(length - 1) - at(length - 2)) / 2 : (at(i - 1) + at(i)) / 2;
  });
  const rises = at(1) > at(0);
  for (let i = 1; i < length; i++)
    if (!(at(i) !== at(i - 1) && at(i) > at(i - 1) === rises))
      throw new InputError(`the centres "${name}" must be sorted without repeats to infer the edges of cells`);
  return Float64Array.from({ length: 2 * length }, (_, i) => {
    const edge = defined(edges[(i + 1) >> 1]);
    return isLatitude ? Math.max(-90, Math.min(90, edge)) : edge;
  });
} // prettier-ignore

/** The edges of the grid: multiples of the width that cover all cells; whole circles begin near the first cell. */
function edgesOf(cells: Float64Array, width: number, isLatitude: boolean): Float64Array {
  const [low, high] = cells.reduce(([least, most], edge) => [Math.min(least, edge), Math.max(most, edge)], [Infinity, -Infinity]); // prettier-ignore
  if (low === undefined || high === undefined || !Number.isFinite(low) || !Number.isFinite(high))
    throw new InputError('the edges of cells must be finite');
  const isCircle = !isLatitude && high - low >= CIRCLE - 1e-6 && Number.isInteger(CIRCLE / width);
  const first = isCircle ? Math.round(low / width) : Math.floor(low / width + 1e-9);
  const count = isCircle ? CIRCLE / width : Math.ceil(high / width - 1e-9) - first;
  if (count > MAX_CELLS)
    throw new LimitError(`the grid would have ${count} cells along an axis; at most ${MAX_CELLS} are allowed`, {
      excess: [{ limit: 'cells', allowed: MAX_CELLS, needed: count }],
    });
  return Float64Array.from({ length: count + 1 }, (_, k) => {
    const edge = (first + k) * width;
    return isLatitude ? Math.max(-90, Math.min(90, edge)) : edge;
  });
} // prettier-ignore
