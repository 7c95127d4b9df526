/**
 * Converts numbers to ticks of 64 bits; unscaled integers exactly. Bigints are used only where a number might
 * not be exact.
 */
import { NAT } from '../../../wire/data-types.js';
import type { DurationStep, TickCount, TickTransform } from '../../format/plan/element-transform.js';
import { unpackBlock } from './unpack-block.js';
import { createProductRounding } from './round-product.js';

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
