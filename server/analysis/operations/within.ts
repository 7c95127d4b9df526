/** Keeps the values of cells whose centre is inside polygons. All other values become missing. */
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { axesAlong, coordinateAlong } from '../../dataset/slice-coordinates.js';
import { InputError, isRealName, type LazySlice, maskSlice, toTypedArray } from '../../zarr/index.js';
import type { Centres } from '../within/centres.js';
import { parseGeometry, type Polygons, polygonsForm } from '../within/geometry.js';
import { polygonMask } from '../within/polygon-mask.js';
import type { Operation, OperationScope } from './operation.js';

export const withinOperation: Operation<{ readonly within: Polygons }, Polygons, unknown> = {
  form: polygonsForm,
  resolve: async (geometry) => ({ within: parseGeometry(geometry) }),
  async apply(slice, polygons, scope) {
    const latitude = await centresAlong(slice, 'latitude', scope);
    const longitude = await centresAlong(slice, 'longitude', scope);
    return maskSlice(slice, await polygonMask(polygons, latitude, longitude));
  },
};

/** @throws InputError if the slice has no such one-dimensional coordinate */
async function centresAlong(slice: LazySlice, axis: GeographicAxis, scope: OperationScope): Promise<Centres> {
  const variable = findGeographic(await scope.dataset(), slice.origin, axis, '"within"');
  const decoding = await scope.coordinates.decoding(variable);
  const source = coordinateAlong(slice.origin, variable, decodeSlice(variable.stored, decoding));
  if (source === undefined || variable.dimensions.length > 1 || !isRealName(source.dtype.name))
    throw new InputError(
      `"within" requires numeric ${axis}s of at most one dimension; "${variable.name}" has the dimensions (${variable.dimensions.join(', ')}) and the type ${source?.dtype.name ?? variable.array.meta.dtypeName}`,
    );
  const values = Float64Array.from(toTypedArray(await scope.coordinates.read(source)), Number);
  return { source, values, axis: axesAlong(slice.origin, variable)[0] };
}
