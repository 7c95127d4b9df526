/**
 * Finds the weights of a slice's elements. Reads only coordinates; the weights themselves are read with the
 * values.
 */
import * as z from 'zod';
import { namesInAttribute } from '../../dataset/attributes.js';
import { boundsVariable, type Dataset, isVariable } from '../../dataset/variable.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { dimSelectionOf } from '../../dataset/positions.js';
import { decodedLabels, type SliceCoordinate, variableAlong } from '../../dataset/slice-coordinates.js';
import {
  InputError,
  type LazySlice,
  type WeightFactor,
  MAX_WEIGHTS,
  isZarrError,
  type DataType,
  isRealName,
  nearest,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';

// Areas of cells: from the variable named by the attribute `cell_measures`, or from the bounds of latitudes and
// longitudes on a sphere.

/** Mean radius of the Earth in metres. */
const EARTH_RADIUS = 6_371_000;

/** @throws InputError that names the missing attribute or variable */
async function cellAreas(
  slice: LazySlice,
  dataset: Dataset | undefined,
  scope: OperationScope,
): Promise<WeightFactor[]> {
  const measure = areaMeasure(slice);
  if (measure !== undefined && isVariable(dataset?.variables.get(measure)))
    return [await weightsOfVariable(slice, dataset, measure, scope)];
  const declared =
    measure === undefined
      ? 'the variable has no "area" in its attribute cell_measures'
      : `cell_measures names the area "${measure}", which is not a variable of the dataset`;
  try {
    const heights = await boundsAlong(slice, dataset, 'latitude', scope);
    const widths = await boundsAlong(slice, dataset, 'longitude', scope);
    return [
      { ...heights, form: 'sineDistance' },
      { ...widths, form: 'turn', scale: EARTH_RADIUS ** 2 * (Math.PI / 180) },
    ];
  } catch (error) {
    if (!isZarrError(error, 'BAD_INPUT')) throw error;
    throw new InputError(`CELL_AREA: ${declared}, and ${error.detail}`, { cause: error });
  }
}

/** The name in `cell_measures` (CF, section 7.2): "area: cell_area volume: cell_volume". */
function areaMeasure({ inputs }: LazySlice): string | undefined {
  const [input] = inputs;
  if (input === undefined) return undefined;
  const words = namesInAttribute(input.array.meta.attributes, 'cell_measures');
  const index = words.indexOf('area:');
  return index < 0 ? undefined : words[index + 1];
}

async function boundsAlong(
  slice: LazySlice,
  dataset: Dataset | undefined,
  axis: GeographicAxis,
  scope: OperationScope,
): Promise<WeightFactor> {
  const coordinate = findGeographic(slice, dataset, axis, 'the area computed from bounds');
  const { variable, axes } = coordinate;
  if (variable === undefined) {
    if (coordinate.bounds === undefined) throw noBounds(coordinate);
    return { source: coordinate.bounds, axes, form: 'plain', label: `the bounds of "${coordinate.name}"` };
  }
  const bounds = dataset === undefined ? undefined : boundsVariable(dataset, variable);
  if (bounds === undefined) throw noBounds(coordinate);
  const { along } = coordinate;
  const fits =
    variable.dimensions.length === 1 &&
    bounds.dimensions[0] === variable.dimensions[0] &&
    bounds.shape.length === 2 &&
    bounds.shape[1] === 2;
  if (!fits || along === undefined)
    throw new InputError(
      `the bounds "${bounds.name}" must have two values for each element along "${coordinate.name}"`,
    );
  const whole = decodeSlice(bounds.stored, await scope.coordinates.decoding(bounds));
  const label = `the bounds "${bounds.name}"`;
  assertReal(whole.dtype, label);
  const source = whole.select({ kind: 'dims', dims: [dimSelectionOf(along), { kind: 'slice' }] });
  return { source, axes, form: 'plain', label };
}

function noBounds({ name }: SliceCoordinate): InputError {
  return new InputError(`the coordinate "${name}" has no bounds`);
}

// The request for weights. Plain data.

const weightKinds = ['CELL_AREA', 'COS_LATITUDE'] as const;
export type WeightKind = (typeof weightKinds)[number];

export type WeightsRequest =
  | { readonly kind: WeightKind }
  /** Name of another variable of the dataset. */
  | { readonly variable: string }
  /**
   * One number for each position along a dimension. `dim` is the name of the dimension, or its position as
   * text.
   */
  | { readonly along: { readonly dim: string; readonly values: readonly number[] } };

export const weightsForm: z.ZodType<WeightsRequest> = z.union([
  z.strictObject({ kind: z.enum(weightKinds) }),
  z.strictObject({ variable: z.string() }),
  z.strictObject({
    along: z.strictObject({ dim: z.string(), values: z.array(z.number()).max(MAX_WEIGHTS) }),
  }),
]);

/** @throws InputError that names the missing attribute or variable; errors from reading a coordinate */
export async function findWeights(
  slice: LazySlice,
  request: WeightsRequest,
  scope: OperationScope,
): Promise<WeightFactor[]> {
  if ('along' in request) return [numbersAlong(slice, request.along)];
  const dataset = await scope.dataset();
  if ('variable' in request) return [await weightsOfVariable(slice, dataset, request.variable, scope)];
  if (request.kind === 'CELL_AREA') return cellAreas(slice, dataset, scope);
  const latitude = findGeographic(slice, dataset, 'latitude', 'COS_LATITUDE');
  const factor = await weightsBy(latitude, scope, `the latitudes "${latitude.name}"`);
  return [{ ...factor, form: 'cosine' }];
}

function numbersAlong(
  { dims }: LazySlice,
  { dim, values }: { readonly dim: string; readonly values: readonly number[] },
): WeightFactor {
  const named = dims.findIndex(({ name }) => name === dim);
  const axis = named >= 0 ? named : /^(0|[1-9]\d{0,2})$/.test(dim) ? Number(dim) : NaN;
  const size = dims[axis]?.size;
  if (size === undefined) {
    const names = dims.map(({ name }, d) => `"${name ?? d}"`).join(', ');
    throw new InputError(`weights along "${dim}": unknown dimension; the dimensions are ${names || 'none'}`);
  }
  if (values.length !== size)
    throw new InputError(
      `got ${values.length} weights along "${dim}"; expected ${size}, one for each element`,
    );
  return {
    source: { numbers: Float64Array.from(values) },
    axes: [axis],
    form: 'plain',
    label: `the numbers along "${dim}"`,
  };
}

// Weights given by the values of a variable.

/**
 * @throws InputError for an unknown variable, a variable with other dimensions, or one without real numbers
 */
async function weightsOfVariable(
  slice: LazySlice,
  dataset: Dataset | undefined,
  name: string,
  scope: OperationScope,
): Promise<WeightFactor> {
  const quoted = name.slice(0, 100);
  const variable = dataset?.variables.get(name);
  if (variable !== undefined && !isVariable(variable)) throw variable;
  if (dataset === undefined)
    throw new InputError(`weights by the variable "${quoted}": the array does not belong to a dataset`);
  if (variable === undefined) {
    const [near] = nearest(name, dataset.variables.keys());
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new InputError(`weights: the dataset has no variable "${quoted}"${hint}`);
  }
  const coordinate = variableAlong(slice, variable);
  if (coordinate !== undefined && variable.dimensions.some((name) => isCoarsened(slice, name)))
    throw new InputError(
      `weights by the variable "${name}" apply to elements, not to blocks; reduce before you coarsen`,
    );
  const label = `the variable "${name}"`;
  if (coordinate === undefined)
    throw new InputError(
      `weights by ${label}: its dimensions (${variable.dimensions.join(', ')}) must be among those of the slice (${shown(slice)}), with the same sizes`,
    );
  return weightsBy(coordinate, scope, label);
}

function isCoarsened({ origin }: LazySlice, name: string): boolean {
  return origin.coarsened?.some((dim) => dim !== undefined && dim.name === name) ?? false;
}

/** @throws InputError for a coordinate that does not contain real numbers */
async function weightsBy(
  coordinate: SliceCoordinate,
  scope: OperationScope,
  label: string,
): Promise<WeightFactor> {
  const labels = await coordinate.labels(scope.coordinates);
  if (labels === undefined)
    throw new InputError(`weights by ${label}: unsupported data type; weights must be real numbers`);
  const source = decodedLabels(labels);
  assertReal(source.dtype, label);
  return { source, axes: coordinate.axes, form: 'plain', label };
}

function assertReal({ name }: DataType, label: string): void {
  if (name !== 'bool' && !isRealName(name))
    throw new InputError(`weights by ${label}: unsupported data type ${name}; weights must be real numbers`);
}

function shown({ origin }: LazySlice): string {
  return origin.dimensionNames.map((name) => name ?? 'unnamed').join(', ') || 'none';
}
