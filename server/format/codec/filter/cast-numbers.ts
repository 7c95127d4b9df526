/**
 * Casts numbers like NumPy's `astype` (and C): integers wrap, floats are truncated towards zero, and everything
 * except 0 is true. If the result is undefined in C (a float outside the integer's range), it wraps. NaN and
 * infinities become 0; for 64 bits -2^63 (2^63 in uint64), as on x86-64.
 */
import { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../../../wire/float16.js';
import {
  type BigNumbers,
  type FilterNumber,
  isBig,
  makeNumbers,
  type Numbers,
  type SmallNumbers,
} from './numbers.js';

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
