/** Names of data types, outwards: NumPy's typestr and descr (little-endian, packed) and the v3 forms. */
import { formatTypestr } from '../../../wire/numpy-type.js';
import type { JsonValue } from '../bytes/json.js';
import { UnsupportedError } from '../errors.js';
import type { ByteSwap } from './byte-order.js';
import { isFixedSize, type DataType, type StructField, type StructType } from './data-type.js';
import { numberNames } from './number-types.js';

/**
 * NumPy's type string: `<f4`, `|b1`, `<M8[10ms]`, `|S3`, `<U4`, `|V10` (also for v3's raw bits).
 * @param order of types that have a byte order
 * @returns undefined for structs (see `numpyDescr`) and for types of variable length
 */
export function numpyTypestr(dtype: DataType, order: '<' | '>' = '<'): string | undefined {
  switch (dtype.name) {
    case 'struct':
    case 'string':
    case 'variable_length_bytes':
    case 'json':
    case 'ragged':
    case 'unknown':
      return undefined;
    default:
      return formatTypestr(dtype, order);
  }
}

/**
 * NumPy's descr of a struct: `[["a", "<i4"], ["b", "<f8", [2]]]`; bytes between fields are `["", "|V4"]`.
 * @param swaps what is big-endian in a stored item, from the struct's beginning on; none: all little-endian
 */
export function numpyDescr(dtype: StructType, swaps: readonly ByteSwap[] = []): JsonValue {
  return describeStruct(dtype, 0, swaps);
}

function describeStruct(dtype: StructType, base: number, swaps: readonly ByteSwap[]): JsonValue {
  const descr: JsonValue[] = [];
  let end = 0;
  const pad = (to: number) => {
    if (to > end) descr.push(['', `|V${to - end}`]);
  };
  for (const field of dtype.fields) {
    pad(field.offset);
    descr.push(describeField(field, base + field.offset, swaps));
    end = field.offset + (field.dtype.itemSize ?? 0) * field.shape.reduce((product, n) => product * n, 1);
  }
  pad(dtype.itemSize);
  return descr;
}

function describeField(
  { name, dtype, shape }: StructField,
  at: number,
  swaps: readonly ByteSwap[],
): JsonValue {
  const swapped = swaps.some((swap) => at >= swap.offset && at < swap.offset + swap.unit * swap.count);
  const type =
    dtype.name === 'struct'
      ? describeStruct(dtype, at, swaps)
      : (numpyTypestr(dtype, swapped ? '>' : '<') ?? null);
  return shape.length === 0 ? [name, type] : [name, type, [...shape]];
}

/** The v3 name, without its configuration: `int32`, `r16`, `numpy.datetime64`, `struct`; what is unknown as it was given. */
export function dataTypeName(dtype: DataType): string {
  if (dtype.name === 'raw_bits') return `r${dtype.itemSize * 8}`;
  return dtype.name === 'unknown' ? dtype.given : dtype.name;
}

/**
 * The type as v3 metadata writes it.
 * @throws UnsupportedError for types that v3 has no form for: objects, structs with sub-arrays or padding
 */
export function dataTypeJson(dtype: DataType): JsonValue {
  switch (dtype.name) {
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
      return { name: dtype.name, configuration: { length_bytes: dtype.itemSize } };
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return { name: dtype.name, configuration: { unit: dtype.unit, scale_factor: dtype.scale } };
    case 'struct':
      return { name: 'struct', configuration: { fields: structFieldsJson(dtype) } };
    case 'json':
    case 'ragged':
    case 'unknown':
      throw new UnsupportedError(`the data type "${dataTypeName(dtype)}" has no form in Zarr v3`);
    case 'raw_bits':
      if (dtype.itemSize === 0) throw new UnsupportedError('raw bits of no length have no form in Zarr v3');
      return dataTypeName(dtype);
    default:
      return dtype.name;
  }
}

function structFieldsJson(dtype: StructType): JsonValue {
  let end = 0;
  const fields = dtype.fields.map((field) => {
    if (field.shape.length > 0 || field.offset !== end || !isFixedSize(field.dtype))
      throw new UnsupportedError(
        `the field "${field.name}" cannot be written in Zarr v3: structs there have no sub-arrays and no padding`,
      );
    end += field.dtype.itemSize;
    return { name: field.name, data_type: dataTypeJson(field.dtype) };
  });
  if (end !== dtype.itemSize) throw new UnsupportedError('structs in Zarr v3 have no padding');
  return fields;
}

/** Every name that this engine reads and writes, for people to see. */
export function dataTypeNames(): readonly string[] {
  return [
    ...numberNames(),
    'r*',
    'string',
    'variable_length_bytes',
    'fixed_length_utf32',
    'null_terminated_bytes',
    'raw_bytes',
    'numpy.datetime64',
    'numpy.timedelta64',
    'struct',
    'json',
    'ragged',
  ];
}
