/** The interface NDArray, and the JavaScript types of each data type. */
import type { PlainScalarTypes, TimeUnit } from '../../wire/data-types.js';
import type { JsonValue } from '../json/json.js';

/** Maps the name of a data type to the type of one value, and to the type of many values in C order. */
export interface ScalarTypes extends PlainScalarTypes {
  /** One array per field; a sub-array field has additional dimensions at the end. */
  struct: { scalar: StructScalar; data: Readonly<Record<string, AnyNDArray>> };
  /** Objects and ragged arrays, in the gateway's JSON form. */
  json: { scalar: JsonValue; data: readonly JsonValue[] };
}

export type DTypeName = keyof ScalarTypes;

/** One value of a data type. */
export type ScalarOf<D extends DTypeName> = ScalarTypes[D]['scalar'];

/** All values of an array in C order: a typed array if one exists for the data type. */
export type DataOf<D extends DTypeName> = ScalarTypes[D]['data'];

/** One struct as an object with a value per field; nested lists for a sub-array field. */
export interface StructScalar {
  readonly [field: string]: NestedOf<unknown>;
}

/** Values in nested lists; a bare value for the 0-d shape. */
export type NestedOf<T> = T | readonly NestedOf<T>[];

export type { TimeUnit };

/**
 * N-dimensional values of one data type, in C order. Checking `dtype` narrows the type: after
 * `if (array.dtype === 'float32')` or `array.is('float32')`, `array.data` is a `Float32Array`.
 *
 * @example
 * const slice = await array.slice({ time: 0 });
 * if (slice.is('float32', 'float64')) console.log(slice.shape, slice.get(0, 0), Math.max(...slice.data));
 */
export interface NDArray<D extends DTypeName = DTypeName, C = Coordinates> extends Iterable<ScalarOf<D>> {
  readonly dtype: D;
  /** Size of each dimension; empty for a single value. */
  readonly shape: readonly number[];
  readonly ndim: number;
  /** Number of values: the product of the shape. */
  readonly size: number;
  /** Distance between neighbours along each dimension, in values; a complex number is one value. */
  readonly strides: readonly number[];
  /** Name of each dimension; null for dimensions without a name. */
  readonly dimensions: readonly (string | null)[];
  /** All values in C order; complex numbers take two elements. */
  readonly data: DataOf<D>;
  /**
   * The stored bits, including NaN payloads and float16: little-endian in C order, structs packed. Undefined for types
   * of variable length. Shares memory with `data` if that is a typed array of the same width.
   */
  readonly bytes: Uint8Array | undefined;
  /**
   * 1 for each missing value, 0 for others, in C order; undefined if none is missing. Only for decoded values of types
   * without NaN (integers, booleans, text and bytes of a fixed length): `data` then holds 0 or an empty value, and
   * `get` returns NaN for integers of at most 32 bits and throws for other types.
   */
  readonly mask: Uint8Array | undefined;
  /** The coordinates of this part by name; undefined if they were not requested. */
  readonly coordinates: C | undefined;
  /** Unit of datetimes and timedeltas: one count is `scale` x `unit`. */
  readonly unit: TimeUnit | undefined;
  /** Units per count of datetimes and timedeltas (10 for NumPy's `M8[10ms]`); otherwise 1. */
  readonly scale: number;
  /**
   * The value at one index per dimension. Negative indices count from the end.
   * @throws InputError BAD_SELECTION for a wrong number of indices or one out of range; BAD_INPUT if the
   *   value is missing and its type requires a check of `mask`
   */
  get(...indices: readonly number[]): ScalarOf<D>;
  /** The value at a position in C order, below `size`. @throws InputError BAD_SELECTION out of range; errors from `get` */
  at(position: number): ScalarOf<D>;
  /** Whether the array has one of these data types. Narrows the type. */
  is<U extends DTypeName>(...names: readonly U[]): this is NDArrayUnion<U>;
  /** Lists nested by the shape; a bare value for the 0-d shape. */
  toNested(): NestedOf<ScalarOf<D>>;
  /**
   * For `JSON.stringify`: nested lists in the gateway's JSON form. NaN and the infinities are text, 64-bit integers decimal
   * text, datetimes ISO text (counts beyond the range of Date), NaT null.
   */
  toJSON(): JsonValue;
}

/** Coordinates by name. */
export interface Coordinates {
  readonly [name: string]: Coordinate | undefined;
}

/** Decoded labels along the dimensions of a slice: latitudes, times, names. */
export interface Coordinate<D extends DTypeName = DTypeName> {
  readonly name: string;
  /** Its dimensions in the slice; none if the dimension was dropped, so that it has one value. */
  readonly dimensions: readonly (string | null)[];
  /** The attribute `units`, for example `degrees_north`. */
  readonly units: string | null;
  /** Calendar of dates. */
  readonly calendar: string | null;
  readonly values: NDArrayUnion<D>;
}

/** A union with one NDArray type per data type, so that checking `dtype` narrows it. */
export type NDArrayUnion<D extends DTypeName, C = Coordinates> = { [K in D]: NDArray<K, C> }[D];

/** An array whose data type is known only at run time. */
export type AnyNDArray = NDArrayUnion<DTypeName>;
