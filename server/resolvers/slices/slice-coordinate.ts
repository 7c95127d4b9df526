import { coordinatesOfSlice } from '../../dataset/slice-coordinates.js';
import { decodedLabels, type SliceCoordinate } from '../../dataset/slice-coordinate.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { type LazySlice, UnsupportedError } from '../../zarr/index.js';
import { base64Of, numpyName } from './typed-values.js';
import { datasetOfSlice } from './slice-model.js';
import type { GatewayContext } from '../context.js';
import type { SliceCoordinateResolvers } from '../generated/types.js';
import type { DataTypeModel, SliceModel } from '../models.js';

export const sliceCoordinateResolvers: SliceCoordinateResolvers = {
  dimension: ({ dimensions: [only, ...others] }) => (others.length === 0 ? (only ?? null) : null),
  dimensions: ({ dimensions }) => dimensions.flatMap((name) => name ?? []),
  // An unknown type must not fail all coordinates. Reading the values reports the error.
  dtype: (coordinate, _, context) =>
    decodedAlong(coordinate, context).then(typeOfSlice, () => typeOfMetadata(coordinate)),
  async bounds({ bounds }, _, context) {
    if (bounds === undefined) return null;
    const block = await context.budget.read(bounds, context.signal);
    return context.operationMemory.show(new NDArrayValue(block, 'STRING'), block);
  },
  async values(coordinate, { nonFinite }, context) {
    const slice = await decodedAlong(coordinate, context);
    const block = await context.budget.read(slice, context.signal);
    return context.operationMemory.show(new NDArrayValue(block, nonFinite), block);
  },
  async base64(coordinate, { compression }, context) {
    const slice = await decodedAlong(coordinate, context);
    const name = numpyName(slice);
    const block = await context.budget.read(slice, context.signal);
    const base64 = await base64Of(block, name, compression);
    context.operationMemory.show(base64.data, block);
    return base64;
  },
};

/**
 * The decoded values of the coordinate along the slice.
 * @throws UnsupportedError if the coordinate cannot be averaged over blocks; errors from
 * `CoordinateReader.decoding`
 */
async function decodedAlong(coordinate: SliceCoordinate, { datasets }: GatewayContext): Promise<LazySlice> {
  const labels = await coordinate.labels(datasets.coordinates);
  if (labels !== undefined) return decodedLabels(labels);
  throw new UnsupportedError(`the coordinate "${coordinate.name}" cannot be averaged over blocks`);
}

function typeOfSlice({ dtype, dtypeName: name }: LazySlice): DataTypeModel {
  return { dtype, name };
}

/** The data type according to metadata; the stored type if the attributes are invalid. */
function typeOfMetadata(coordinate: SliceCoordinate): DataTypeModel {
  const { variable } = coordinate;
  try {
    const planned = coordinate.planned();
    if (planned !== undefined) return typeOfSlice(decodedLabels(planned));
  } catch (error) {
    if (variable === undefined) throw error;
  }
  if (variable === undefined) throw new TypeError('labels that an operation created have a type');
  const { dtype, dtypeName: name } = variable.array.meta;
  return { dtype, name };
}

/** @throws errors from opening the dataset of the array */
export async function coordinatesOf(model: SliceModel, context: GatewayContext): Promise<SliceCoordinate[]> {
  const { dimensionNames, coarsened = [] } = model.slice.origin;
  const isNamed = [...dimensionNames, ...coarsened].some((dim) => dim !== null && dim !== undefined);
  const around = isNamed || dimensionNames.length === 0 ? await datasetOfSlice(model, context) : undefined;
  const coordinates = coordinatesOfSlice(model.slice, around?.cut.dataset);
  context.budget.chargeListedNodes(coordinates.length);
  return coordinates.filter(hasLabels);
}

/** Whether the coordinate has labels, according to metadata. Reading an invalid coordinate reports its error. */
function hasLabels(coordinate: SliceCoordinate): boolean {
  try {
    return coordinate.planned() !== undefined;
  } catch {
    return true;
  }
}
