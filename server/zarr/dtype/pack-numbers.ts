/**
 * JavaScript values to the bytes of numeric types. What a type cannot hold is refused, never wrapped, cut off or made
 * infinite: integers out of range, fractions for integers, finite floats beyond the largest. Rounding to the nearest
 * float is not refused.
 */
import { InputError } from '../errors.js';
import type { NumberName } from './data-type.js';
import { halfFromFloat } from '../../../wire/float16.js';
import { integerRange } from './number-types.js';

/** How an error names the value at a place of the flat list. */
export type PlaceOf = (index: number) => string;

export function refuse(value: unknown, wanted: string, place: string): InputError {
  return new InputError(`${place} is ${shown(value)}; it must be ${wanted}`);
}

function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return value === undefined ? 'missing' : `a ${typeof value}`;
}

/** The typed arrays whose memory is what is stored, bit for bit (on the little-endian machines that JavaScript runs on). */
const sameMemory: Readonly<Partial<Record<NumberName, abstract new (...args: never) => ArrayBufferView>>> = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/**
 * @param values complex numbers as pairs [re, im], or bare numbers; of a typed array of the very type the memory itself
 *   is taken, with every bit of a NaN
 * @returns little-endian, in the order of the list
 * @throws InputError that names the value's place
 */
export function packNumbers(values: ArrayLike<unknown>, name: NumberName, place: PlaceOf): Uint8Array {
  const same = sameMemory[name];
  if (same !== undefined && values instanceof same) return bytesOf(values);
  switch (name) {
    case 'bool':
      return packBooleans(values, place);
    case 'int64':
    case 'uint64':
      return packLong(values, name, place);
    case 'float16':
      return packHalves(values, place);
    case 'float32':
      return packFloats(values, new Float32Array(values.length), place);
    case 'float64':
      return packFloats(values, new Float64Array(values.length), place);
    case 'complex64':
      return packFloats(realAndImaginary(values, place), new Float32Array(values.length * 2), halved(place));
    case 'complex128':
      return packFloats(realAndImaginary(values, place), new Float64Array(values.length * 2), halved(place));
    default:
      return packSmall(values, name, place);
  }
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function packBooleans(values: ArrayLike<unknown>, place: PlaceOf): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === true || value === 1 || value === 1n) bytes[i] = 1;
    else if (value !== false && value !== 0 && value !== 0n) throw refuse(value, 'true or false', place(i));
  }
  return bytes;
}

const small = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array,
} as const; // prettier-ignore

function packSmall(values: ArrayLike<unknown>, name: keyof typeof small, place: PlaceOf): Uint8Array {
  const [min, max] = (integerRange(name) ?? [0n, 0n]).map(Number);
  const array = new small[name](values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = typeof value === 'number' ? value : Number(integerOf(value) ?? NaN);
    if (!(Number.isInteger(number) && number >= (min ?? 0) && number <= (max ?? 0)))
      throw refuse(value, `an integer from ${min} to ${max}, as ${name} holds`, place(i));
    array[i] = number;
  }
  return bytesOf(array);
}

function packLong(values: ArrayLike<unknown>, name: 'int64' | 'uint64', place: PlaceOf): Uint8Array {
  const [min, max] = integerRange(name) ?? [0n, 0n];
  const array = name === 'int64' ? new BigInt64Array(values.length) : new BigUint64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const long = integerOf(value);
    if (long === undefined || long < min || long > max)
      throw refuse(value, longWanted(value, name), place(i));
    array[i] = long;
  }
  return bytesOf(array);
}

function longWanted(value: unknown, name: 'int64' | 'uint64'): string {
  return typeof value === 'number' && Number.isInteger(value)
    ? `given as a bigint or as decimal digits: numbers beyond 2^53 are not exact`
    : `an integer that ${name} holds, as a number, a bigint or decimal digits`;
}

/** An integer in any form that is exact; undefined for everything else. */
export function integerOf(value: unknown): bigint | undefined {
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

const floatWanted = 'a number, "NaN", "Infinity" or "-Infinity"';

function packFloats(
  values: ArrayLike<unknown>,
  array: Float32Array | Float64Array,
  place: PlaceOf,
): Uint8Array {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const float = typeof value === 'number' ? value : floatOf(value);
    if (float === undefined) throw refuse(value, floatWanted, place(i));
    array[i] = float;
    const stored = array[i];
    if ((stored === Infinity || stored === -Infinity) && stored !== float)
      throw refuse(value, 'within the range of float32', place(i));
  }
  return bytesOf(array);
}

function packHalves(values: ArrayLike<unknown>, place: PlaceOf): Uint8Array {
  const array = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const float = floatOf(values[i]);
    if (float === undefined) throw refuse(values[i], floatWanted, place(i));
    const half = halfFromFloat(float);
    if ((half & 0x7fff) === 0x7c00 && Number.isFinite(float))
      throw refuse(values[i], 'within the range of float16, at most 65504', place(i));
    array[i] = half;
  }
  return bytesOf(array);
}

function realAndImaginary(values: ArrayLike<unknown>, place: PlaceOf): unknown[] {
  const parts: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Array.isArray(value) && value.length === 2) parts.push(value[0], value[1]);
    else if (floatOf(value) !== undefined) parts.push(value, 0);
    else throw refuse(value, 'a complex number, [re, im]', place(i));
  }
  return parts;
}

function halved(place: PlaceOf): PlaceOf {
  return (i) => `the ${i % 2 === 0 ? 'real' : 'imaginary'} part of ${place(i >> 1)}`;
}
