import { boundsOf, coordinatesAlong } from '../dataset/dataset.js';
import { parseFlags } from '../dataset/decode/parse-flags.js';
import { remainingDimensions } from '../dataset/cut-dataset.js';
import { textAttribute } from '../dataset/attributes.js';
import { atPlace, dataTypeName } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { VariableResolvers } from './generated/types.js';
import type { DataTypeModel, StoreModel, VariableModel } from './models.js';
import { sliceOfVariable } from './slice-model.js';

export const variableResolvers: VariableResolvers = {
  name: ({ variable }) => variable.name,
  kind: ({ variable }) => variable.kind,
  dimensionNames: ({ dataset, variable }) =>
    remainingDimensions(dataset.cut, variable).map(({ name }) => name),
  shape: ({ dataset, variable }) => remainingDimensions(dataset.cut, variable).map(({ size }) => size),
  dtype: ({ dataset, variable }, _, context) => decodedType(dataset.store, variable, context),
  attributes: ({ variable }) => variable.attributes,
  encoding: ({ variable }) => variable.encoding,
  units: ({ variable }) => textAttribute(variable.context.attributes, 'units'),
  longName: ({ variable }) => textAttribute(variable.context.attributes, 'long_name'),
  standardName: ({ variable }) => textAttribute(variable.context.attributes, 'standard_name'),
  calendar: ({ variable }) => variable.calendar,
  flags: (model) => atVariable(model, () => flagsOf(model)),
  array: ({ dataset, variable }) => ({ store: dataset.store, node: variable.array }),
  coordinates: ({ dataset, variable }) =>
    coordinatesAlong(dataset.cut.dataset, variable.dimensions).map((one) => ({ dataset, variable: one })),
  bounds({ dataset, variable }) {
    const bounds = boundsOf(dataset.cut.dataset, variable);
    return bounds === undefined ? null : { dataset, variable: bounds };
  },
  boundsOf: ({ variable }) => variable.context.boundsOf,
  slice: (model, args, context) => sliceOfVariable(model, args, context),
};

/** @throws MetadataError, UnsupportedError naming the attribute that is wrong */
export async function decodedType(
  store: StoreModel,
  variable: VariableModel['variable'],
  { datasets }: GatewayContext,
): Promise<DataTypeModel> {
  try {
    const { dtype, isIdentity } = await datasets.coordinates.decoding(variable);
    return { dtype, name: isIdentity ? variable.array.meta.dtypeName : dataTypeName(dtype) };
  } catch (error) {
    throw atPlace(error, { store: store.name, path: variable.array.path });
  }
}

function flagsOf({ variable }: VariableModel) {
  const { name, ownAttributes } = variable;
  const flags = parseFlags({ name, attributes: ownAttributes });
  return flags?.map((flag) => ({ ...flag, mask: flag.mask ?? null }));
}

function atVariable<T>({ dataset, variable }: VariableModel, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw atPlace(error, { store: dataset.store.name, path: variable.array.path });
  }
}
