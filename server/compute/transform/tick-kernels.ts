/**
 * Converts numbers to ticks of 64 bits; unscaled integers exactly. Bigints are used only where a number might
 * not be exact.
 */
import { NAT } from '../../../wire/data-types.js';
import type { DurationStep, TickCount, TickTransform } from '../../format/plan/element-transform.js';
import { unpackBlock } from './unpack-block.js';

// Converts floating-point counts to whole ticks, rounded like cftime: the product in extended precision (64
// bits of mantissa), then the nearest integer, ties to even. Dates are therefore equal to those of cftime.

/** Below this value, extended precision has nine bits for the fraction. */
const MOST = 2 ** 55;
/** Splits a double into halves of 26 bits (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;
/** Distance from a tie below which the slow path is used; far larger than the error of extended precision. */
const NEAR_TIE = 2 ** -8;

/**
 * @param factor a positive integer
 * @param snap whether results one microsecond from a whole second are rounded towards it instead of to the
 * nearest, as cftime does for units of seconds and longer; for microseconds only
 * @returns a function that rounds the product of `factor` and a finite value
 */
function createProductRounding(factor: number, snap: boolean): (value: number) => number | bigint {
  const factorHigh = upperHalf(factor);
  const factorLow = factor - factorHigh;
  return (value) => {
    const product = value * factor;
    if (Math.abs(product) < MOST) {
      // The rounding error of the product (Dekker). Beyond 2^53 it can exceed 1.
      const high = upperHalf(value);
      const low = value - high;
      const error = high * factorHigh - product + high * factorLow + low * factorHigh + low * factorLow;
      const near = Math.round(product);
      const rest = product - near + error;
      const further = Math.round(rest);
      const nearest = near + further;
      const isClear = Math.abs(rest - further) < 0.5 - NEAR_TIE;
      if (isClear && Number.isSafeInteger(nearest)) {
        if (!snap || !isNextToSecond(nearest)) return nearest;
      } else if (isClear) {
        const whole = BigInt(near) + BigInt(further);
        if (!snap || !isNextToSecond(Number(whole % 1_000_000n))) return whole;
      }
    }
    return roundExactly(value, factor, snap);
  };
}

function upperHalf(x: number): number {
  const scaled = x * SPLITTER;
  return scaled - (scaled - x);
}

function isNextToSecond(microseconds: number): boolean {
  const rest = microseconds - Math.floor(microseconds / 1_000_000) * 1_000_000;
  return rest === 1 || rest === 999_999;
}

/** A number as mantissa x 2^exponent. */
interface Scaled {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function roundExactly(value: number, factor: number, snap: boolean): bigint {
  const { mantissa, exponent } = scaledOf(Math.abs(value));
  const product = toExtended({ mantissa: mantissa * BigInt(factor), exponent });
  const sign = value < 0 ? -1n : 1n;
  const nearest = sign * shiftRight(product, 'even');
  if (!snap) return nearest;
  const second = ((nearest % 1_000_000n) + 1_000_000n) % 1_000_000n;
  // A result one microsecond before (after) a whole second is rounded up (down) instead.
  if (second === 1n) return sign * shiftRight(product, sign > 0n ? 'floor' : 'ceil');
  if (second === 999_999n) return sign * shiftRight(product, sign > 0n ? 'ceil' : 'floor');
  return nearest;
}

const bits = new DataView(new ArrayBuffer(8));

function scaledOf(value: number): Scaled {
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = Number(raw >> 52n);
  const fraction = raw & ((1n << 52n) - 1n);
  return exponent === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: exponent - 1075 };
}

/** Rounds to 64 bits, ties to even. */
function toExtended(number: Scaled): Scaled {
  const excess = number.mantissa.toString(2).length - 64;
  if (excess <= 0) return number;
  const mantissa = shiftRight({ mantissa: number.mantissa, exponent: -excess }, 'even');
  return { mantissa, exponent: number.exponent + excess };
}

/** Rounds a non-negative number to an integer. */
function shiftRight({ mantissa, exponent }: Scaled, direction: 'even' | 'floor' | 'ceil'): bigint {
  if (exponent >= 0) return mantissa << BigInt(exponent);
  const shift = BigInt(-exponent);
  const floor = mantissa >> shift;
  const rest = mantissa - (floor << shift);
  if (rest === 0n || direction === 'floor') return floor;
  if (direction === 'ceil') return floor + 1n;
  const half = 1n << (shift - 1n);
  const isUp = rest > half || (rest === half && (floor & 1n) === 1n);
  return isUp ? floor + 1n : floor;
}

/**
 * Converts one block.
 * @param source, target memory of at most `BLOCK` elements, aligned
 * @returns the error for the first value that cannot be represented; the following elements are not written
 */
export function countTicks(
  transform: TickTransform,
  source: Uint8Array,
  target: Uint8Array,
): string | undefined {
  const { values: packed, unit, earliest, beyond } = transform;
  const length = target.length / 8;
  const values = unpackBlock(source, length, packed);
  const words = new Int32Array(target.buffer, target.byteOffset, 2 * length);
  if (countSafely(transform, values, words)) return undefined;
  const counts = new BigInt64Array(target.buffer, target.byteOffset, length);
  const longs = transform.count.kind === 'integers' ? longsOf(source, length, packed.name) : undefined;
  const tickOf = counterOf(transform.count, longs);
  const divisor = unit?.ticks ?? 1;
  const first = earliest === undefined ? -Infinity : Number(earliest.tick);
  for (let i = 0; i < length; i++) {
    const value = values[i];
    const tick = tickOf(value, i);
    if (tick === undefined) return `${beyond[0]}${longs?.[i] ?? value}${beyond[1]}`;
    if (typeof tick === 'number') {
      // The tick is a safe integer or NaN.
      if (tick < first) return earliest?.message;
      if (tick % divisor !== 0 && !Number.isNaN(tick)) return unit?.message;
      putCount(words, i, tick / divisor);
    } else {
      if (earliest !== undefined && tick < earliest.tick) return earliest.message;
      const size = BigInt(divisor);
      if (tick % size !== 0n) return unit?.message;
      counts[i] = tick / size;
    }
  }
  return undefined;
}

