/** Operations on registers of 64-bit integers. Results wrap, as in NumPy. */
import { negativePower } from './float-kernels.js';

export type Words = BigInt64Array | BigUint64Array;

/** Operands that an operation does not use are passed as `a`. */
export type WordKernel = (n: number, out: Words, a: Words, b: Words) => void;
/** A comparison, whose result is 0 or 1, or a conversion to float64. */
export type WordTest = (n: number, out: Float64Array, a: Words, b: Words) => void;

export const wordKernels = {
  addWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
  },
  subtractWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
  },
  multiplyWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
  },
  remainderOfWords(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const divisor = b[i];
      const rest = divisor === 0n ? 0n : a[i] % divisor;
      out[i] = rest === 0n || rest < 0n === divisor < 0n ? rest : rest + divisor;
    }
  },
  powerOfWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = powerOfWords(a[i], b[i]);
  },
  negateWords(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = -a[i];
  },
  absoluteWords(n, out, a) {
    for (let i = 0; i < n; i++) {
      const value = a[i];
      out[i] = value < 0n ? -value : value;
    }
  },
  bitAndWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] & b[i];
  },
  bitOrWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] | b[i];
  },
  bitXorWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] ^ b[i];
  },
  bitNotWords(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = ~a[i];
  },
  shiftLeftWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = b[i] >= 0n && b[i] < 64n ? a[i] << b[i] : 0n;
  },
  /** Large shifts leave the sign. */
  shiftRightWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] >> (b[i] >= 0n && b[i] < 64n ? b[i] : 64n);
  },
  minWords(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x < y ? x : y;
    }
  },
  maxWords(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x > y ? x : y;
    }
  },
} as const satisfies Readonly<Record<string, WordKernel>>;

export const wordTests = {
  equalWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0;
  },
  notEqualWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 0 : 1;
  },
  lessWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0;
  },
  lessOrEqualWords(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0;
  },
  /** Converts integers to booleans: 0 is false. */
  truthOfWords(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i] === 0n ? 0 : 1;
  },
  /** Converts to the nearest float64, ties to even. */
  floatsOfWords(n, out, a) {
    const halves = new Int32Array(a.buffer, a.byteOffset, 2 * n);
    const isSigned = a instanceof BigInt64Array;
    for (let i = 0; i < n; i++) {
      const upper = halves[2 * i + 1];
      out[i] = (isSigned ? upper : upper >>> 0) * 4_294_967_296 + (halves[2 * i] >>> 0);
    }
  },
} as const satisfies Readonly<Record<string, WordTest>>;

/** Kernels with a 64-bit integer result and a float64 operand. */
const mixedKernels = ['wordsOfFloats', 'whereWords'] as const;

/** @param a integers of at most 32 bits */
export function wordsOfFloats(n: number, out: Words, a: Float64Array): void {
  const halves = new Int32Array(out.buffer, out.byteOffset, 2 * n);
  for (let i = 0; i < n; i++) {
    const value = a[i];
    halves[2 * i] = value;
    halves[2 * i + 1] = value < 0 ? -1 : 0;
  }
}

export function whereWords(n: number, out: Words, truth: Float64Array, b: Words, c: Words): void {
  for (let i = 0; i < n; i++) out[i] = truth[i] === 0 ? c[i] : b[i];
}

export type WordKernelName =
  keyof typeof wordKernels | keyof typeof wordTests | (typeof mixedKernels)[number];

export function isWordKernel(name: string): name is keyof typeof wordKernels {
  return Object.hasOwn(wordKernels, name);
}

export function isWordTest(name: string): name is keyof typeof wordTests {
  return Object.hasOwn(wordTests, name);
}

function powerOfWords(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) throw negativePower();
  let [result, square] = [1n, BigInt.asUintN(64, base)];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = BigInt.asUintN(64, result * square);
    square = BigInt.asUintN(64, square * square);
  }
  return result;
}
