/**
 * Converts JavaScript values to the bytes of numeric data types. Values that do not fit are rejected, never
 * wrapped, truncated or made infinite: integers out of range, fractions for integers, finite floats beyond
 * the largest. Rounding to the nearest float is allowed.
 */
import { InputError } from '../errors.js';
import { type NumberName, floatPartOf, integerRange } from './data-type.js';
import { halfFromFloat } from '../../../wire/float16.js';

/** Describes the position of a value in the flat list, for errors. */
export type PositionText = (index: number) => string;

/** Returns an error that states a value of any type, truncated, and what is expected instead. */
export function invalidValue(value: unknown, wanted: string, position: string): InputError {
  return new InputError(`${position} is ${shown(value)}; expected ${wanted}`);
}

function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return value === undefined ? 'missing' : `of the JavaScript type ${typeof value}`;
}

/**
 * Returns the memory of a typed array as bytes, which preserves all bits of NaNs. Assumes a little-endian
 * host.
 */
export function sameMemory(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Packs booleans as one byte per value, 0 or 1. */
export function packBooleans(values: ArrayLike<unknown>, position: PositionText): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === true || value === 1 || value === 1n) bytes[i] = 1;
    else if (value !== false && value !== 0 && value !== 0n)
      throw invalidValue(value, 'true or false', position(i));
  }
  return bytes;
}

const noIntegers = [0n, 0n] as const;

type SmallIntegers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

/** Packs integers of up to 32 bits. */
export function packIntegers(
  values: ArrayLike<unknown>,
  View: new (length: number) => SmallIntegers,
  name: NumberName,
  position: PositionText,
): Uint8Array {
  const [least, most] = integerRange(name) ?? noIntegers;
  const [min, max] = [Number(least), Number(most)];
  const array = new View(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = typeof value === 'number' ? value : Number(exactInteger(value) ?? NaN);
    if (!(Number.isInteger(number) && number >= min && number <= max))
      throw invalidValue(value, `an integer from ${min} to ${max}, the range of ${name}`, position(i));
    array[i] = number;
  }
  return sameMemory(array);
}

/** Packs integers of 64 bits. */
export function packLongs(
  values: ArrayLike<unknown>,
  View: new (length: number) => BigInt64Array | BigUint64Array,
  name: NumberName,
  position: PositionText,
): Uint8Array {
  const [min, max] = integerRange(name) ?? noIntegers;
  const array = new View(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const long = exactInteger(value);
    if (long === undefined || long < min || long > max)
      throw invalidValue(value, longWanted(value, name), position(i));
    array[i] = long;
  }
  return sameMemory(array);
}

function longWanted(value: unknown, name: NumberName): string {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? 'a bigint or decimal digits, because numbers beyond 2^53 are not exact'
    : `an integer in the range of ${name}, as a number, a bigint or decimal digits`;
}

/** Converts any exact form of an integer to a bigint; undefined for other values. */
export function exactInteger(value: unknown): bigint | undefined {
  switch (typeof value) {
    case 'bigint':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : undefined;
    case 'boolean':
      return value ? 1n : 0n;
    case 'string':
      return /^[+-]?\d{1,20}$/.test(value) ? BigInt(value.replace(/^\+/, '')) : undefined;
    default:
      return undefined;
  }
}

const specials: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

function floatOf(value: unknown): number | undefined {
  switch (typeof value) {
    case 'number':
      return value;
    case 'bigint':
    case 'boolean':
      return Number(value);
    case 'string':
      return Object.hasOwn(specials, value) ? specials[value] : undefined;
    default:
      return undefined;
  }
}

const FLOAT_WANTED = 'a number, "NaN", "Infinity" or "-Infinity"';

/** Packs floats, rounded to the nearest value of the data type. */
export function packFloats(
  values: ArrayLike<unknown>,
  View: new (length: number) => Float32Array | Float64Array,
  name: NumberName,
  position: PositionText,
): Uint8Array {
  const array = new View(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const float = typeof value === 'number' ? value : floatOf(value);
    if (float === undefined) throw invalidValue(value, FLOAT_WANTED, position(i));
    array[i] = float;
    const stored = array[i];
    if ((stored === Infinity || stored === -Infinity) && stored !== float)
      throw invalidValue(value, `a number within the range of ${floatPartOf(name) ?? name}`, position(i));
  }
  return sameMemory(array);
}

/** Packs float16 values. */
export function packHalves(values: ArrayLike<unknown>, position: PositionText): Uint8Array {
  const array = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const float = floatOf(values[i]);
    if (float === undefined) throw invalidValue(values[i], FLOAT_WANTED, position(i));
    const half = halfFromFloat(float);
    if ((half & 0x7fff) === 0x7c00 && Number.isFinite(float))
      throw invalidValue(values[i], 'within the range of float16, at most 65504', position(i));
    array[i] = half;
  }
  return sameMemory(array);
}

/** @param values pairs [re, im], or bare numbers */
export function packComplex(
  values: ArrayLike<unknown>,
  View: new (length: number) => Float32Array | Float64Array,
  name: NumberName,
  position: PositionText,
): Uint8Array {
  return packFloats(realAndImaginary(values, position), View, name, halved(position));
}

function realAndImaginary(values: ArrayLike<unknown>, position: PositionText): unknown[] {
  const parts: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Array.isArray(value) && value.length === 2) parts.push(value[0], value[1]);
    else if (floatOf(value) !== undefined) parts.push(value, 0);
    else throw invalidValue(value, 'a complex number, [re, im]', position(i));
  }
  return parts;
}

function halved(position: PositionText): PositionText {
  return (i) => `the ${i % 2 === 0 ? 'real' : 'imaginary'} part of ${position(i >> 1)}`;
}
