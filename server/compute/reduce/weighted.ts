/**
 * Weighted sums and deviations. Arrays of a sum: the sum of the weights and its rounding error, the sum of the
 * products and its rounding error. Arrays of moments: the sum of the weights, the mean and its rounding error, and
 * the weighted sum of squared deviations, computed in two passes over a task and by Chan's formula across tasks.
 * If the total weight is 0, means and deviations are NaN.
 */
import type { DataType } from '../../core/dtype/data-type.js';
import { addTo, roundingError } from '../compensated-sum.js';
import type { FinishSlot, Kernel } from '../kernel.js';
import { forEachRow, type Piece } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState, type SlotRun } from '../state.js';
import { rootOf } from './moments.js';
import { onePlane, planesOf } from '../number-planes.js';
import { sumAt } from './sum.js';

const weightedKernel = {
  arrays: Array.from({ length: 4 }, () => ({ width: 1, initial: 0 })),
  needsPositions: false,
  repeat(_, __, { isMissing }) {
    // Repeated values are added one by one, because they can have different weights.
    if (!isMissing) throw new TypeError('weighted elements must be added one at a time');
  },
} as const satisfies Partial<Kernel>;

export function weightedSums(dtype: DataType): Kernel {
  const planes = planesOf(dtype);
  return {
    ...weightedKernel,
    passes: 1,
    add: (state, piece) => addSums(state, piece, onePlane(piece, planes)),
    merge: mergeSums,
  };
}

export function weightedMoments(dtype: DataType): Kernel {
  const planes = planesOf(dtype);
  return {
    ...weightedKernel,
    passes: 2,
    add(state, piece, pass) {
      const values = onePlane(piece, planes);
      if (pass === 0) addTotals(state, piece, values);
      else addSquares(state, piece, values);
    },
    endPass: (state, pass) => (pass === 0 ? divide : correct)(state),
    merge: mergeMoments,
  };
}

export const finishWeightedSum: FinishSlot = (state, slot) => sumAt(state, 1, slot);

export const finishWeightedMean: FinishSlot = (state, slot) => sumAt(state, 1, slot) / sumAt(state, 0, slot);

export const finishWeightedVariance: FinishSlot = (state, slot) =>
  numberAt(arrayOf(state, 3), slot) / numberAt(arrayOf(state, 0), slot);

export const finishWeightedStd: FinishSlot = (...of) => rootOf(finishWeightedVariance(...of));

/** Visits only non-missing elements. */
function forEachWeighted(
  piece: Piece,
  values: Float64Array,
  visit: (slot: number, weight: number, value: number) => void,
): void {
  const { weights } = piece;
  if (weights === undefined) throw new TypeError('the elements have no weights');
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const value = values[i];
      if (value === value) visit(s, weights[i], value);
    }
  });
}

function addSums(state: ReduceState, piece: Piece, values: Float64Array): void {
  const [weight, weightLack] = [arrayOf(state, 0), arrayOf(state, 1)];
  const [sum, sumLack] = [arrayOf(state, 2), arrayOf(state, 3)];
  const { weights } = piece;
  if (weights === undefined) throw new TypeError('the elements have no weights');
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      addRow(values, weights, at, at + length, weight, weightLack, sum, sumLack, slot);
      return;
    }
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const value = values[i];
      if (value !== value) continue;
      const w = weights[i];
      addTo(weight, weightLack, s, w);
      addTo(sum, sumLack, s, w * value);
    }
  });
}

/** Adds elements of one slot. Local variables make this several times as fast as `addTo`. */
function addRow(
  values: Float64Array,
  weights: Float64Array,
  start: number,
  end: number,
  weight: Float64Array,
  weightLack: Float64Array,
  sum: Float64Array,
  sumLack: Float64Array,
  slot: number,
): void {
  let a = weight[slot];
  let aLack = weightLack[slot];
  let b = sum[slot];
  let bLack = sumLack[slot];
  for (let i = start; i < end; i++) {
    const value = values[i];
    if (value !== value) continue;
    const w = weights[i];
    const aNext = a + w;
    aLack += roundingError(a, w, aNext);
    a = aNext;
    const product = w * value;
    const bNext = b + product;
    bLack += roundingError(b, product, bNext);
    b = bNext;
  }
  weight[slot] = a;
  weightLack[slot] = aLack;
  sum[slot] = b;
  sumLack[slot] = bLack;
}

