/**
 * Numbers for filters: conversion between typed arrays and buffers, NumPy's casts, and rounding. float16
 * values are widened to float32 and narrowed again when written.
 */
import { type FloatName, type IntegerName, isFloatName } from '../../../../wire/data-types.js';
import { floatNames, integerNames } from '../../dtype/data-type.js';
import { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../../../wire/float16.js';
import { swapItems } from '../array/byte-swap.js';
import type { BufferType } from '../numpy-type.js';

export { type FloatName, floatNames, integerNames, isFloatName };

/** The types that filters compute with. */
export type RealName = 'bool' | IntegerName | FloatName;

export const realNames: readonly RealName[] = ['bool', ...integerNames, ...floatNames];

export function isRealName(name: string): name is RealName {
  return realNames.some((real) => real === name);
}

export type SmallNumbers =
  Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type BigNumbers = BigInt64Array | BigUint64Array;
export type Numbers = SmallNumbers | BigNumbers;

export function isBig(values: Numbers): values is BigNumbers {
  return values instanceof BigInt64Array || values instanceof BigUint64Array;
}

/** `length` zeros in the typed array that represents `name`. */
export function makeNumbers(name: RealName, length: number): Numbers {
  switch (name) {
    case 'int64':
      return new BigInt64Array(length);
    case 'uint64':
      return new BigUint64Array(length);
    default:
      return makeSmall(name, length);
  }
}

export function makeSmall(name: Exclude<RealName, 'int64' | 'uint64'>, length: number): SmallNumbers {
  switch (name) {
    case 'bool':
    case 'uint8':
      return new Uint8Array(length);
    case 'int8':
      return new Int8Array(length);
    case 'int16':
      return new Int16Array(length);
    case 'uint16':
      return new Uint16Array(length);
    case 'int32':
      return new Int32Array(length);
    case 'uint32':
      return new Uint32Array(length);
    case 'float16':
    case 'float32':
      return new Float32Array(length);
    case 'float64':
      return new Float64Array(length);
  }
}

/** The numbers in a buffer. A view if alignment and byte order allow, so never modify it. */
export function readNumbers(bytes: Uint8Array, type: BufferType, name: RealName): Numbers {
  const { itemSize } = type.dtype;
  let source = bytes;
  if (type.swaps.length > 0) {
    source = new Uint8Array(bytes.length);
    swapItems(bytes, source, itemSize, type.swaps);
  } else if (bytes.byteOffset % itemSize !== 0) source = new Uint8Array(bytes);
  const { buffer, byteOffset } = source;
  const length = Math.floor(source.length / itemSize);
  switch (name) {
    case 'bool':
    case 'uint8':
      return source;
    case 'int8':
      return new Int8Array(buffer, byteOffset, length);
    case 'int16':
      return new Int16Array(buffer, byteOffset, length);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length);
    case 'uint32':
      return new Uint32Array(buffer, byteOffset, length);
    case 'int64':
      return new BigInt64Array(buffer, byteOffset, length);
    case 'uint64':
      return new BigUint64Array(buffer, byteOffset, length);
    case 'float16':
      return widenHalves(new Uint16Array(buffer, byteOffset, length));
    case 'float32':
      return new Float32Array(buffer, byteOffset, length);
    case 'float64':
      return new Float64Array(buffer, byteOffset, length);
  }
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

/** Rounds a number of double precision to a float type. */
export function rounderOf(name: FloatName): (value: number) => number {
  if (name === 'float64') return (value) => value;
  if (name === 'float32') return Math.fround;
  // NumPy computes halves in single precision and then rounds.
  return (value) => floatFromHalf(halfFromFloat(Math.fround(value)));
}

/** NumPy's `rint`: the nearest integer, ties to even. Preserves -0. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5 || (rest === 0.5 && floor % 2 === 0)) return floor === 0 && value < 0 ? -0 : floor;
  // NaN and infinities have no remainder.
  if (!(rest >= 0.5)) return value;
  return floor + 1 === 0 ? -0 : floor + 1;
}
