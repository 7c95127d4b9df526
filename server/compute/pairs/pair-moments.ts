/** Moments of pairs of numbers, and what follows from them: covariance, correlation and linear regression. */
import { assertLength } from '../../core/bytes/bounds.js';
import { roundingError } from '../compensated-sum.js';
import type { Kernel } from '../kernel.js';
import { forEachRow, type Piece } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState, type SlotRun } from '../state.js';

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

/**
 * The moments of pairs, which are complex numbers: x as the real part. Computed in one pass over a task, by deviations from
 * the first pair, and merged across tasks by Chan's formula, as in moments.ts. Pairs of which one number is missing are missing.
 */
export const pairKernel: Kernel = {
  // The state of a task: the origin of deviations (NaN before the first pair) and the sum of deviations, of x and of y; the
  // sums of their squares, and of their products. At its end, means and their rounding errors replace the first four.
  arrays: [NaN, NaN, 0, 0, 0, 0, 0].map((initial) => ({ width: 1, initial })),
  needsPositions: false,
  passes: 1,
  add: addDeviations,
  endPass: finishTask,
  repeat(state, slot, { isMissing, planes: [x = NaN, y = NaN] }) {
    if (isMissing) return;
    [x, y, 0, 0, x - x, y - y, (x - x) * (y - y)].forEach((number, k) => {
      arrayOf(state, k)[slot] = number;
    });
  },
  merge: mergePairs,
  columns: 'pairs',
};

/** The arrays of a state, in order. */
const [X, Y, REST_X, REST_Y, XX, YY, XY] = [0, 1, 2, 3, 4, 5, 6] as const;

function addDeviations(state: ReduceState, piece: Piece): void {
  const [xs, ys = xs] = piece.planes;
  const [originX, originY, restX, restY] = [arrayOf(state, X), arrayOf(state, Y), arrayOf(state, REST_X), arrayOf(state, REST_Y)]; // prettier-ignore
  const [xx, yy, xy] = [arrayOf(state, XX), arrayOf(state, YY), arrayOf(state, XY)];
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const x = xs[i];
      const y = ys[i];
      if (x !== x || y !== y) continue;
      if (originX[s] !== originX[s]) [originX[s], originY[s]] = [x, y];
      const dx = x - originX[s];
      const dy = y - originY[s];
      restX[s] = restX[s] + dx;
      restY[s] = restY[s] + dy;
      xx[s] = xx[s] + dx * dx;
      yy[s] = yy[s] + dy * dy;
      xy[s] = xy[s] + dx * dy;
    }
  });
}

function finishTask(state: ReduceState): void {
  const { count } = state;
  const [x, y, restX, restY] = [arrayOf(state, X), arrayOf(state, Y), arrayOf(state, REST_X), arrayOf(state, REST_Y)]; // prettier-ignore
  const [xx, yy, xy] = [arrayOf(state, XX), arrayOf(state, YY), arrayOf(state, XY)];
  const stride = count.length === 1 ? 0 : 1;
  for (let s = 0; s < x.length; s++) {
    const [sumX, sumY] = [restX[s], restY[s]];
    const n = Math.max(1, count[s * stride]);
    const [stepX, stepY] = [sumX / n, sumY / n];
    const [fromX, fromY] = [x[s], y[s]];
    x[s] = fromX + stepX;
    y[s] = fromY + stepY;
    restX[s] = roundingError(fromX, stepX, x[s]);
    restY[s] = roundingError(fromY, stepY, y[s]);
    xx[s] = squaresAround(xx[s], sumX, stepX);
    yy[s] = squaresAround(yy[s], sumY, stepY);
    // A product has no meaning if a value is infinite.
    xy[s] = Number.isFinite(sumX) && Number.isFinite(sumY) ? xy[s] - sumX * stepY : NaN;
  }
}

/** Squares that overflow remain infinite; they are NaN if a value is infinite. */
function squaresAround(squares: number, sum: number, step: number): number {
  return squares === Infinity && Number.isFinite(sum) ? squares : Math.max(0, squares - sum * step);
}

function mergePairs(into: ReduceState, from: ReduceState, run: SlotRun): void {
  const theirs = from.values.map((array) => ({ array, layout: layoutIn(array, run) }));
  const [c, cStride] = layoutIn(from.count, run);
  const at = (k: number, n: number): number => {
    const {
      array,
      layout: [start, stride],
    } = theirs[k];
    return array[start + n * stride];
  };
  const own = into.values;
  for (let n = 0; n < run.count; n++) {
    const added = from.count[c + n * cStride];
    if (added === 0) continue;
    const i = run.to + n * run.toStride;
    const before = into.count[i];
    if (before === 0) {
      for (let k = 0; k < own.length; k++) own[k][i] = at(k, n);
      continue;
    }
    const share = added / (before + added);
    const [oldX, oldY] = [own[X][i], own[Y][i]];
    const [distanceX, distanceY] = [
      at(X, n) - oldX + (at(REST_X, n) - own[REST_X][i]),
      at(Y, n) - oldY + (at(REST_Y, n) - own[REST_Y][i]),
    ];
    const [stepX, stepY] = [distanceX * share, distanceY * share];
    own[X][i] = oldX + stepX;
    own[Y][i] = oldY + stepY;
    own[REST_X][i] = own[REST_X][i] + roundingError(oldX, stepX, own[X][i]);
    own[REST_Y][i] = own[REST_Y][i] + roundingError(oldY, stepY, own[Y][i]);
    own[XX][i] = own[XX][i] + at(XX, n) + distanceX * stepX * before;
    own[YY][i] = own[YY][i] + at(YY, n) + distanceY * stepY * before;
    own[XY][i] = own[XY][i] + at(XY, n) + distanceX * stepY * before;
  }
}

export function pairsAt(state: ReduceState, slot: number): PairSummary {
  const at = (k: number): number => numberAt(arrayOf(state, k), slot);
  const n = numberAt(state.count, slot);
  return { n, meanX: at(X), meanY: at(Y), xx: at(XX), yy: at(YY), xy: at(XY) };
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
