/**
 * Operations on float32 registers, which round on storing: sums, products, quotients and roots computed in
 * float64 are rounded correctly. These loops are separate from the float64 loops, because a loop over arrays
 * of two types runs at half the speed.
 */
import { roundHalfToEven } from './float-kernels.js';

/** Operands that an operation does not use are passed as `a`. */
export type SingleKernel = (n: number, out: Float32Array, a: Float32Array, b: Float32Array) => void;
/** A comparison, whose result is 0 or 1, or a conversion to float64. */
export type SingleTest = (n: number, out: Float64Array, a: Float32Array, b: Float32Array) => void;

export const singleKernels = {
  addSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
  },
  subtractSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
  },
  multiplySingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
  },
  divideSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] / b[i];
  },
  squareSingles(n, out, a) {
    for (let i = 0; i < n; i++) {
      const value = a[i];
      out[i] = value * value;
    }
  },
  negateSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = -a[i];
  },
  absoluteSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]);
  },
  sqrtSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]);
  },
  roundSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = roundHalfToEven(a[i]);
  },
  floorSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]);
  },
  ceilSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]);
  },
  /** The minimum or maximum; NaN if either operand is NaN. */
  minSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x <= y || x !== x ? x : y;
    }
  },
  maxSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x >= y || x !== x ? x : y;
    }
  },
} as const satisfies Readonly<Record<string, SingleKernel>>;

export const singleTests = {
  isnanSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== a[i] ? 1 : 0;
  },
  equalSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0;
  },
  notEqualSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 0 : 1;
  },
  lessSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0;
  },
  lessOrEqualSingles(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0;
  },
  truthOfSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i] === 0 ? 0 : 1;
  },
  floatsOfSingles(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i];
  },
} as const satisfies Readonly<Record<string, SingleTest>>;

/** Kernels with a float32 result and a float64 operand. */
const mixedSingleKernels = ['singlesOfFloats', 'whereSingles'] as const;

export function singlesOfFloats(n: number, out: Float32Array, a: Float64Array): void {
  for (let i = 0; i < n; i++) out[i] = a[i];
}

export function whereSingles(
  n: number,
  out: Float32Array,
  truth: Float64Array,
  b: Float32Array,
  c: Float32Array,
): void {
  for (let i = 0; i < n; i++) out[i] = truth[i] === 0 ? c[i] : b[i];
}

export type SingleKernelName =
  keyof typeof singleKernels | keyof typeof singleTests | (typeof mixedSingleKernels)[number];

export function isSingleKernel(name: string): name is keyof typeof singleKernels {
  return Object.hasOwn(singleKernels, name);
}

export function isSingleTest(name: string): name is keyof typeof singleTests {
  return Object.hasOwn(singleTests, name);
}
