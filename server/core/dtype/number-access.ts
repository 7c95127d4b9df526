/**
 * How each number type is read, written and widened in memory. With `numberTypes` and `elementArrays` of
 * `wire/data-types.ts` (form, size, element, typed array), this is the only table of number types.
 */
import {
  type NumberArrayType,
  type ElementArrays,
  elementArrays,
  type ElementName,
  isComplexName,
  isTimeName,
  NAT,
  numberTypes,
  timeNames,
} from '../../../wire/data-types.js';
import { floatFromHalf, halfFromFloat, widenHalves } from '../../../wire/float16.js';
import { assertLength } from '../bytes/bounds.js';
import { numberNames } from './data-type.js';

/** Typed arrays of stored values; float16 as bits. */
export type StoredNumbers = ElementArrays[ElementName];

interface ElementAccess {
  /** @param at offset in bytes, of any alignment */
  readonly get: (view: DataView, at: number) => number | bigint;
  /** Writes a number or bigint of any size as a typed array does: integers wrap, floats are rounded. */
  readonly set: (view: DataView, at: number, value: number | bigint) => void;
  /** The missing value of floats and times. Writing it as an integer of at most 32 bits writes 0. */
  readonly missing: number | bigint;
  /** 64-bit integers, whose values are bigints. `widen` rounds them. */
  readonly isLong: boolean;
  /** Converts aligned values to float64. */
  readonly widen: (bytes: Uint8Array, count: number, target: Float64Array) => void;
}

function smallNumbers(
  element: Exclude<ElementName, 'int64' | 'uint64'>,
): Pick<ElementAccess, 'missing' | 'isLong' | 'widen'> {
  return {
    missing: NaN,
    isLong: false,
    widen: (bytes, count, target) => target.set(storedNumbers(element, bytes, count)),
  };
}

function longs(isSigned: boolean): Pick<ElementAccess, 'missing' | 'isLong' | 'widen'> {
  return {
    missing: NAT,
    isLong: true,
    widen: (bytes, count, target) => widenLongs(storedNumbers('int32', bytes, 2 * count), isSigned, target),
  };
}

// `get` and `set` are separate functions for each element, which V8 inlines.
export const elementAccess: { readonly [E in ElementName]: ElementAccess } = {
  int8: { ...smallNumbers('int8'), get: (view, at) => view.getInt8(at), set: (view, at, value) => view.setInt8(at, Number(value)) },
  int16: { ...smallNumbers('int16'), get: (view, at) => view.getInt16(at, true), set: (view, at, value) => view.setInt16(at, Number(value), true) },
  int32: { ...smallNumbers('int32'), get: (view, at) => view.getInt32(at, true), set: (view, at, value) => view.setInt32(at, Number(value), true) },
  int64: { ...longs(true), get: (view, at) => view.getBigInt64(at, true), set: (view, at, value) => view.setBigInt64(at, BigInt(value), true) },
  uint8: { ...smallNumbers('uint8'), get: (view, at) => view.getUint8(at), set: (view, at, value) => view.setUint8(at, Number(value)) },
  uint16: { ...smallNumbers('uint16'), get: (view, at) => view.getUint16(at, true), set: (view, at, value) => view.setUint16(at, Number(value), true) },
  uint32: { ...smallNumbers('uint32'), get: (view, at) => view.getUint32(at, true), set: (view, at, value) => view.setUint32(at, Number(value), true) },
  uint64: { ...longs(false), get: (view, at) => view.getBigUint64(at, true), set: (view, at, value) => view.setBigUint64(at, BigInt(value), true) },
  float16: {
    get: (view, at) => floatFromHalf(view.getUint16(at, true)),
    set: (view, at, value) => view.setUint16(at, halfFromFloat(Number(value)), true),
    missing: NaN,
    isLong: false,
    widen: (bytes, count, target) => target.set(widenHalves(storedNumbers('float16', bytes, count))),
  },
  float32: { ...smallNumbers('float32'), get: (view, at) => view.getFloat32(at, true), set: (view, at, value) => view.setFloat32(at, Number(value), true) },
  float64: { ...smallNumbers('float64'), get: (view, at) => view.getFloat64(at, true), set: (view, at, value) => view.setFloat64(at, Number(value), true) },
}; // prettier-ignore

/** Access to the values of a number or time type. */
export interface NumberAccess extends ElementAccess {
  readonly element: ElementName;
  /** Size of an element in bytes. */
  readonly unit: number;
  /** Number of elements of a value: real and imaginary part, or one. */
  readonly parts: 1 | 2;
}

/** One object for each type, because reductions look it up for every run of elements. */
const accesses: ReadonlyMap<string, NumberAccess> = new Map(
  [...numberNames(), ...timeNames].map((name) => {
    const element = isTimeName(name) ? 'int64' : numberTypes[name].element;
    const parts = isComplexName(name) ? 2 : 1;
    const unit = elementArrays[element].BYTES_PER_ELEMENT;
    return [name, { element, unit, parts, ...elementAccess[element] }];
  }),
);

/** @returns undefined for types that are not numbers or times */
export function numberAccess(name: string): NumberAccess | undefined {
  return accesses.get(name);
}

/**
 * A typed array over aligned bytes; float16 as bits.
 * @param length number of elements
 * @throws RangeError for too few bytes, which the memory after them would otherwise complete
 */
export function storedNumbers<E extends ElementName>(
  element: E,
  bytes: Uint8Array,
  length: number,
): ElementArrays[E] {
  const Stored: NumberArrayType<ElementArrays[E]> = elementArrays[element];
  assertLength(bytes, length * Stored.BYTES_PER_ELEMENT, 'the stored values');
  return new Stored(bytes.buffer, bytes.byteOffset, length);
}

/** The bytes of one missing value, little-endian. */
export function missingBytes({ set, missing, unit, parts }: NumberAccess): Uint8Array {
  const bytes = new Uint8Array(parts * unit);
  for (let part = 0; part < parts; part++) set(new DataView(bytes.buffer), part * unit, missing);
  return bytes;
}

/** Reads 64-bit integers as pairs of words, to avoid bigints. Rounds integers beyond 2^53. */
function widenLongs(words: Int32Array, isSigned: boolean, target: Float64Array): void {
  for (let i = 0; 2 * i < words.length; i++) {
    const high = words[2 * i + 1];
    const low = words[2 * i];
    // The product of the upper word is exact, so the sum is rounded once.
    if (high !== undefined && low !== undefined)
      target[i] = (isSigned ? high : high >>> 0) * 4_294_967_296 + (low >>> 0);
  }
}
