/**
 * The data types of values that the gateway and the client exchange, by Zarr v3 name: JavaScript type, size, and
 * CBOR typed array. Text and byte strings of a fixed length. Trailing NULs are padding. Units of datetime64 and
 * timedelta64, by the names that NumPy and Zarr's `numpy.datetime64` extension use.
 */
import { defined } from './guards.js';

/**
 * Maps the name of a data type to the type of one value, and to the type of many values in C order. The
 * gateway and the client add types for structs and objects.
 */
export interface PlainScalarTypes {
  /** One byte per value in `data`, 0 or 1. */
  bool: { scalar: boolean; data: Uint8Array };
  int8: { scalar: number; data: Int8Array };
  int16: { scalar: number; data: Int16Array };
  int32: { scalar: number; data: Int32Array };
  int64: { scalar: bigint; data: BigInt64Array };
  uint8: { scalar: number; data: Uint8Array };
  uint16: { scalar: number; data: Uint16Array };
  uint32: { scalar: number; data: Uint32Array };
  uint64: { scalar: bigint; data: BigUint64Array };
  /** Values are widened to float32, which is exact. The stored bits are in `bytes`. */
  float16: { scalar: number; data: Float32Array };
  float32: { scalar: number; data: Float32Array };
  float64: { scalar: number; data: Float64Array };
  /** Parts alternate in `data`: real, imaginary, real, ... */
  complex64: { scalar: readonly [re: number, im: number]; data: Float32Array };
  complex128: { scalar: readonly [re: number, im: number]; data: Float64Array };
  /** Counts of `scale` x `unit` since 1970-01-01T00:00; -2^63 is NaT. */
  'numpy.datetime64': { scalar: bigint; data: BigInt64Array };
  /** Counts of `scale` x `unit`; -2^63 is NaT. */
  'numpy.timedelta64': { scalar: bigint; data: BigInt64Array };
  /** NumPy's S, without trailing NULs, which are padding. */
  null_terminated_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** NumPy's U: UCS-4 code points, without trailing NULs, which are padding. */
  fixed_length_utf32: { scalar: string; data: readonly string[] };
  /** NumPy's V. */
  raw_bytes: { scalar: Uint8Array; data: readonly Uint8Array[] };
  /** Zarr v3's `r*`. */
  raw_bits: { scalar: Uint8Array; data: readonly Uint8Array[] };
  string: { scalar: string | null; data: readonly (string | null)[] };
  variable_length_bytes: { scalar: Uint8Array | null; data: readonly (Uint8Array | null)[] };
}

/** Maps the name of a number type to the typed array of its values. */
export interface NumberArrays {
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  float32: Float32Array;
  float64: Float64Array;
}

/** Maps the name of an element, the unit of all number types, to the typed array of its stored form. */
export interface ElementArrays extends NumberArrays {
  /** Bits. */
  float16: Uint16Array;
}

/** Elements of the CBOR typed arrays (RFC 8746, section 2) that the gateway and the client write. */
export type ElementName = keyof ElementArrays;

/** The class of a typed array. */
export interface NumberArrayType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

export const elementArrays: { readonly [E in ElementName]: NumberArrayType<ElementArrays[E]> } = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** The elements whose typed array holds values; for float16, it holds bits. */
export const numberArrayNames = Object.keys(elementArrays).filter(isNumberArrayName);

export function isNumberArrayName(name: string): name is keyof NumberArrays {
  return Object.hasOwn(elementArrays, name) && name !== 'float16';
}

interface NumberRow {
  /** Interpretation of the bytes. A complex number consists of two floats. */
  readonly form: 'boolean' | 'integer' | 'float' | 'complex';
  /** Kind and size as in NumPy's type strings, without the byte order. */
  readonly numpy: string;
  /** Size of one value in bytes. */
  readonly itemSize: number;
  /** Unit of the stored form, and of the CBOR typed array; complex numbers take two elements. */
  readonly element: ElementName;
}

/** Number types in the order of the v3 specification ("Core data types"). */
export const numberTypes = {
  bool: { form: 'boolean', numpy: 'b1', itemSize: 1, element: 'uint8' },
  int8: { form: 'integer', numpy: 'i1', itemSize: 1, element: 'int8' },
  int16: { form: 'integer', numpy: 'i2', itemSize: 2, element: 'int16' },
  int32: { form: 'integer', numpy: 'i4', itemSize: 4, element: 'int32' },
  int64: { form: 'integer', numpy: 'i8', itemSize: 8, element: 'int64' },
  uint8: { form: 'integer', numpy: 'u1', itemSize: 1, element: 'uint8' },
  uint16: { form: 'integer', numpy: 'u2', itemSize: 2, element: 'uint16' },
  uint32: { form: 'integer', numpy: 'u4', itemSize: 4, element: 'uint32' },
  uint64: { form: 'integer', numpy: 'u8', itemSize: 8, element: 'uint64' },
  float16: { form: 'float', numpy: 'f2', itemSize: 2, element: 'float16' },
  float32: { form: 'float', numpy: 'f4', itemSize: 4, element: 'float32' },
  float64: { form: 'float', numpy: 'f8', itemSize: 8, element: 'float64' },
  complex64: { form: 'complex', numpy: 'c8', itemSize: 8, element: 'float32' },
  complex128: { form: 'complex', numpy: 'c16', itemSize: 16, element: 'float64' },
} as const satisfies Readonly<Record<string, NumberRow>>;

