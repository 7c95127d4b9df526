/**
 * Data types as plain data (structured-cloneable, to be sent to decoding threads). Operations on data types
 * (fill values, names, views) are in tables in other files.
 *
 * In memory, every value of fixed size is little-endian and structs are packed, regardless of the byte order
 * in the store, which codecs and the parsers of fill values convert.
 */

import {
  type FixedBytesName,
  isFixedBytesName,
  isTimeName,
  type NumberName,
  type PlainScalarTypes,
  type TimeName,
  type FloatName,
  type IntegerName,
  isFloatName,
  isIntegerName,
  numberTypes,
  floatPartOf,
  integerRange,
  isComplexName,
  isNumberName,
  type TimeUnit,
} from '../../../wire/data-types.js';
import type { Items } from '../bytes/items.js';
import { sizeOf } from '../bytes/shape.js';

export type { NumberName, TimeUnit };

export const integerNames: readonly IntegerName[] = Object.keys(numberTypes).filter(isIntegerName);
export const floatNames: readonly FloatName[] = Object.keys(numberTypes).filter(isFloatName);

/** Maps the name of a data type to the type of one value, and to the type of many values in C order. */
export interface ScalarTypes extends PlainScalarTypes {
  struct: { scalar: Readonly<Record<string, unknown>>; data: readonly Readonly<Record<string, unknown>>[] };
  /** Objects of format 2, stored by json2 or msgpack2. */
  json: { scalar: unknown; data: readonly unknown[] };
  /** Objects of format 2, stored by vlen-array: each element is a block of one dimension. */
  ragged: { scalar: unknown; data: readonly unknown[] };
  /** An unknown data type: the array can be opened, but reading its values fails with UNSUPPORTED. */
  unknown: { scalar: never; data: never };
}

export type TypeName = keyof ScalarTypes;

export interface NumberType<N extends NumberName = NumberName> {
  readonly name: N;
  /** Size of one value in bytes. */
  readonly itemSize: number;
}
export interface TimeType {
  readonly name: TimeName;
  readonly itemSize: 8;
  readonly unit: TimeUnit;
  /** Number of units per count; 10 for NumPy's `M8[10ms]`. */
  readonly scale: number;
}
export interface FixedType {
  readonly name: FixedBytesName;
  /** Size in bytes, also for text (4 per code point). May be 0. */
  readonly itemSize: number;
}
export interface StructField {
  readonly name: string;
  /** Offset in bytes from the start of the packed struct. */
  readonly offset: number;
  readonly dtype: FixedSizeType;
  /** Shape of a sub-array field in C order; empty for a plain field. */
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
  /** The data type as named in the metadata, for display. */
  readonly given: string;
}

export type DataType =
  NumberType | TimeType | FixedType | StructType | VariableType | RaggedType | UnknownType;

/** A data type whose values all take `itemSize` bytes. */
export type FixedSizeType = NumberType | TimeType | FixedType | StructType;

export function timeType(name: TimeName, unit: TimeUnit, scale: number): TimeType {
  return { name, itemSize: 8, unit, scale };
}

export function isTime(dtype: DataType): dtype is TimeType {
  return isTimeName(dtype.name);
}

export function isFixedBytes(dtype: DataType): dtype is FixedType {
  return isFixedBytesName(dtype.name);
}

export function isFixedSize(dtype: DataType): dtype is FixedSizeType {
  return dtype.itemSize !== null;
}

/**
 * Size of an element in bytes, where the values have a fixed size.
 * @throws TypeError if they have not: a mistake in this program
 */
export function fixedItemSize({ name, itemSize }: Pick<DataType, 'name' | 'itemSize'>): number {
  if (itemSize === null) throw new TypeError(`values of type ${name} have no fixed size`);
  return itemSize;
}

/**
 * The v3 name without configuration: `int32`, `r16`, `numpy.datetime64`, `struct`; for an unknown data type,
 * the given name.
 */
export function dataTypeName(dtype: DataType): string {
  if (dtype.name === 'raw_bits') return `r${dtype.itemSize * 8}`;
  return dtype.name === 'unknown' ? dtype.given : dtype.name;
}

export type ScalarOf<N extends TypeName> = ScalarTypes[N]['scalar'];
export type DataOf<N extends TypeName> = ScalarTypes[N]['data'];

/**
 * One element: the bytes of a fixed-size type (little-endian, packed), or the value for a variable-length
 * type.
 */
export type Element = { readonly bytes: Uint8Array } | { readonly item: unknown };

/**
 * N-dimensional values in C order: `bytes` (little-endian, packed) for data types of fixed size, `items`
 * (offsets and bytes) for variable length. `toTypedArray` and `elementAt` convert both to values.
 */
export type Block =
  | { readonly dtype: FixedSizeType; readonly shape: readonly number[]; readonly bytes: Uint8Array }
  | {
      readonly dtype: VariableType | RaggedType;
      readonly shape: readonly number[];
      readonly items: Items;
    };

/**
 * Overhead of an element of variable length in bytes: its position in a block (start and length, 4 bytes
 * each), plus 8 bytes while a chunk is decoded (its frame of 4 bytes, and a copy).
 */
export const VARIABLE_ITEM_BYTES = 16;

/**
 * The number of bytes to charge for one element: its size, at least 1. Elements of size 0 take no memory in a
 * block, but each is counted, copied and written. Limits on the number of elements use this function.
 */
export function chargedItemBytes(dtype: DataType): number {
  if (dtype.itemSize === null) return VARIABLE_ITEM_BYTES;
  if (dtype.name !== 'struct') return Math.max(1, dtype.itemSize);
  return Math.max(
    1,
    dtype.itemSize,
    dtype.fields.reduce((sum, field) => sum + chargedFieldBytes(field), 0),
  );
}

/**
 * The number of bytes to charge for the elements of a field. A sub-array is written as lists: the shape
 * (1000000, 0) has no elements, but a million lists.
 */
function chargedFieldBytes({ shape, dtype }: StructField): number {
  let [lists, size] = [0, 1];
  for (const length of shape) {
    lists += size;
    size *= length;
  }
  return Math.max(lists, sizeOf(shape) * chargedItemBytes(dtype));
}

export { type FloatName, floatPartOf, integerRange, isComplexName, isFloatName, isNumberName };

export function numberType<N extends NumberName>(name: N): NumberType<N> {
  return { name, itemSize: numberTypes[name].itemSize };
}

/** All names, in the order of the specification. */
export function numberNames(): readonly NumberName[] {
  return Object.keys(numberTypes).filter(isNumberName);
}
