/**
 * Finds the weights of a slice's elements. Reads only coordinates; the weights themselves are read with the
 * values.
 */
import { findGeographic } from '../../dataset/geographic.js';
import { InputError, type LazySlice, type WeightFactor } from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';
import { cellAreas } from './cell-areas.js';
import { weightsBy, weightsOfVariable } from './variable-weights.js';
import type { WeightsRequest } from './weights-request.js';

/** @throws InputError that names the missing attribute or variable; errors of reading a coordinate */
export async function findWeights(
  slice: LazySlice,
  request: WeightsRequest,
  scope: OperationScope,
): Promise<WeightFactor[]> {
  if ('along' in request) return [numbersAlong(slice, request.along)];
  const dataset = await scope.dataset();
  if ('variable' in request) return [await weightsOfVariable(slice, dataset, request.variable, scope)];
  if (request.kind === 'CELL_AREA') return cellAreas(slice, dataset, scope);
  const latitude = findGeographic(dataset, slice.origin, 'latitude', 'COS_LATITUDE');
  const factor = await weightsBy(slice, latitude, scope, `the latitudes "${latitude.name}"`);
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
