/**
 * Numbers for filters: conversion between typed arrays and buffers, NumPy's casts, and rounding. float16
 * values are widened to float32 and narrowed again when written.
 */
import {
  elementArrays,
  type FloatName,
  type IntegerName,
  isFloatName,
  type NumberArrayType,
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

export type SmallNumbers =
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
