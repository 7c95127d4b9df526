/** What each data type looks like in JavaScript, one table from which every other type is looked up, and arrays of them. */
import type { PlainScalarTypes } from '../../wire/data-types.js';
import type { TimeUnit } from '../../wire/time-units.js';
import type { JsonValue } from '../json/json.js';

/** Data type name -> one value, and the form of many in C order. */
export interface ScalarTypes extends PlainScalarTypes {
  /** One array per field; a sub-array field has its own dimensions at the end. */
  struct: { scalar: StructScalar; data: Readonly<Record<string, AnyNDArray>> };
  /** Objects and ragged arrays, in the gateway's JSON form. */
  json: { scalar: JsonValue; data: readonly JsonValue[] };
}

export type DTypeName = keyof ScalarTypes;

/** One value of an array of that data type. */
export type ScalarOf<D extends DTypeName> = ScalarTypes[D]['scalar'];

/** All values of an array of that data type, in C order: a typed array of exactly that type where there is one. */
export type DataOf<D extends DTypeName> = ScalarTypes[D]['data'];

/** One struct: field -> its value, nested lists for a sub-array field. */
export interface StructScalar {
  readonly [field: string]: NestedOf<unknown>;
}

/** Values nested in lists, a bare value where there is no dimension. */
export type NestedOf<T> = T | readonly NestedOf<T>[];

export type { TimeUnit };

/**
 * N-dimensional values of one data type, in C order. `dtype` tells the types apart: after
 * `if (array.dtype === 'float32')` or `array.is('float32')`, `array.data` is a `Float32Array`.
 */
export interface NDArray<D extends DTypeName = DTypeName> extends Iterable<ScalarOf<D>> {
  readonly dtype: D;
  /** Size of each dimension; empty for a single value. */
  readonly shape: readonly number[];
  readonly ndim: number;
  /** Number of values: the product of the shape. */
  readonly size: number;
  /** How many values further the next one along a dimension is (values, not bytes; complex numbers count as one). */
  readonly strides: readonly number[];
  /** Name of each dimension, null for one without. */
  readonly dimensions: readonly (string | null)[];
  /** All values in C order; complex numbers take two places. */
  readonly data: DataOf<D>;
  /**
   * The stored bits: little-endian in C order, structs packed, NaN payloads and float16 included. Undefined for types
   * of variable length. Shares memory with `data` where that is a typed array of the same width.
   */
  readonly bytes: Uint8Array | undefined;
  /**
   * 1 where a value is missing, 0 elsewhere, in C order; undefined where none is. Only in decoded values of types that
   * have no NaN (integers, booleans, bytes): `data` has 0 in these places, and `get` gives NaN for numbers.
   */
  readonly mask: Uint8Array | undefined;
  /** The coordinates along this part, by name; undefined where they were not asked for. */
  readonly coordinates: Coordinates | undefined;
  /** Of datetimes and timedeltas: what `scale` counts of which are one step. */
  readonly unit: TimeUnit | undefined;
  /** Of datetimes and timedeltas: how many units one count is (NumPy's `M8[10ms]` has 10); else 1. */
  readonly scale: number;
  /**
   * One value. Negative indices count from the end.
   * @throws InputError BAD_SELECTION unless there is one index a dimension, each in range; BAD_INPUT where the value
   *   is missing (see `mask`) and its type has neither NaN nor null
   */
  get(...indices: readonly number[]): ScalarOf<D>;
  /** The value at a place in C order, from 0 to size - 1. @throws InputError BAD_SELECTION out of range */
  at(place: number): ScalarOf<D>;
  /** Whether it has one of these data types; narrows. */
  is<U extends DTypeName>(...names: readonly U[]): this is NDArrayUnion<U>;
  /** Lists nested as the shape says; a bare value where there is no dimension. */
  toNested(): NestedOf<ScalarOf<D>>;
  /** For `JSON.stringify`: nested lists of what JSON has, as gateways write them (NaN as text, and so on). */
  toJSON(): JsonValue;
}

/** Coordinates by their names. */
export interface Coordinates {
  readonly [name: string]: Coordinate;
}

/** Where the values of a slice lie along a dimension, decoded: latitudes, times, names. */
export interface Coordinate {
  readonly name: string;
  /** The slice's dimensions that it runs along; none where that was dropped (it has one value). */
  readonly dimensions: readonly (string | null)[];
  /** As its attributes say: `degrees_north`. */
  readonly units: string | null;
  /** Of times. */
  readonly calendar: string | null;
  readonly values: AnyNDArray;
}

/** One NDArray type a name, so that a test of `dtype` narrows. */
export type NDArrayUnion<D extends DTypeName> = { [K in D]: NDArray<K> }[D];

/** An array whose data type is not known before it comes. */
export type AnyNDArray = NDArrayUnion<DTypeName>;