/** Uses the fast path for integers whose ticks are all safe integers. @returns whether it applies */
function countSafely(
  { count, unit, earliest }: TickTransform,
  values: Float64Array,
  words: Int32Array,
): boolean {
  if (count.kind !== 'integers' || (unit?.ticks ?? 1) !== 1) return false;
  const { factor } = count;
  const start = Number(count.start);
  let least = 0;
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const bounds = [start, least * factor, most * factor, start + least * factor, start + most * factor];
  if (!bounds.every(Number.isSafeInteger)) return false;
  if (earliest !== undefined && start + least * factor < Number(earliest.tick)) return false;
  for (let i = 0; i < values.length; i++) putCount(words, i, start + values[i] * factor);
  return true;
}

/** @param count safe integer; NaN if missing */
function putCount(words: Int32Array, i: number, count: number): void {
  // The product with a power of two is exact, and cheaper than a division.
  const high = Math.floor(count * 2 ** -32);
  // The integer conversion stores NaN as 0.
  words[2 * i] = count - high * 4_294_967_296;
  words[2 * i + 1] = Number.isNaN(count) ? -0x8000_0000 : high;
}

/** @returns a safe integer or a 64-bit bigint; NaN if missing; undefined if it exceeds 64 bits */
type Counter = (value: number, i: number) => number | bigint | undefined;

type Longs = BigInt64Array | BigUint64Array;

function longsOf(source: Uint8Array, length: number, name: string): Longs | undefined {
  if (name === 'int64') return new BigInt64Array(source.buffer, source.byteOffset, length);
  return name === 'uint64' ? new BigUint64Array(source.buffer, source.byteOffset, length) : undefined;
}

function counterOf(count: TickCount, longs: Longs | undefined): Counter {
  switch (count.kind) {
    case 'integers':
      return integerCounter(count.start, count.factor, longs);
    case 'floats':
      return floatCounter(count);
    case 'durations':
      return (value) => durationTicks(value, count.step, count.nanoseconds);
  }
}

function integerCounter(start: bigint, factor: number, longs: Longs | undefined): Counter {
  const near = Number.isSafeInteger(Number(start)) ? Number(start) : NaN;
  return (value, i) => {
    const product = value * factor;
    const sum = near + product;
    // A sum of safe integers is exact if the sum is safe too.
    if (Number.isSafeInteger(product) && Number.isSafeInteger(sum)) return sum;
    if (Number.isNaN(value)) return NaN;
    const exact = longs?.[i] ?? BigInt(value);
    return exact === NAT ? NaN : fit(exact * BigInt(factor) + start);
  };
}

function floatCounter({ start, factor, rounding, snap }: TickCount & { readonly kind: 'floats' }): Counter {
  const near = Number.isSafeInteger(Number(start)) ? Number(start) : NaN;
  const round =
    rounding === 'nearest'
      ? createProductRounding(factor, snap)
      : (value: number) => Math.trunc(value * factor);
  return (value) => {
    if (!Number.isFinite(value)) return NaN;
    if (Math.abs(value * factor) >= 2 ** 63) return undefined;
    const whole = round(value);
    const sum = typeof whole === 'number' ? near + whole : NaN;
    return Number.isSafeInteger(sum) ? sum : fit(BigInt(whole) + start);
  };
}

/** Rounds values that are not a multiple of the unit. */
function durationTicks(value: number, step: DurationStep, nanoseconds: number): number | bigint | undefined {
  if (Number.isNaN(value)) return NaN;
  const { count, nanoseconds: own } = wholeDuration(value, step);
  if (!(Math.abs(count) < 2 ** 63)) return undefined;
  const ticks = own < nanoseconds ? Math.round(count / (nanoseconds / own)) : count * (own / nanoseconds);
  if (Number.isSafeInteger(ticks)) return ticks;
  return fit(own < nanoseconds ? BigInt(ticks) : BigInt(count) * BigInt(own / nanoseconds));
}

/**
 * As in xarray, refines the unit until the number is whole or the unit is nanoseconds. Computes in the
 * precision of the type unless the original unit is longer than seconds.
 */
export function wholeDuration(
  value: number,
  step: DurationStep,
): { readonly count: number; readonly nanoseconds: number } {
  let count = value * step.count;
  let { nanoseconds } = step;
  if (Number.isFinite(count))
    for (; nanoseconds > 1 && !Number.isInteger(count); nanoseconds /= 1000)
      count = step.isSingle ? Math.fround(count * 1000) : count * 1000;
  return { count: Math.trunc(count), nanoseconds };
}

/** @returns undefined if the count exceeds 64 bits or equals the missing value */
function fit(count: bigint): bigint | undefined {
  return BigInt.asIntN(64, count) === count && count !== NAT ? count : undefined;
}
