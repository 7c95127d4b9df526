/** Widens stored small numbers and long doubles (core/dtype/small-numbers.ts). */
import { type SmallNumber, tableOf } from '../../../core/dtype/small-numbers.js';
import { CodecError } from '../../../core/errors.js';

/**
 * The values of stored numbers. Bits above those of a small number are ignored (registry, codec `bytes`).
 * @throws CodecError for a long double that is not finite as float64, or not of 80 bits
 */
export function widenStored(bytes: Uint8Array, { part }: Pick<SmallNumber, 'part'>): Uint8Array {
  if (part.storedBytes > 2) return widenLong(bytes, part.storedBytes);
  const count = bytes.length / part.storedBytes;
  const values = part.widened === 'float32' ? new Float32Array(count) : new Int8Array(count);
  const mask = 2 ** part.bits - 1;
  const table = tableOf(part);
  if (part.storedBytes === 2)
    for (let i = 0; i < count; i++) values[i] = table[bytes[2 * i] | (bytes[2 * i + 1] << 8)];
  else for (let i = 0; i < count; i++) values[i] = table[bytes[i] & mask];
  return new Uint8Array(values.buffer);
}

/** Digits of the significand of float64. */
const DIGITS = 53;

/**
 * The 80-bit format of x86 in 12 or 16 bytes: a significand of 64 bits with its first digit, 15 bits of exponent, a sign;
 * the rest is padding. Processors with 128-bit floats use those bytes for digits, which zeros rule out.
 */
function widenLong(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(bytes.length / size);
  for (let i = 0; i < values.length; i++) {
    const at = i * size;
    for (let pad = 10; pad < size; pad++)
      if (bytes[at + pad] !== 0)
        throw new CodecError('a long double has bits beyond the 80 of x86; it may be from another processor');
    values[i] = longDouble(view.getBigUint64(at, true), view.getUint16(at + 8, true));
  }
  return new Uint8Array(values.buffer);
}

function longDouble(significand: bigint, head: number): number {
  const sign = head >= 0x8000 ? -1 : 1;
  const power = head & 0x7fff;
  if (power === 0x7fff) return BigInt.asUintN(63, significand) === 0n ? sign * Infinity : NaN;
  if (significand === 0n) return sign > 0 ? 0 : -0;
  if (power !== 0 && significand < 2n ** 63n)
    throw new CodecError(
      'a long double is not of the 80-bit format of x86; it may be from another processor',
    );
  const exponent = Math.max(power, 1) - 16_383 - 63;
  // Rounds once, to the digits that float64 has at this exponent.
  const length = significand.toString(2).length;
  const last = Math.max(exponent + length - DIGITS, -1074);
  const dropped = BigInt(Math.max(0, last - exponent));
  const value = sign * scaled(roundedShift(significand, dropped), exponent + Number(dropped));
  if (!Number.isFinite(value))
    throw new CodecError('a long double is beyond the range of float64, as which it is read');
  return value;
}

/** Divides by a power of two, and rounds to the nearest, ties to even. */
function roundedShift(value: bigint, bits: bigint): bigint {
  if (bits === 0n) return value;
  const whole = value >> bits;
  const rest = value - (whole << bits);
  const half = 1n << (bits - 1n);
  return rest > half || (rest === half && whole % 2n === 1n) ? whole + 1n : whole;
}

/** The product with a power of two, in two steps because the power alone may be beyond float64. */
function scaled(value: bigint, power: number): number {
  const half = Math.trunc(power / 2);
  return power < -1074 - DIGITS || power > 1100
    ? Number(value) * (power > 0 ? Infinity : 0)
    : Number(value) * 2 ** half * 2 ** (power - half);
}
