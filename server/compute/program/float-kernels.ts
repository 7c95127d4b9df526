/**
 * Operations on float64 registers. Each is a separate loop for speed. Booleans are 0 or 1. If JavaScript and
 * NumPy define an operation differently, the result is NumPy's.
 */
import { InputError } from '../../core/errors.js';

/** Operands that an operation does not use are passed as `a`. */
export type FloatKernel = (
  n: number,
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
) => void;

export const floatKernels = {
  add(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
  },
  subtract(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
  },
  multiply(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
  },
  /** The lower 32 bits of the product of integers. */
  multiplyIntegers(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = Math.imul(a[i], b[i]);
  },
  divide(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] / b[i];
  },
  /** The modulo, which has the sign of the divisor. */
  remainder(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = remainder(a[i], b[i]);
  },
  /** The remainder of a division by 0 is 0. */
  remainderOfIntegers(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const divisor = b[i];
      out[i] = divisor === 0 ? 0 : remainder(a[i], divisor) + 0;
    }
  },
  power(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = power(a[i], b[i]);
  },
  /** The lower 32 bits of the power. @throws InputError for a negative exponent */
  powerOfIntegers(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = powerOfIntegers(a[i], b[i]);
  },
  square(n, out, a) {
    for (let i = 0; i < n; i++) {
      const value = a[i];
      out[i] = value * value;
    }
  },
  negate(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = -a[i];
  },
  absolute(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]);
  },
  sqrt(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]);
  },
  exp(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.exp(a[i]);
  },
  log(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.log(a[i]);
  },
  log10(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.log10(a[i]);
  },
  sin(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.sin(a[i]);
  },
  cos(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.cos(a[i]);
  },
  tan(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.tan(a[i]);
  },
  asin(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.asin(a[i]);
  },
  acos(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.acos(a[i]);
  },
  atan(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.atan(a[i]);
  },
  atan2(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = Math.atan2(a[i], b[i]);
  },
  sinh(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.sinh(a[i]);
  },
  cosh(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.cosh(a[i]);
  },
  tanh(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.tanh(a[i]);
  },
  /** Rounds to the nearest integer, ties to even. */
  round(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = roundHalfToEven(a[i]);
  },
  floor(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]);
  },
  ceil(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]);
  },
  /** The minimum or maximum; NaN if either operand is NaN. */
  min(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x <= y || x !== x ? x : y;
    }
  },
  max(n, out, a, b) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a[i], b[i]];
      out[i] = x >= y || x !== x ? x : y;
    }
  },
  isnan(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== a[i] ? 1 : 0;
  },
  equal(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0;
  },
  notEqual(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 0 : 1;
  },
  less(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0;
  },
  lessOrEqual(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0;
  },
  /** Everything except 0 counts as true, including NaN. */
  and(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== 0 && b[i] !== 0 ? 1 : 0;
  },
  or(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== 0 || b[i] !== 0 ? 1 : 0;
  },
  not(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = a[i] === 0 ? 1 : 0;
  },
  where(n, out, a, b, c) {
    for (let i = 0; i < n; i++) out[i] = a[i] === 0 ? c[i] : b[i];
  },
  /** Bits of integers of at most 32 bits. */
  bitAnd(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] & b[i];
  },
  bitOr(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] | b[i];
  },
  bitXor(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] ^ b[i];
  },
  bitNot(n, out, a) {
    for (let i = 0; i < n; i++) out[i] = ~a[i];
  },
  shiftLeft(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = b[i] >= 0 && b[i] < 32 ? a[i] << b[i] : 0;
  },
  /** Of signed integers; large shifts leave the sign. */
  shiftRight(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = a[i] >> (b[i] >= 0 && b[i] < 32 ? b[i] : 31);
  },
  shiftRightUnsigned(n, out, a, b) {
    for (let i = 0; i < n; i++) out[i] = b[i] >= 0 && b[i] < 32 ? a[i] >>> b[i] : 0;
  },
  zero(n, out) {
    out.fill(0, 0, n);
  },
} as const satisfies Readonly<Record<string, FloatKernel>>;

export type FloatKernelName = keyof typeof floatKernels;

export function isFloatKernel(name: string): name is FloatKernelName {
  return Object.hasOwn(floatKernels, name);
}

function remainder(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 || Object.is(b, -0) ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

/**
 * Raises `base` to a power. As in C, the result is 1 if the base is 1, the exponent is 0, or the base is -1
 * and the exponent is infinite.
 */
export function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && (exponent === Infinity || exponent === -Infinity))) return 1;
  return base ** exponent;
}

function powerOfIntegers(base: number, exponent: number): number {
  if (exponent < 0) throw negativePower();
  let [result, square] = [1, base | 0];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}

export function negativePower(): InputError {
  return new InputError(
    'cannot raise integers to negative integer powers, as in NumPy; make the base a float, such as "1.0 * x"',
  );
}

export function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor === 0 && (value < 0 || Object.is(value, -0)) ? -0 : floor;
  // NaN and infinities are not even, and adding 1 does not change them.
  return rest > 0.5 || floor % 2 !== 0 ? (floor + 1 === 0 ? -0 : floor + 1) : floor;
}
