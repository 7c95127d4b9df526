/** Pairs of the values of two planes, for a scatter plot. */
import type { Numbers } from './paint.js';
import type { Scale } from './scale.js';
import { fractionOf } from './scale.js';

export interface Pairs {
  /** `size * size` counts of pairs, the largest `b` in the first row. */
  readonly counts: Uint32Array;
  readonly most: number;
  /** Number of pairs of two finite values, inside the counted range or not. */
  readonly total: number;
  /** Pearson's coefficient of all pairs; NaN if a variable is constant. */
  readonly correlation: number;
}

/** Counts the pairs in a square of `size * size` cells between the ends of two linear scales. */
export function countPairs(
  a: Numbers,
  b: Numbers,
  ends: { readonly a: Scale; readonly b: Scale },
  size: number,
): Pairs {
  const counts = new Uint32Array(size * size);
  let [total, most] = [0, 0];
  // Welford's algorithm: sums of squares of large values would lose the digits of their differences.
  let [meanA, meanB, varianceA, varianceB, covariance] = [0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    total += 1;
    const [fromA, fromB] = [x - meanA, y - meanB];
    meanA += fromA / total;
    meanB += fromB / total;
    varianceA += fromA * (x - meanA);
    varianceB += fromB * (y - meanB);
    covariance += fromA * (y - meanB);
    const [across, up] = [fractionOf(ends.a, x), fractionOf(ends.b, y)];
    if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) continue;
    const column = Math.min(size - 1, Math.floor(across * size));
    const row = size - 1 - Math.min(size - 1, Math.floor(up * size));
    const count = (counts[row * size + column] ?? 0) + 1;
    counts[row * size + column] = count;
    if (count > most) most = count;
  }
  return { counts, most, total, correlation: covariance / Math.sqrt(varianceA * varianceB) };
}
