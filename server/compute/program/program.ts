/**
 * Programs that compute one value from several, for many elements at a time. Plain data that can be sent to a
 * thread. A program operates on registers; each holds one value for every element of a run.
 */
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import { type FloatKernelName, roundHalfToEven } from './float-kernels.js';
import type { SingleKernelName } from './single-kernels.js';
import type { WordKernelName } from './word-kernels.js';

/**
 * The type of a register: float32 (`single`), 64-bit integers, or float64 (`float`), which also holds all other values.
 * Steps that compute smaller types round or wrap their results; see `Step.narrow`.
 */
export type RegisterKind = 'float' | 'single' | 'int64' | 'uint64';

export type KernelName = FloatKernelName | SingleKernelName | WordKernelName;

/** One operation. The register of the result may be that of an operand. */
export interface Step {
  readonly kernel: KernelName;
  readonly out: number;
  readonly args: readonly number[];
  /** Type to which the result is rounded or wrapped. */
  readonly narrow?: NarrowName;
}

/** Loads the values of an input into a register. */
interface Load {
  readonly input: number;
  readonly dtype: FixedSizeType;
  readonly register: number;
}

interface Constant {
  readonly register: number;
  /** The constant: a bigint for registers of 64-bit integers, otherwise a number. */
  readonly value: number | bigint;
}

export interface Program {
  readonly registers: readonly RegisterKind[];
  readonly constants: readonly Constant[];
  readonly loads: readonly Load[];
  readonly steps: readonly Step[];
  readonly result: { readonly register: number; readonly dtype: FixedSizeType };
}

/** Number of elements per run: the registers fit into the processor's caches. */
export const RUN = 4096;

/** Maximum memory of a program's registers in bytes. */
export function registerBytes({ registers }: Program): number {
  return registers.length * RUN * 8;
}

export const narrowings = {
  float16(n, values) {
    for (let i = 0; i < n; i++) values[i] = roundToHalf(values[i]);
  },
  int8(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] << 24) >> 24;
  },
  int16(n, values) {
    for (let i = 0; i < n; i++) values[i] = (values[i] << 16) >> 16;
  },
  int32(n, values) {
    for (let i = 0; i < n; i++) values[i] = values[i] | 0;
  },
  uint8(n, values) {
    for (let i = 0; i < n; i++) values[i] = values[i] & 0xff;
  },
  uint16(n, values) {
    for (let i = 0; i < n; i++) values[i] = values[i] & 0xffff;
  },
  uint32(n, values) {
    for (let i = 0; i < n; i++) values[i] = values[i] >>> 0;
  },
} as const satisfies Readonly<Record<string, (n: number, values: Float64Array) => void>>;

export type NarrowName = keyof typeof narrowings;

/** Distance between adjacent float16 numbers below 2^-13. */
const SMALLEST_STEP = 2 ** -24;

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/**
 * Rounds a number to float16. NumPy computes float16 in float32, so the number is rounded to float32 first.
 */
function roundToHalf(number: number): number {
  const value = Math.fround(number);
  const size = Math.abs(value);
  if (size >= 65520) return value > 0 ? Infinity : -Infinity;
  if (!(size > 0)) return value;
  bits[0] = size;
  // The exponent of a float64, which is in the upper word.
  const exponent = (words[1] >>> 20) - 1023;
  const step = exponent < -14 ? SMALLEST_STEP : 2 ** (exponent - 10);
  return roundHalfToEven(value / step) * step;
}
