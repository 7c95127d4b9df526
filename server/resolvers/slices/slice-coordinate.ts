import { textAttribute } from '../../dataset/attributes.js';
import { coordinatesAlong, type Dataset, indexOf } from '../../dataset/dataset.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { selectionAlong } from '../../dataset/slice-coordinates.js';
import type { Variable } from '../../dataset/variable.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import type { LazySlice } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { SliceCoordinateResolvers } from '../generated/types.js';
import type { DataTypeModel, SliceCoordinateModel, SliceModel } from '../models.js';
import { decodedType, typeOf } from '../datasets/variable.js';

export const sliceCoordinateResolvers: SliceCoordinateResolvers = {
  name: ({ variable }) => variable.name,
  dimension(model) {
    const dims = placesOf(model).dims;
    return dims.length === 1 ? (dims[0]?.name ?? null) : null;
  },
  dimensions: (model) => placesOf(model).dims.flatMap(({ name }) => name ?? []),
  // An unknown type must not fail all coordinates; reading the values reports the error.
  dtype: ({ variable }, _, context) => decodedType(variable, context).catch(() => typeOfMetadata(variable)),
  units: ({ variable }) => textAttribute(variable.context.attributes, 'units'),
  calendar: ({ variable }) => variable.calendar,
  attributes: ({ variable }) => variable.attributes,
  async values({ variable, selection }, { nonFinite }, context) {
    const decoding = await context.datasets.coordinates.decoding(variable);
    const slice = decodeSlice(variable.stored, decoding).select(selection);
    return new NDArrayValue(await context.budget.read(slice, context.signal), nonFinite);
  },
};

/** The data type as far as it is known without reading; the stored type if the attributes are invalid. */
function typeOfMetadata(variable: Variable): DataTypeModel {
  const { dtype, dtypeName: name } = variable.array.meta;
  try {
    return typeOf(variable, variable.decoding());
  } catch {
    return { dtype, name };
  }
}

/** Decoding keeps the dimensions, except those of characters. */
function placesOf({ variable, selection }: SliceCoordinateModel): LazySlice {
  const { joinsCharacters, stored } = variable;
  return (joinsCharacters ? decodeSlice(stored, variable.decoding()) : stored).select(selection);
}

/** @throws errors of opening the dataset around the array */
export async function coordinatesOf(
  { store, slice, recipe }: SliceModel,
  context: GatewayContext,
): Promise<SliceCoordinateModel[]> {
  const { origin } = slice;
  const names = origin.dimensionNames.filter((name) => name !== null);
  if (names.length === 0 && origin.shape.length > 0) return [];
  const around = await context.datasets.around(store, recipe.path);
  if (around === undefined) return [];
  const variables = inOrder(around.cut.dataset, names);
  context.budget.chargeListedNodes(variables.length);
  return variables.flatMap((variable) => {
    const selection = selectionAlong(origin, variable);
    return selection === undefined ? [] : [{ variable, selection }];
  });
}

/** Indexes first, in the order of the dimensions, then the other coordinates. */
function inOrder(dataset: Dataset, dimensions: readonly string[]): Variable[] {
  const indexes = dimensions.flatMap((name) => indexOf(dataset, name) ?? []);
  return [...new Set([...indexes, ...coordinatesAlong(dataset, dimensions)])];
}