function mergeSums(into: ReduceState, from: ReduceState, run: SlotRun): void {
  for (const a of [0, 2]) {
    const [sum, lack] = [arrayOf(into, a), arrayOf(into, a + 1)];
    const [otherSum, otherLack] = [arrayOf(from, a), arrayOf(from, a + 1)];
    const [[j, sumStride], [k, lackStride]] = [layoutIn(otherSum, run), layoutIn(otherLack, run)];
    for (let n = 0, i = run.to; n < run.count; n++, i += run.toStride) {
      addTo(sum, lack, i, otherSum[j + n * sumStride]);
      lack[i] = lack[i] + otherLack[k + n * lackStride];
    }
  }
}

function addTotals(state: ReduceState, piece: Piece, values: Float64Array): void {
  const [weight, mean] = [arrayOf(state, 0), arrayOf(state, 1)];
  forEachWeighted(piece, values, (slot, w, value) => {
    weight[slot] = weight[slot] + w;
    mean[slot] = mean[slot] + w * value;
  });
}

function divide(state: ReduceState): void {
  const [weight, mean] = [arrayOf(state, 0), arrayOf(state, 1)];
  for (let s = 0; s < mean.length; s++) {
    const [sum, w] = [mean[s], weight[s]];
    // A total weight of 0 has no mean, but NaN is kept.
    mean[s] = w === 0 ? sum : sum / w;
  }
}

function addSquares(state: ReduceState, piece: Piece, values: Float64Array): void {
  const [mean, rest, squares] = [arrayOf(state, 1), arrayOf(state, 2), arrayOf(state, 3)];
  forEachWeighted(piece, values, (slot, w, value) => {
    const deviation = value - mean[slot];
    squares[slot] = squares[slot] + w * deviation * deviation;
    rest[slot] = rest[slot] + w * deviation;
  });
}

/** Corrects for deviations from a rounded mean, which do not add up to 0. */
function correct(state: ReduceState): void {
  const [weight, rest, squares] = [arrayOf(state, 0), arrayOf(state, 2), arrayOf(state, 3)];
  for (let s = 0; s < rest.length; s++) {
    const [sum, w] = [rest[s], weight[s]];
    if (w === 0) continue;
    squares[s] = Math.max(0, squares[s] - (sum * sum) / w);
    rest[s] = sum / w;
  }
}

function mergeMoments(into: ReduceState, from: ReduceState, run: SlotRun): void {
  const own = [0, 1, 2, 3].map((a) => arrayOf(into, a));
  const theirs = [0, 1, 2, 3].map((a) => arrayOf(from, a));
  const layouts = theirs.map((array) => layoutIn(array, run));
  const [weight, mean, lack, squares] = own;
  const at = (a: number, n: number): number => {
    const [start, stride] = layouts[a];
    return theirs[a][start + n * stride];
  };
  for (let n = 0, i = run.to; n < run.count; n++, i += run.toStride) {
    const [before, added] = [weight[i], at(0, n)];
    const theirSquares = at(3, n);
    if (added === 0) {
      // Infinite values with weight 0 result in NaN.
      squares[i] = squares[i] + theirSquares;
      continue;
    }
    if (before === 0) {
      weight[i] = added;
      mean[i] = at(1, n);
      lack[i] = at(2, n);
      squares[i] = squares[i] + theirSquares;
      continue;
    }
    const old = mean[i];
    const distance = at(1, n) - old + (at(2, n) - lack[i]);
    const step = (distance * added) / (before + added);
    const next = old + step;
    weight[i] = before + added;
    mean[i] = next;
    lack[i] = lack[i] + roundingError(old, step, next);
    squares[i] = squares[i] + theirSquares + distance * step * before;
  }
}
