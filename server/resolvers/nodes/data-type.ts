import { type DataType, dataTypeName, numpyTypestr, type TypeName } from '../../zarr/index.js';
import type { DataTypeFieldResolvers, DataTypeKind, DataTypeResolvers } from '../generated/types.js';

/** One row per data type. */
export const dataTypeKinds: Readonly<Record<TypeName, DataTypeKind>> = {
  bool: 'BOOLEAN',
  int8: 'INTEGER',
  int16: 'INTEGER',
  int32: 'INTEGER',
  int64: 'INTEGER',
  uint8: 'UNSIGNED',
  uint16: 'UNSIGNED',
  uint32: 'UNSIGNED',
  uint64: 'UNSIGNED',
  float16: 'FLOAT',
  float32: 'FLOAT',
  float64: 'FLOAT',
  complex64: 'COMPLEX',
  complex128: 'COMPLEX',
  'numpy.datetime64': 'DATETIME',
  'numpy.timedelta64': 'TIMEDELTA',
  null_terminated_bytes: 'BYTES',
  fixed_length_utf32: 'STRING',
  raw_bytes: 'RAW',
  raw_bits: 'RAW',
  struct: 'STRUCT',
  string: 'STRING',
  variable_length_bytes: 'BYTES',
  json: 'OBJECT',
  ragged: 'OBJECT',
  unknown: 'UNKNOWN',
};

export const dataTypeResolvers: DataTypeResolvers = {
  name: ({ name }) => name,
  numpy: ({ dtype }) => numpyTypestr(dtype),
  kind: ({ dtype }) => dataTypeKinds[dtype.name],
  itemSize: ({ dtype }) => dtype.itemSize,
  unit: ({ dtype }) => unitOf(dtype),
  fields: ({ dtype }) => (dtype.name === 'struct' ? dtype.fields : null),
};

export const dataTypeFieldResolvers: DataTypeFieldResolvers = {
  dtype: ({ dtype }) => ({ dtype, name: dataTypeName(dtype) }),
};

function unitOf(dtype: DataType): string | null {
  if (!('unit' in dtype)) return null;
  return dtype.scale === 1 ? dtype.unit : `${dtype.scale}${dtype.unit}`;
}
