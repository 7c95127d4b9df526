/** Numbers to whole ticks: loops over typed arrays, exact in all 64 bits. */
import { MISSING_TICKS } from '../calendar/date-text.js';
import { createProductRounding } from '../calendar/round-product.js';
import type { Floats } from './number-kernels.js';

/** ticks = start + value x factor. */
export interface TickScale {
  readonly start: bigint;
  /** A positive integer. */
  readonly factor: number;
}

/** All ticks, or the first value whose ticks do not fit 64 bits. */
export type Ticks = { readonly ticks: BigInt64Array } | { readonly beyond: number | bigint };

/**
 * @param values NaN where missing; exact where `longs` is not given
 * @param longs the same values where they have 64 bits
 */
export function integerTicks(
  values: Floats,
  longs: BigInt64Array | BigUint64Array | undefined,
  { start, factor }: TickScale,
): Ticks {
  const ticks = new BigInt64Array(values.length);
  const near = Number(start);
  const bigFactor = BigInt(factor);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    const product = value * factor;
    if (Number.isNaN(value) || longs?.[i] === MISSING_TICKS) ticks[i] = MISSING_TICKS;
    // Sums of safe integers that are safe themselves are exact.
    else if (
      Number.isSafeInteger(product) &&
      Number.isSafeInteger(near) &&
      Number.isSafeInteger(near + product)
    )
      ticks[i] = BigInt(near + product);
    else {
      const exact = longs?.[i] ?? BigInt(value);
      const count = fit(exact * bigFactor + start);
      if (count === undefined) return { beyond: exact };
      ticks[i] = count;
    }
  }
  return { ticks };
}

/**
 * @param rounding "nearest" as cftime does, "towardsZero" as pandas does
 * @param snap see `createProductRounding`
 */
export function floatTicks(
  values: Floats,
  { start, factor }: TickScale,
  rounding: 'nearest' | 'towardsZero',
  snap: boolean,
): Ticks {
  const ticks = new BigInt64Array(values.length);
  const near = Number(start);
  const round =
    rounding === 'nearest'
      ? createProductRounding(factor, snap)
      : (value: number) => Math.trunc(value * factor);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (!Number.isFinite(value)) ticks[i] = MISSING_TICKS;
    else if (Math.abs(value * factor) >= 2 ** 63) return { beyond: value };
    else {
      const whole = round(value);
      const count =
        typeof whole === 'number' && Number.isSafeInteger(near) && Number.isSafeInteger(near + whole)
          ? BigInt(near + whole)
          : fit(BigInt(whole) + start);
      if (count === undefined) return { beyond: value };
      ticks[i] = count;
    }
  }
  return { ticks };
}

/** @returns undefined where it does not fit, or is what stands for a missing value */
export function fit(count: bigint): bigint | undefined {
  return BigInt.asIntN(64, count) === count && count !== MISSING_TICKS ? count : undefined;
}

/** The least of the ticks that are not missing. */
export function leastTick(ticks: BigInt64Array): bigint | undefined {
  let least: bigint | undefined;
  for (const count of ticks)
    if (count !== MISSING_TICKS && (least === undefined || count < least)) least = count;
  return least;
}

/** @returns the counts divided by `size`; undefined where one is no multiple of it */
export function coarserTicks(ticks: BigInt64Array, size: bigint): BigInt64Array | undefined {
  if (size === 1n) return ticks;
  const coarse = new BigInt64Array(ticks.length);
  for (let i = 0; i < ticks.length; i++) {
    const count = ticks[i] ?? 0n;
    const quotient = count / size;
    if (count === MISSING_TICKS) coarse[i] = MISSING_TICKS;
    else if (quotient * size === count) coarse[i] = quotient;
    else return undefined;
  }
  return coarse;
}
