import { textAttribute } from '../dataset/attributes.js';
import { coordinatesAlong, type Dataset, indexOf } from '../dataset/dataset.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import { selectionAlong } from '../dataset/slice-coordinates.js';
import type { Variable } from '../dataset/variable.js';
import { NDArrayValue } from '../transport/nd-array-value.js';
import type { LazySlice } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { SliceCoordinateResolvers } from './generated/types.js';
import type { SliceCoordinateModel, SliceModel } from './models.js';
import { decodedType } from './variable.js';

export const sliceCoordinateResolvers: SliceCoordinateResolvers = {
  name: ({ variable }) => variable.name,
  dimension(model) {
    const dims = placesOf(model).dims;
    return dims.length === 1 ? (dims[0]?.name ?? null) : null;
  },
  dimensions: (model) => placesOf(model).dims.flatMap(({ name }) => name ?? []),
  // The type of what cannot be decoded is the stored one; that it cannot be, its values say.
  dtype: ({ store, variable }, _, context) =>
    decodedType(store, variable, context).catch(() => ({
      dtype: variable.array.meta.dtype,
      name: variable.array.meta.dtypeName,
    })),
  units: ({ variable }) => textAttribute(variable.context.attributes, 'units'),
  calendar: ({ variable }) => variable.calendar,
  attributes: ({ variable }) => variable.attributes,
  async values(model, { nonFinite }, context) {
    const decoding = await context.datasets.coordinates.decoding(model.variable);
    const slice = decodeSlice(model.variable.stored, decoding).select(model.selection);
    return new NDArrayValue(await context.budget.read(slice, context.signal), nonFinite);
  },
};

/** Dimensions are the same before decoding, but for those that hold characters. */
function placesOf({ variable, selection }: SliceCoordinateModel): LazySlice {
  const { joinsCharacters, stored } = variable;
  return (joinsCharacters ? decodeSlice(stored, variable.decoding()) : stored).select(selection);
}

/** @throws what opening the dataset around the array throws */
export async function coordinatesOf(
  { store, slice }: SliceModel,
  context: GatewayContext,
): Promise<SliceCoordinateModel[]> {
  const { array } = slice.stored;
  const names = array.dimensionNames.filter((name) => name !== null);
  if (names.length === 0 && array.meta.shape.length > 0) return [];
  const around = await context.datasets.around(store, array.path);
  if (around === undefined) return [];
  return inOrder(around.cut.dataset, names).flatMap((variable) => {
    const selection = selectionAlong(slice.stored, array.dimensionNames, variable);
    return selection === undefined ? [] : [{ store, variable, selection }];
  });
}

/** Those that labels are looked up in first, in the order of the dimensions. */
function inOrder(dataset: Dataset, dimensions: readonly string[]): Variable[] {
  const indexes = dimensions.flatMap((name) => indexOf(dataset, name) ?? []);
  return [...new Set([...indexes, ...coordinatesAlong(dataset, dimensions)])];
}
