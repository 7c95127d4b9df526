/** Keeps the values of cells whose centre is inside polygons. All other values become missing. */
import { cellsAlong, type GeographicCells } from '../../dataset/near/find-cells.js';
import { InputError, maskSlice, inTurns, sizeOf } from '../../zarr/index.js';
import { cellMask } from '../within/cell-mask.js';
import { type Centres, float64s } from '../within/centres.js';
import { parseGeometry, type Polygons, polygonsForm } from '../within/geometry.js';
import { polygonMask } from '../within/polygon-mask.js';
import type { Operation, OperationScope } from './operation.js';

export const withinOperation: Operation<{ readonly within: Polygons }, Polygons, unknown> = {
  form: polygonsForm,
  resolve: async (geometry) => ({ within: parseGeometry(geometry) }),
  async apply(slice, polygons, scope) {
    const [rows, columns] = [
      await cellsAlong(slice, 'latitude', '"within"', scope),
      await cellsAlong(slice, 'longitude', '"within"', scope),
    ];
    const [latitude, longitude] = [await centresOf(rows, scope), await centresOf(columns, scope)];
    const { reserve } = scope.coordinates;
    if (rows.axes.length < 2 && columns.axes.length < 2)
      return maskSlice(slice, await polygonMask(polygons, latitude, longitude, reserve));
    const [row, column] = rows.axes;
    const [height, width] = rows.source.shape;
    if (row === undefined || column === undefined || rows.axes.join() !== columns.axes.join())
      throw new InputError(
        `"within" requires latitudes and longitudes along the same dimensions; "${rows.coordinate.name}" has (${rows.coordinate.dimensions.join(', ')}), "${columns.coordinate.name}" (${columns.coordinate.dimensions.join(', ')})`,
      );
    const shape = [height ?? 0, width ?? 0] as const;
    const centres = { latitudes: latitude, longitudes: longitude, axes: [row, column], shape } as const;
    return maskSlice(slice, await cellMask(polygons, centres, reserve));
  },
};

async function centresOf(
  { axes, source }: GeographicCells,
  { coordinates }: OperationScope,
): Promise<Centres> {
  await coordinates.reserve(sizeOf(source.shape) * Float64Array.BYTES_PER_ELEMENT);
  const values = await inTurns(float64s(await coordinates.read(source)));
  return { source, values, axis: axes[0] };
}
