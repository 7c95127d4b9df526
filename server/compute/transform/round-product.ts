/**
 * Converts floating-point counts to whole ticks, rounded like cftime: the product in extended precision (64 bits
 * of mantissa), then the nearest integer, ties to even. Dates are therefore equal to those of cftime.
 */

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
export function createProductRounding(factor: number, snap: boolean): (value: number) => number | bigint {
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
