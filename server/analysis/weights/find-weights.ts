/**
 * Finds the weights of a slice's elements. Reads only coordinates; the weights themselves are read with the
 * values.
 */
import * as z from 'zod';
import { findGeographic } from '../../dataset/geographic.js';
import { InputError, type LazySlice, MAX_WEIGHTS, type WeightFactor } from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';
import { weightsBy, weightsOfVariable } from './value-weights.js';
import { cellAreas } from './cell-areas.js';
import { daysOfMonths } from './days-of-months.js';

const weightKinds = ['CELL_AREA', 'COS_LATITUDE', 'DAYS'] as const;
type WeightKind = (typeof weightKinds)[number];

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
  if ('kind' in request && request.kind === 'DAYS') return [await daysOfMonths(slice, scope)];
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
