/**
 * Data types as plain data (structured-cloneable, so that they travel to workers). What a type can do (fill values,
 * names, views) stands in tables beside this file; here is only what a type is.
 *
 * In memory every fixed-size value is little-endian and structs are packed, whatever the store's byte order: byte
 * order belongs to the `bytes` codec.
 */

import type { Items } from '../bytes/items.js';

export type TimeUnit =
  | 'Y' | 'M' | 'W' | 'D' | 'h' | 'm' | 's' | 'ms' | 'us' | 'ns' | 'ps' | 'fs' | 'as' | 'generic'; // prettier-ignore

/** Name -> the form of one value and of many, the only place that says so. */
export interface ScalarTypes {
  bool: { scalar: boolean; data: Uint8Array };
  int8: { scalar: number; data: Int8Array };
  int16: { scalar: number; data: Int16Array };
  int32: { scalar: number; data: Int32Array };
  int64: { scalar: bigint; data: BigInt64Array };
  uint8: { scalar: number; data: Uint8Array };
  uint16: { scalar: number; data: Uint16Array };
  uint32: { scalar: number; data: Uint32Array };
  uint64: { scalar: bigint; data: BigUint64Array };
  /** Widened, which is exact; the stored bits are in the block's bytes. */
  float16: { scalar: number; data: Float32Array };
  float32: { scalar: number; data: Float32Array };
  float64: { scalar: number; data: Float64Array };
  /** Interleaved: real, imaginary. */
  complex64: { scalar: readonly [number, number]; data: Float32Array };
  complex128: { scalar: readonly [number, number]; data: Float64Array };
  /** Counts of `scale` x `unit` since 1970-01-01T00:00; -2^63 is NaT. */
  'numpy.datetime64': { scalar: bigint; data: BigInt64Array };
  'numpy.timedelta64': { scalar: bigint; data: BigInt64Array };
  /** NumPy's S: trailing NUL bytes are padding. */
  null_terminated_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** NumPy's U: UCS-4 code points, trailing NULs are padding. */
  fixed_length_utf32: { scalar: string; data: readonly string[] };
  /** NumPy's V. */
  raw_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** v3's `r*`. */
  raw_bits: { scalar: Uint8Array; data: readonly Uint8Array[] };
  struct: { scalar: Readonly<Record<string, unknown>>; data: readonly Readonly<Record<string, unknown>>[] };
  string: { scalar: string | null; data: readonly (string | null)[] };
  variable_length_bytes: { scalar: Uint8Array | null; data: readonly (Uint8Array | null)[] };
  /** v2 objects by json2 or msgpack2. */
  json: { scalar: unknown; data: readonly unknown[] };
  /** v2 objects by vlen-array: each item a block of one dimension. */
  ragged: { scalar: unknown; data: readonly unknown[] };
  /** A type this engine does not know: the array opens, its values are UNSUPPORTED. */
  unknown: { scalar: never; data: never };
}

export type TypeName = keyof ScalarTypes;

export type NumberName =
  | 'bool'
  | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'
  | 'float16' | 'float32' | 'float64' | 'complex64' | 'complex128'; // prettier-ignore

export interface NumberType<N extends NumberName = NumberName> {
  readonly name: N;
  /** Bytes of one value. */
  readonly itemSize: number;
}
export interface TimeType {
  readonly name: 'numpy.datetime64' | 'numpy.timedelta64';
  readonly itemSize: 8;
  readonly unit: TimeUnit;
  /** How many units one count is; NumPy's `M8[10ms]` has 10. */
  readonly scale: number;
}
export interface FixedType {
  readonly name: 'null_terminated_bytes' | 'fixed_length_utf32' | 'raw_bytes' | 'raw_bits';
  /** Bytes, also for text (4 a code point). May be 0. */
  readonly itemSize: number;
}
export interface StructField {
  readonly name: string;
  /** Bytes from the beginning of the packed struct. */
  readonly offset: number;
  readonly dtype: DataType;
  /** Shape of a sub-array field, C order; empty for a plain field. */
  readonly shape: readonly number[];
}
export interface StructType {
  readonly name: 'struct';
  readonly itemSize: number;
  readonly fields: readonly StructField[];
}
export interface VariableType {
  readonly name: 'string' | 'variable_length_bytes' | 'json';
  readonly itemSize: null;
}
export interface RaggedType {
  readonly name: 'ragged';
  readonly itemSize: null;
  readonly item: DataType;
}
export interface UnknownType {
  readonly name: 'unknown';
  readonly itemSize: null;
  /** The type as the metadata names it, for people to see. */
  readonly given: string;
}

export type DataType =
  NumberType | TimeType | FixedType | StructType | VariableType | RaggedType | UnknownType;

/** A type whose values all take `itemSize` bytes. */
export type FixedSizeType = NumberType | TimeType | FixedType | StructType;

export function isFixedSize(dtype: DataType): dtype is FixedSizeType {
  return dtype.itemSize !== null;
}

export type ScalarOf<N extends TypeName> = ScalarTypes[N]['scalar'];
export type DataOf<N extends TypeName> = ScalarTypes[N]['data'];

/** One element: the bytes of a fixed-size type (little-endian, packed), the value itself for one of variable length. */
export type Element = { readonly bytes: Uint8Array } | { readonly item: unknown };

/**
 * N-dimensional values in C order: `bytes` (little-endian, packed) for types of fixed size, `items` (offsets and
 * bytes) for types of variable length. `toTypedArray` and `elementAt` make values of either.
 */
export type Block =
  | { readonly dtype: FixedSizeType; readonly shape: readonly number[]; readonly bytes: Uint8Array }
  | {
      readonly dtype: VariableType | RaggedType;
      readonly shape: readonly number[];
      readonly items: Items;
    };
