import { wireRow } from '../../transport/values/wire-rows.js';
import { type DataType, dataTypeName, numpyTypestr } from '../../zarr/index.js';
import type { DataTypeFieldResolvers, DataTypeKind, DataTypeResolvers } from '../generated/types.js';

export const dataTypeResolvers: DataTypeResolvers = {
  name: ({ name }) => name,
  numpy: ({ dtype }) => numpyTypestr(dtype),
  kind: ({ dtype }) => kindOf(dtype),
  itemSize: ({ dtype }) => dtype.itemSize,
  unit: ({ dtype }) => unitOf(dtype),
  fields: ({ dtype }) => (dtype.name === 'struct' ? dtype.fields : null),
};

export const dataTypeFieldResolvers: DataTypeFieldResolvers = {
  dtype: ({ dtype }) => ({ dtype, name: dataTypeName(dtype) }),
};

function kindOf({ name }: DataType): DataTypeKind {
  return wireRow(name)?.kind ?? (name === 'struct' ? 'STRUCT' : 'UNKNOWN');
}

function unitOf(dtype: DataType): string | null {
  if (!('unit' in dtype)) return null;
  return dtype.scale === 1 ? dtype.unit : `${dtype.scale}${dtype.unit}`;
}
