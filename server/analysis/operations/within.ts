/** Keeps the values of cells whose centre is inside polygons. All other values become missing. */
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { decodedLabels } from '../../dataset/slice-coordinate.js';
import { InputError, isRealName, type LazySlice, maskSlice, inTurns, sizeOf } from '../../zarr/index.js';
import { type Centres, float64s } from '../within/centres.js';
import { parseGeometry, type Polygons, polygonsForm } from '../within/geometry.js';
import { polygonMask } from '../within/polygon-mask.js';
import type { Operation, OperationScope } from './operation.js';

export const withinOperation: Operation<{ readonly within: Polygons }, Polygons, unknown> = {
  form: polygonsForm,
  resolve: async (geometry) => ({ within: parseGeometry(geometry) }),
  async apply(slice, polygons, scope) {
    const latitude = await centresAlong(slice, 'latitude', scope);
    const longitude = await centresAlong(slice, 'longitude', scope);
    return maskSlice(slice, await polygonMask(polygons, latitude, longitude, scope.coordinates.reserve));
  },
};

/** @throws InputError if the slice has no such one-dimensional coordinate */
async function centresAlong(slice: LazySlice, axis: GeographicAxis, scope: OperationScope): Promise<Centres> {
  const coordinate = findGeographic(slice, await scope.dataset(), axis, '"within"');
  const labels = await coordinate.labels(scope.coordinates);
  const source = labels === undefined ? undefined : decodedLabels(labels);
  const { name, axes, dimensions } = coordinate;
  if (source === undefined || axes.length > 1 || !isRealName(source.dtype.name))
    throw new InputError(
      `"within" requires numeric ${axis}s of at most one dimension; "${name}" has the dimensions (${dimensions.join(', ')}) and the type ${source?.dtype.name ?? 'text'}`,
    );
  await scope.coordinates.reserve(sizeOf(source.shape) * Float64Array.BYTES_PER_ELEMENT);
  const values = await inTurns(float64s(await scope.coordinates.read(source)));
  return { source, values, axis: axes[0] };
}
