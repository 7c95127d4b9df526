import { textAttribute } from '../../dataset/attributes.js';
import { coordinatesAlong, type Dataset, indexOf } from '../../dataset/dataset.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { coordinateAlong } from '../../dataset/slice-coordinates.js';
import type { Variable } from '../../dataset/variable.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { datasetOfSlice } from './slice-model.js';
import { type LazySlice, UnsupportedError } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { SliceCoordinateResolvers } from '../generated/types.js';
import type { DataTypeModel, SliceCoordinateModel, SliceModel } from '../models.js';

export const sliceCoordinateResolvers: SliceCoordinateResolvers = {
  name: ({ variable }) => variable.name,
  dimension(model) {
    const dims = dimsOf(model);
    return dims.length === 1 ? (dims[0]?.name ?? null) : null;
  },
  dimensions: (model) => dimsOf(model).flatMap(({ name }) => name ?? []),
  // An unknown type must not fail all coordinates; reading the values reports the error.
  dtype: (model, _, context) => decodedAlong(model, context).then(typeOfSlice, () => typeOfMetadata(model)),
  units: ({ variable }) => textAttribute(variable.context.attributes, 'units'),
  calendar: ({ variable }) => variable.calendar,
  attributes: ({ variable }) => variable.attributes,
  async values(model, { nonFinite }, context) {
    const slice = await decodedAlong(model, context);
    return new NDArrayValue(await context.budget.read(slice, context.signal), nonFinite);
  },
};

/** The decoded values that belong to the slice. @throws errors of decoding */
async function decodedAlong(
  { variable, origin }: SliceCoordinateModel,
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

/** The data type as far as it is known without reading; the stored type if the attributes are invalid. */
function typeOfMetadata(model: SliceCoordinateModel): DataTypeModel {
  const { dtype, dtypeName: name } = model.variable.array.meta;
  const planned = plannedAlong(model);
  return planned === undefined ? { dtype, name } : typeOfSlice(planned);
}

/** The same without reading anything; undefined if the coordinate does not fit the slice. */
function plannedAlong({ variable, origin }: SliceCoordinateModel): LazySlice | undefined {
  return coordinateAlong(origin, variable, plannedWhole(variable));
}

function plannedWhole(variable: Variable): LazySlice {
  const { joinsCharacters, stored } = variable;
  try {
    return decodeSlice(stored, variable.decoding());
  } catch (error) {
    // Decoding keeps the dimensions, except those of characters.
    if (joinsCharacters) throw error;
    return stored;
  }
}

function dimsOf(model: SliceCoordinateModel): LazySlice['dims'] {
  return plannedAlong(model)?.dims ?? [];
}

/** @throws errors of opening the dataset around the array */
export async function coordinatesOf(
  model: SliceModel,
  context: GatewayContext,
): Promise<SliceCoordinateModel[]> {
  const { origin } = model.slice;
  const names = origin.dimensionNames.map((name, place) => origin.coarsened?.[place]?.name ?? name);
  const named = names.filter((name) => name !== null);
  if (named.length === 0 && origin.shape.length > 0) return [];
  const around = await datasetOfSlice(model, context);
  if (around === undefined) return [];
  const variables = inOrder(around.cut.dataset, named);
  context.budget.chargeListedNodes(variables.length);
  return variables
    .map((variable) => ({ variable, origin }))
    .filter((model) => plannedAlong(model) !== undefined);
}

/** Indexes first, in the order of the dimensions, then the other coordinates. */
function inOrder(dataset: Dataset, dimensions: readonly string[]): Variable[] {
  const indexes = dimensions.flatMap((name) => indexOf(dataset, name) ?? []);
  return [...new Set([...indexes, ...coordinatesAlong(dataset, dimensions)])];
}
