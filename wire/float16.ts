/** IEEE 754 half precision, for engines without Float16Array. Widening is exact; narrowing rounds to even. */
import { defined } from './guards.js';

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** @param half the 16 bits. The payload of a NaN becomes the upper bits of the float's payload */
export function floatFromHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  // For zero and subnormals, the mantissa is a multiple of 2^-24.
  if (exponent === 0) return (sign === 0 ? 1 : -1) * mantissa * 2 ** -24;
  bits[0] = sign | ((exponent === 31 ? 255 : exponent + 112) << 23) | (mantissa << 13);
  return defined(float[0]);
}

/** @returns the 16 bits of the nearest half (ties to even); infinity from 65520; 0x7e00 for NaN */
export function halfFromFloat(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  // `log2` may round up just below a power of two.
  const e = 2 ** exponent > size ? exponent - 1 : exponent;
  // A carry out of the mantissa correctly increments the exponent.
  return sign | (((e + 15) << 10) + roundToEven((size / 2 ** e - 1) * 1024));
}

function roundToEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}

let table: Uint32Array | undefined;

/** Widens many values and keeps NaN payloads. Uses a table of all 65,536 halves (256 KiB, built on first use). */
export function widenHalves(halves: Uint16Array): Float32Array<ArrayBuffer> {
  table ??= Uint32Array.from({ length: 65536 }, (_, half) => {
    if (isNaNHalf(half)) return (((half & 0x8000) << 16) | 0x7f800000 | ((half & 0x3ff) << 13)) >>> 0;
    float[0] = floatFromHalf(half);
    return defined(bits[0]);
  });
  // Values are copied as bits, because JavaScript engines may change the payload of a NaN.
  const floats = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) floats[i] = defined(table[defined(halves[i])]);
  return new Float32Array(floats.buffer);
}

/**
 * Narrows many values like `halfFromFloat`, but a NaN keeps its sign and the upper bits of its payload, as in
 * NumPy.
 */
export function narrowToHalves(floats: Float32Array): Uint16Array<ArrayBuffer> {
  const patterns = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  return Uint16Array.from(floats, (value, i) => {
    if (!Number.isNaN(value)) return halfFromFloat(value);
    const nan = defined(patterns[i]);
    const payload = (nan >> 13) & 0x3ff;
    // Without a payload, the bits would be infinity.
    return ((nan >>> 16) & 0x8000) | 0x7c00 | (payload === 0 ? 1 : payload);
  });
}

function isNaNHalf(half: number): boolean {
  return (half & 0x7fff) > 0x7c00;
}
