import { boundsVariable, coordinatesAlong } from '../../dataset/variable.js';
import type { VariableDecoding } from '../../dataset/decode/decoding.js';
import { parseFlags } from '../../dataset/decode/parse-flags.js';
import { remainingDimensions } from '../../dataset/cut-dataset.js';
import { textAttribute } from '../../dataset/attributes.js';
import { dataTypeName } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import { printPartId } from './dataset-id.js';
import type { VariableResolvers } from '../generated/types.js';
import type { DataTypeModel, VariableModel } from '../models.js';
import { sliceOfVariable } from '../slices/slice-model.js';

export const variableResolvers: VariableResolvers = {
  id: ({ dataset, variable }) => printPartId('variable', dataset, variable.name),
  name: ({ variable }) => variable.name,
  kind: ({ variable }) => variable.kind,
  dimensionNames: ({ dataset, variable }) =>
    remainingDimensions(dataset.cut, variable).map(({ name }) => name),
  shape: ({ dataset, variable }) => remainingDimensions(dataset.cut, variable).map(({ size }) => size),
  dtype: ({ variable }, _, context) => decodedType(variable, context),
  attributes: ({ variable }) => variable.attributes,
  encoding: ({ variable }) => variable.encoding,
  units: ({ variable }) => textAttribute(variable.context.attributes, 'units'),
  longName: ({ variable }) => textAttribute(variable.context.attributes, 'long_name'),
  standardName: ({ variable }) => textAttribute(variable.context.attributes, 'standard_name'),
  calendar: ({ variable }) => variable.calendar,
  flags: ({ variable }) => variable.withLocation(() => flagsOf(variable)),
  array: ({ dataset, variable }) => ({ store: dataset.store, node: variable.array }),
  coordinates({ dataset, variable }, _, { budget }) {
    const coordinates = coordinatesAlong(dataset.cut.dataset, variable.dimensions);
    budget.chargeListedNodes(coordinates.length);
    return coordinates.map((coordinate) => ({ dataset, variable: coordinate }));
  },
  bounds({ dataset, variable }) {
    const bounds = boundsVariable(dataset.cut.dataset, variable);
    return bounds === undefined ? null : { dataset, variable: bounds };
  },
  boundsOf: ({ variable }) => variable.context.boundsOf,
  slice: (model, args, context) => sliceOfVariable(model, args, context),
};

/** @throws errors from `CoordinateReader.decoding` */
async function decodedType(
  variable: VariableModel['variable'],
  { datasets }: GatewayContext,
): Promise<DataTypeModel> {
  return typeOf(variable, await datasets.coordinates.decoding(variable));
}

export function typeOf(
  { array }: VariableModel['variable'],
  { dtype, isIdentity }: VariableDecoding,
): DataTypeModel {
  return { dtype, name: isIdentity ? array.meta.dtypeName : dataTypeName(dtype) };
}

function flagsOf({ name, array, ownAttributes }: VariableModel['variable']) {
  const flags = parseFlags({ name, dtype: array.meta.dtype, attributes: ownAttributes });
  return flags?.map((flag) => ({ ...flag, mask: flag.mask ?? null }));
}