export type NumberName = keyof typeof numberTypes;

type NamesOfForm<F extends NumberRow['form']> = {
  [N in NumberName]: (typeof numberTypes)[N]['form'] extends F ? N : never;
}[NumberName];

export type IntegerName = NamesOfForm<'integer'>;
export type FloatName = NamesOfForm<'float'>;
export type ComplexName = NamesOfForm<'complex'>;

export const timeNames = ['numpy.datetime64', 'numpy.timedelta64'] as const;

export type TimeName = (typeof timeNames)[number];

/** Types of text and bytes with a fixed length. */
export type FixedBytesName = 'null_terminated_bytes' | 'fixed_length_utf32' | 'raw_bytes' | 'raw_bits';

export function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(numberTypes, name);
}

export function isIntegerName(name: string): name is IntegerName {
  return isNumberName(name) && numberTypes[name].form === 'integer';
}

export function isFloatName(name: string): name is FloatName {
  return isNumberName(name) && numberTypes[name].form === 'float';
}

export function isComplexName(name: string): name is ComplexName {
  return isNumberName(name) && numberTypes[name].form === 'complex';
}

/** The float type of one part of a complex number, or the type itself; undefined for other types. */
export function floatPartOf(name: string): FloatName | undefined {
  if (isFloatName(name)) return name;
  return isComplexName(name) ? numberTypes[name].element : undefined;
}

export function isTimeName(name: string): name is TimeName {
  return name === 'numpy.datetime64' || name === 'numpy.timedelta64';
}

const fixedBytesNames: readonly string[] = [
  'null_terminated_bytes', 'fixed_length_utf32', 'raw_bytes', 'raw_bits',
] satisfies FixedBytesName[]; // prettier-ignore

export function isFixedBytesName(name: string): name is FixedBytesName {
  return fixedBytesNames.includes(name);
}

/** Whether the values of a type are text. */
export function isTextName(name: string): name is 'fixed_length_utf32' | 'string' {
  return name === 'fixed_length_utf32' || name === 'string';
}

/** Whether the values of a type are bytes. */
export function isByteStringName(
  name: string,
): name is Exclude<FixedBytesName, 'fixed_length_utf32'> | 'variable_length_bytes' {
  return (isFixedBytesName(name) && !isTextName(name)) || name === 'variable_length_bytes';
}

/** The elements that values of a type consist of; undefined for types that are not numbers or times. */
export function elementOf(name: string): ElementName | undefined {
  if (isNumberName(name)) return numberTypes[name].element;
  return isTimeName(name) ? 'int64' : undefined;
}

/** The smallest and largest value of an integer type; undefined for other types. */
export function integerRange(name: string): readonly [bigint, bigint] | undefined {
  const match = /^(u?)int(\d+)$/.exec(name);
  if (match === null) return undefined;
  const bits = BigInt(defined(match[2]));
  return match[1] === 'u' ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

/**
 * Decodes the text of one item of UCS-4 code points (NumPy's U), little-endian. Values beyond U+10FFFF become
 * U+FFFD. Surrogates are preserved.
 */
export function textFromUtf32(points: Uint32Array, start = 0, end = points.length): string {
  while (end > start && points[end - 1] === 0) end--;
  let text = '';
  for (let i = start; i < end; i++) {
    const point = defined(points[i]);
    text +=
      point < 0x10000 ? String.fromCharCode(point) : String.fromCodePoint(point > 0x10ffff ? 0xfffd : point);
  }
  return text;
}

/** @returns undefined if the text has more code points than `length` */
export function utf32FromText(text: string, length: number): Uint32Array | undefined {
  const points = new Uint32Array(length);
  let i = 0;
  for (const char of text) {
    if (i === length) return undefined;
    points[i++] = char.codePointAt(0) ?? 0;
  }
  return points;
}

/** Returns a view of the bytes before the padding. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

export const timeUnits = [
  'Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic',
] as const; // prettier-ignore

export type TimeUnit = (typeof timeUnits)[number];

/** Maximum `scale` (number of units per count), which NumPy stores in a C int. */
export const MAX_TIME_SCALE = 2 ** 31 - 1;

/** The count that represents NaT. */
export const NAT = -(2n ** 63n);

/** @returns undefined for an unknown unit. Both micro signs (U+03BC, U+00B5) are accepted as `us` */
export function parseTimeUnit(text: string): TimeUnit | undefined {
  if (text === '\u03bcs' || text === '\u00b5s') return 'us';
  return timeUnits.find((unit) => unit === text);
}

const perDay: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  D: 1n,
  h: 24n,
  m: 1440n,
  s: 86_400n,
  ms: 86_400n * 10n ** 3n,
  us: 86_400n * 10n ** 6n,
  ns: 86_400n * 10n ** 9n,
  ps: 86_400n * 10n ** 12n,
  fs: 86_400n * 10n ** 15n,
  as: 86_400n * 10n ** 18n,
};

/** Number of units per day; undefined for weeks, longer units and the generic unit. */
export function unitsPerDay(unit: TimeUnit): bigint | undefined {
  return perDay[unit];
}
