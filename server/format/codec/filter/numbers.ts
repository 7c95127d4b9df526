/**
 * Numbers for filters: conversion between typed arrays and buffers, NumPy's casts, and rounding. float16
 * values are widened to float32 and narrowed again when written.
 */
import {
  type NumberArrayType,
  elementArrays,
  type FloatName,
  type IntegerName,
  isFloatName,
  numberTypes,
} from '../../../../wire/data-types.js';
import { floatNames, integerNames } from '../../../core/dtype/data-type.js';
import { storedNumbers } from '../../../core/dtype/number-access.js';
import { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../../../wire/float16.js';
import { swapItems } from '../array/bytes.js';
import type { BufferType } from '../configuration.js';

export { type FloatName, floatNames, integerNames, isFloatName };

/** The types that filters compute with. */
export type FilterNumber = 'bool' | IntegerName | FloatName;

export const filterNumbers: readonly FilterNumber[] = ['bool', ...integerNames, ...floatNames];

export function isFilterNumber(name: string): name is FilterNumber {
  return filterNumbers.some((real) => real === name);
}

type SmallNumbers =
  Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type BigNumbers = BigInt64Array | BigUint64Array;
export type Numbers = SmallNumbers | BigNumbers;

export function isBig(values: Numbers): values is BigNumbers {
  return values instanceof BigInt64Array || values instanceof BigUint64Array;
}

/** Creates the typed array that represents `name`, with `length` zeros. */
export function makeNumbers(name: FilterNumber, length: number): Numbers {
  const Values: NumberArrayType<Numbers> =
    name === 'float16' ? Float32Array : elementArrays[numberTypes[name].element];
  return new Values(length);
}

export function makeSmall(name: Exclude<FilterNumber, 'int64' | 'uint64'>, length: number): SmallNumbers {
  const Values: NumberArrayType<SmallNumbers> =
    name === 'float16' ? Float32Array : elementArrays[numberTypes[name].element];
  return new Values(length);
}

/**
 * Reads the numbers in a buffer. The result is a view if alignment and byte order allow it, so never modify
 * it.
 */
export function readNumbers(bytes: Uint8Array, type: BufferType, name: FilterNumber): Numbers {
  const { itemSize } = type.dtype;
  let source = bytes;
  if (type.swaps.length > 0) {
    source = new Uint8Array(bytes.length);
    swapItems(bytes, source, itemSize, type.swaps);
  } else if (bytes.byteOffset % itemSize !== 0) source = new Uint8Array(bytes);
  const stored = storedNumbers(numberTypes[name].element, source, Math.floor(source.length / itemSize));
  return name === 'float16' && stored instanceof Uint16Array ? widenHalves(stored) : stored;
}

/** Converts the result of a filter to a buffer, which may share memory with it. */
export function writeNumbers(values: Numbers, type: BufferType): Uint8Array {
  const stored =
    type.dtype.name === 'float16' && values instanceof Float32Array ? narrowToHalves(values) : values;
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  if (type.swaps.length === 0) return bytes;
  const swapped = new Uint8Array(bytes.length);
  swapItems(bytes, swapped, type.dtype.itemSize, type.swaps);
  return swapped;
}

/** Returns a function that rounds a number of double precision to a float type. */
export function rounderOf(name: FloatName): (value: number) => number {
  if (name === 'float64') return (value) => value;
  if (name === 'float32') return Math.fround;
  // NumPy computes halves in single precision and then rounds.
  return (value) => floatFromHalf(halfFromFloat(Math.fround(value)));
}

/** Rounds to the nearest integer, ties to even, like NumPy's `rint`. Preserves -0. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5 || (rest === 0.5 && floor % 2 === 0)) return floor === 0 && value < 0 ? -0 : floor;
  // NaN and infinities have no remainder.
  if (!(rest >= 0.5)) return value;
  return floor + 1 === 0 ? -0 : floor + 1;
}

// Casts numbers like NumPy's `astype` (and C): integers wrap, floats are truncated towards zero, and
// everything except 0 is true. If the result is undefined in C (a float outside the integer's range), it
// wraps. NaN and infinities become 0; for 64 bits -2^63 (2^63 in uint64), as on x86-64.

/** @returns `values` themselves if the type is unchanged */
export function castNumbers(values: Numbers, from: FilterNumber, to: FilterNumber): Numbers {
  if (from === to) return values;
  if (to === 'bool') return isBig(values) ? Uint8Array.from(values, bitOfBig) : Uint8Array.from(values, bit);
  const result = makeNumbers(to, values.length);
  if (isBig(values)) return isBig(result) ? wrapBig(values, result) : fromBig(values, result, to);
  if (isBig(result)) return toBig(values, result);
  if (to === 'float16') {
    if (values instanceof Float32Array) return widenHalves(narrowToHalves(values));
    // Converts directly from double to half precision. Converting through single precision would round
    // twice.
    for (let i = 0; i < values.length; i++) result[i] = floatFromHalf(halfFromFloat(values[i]));
    return result;
  }
  // Typed arrays wrap integers, truncate floats and round to their precision.
  result.set(values);
  return result;
}

/** Converts a number to a boolean. Unlike in JavaScript, NaN is true. */
function bit(value: number): number {
  return value === 0 ? 0 : 1;
}

function bitOfBig(value: bigint): number {
  return value === 0n ? 0 : 1;
}

function wrapBig(values: BigNumbers, result: BigNumbers): BigNumbers {
  for (let i = 0; i < values.length; i++) result[i] = values[i];
  return result;
}

function fromBig(values: BigNumbers, result: SmallNumbers, to: FilterNumber): SmallNumbers {
  if (to === 'float32' || to === 'float16' || to === 'float64') {
    for (let i = 0; i < values.length; i++)
      result[i] = to === 'float64' ? Number(values[i]) : toSingle(values[i]);
    return result;
  }
  for (let i = 0; i < values.length; i++) result[i] = Number(BigInt.asIntN(32, values[i]));
  return result;
}

/**
 * Converts to the nearest float32 with a single rounding. Converting through double precision would round
 * twice.
 */
function toSingle(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size < 2n ** 53n) return Math.fround(Number(value));
  // A sticky bit represents whether any truncated bit is nonzero.
  const high = (size >> 12n) | ((size & 0xfffn) === 0n ? 0n : 1n);
  return Math.fround(Number(value < 0n ? -high : high)) * 4096;
}

const SMALLEST = -(2n ** 63n);

function toBig(values: SmallNumbers, result: BigNumbers): BigNumbers {
  for (let i = 0; i < values.length; i++) {
    const value = Math.trunc(values[i]);
    result[i] = Number.isFinite(value) ? BigInt(value) : SMALLEST;
  }
  return result;
}
