/** Names of data types for output: NumPy's typestr and descr (little-endian, packed) and the v3 forms. */
import { formatTypestr } from '../../../wire/numpy-type.js';
import type { JsonValue } from '../bytes/json.js';
import type { ByteSwap } from './byte-order.js';
import { isFixedSize, type DataType, type StructType } from './data-type.js';
import { families, traitsOf } from './families.js';
import { describeStruct } from './family/struct-numpy.js';

/**
 * NumPy's type string: `<f4`, `|b1`, `<M8[10ms]`, `|S3`, `<U4`, `|V10` (also for v3's raw bits).
 * @param order byte order, if the data type has one
 * @returns undefined for structs (see `numpyDescr`) and for data types of variable length
 */
export function numpyTypestr(dtype: DataType, order: '<' | '>' = '<'): string | undefined {
  return isFixedSize(dtype) && dtype.name !== 'struct' ? formatTypestr(dtype, order) : undefined;
}

/**
 * NumPy's descr of a struct: `[["a", "<i4"], ["b", "<f8", [2]]]`; padding between fields is `["", "|V4"]`.
 * @param swaps the big-endian parts of a stored item, from the start of the struct; empty: all little-endian
 */
export function numpyDescr(dtype: StructType, swaps: readonly ByteSwap[] = []): JsonValue {
  return describeStruct(dtype, 0, swaps, numpyTypestr);
}

/**
 * The data type in v3 metadata.
 * @throws UnsupportedError for data types that v3 cannot represent: objects, structs with sub-arrays or
 *   padding
 */
export function dataTypeJson(dtype: DataType): JsonValue {
  return traitsOf(dtype).v3Json();
}

/** All names that this engine reads and writes, for display. */
export function dataTypeNames(): readonly string[] {
  return families.flatMap(({ names }) => names);
}
