/** What each data type looks like in JavaScript, one table from which every other type is looked up, and arrays of them. */
import type { JsonValue } from '../json.js';

/** Data type name -> one value, and the form of many in C order. */
export interface ScalarTypes {
  /** 0 or 1 a value in `data`. */
  bool: { scalar: boolean; data: Uint8Array };
  int8: { scalar: number; data: Int8Array };
  int16: { scalar: number; data: Int16Array };
  int32: { scalar: number; data: Int32Array };
  int64: { scalar: bigint; data: BigInt64Array };
  uint8: { scalar: number; data: Uint8Array };
  uint16: { scalar: number; data: Uint16Array };
  uint32: { scalar: number; data: Uint32Array };
  uint64: { scalar: bigint; data: BigUint64Array };
  /** Widened to float32, which is exact; the stored bits are in `bytes`. */
  float16: { scalar: number; data: Float32Array };
  float32: { scalar: number; data: Float32Array };
  float64: { scalar: number; data: Float64Array };
  /** Interleaved in `data`: real, imaginary, real ... */
  complex64: { scalar: readonly [re: number, im: number]; data: Float32Array };
  complex128: { scalar: readonly [re: number, im: number]; data: Float64Array };
  /** Counts of `dtype.scale` x `dtype.unit` since 1970-01-01T00:00; -2^63 is NaT. See `toDates`. */
  'numpy.datetime64': { scalar: bigint; data: BigInt64Array };
  /** Counts of `dtype.scale` x `dtype.unit`; -2^63 is NaT. */
  'numpy.timedelta64': { scalar: bigint; data: BigInt64Array };
  /** NumPy's S, without the NULs at the end. See `toText`. */
  null_terminated_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** NumPy's U, without the NULs at the end. */
  fixed_length_utf32: { scalar: string; data: readonly string[] };
  /** NumPy's V. */
  raw_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** Zarr v3's `r*`. */
  raw_bits: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** One array a field; a sub-array field has its own dimensions at the end. */
  struct: { scalar: StructScalar; data: Readonly<Record<string, AnyNDArray>> };
  string: { scalar: string | null; data: readonly (string | null)[] };
  variable_length_bytes: { scalar: Uint8Array | null; data: readonly (Uint8Array | null)[] };
  /** Objects and ragged arrays, as the gateway writes them in JSON. */
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

/** NumPy's units of time. */
export type TimeUnit =
  'Y' | 'M' | 'W' | 'D' | 'h' | 'm' | 's' | 'ms' | 'us' | 'ns' | 'ps' | 'fs' | 'as' | 'generic';

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
