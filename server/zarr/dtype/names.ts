/** Names of data types, outwards: NumPy's typestr and descr (little-endian, packed) and the v3 forms. */
import { formatTypestr } from '../../../wire/numpy-type.js';
import type { JsonValue } from '../bytes/json.js';
import type { ByteSwap } from './byte-order.js';
import { isFixedSize, type DataType, type StructField, type StructType } from './data-type.js';
import { traitsOf } from './families.js';
import { numberNames } from './number-types.js';

/**
 * NumPy's type string: `<f4`, `|b1`, `<M8[10ms]`, `|S3`, `<U4`, `|V10` (also for v3's raw bits).
 * @param order of types that have a byte order
 * @returns undefined for structs (see `numpyDescr`) and for types of variable length
 */
export function numpyTypestr(dtype: DataType, order: '<' | '>' = '<'): string | undefined {
  return isFixedSize(dtype) && dtype.name !== 'struct' ? formatTypestr(dtype, order) : undefined;
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

/**
 * The type as v3 metadata writes it.
 * @throws UnsupportedError for types that v3 has no form for: objects, structs with sub-arrays or padding
 */
export function dataTypeJson(dtype: DataType): JsonValue {
  return traitsOf(dtype).v3Json();
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
