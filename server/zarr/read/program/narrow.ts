/** Rounds or wraps the values of a float64 register to a smaller type, in place. */
import { roundHalfToEven } from './float-kernels.js';

export const narrowings = {
  float16(n, values) {
    for (let i = 0; i < n; i++) values[i] = roundToHalf(values[i] ?? 0);
  },
  int8(n, values) {
    for (let i = 0; i < n; i++) values[i] = ((values[i] ?? 0) << 24) >> 24;
  },
  int16(n, values) {
    for (let i = 0; i < n; i++) values[i] = ((values[i] ?? 0) << 16) >> 16;
  },
  int32(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] ?? 0) | 0;
  },
  uint8(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] ?? 0) & 0xff;
  },
  uint16(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] ?? 0) & 0xffff;
  },
  uint32(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] ?? 0) >>> 0;
  },
} as const satisfies Readonly<Record<string, (n: number, values: Float64Array) => void>>;

export type NarrowName = keyof typeof narrowings;

/** Distance between adjacent float16 numbers below 2^-13. */
const SMALLEST_STEP = 2 ** -24;

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/** NumPy computes float16 in float32, so the value is rounded to float32 first. */
export function roundToHalf(given: number): number {
  const value = Math.fround(given);
  const size = Math.abs(value);
  if (size >= 65520) return value > 0 ? Infinity : -Infinity;
  if (!(size > 0)) return value;
  bits[0] = size;
  // The exponent of a float64, which is in the upper word.
  const exponent = ((words[1] ?? 0) >>> 20) - 1023;
  const step = exponent < -14 ? SMALLEST_STEP : 2 ** (exponent - 10);
  return roundHalfToEven(value / step) * step;
}
