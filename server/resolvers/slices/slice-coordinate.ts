import { textAttribute } from '../../dataset/attributes.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { madeCoordinates } from '../../dataset/grouping/made-labels.js';
import { coordinateAlong } from '../../dataset/slice-coordinates.js';
import { type Variable, coordinatesAlong, type Dataset, indexOf } from '../../dataset/variable.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { dataTypeName, type LazySlice, UnsupportedError } from '../../zarr/index.js';
import { blockBytes } from '../charge.js';
import { datasetOfSlice } from './slice-model.js';
import type { GatewayContext } from '../context.js';
import type { SliceCoordinateResolvers } from '../generated/types.js';
import type { DataTypeModel, SliceCoordinateModel, SliceModel, StoredCoordinateModel } from '../models.js';

export const sliceCoordinateResolvers: SliceCoordinateResolvers = {
  name: (model) => ('made' in model ? model.made.name : model.variable.name),
  dimension(model) {
    const dims = dimensionsOf(model);
    return dims.length === 1 ? (dims[0] ?? null) : null;
  },
  dimensions: (model) => dimensionsOf(model).flatMap((name) => name ?? []),
  dtype: (model, _, context) =>
    'made' in model
      ? { dtype: model.values.dtype, name: dataTypeName(model.values.dtype) }
      : // An unknown type must not fail all coordinates. Reading the values reports the error.
        decodedAlong(model, context).then(typeOfSlice, () => typeOfMetadata(model)),
  units: (model) =>
    'made' in model ? model.made.units : textAttribute(model.variable.context.attributes, 'units'),
  calendar: (model) => ('made' in model ? model.made.calendar : model.variable.calendar),
  attributes: (model) => ('made' in model ? model.made.attributes : model.variable.attributes),
  async bounds(model, _, { budget, signal }) {
    if (!('made' in model) || model.bounds === undefined) return null;
    await budget.chargeJson(blockBytes(model.bounds), signal);
    return new NDArrayValue(model.bounds, 'STRING');
  },
  async values(model, { nonFinite }, context) {
    if ('made' in model) {
      await context.budget.chargeJson(blockBytes(model.values), context.signal);
      return new NDArrayValue(model.values, nonFinite);
    }
    const slice = await decodedAlong(model, context);
    return new NDArrayValue(await context.budget.read(slice, context.signal), nonFinite);
  },
};

/**
 * The decoded values of the coordinate along the slice.
 * @throws UnsupportedError if the coordinate cannot be averaged over blocks; errors from
 * `CoordinateReader.decoding`
 */
async function decodedAlong(
  { variable, origin }: StoredCoordinateModel,
  { datasets }: GatewayContext,
): Promise<LazySlice> {
  const decoding = await datasets.coordinates.decoding(variable);
  const along = coordinateAlong(origin, variable, decodeSlice(variable.stored, decoding));
  if (along !== undefined) return along;
  throw new UnsupportedError(`the coordinate "${variable.name}" cannot be averaged over blocks`);
}

function typeOfSlice({ dtype, dtypeName: name }: LazySlice): DataTypeModel {
  return { dtype, name };
}

/** The data type according to metadata; the stored type if the attributes are invalid. */
function typeOfMetadata(model: StoredCoordinateModel): DataTypeModel {
  const { dtype, dtypeName: name } = model.variable.array.meta;
  const planned = plannedAlong(model);
  return planned === undefined ? { dtype, name } : typeOfSlice(planned);
}

/**
 * The values of the coordinate along the slice, without reading anything. Undefined if the coordinate does
 * not match the slice.
 */
function plannedAlong({ variable, origin }: StoredCoordinateModel): LazySlice | undefined {
  return coordinateAlong(origin, variable, plannedWhole(variable));
}

function plannedWhole(variable: Variable): LazySlice {
  const { joinsCharacters, stored } = variable;
  try {
    return decodeSlice(stored, variable.decoding());
  } catch (error) {
    // Decoding removes only dimensions of characters.
    if (joinsCharacters) throw error;
    return stored;
  }
}

function dimensionsOf(model: SliceCoordinateModel): (string | null)[] {
  if ('made' in model) return model.values.shape.length === 0 ? [] : [model.dimension];
  return (plannedAlong(model)?.dims ?? []).map(({ name }) => name);
}

/** @throws errors from opening the dataset of the array */
export async function coordinatesOf(
  model: SliceModel,
  context: GatewayContext,
): Promise<SliceCoordinateModel[]> {
  const { origin } = model.slice;
  const names = origin.dimensionNames.map((name, axis) => origin.coarsened?.[axis]?.name ?? name);
  const named = names.filter((name) => name !== null);
  const created = madeCoordinates(origin);
  context.budget.chargeListedNodes(created.length);
  if (named.length === 0 && origin.shape.length > 0) return created;
  const around = await datasetOfSlice(model, context);
  if (around === undefined) return created;
  const variables = inOrder(around.cut.dataset, named);
  context.budget.chargeListedNodes(variables.length);
  const stored = variables
    .map((variable) => ({ variable, origin }))
    .filter((coordinate) => plannedAlong(coordinate) !== undefined);
  return [...created, ...stored];
}

/** Sorts coordinates: indexes first, in the order of the dimensions, then the others. */
function inOrder(dataset: Dataset, dimensions: readonly string[]): Variable[] {
  const indexes = dimensions.flatMap((name) => indexOf(dataset, name) ?? []);
  return [...new Set([...indexes, ...coordinatesAlong(dataset, dimensions)])];
}
