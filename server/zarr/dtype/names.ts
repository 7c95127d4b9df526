/** Names of data types as they are written: NumPy's typestr and descr (little-endian, packed) and the v3 forms. */
import { formatTypestr } from '../../../wire/numpy-type.js';
import type { JsonValue } from '../bytes/json.js';
import type { ByteSwap } from './byte-order.js';
import { isFixedSize, type DataType, type StructType } from './data-type.js';
import { families, traitsOf } from './families.js';
import { describeStruct } from './family/struct-numpy.js';

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
  return describeStruct(dtype, 0, swaps, numpyTypestr);
}

/**
 * The type as v3 metadata writes it.
 * @throws UnsupportedError for types that v3 has no form for: objects, structs with sub-arrays or padding
 */
export function dataTypeJson(dtype: DataType): JsonValue {
  return traitsOf(dtype).v3Json();
}

/** Every name that this engine reads and writes, for people. */
export function dataTypeNames(): readonly string[] {
  return families.flatMap(({ names }) => names);
}
