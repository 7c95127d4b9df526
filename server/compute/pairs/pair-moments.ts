/** Moments of pairs of numbers, and what follows from them: covariance, correlation and linear regression. */
import { assertLength } from '../../core/bytes/bounds.js';

/** Numbers of a cell: count, both means, both sums of squared deviations, and the sum of their products. */
const NUMBERS = 6;

export const PAIR_CELL_BYTES = NUMBERS * Float64Array.BYTES_PER_ELEMENT;

/** Writes pairs beside each other: x, y, x, y. */
export function interleave(xs: Float64Array, ys: Float64Array, count: number, pairs: Float64Array): void {
  assertLength(xs, count, 'the list of x');
  assertLength(ys, count, 'the list of y');
  assertLength(pairs, 2 * count, 'the list of pairs');
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = xs[i];
    pairs[2 * i + 1] = ys[i];
  }
}

export class PairMoments {
  readonly #numbers: Float64Array;

  constructor(cells: number) {
    this.#numbers = new Float64Array(cells * NUMBERS);
  }

  /**
   * Adds pairs, without those of which one is missing.
   * @param pairs pairs beside each other: x, y, x, y
   * @param cellStep distance between the cells of neighbouring pairs: 0 or 1
   */
  add(pairs: Float64Array, from: number, count: number, cell: number, cellStep: 0 | 1): void {
    const numbers = this.#numbers;
    assertLength(pairs, 2 * (from + count), 'the list of pairs');
    const step = cellStep * NUMBERS;
    for (let i = 0, p = 2 * from, at = cell * NUMBERS; i < count; i++, p += 2, at += step) {
      const x = pairs[p];
      const y = pairs[p + 1];
      if (x !== x || y !== y) continue;
      // Each number is read once and written once, which is faster by a quarter.
      const n = numbers[at] + 1;
      const dx = x - numbers[at + 1];
      const dy = y - numbers[at + 2];
      const meanX = numbers[at + 1] + dx / n;
      const meanY = numbers[at + 2] + dy / n;
      const right = y - meanY;
      numbers[at] = n;
      numbers[at + 1] = meanX;
      numbers[at + 2] = meanY;
      numbers[at + 3] += dx * (x - meanX);
      numbers[at + 4] += dy * right;
      numbers[at + 5] += dx * right;
    }
  }

  at(cell: number): PairSummary {
    const [n, meanX, meanY, xx, yy, xy] = this.#numbers.subarray(cell * NUMBERS, (cell + 1) * NUMBERS);
    return { n, meanX, meanY, xx, yy, xy };
  }
}

export interface PairSummary {
  readonly n: number;
  readonly meanX: number;
  readonly meanY: number;
  readonly xx: number;
  readonly yy: number;
  readonly xy: number;
}

/** NaN without variation. */
export function correlationOf({ xx, yy, xy }: PairSummary): number {
  return xx > 0 && yy > 0 ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) : NaN;
}

/** Of the sample: divided by n - 1. */
export function covarianceOf({ n, xy }: PairSummary): number {
  return n > 1 ? xy / (n - 1) : NaN;
}

export const regressionNames = ['slope', 'intercept', 'r', 'p', 'stderr', 'count'] as const;

/** The numbers named in `regressionNames`: of the least-squares line of y, and the two-sided p-value of a slope of 0. */
export function regressionOf(pairs: PairSummary): readonly number[] {
  const { n, meanX, meanY, xx, yy, xy } = pairs;
  if (n < 2 || !(xx > 0)) return [NaN, NaN, NaN, NaN, NaN, n];
  const slope = xy / xx;
  const r = yy > 0 ? correlationOf(pairs) : 0;
  const degrees = n - 2;
  const line = [slope, meanY - slope * meanX, r];
  // Two points are on a line.
  if (degrees === 0) return [...line, yy > 0 ? 0 : 1, 0, n];
  const t = r * Math.sqrt(degrees / ((1 - r) * (1 + r)));
  const p = Math.abs(r) === 1 ? 0 : incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return [...line, p, Math.sqrt(Math.max(0, (1 - r * r) * yy) / xx / degrees), n];
}

/** The regularised incomplete beta function, by its continued fraction. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (!(x > 0)) return x === x ? 0 : NaN;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

const TINY = 1e-300;
const MAX_TERMS = 10_000;

/** Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

const coefficients = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function of a positive number, by an approximation with a relative error of 1e-14. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x - 1 + 7.5;
  const sum = coefficients.reduce(
    (total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (x - 1 + i)),
    0,
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}
