/**
 * Mean, its rounding error and the sum of squared deviations: computed in one pass over a task, and merged
 * across tasks by Chan's formula. A mean in a single float64 would lose the variance of large numbers that
 * differ little. Within a task, deviations are from the first value, or from the mean of the first m values:
 * with n values, their squares add up to at most 1 + n / m times the result, which bounds what cancels out.
 */
import type { DataType } from '../../core/dtype/data-type.js';
import type { FinishSlot, Kernel, Result } from '../kernel.js';
import { forEachRow, type Piece } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState, type SlotRun } from '../state.js';
import { numberOf, onePlane, planesOf } from '../number-planes.js';
import { roundingError } from '../compensated-sum.js';

export function momentsKernel(dtype: DataType): Kernel {
  const planes = planesOf(dtype);
  return {
    // The state of a task: the origin of deviations (NaN before the first value), the sum of deviations, and
    // the sum of their squares.
    arrays: [
      { width: 1, initial: NaN },
      { width: 1, initial: 0 },
      { width: 1, initial: 0 },
    ],
    needsPositions: false,
    passes: 1,
    add(state, piece) {
      addDeviations(onePlane(piece, planes), piece, state);
    },
    endPass: finishTask,
    repeat(state, slot, element) {
      if (element.isMissing) return;
      const value = numberOf(element.planes[0], element.planes[1], planes);
      arrayOf(state, 0)[slot] = value;
      // The deviations are NaN if a value is infinite.
      arrayOf(state, 2)[slot] = value - value;
    },
    merge: mergeMoments,
    addEach: (into, piece) => addOnes(into, onePlane(piece, planes), piece),
    columns: 'moments',
  };
}

export const finishVariance: FinishSlot = (state, slot, { ddof }) => {
  const present = numberAt(state.count, slot);
  return present <= ddof ? undefined : numberAt(arrayOf(state, 2), slot) / (present - ddof);
};

export const finishStd: FinishSlot = (...of) => rootOf(finishVariance(...of));

/** The square root of a number. */
export function rootOf(result: Result): Result {
  return typeof result === 'number' ? Math.sqrt(result) : undefined;
}

function addDeviations(plane: Float64Array, piece: Piece, state: ReduceState): void {
  const [origin, rest, squares] = [arrayOf(state, 0), arrayOf(state, 1), arrayOf(state, 2)];
  const { hasMissing } = piece;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      let from = origin[slot];
      if (from !== from) from = origin[slot] = meanOf(plane, at, at + length);
      addRow(plane, at, at + length, hasMissing, from, slot, rest, squares);
      return;
    }
    const part = (array: Float64Array): Float64Array =>
      array.subarray(slot, slot + (length - 1) * stride + 1);
    addToEach(plane.subarray(at, at + length), stride, part(origin), part(rest), part(squares));
  });
}

/**
 * The mean of the values that are not missing, or the first such value if the mean is not finite; NaN without
 * any value.
 */
function meanOf(plane: Float64Array, start: number, end: number): number {
  let first = NaN;
  let sum = 0;
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = plane[i];
    if (value !== value) continue;
    if (count++ === 0) first = value;
    sum += value;
  }
  const mean = sum / count;
  return Number.isFinite(mean) ? mean : first;
}

/** Adds one value to each of many slots. Takes views instead of offsets; see `addToEach` in sum.ts. */
function addToEach(
  values: Float64Array,
  stride: number,
  origin: Float64Array,
  rest: Float64Array,
  squares: Float64Array,
): void {
  for (let i = 0, s = 0; i < values.length; i++, s += stride) {
    const value = values[i];
    if (value !== value) continue;
    const from = origin[s];
    if (from !== from) {
      origin[s] = value;
      // The result is NaN if the value is infinite.
      squares[s] = value - value;
      continue;
    }
    const deviation = value - from;
    squares[s] = squares[s] + deviation * deviation;
    rest[s] = rest[s] + deviation;
  }
}

/** Uses two independent sums each of deviations and of squares; see `plainSum` in sum.ts. */
function addRow(
  plane: Float64Array,
  start: number,
  end: number,
  hasMissing: boolean,
  from: number,
  slot: number,
  rest: Float64Array,
  squares: Float64Array,
): void {
  let a = 0;
  let b = 0;
  let aRest = 0;
  let bRest = 0;
  for (let i = start; i < end; i++) {
    if (hasMissing && plane[i] !== plane[i]) continue;
    const first = plane[i] - from;
    a += first * first;
    aRest += first;
    if (++i === end) break;
    if (hasMissing && plane[i] !== plane[i]) continue;
    const second = plane[i] - from;
    b += second * second;
    bRest += second;
  }
  squares[slot] = squares[slot] + (a + b);
  rest[slot] = rest[slot] + (aRest + bRest);
}

/**
 * Replaces the origin by the mean, the sum of deviations by the rounding error of the mean, and corrects the
 * squares.
 */
function finishTask(state: ReduceState): void {
  const { count } = state;
  const [origin, rest, squares] = [arrayOf(state, 0), arrayOf(state, 1), arrayOf(state, 2)];
  const stride = count.length === 1 ? 0 : 1;
  for (let s = 0; s < rest.length; s++) {
    const sum = rest[s];
    const from = origin[s];
    const step = sum / Math.max(1, count[s * stride]);
    const mean = from + step;
    origin[s] = mean;
    rest[s] = roundingError(from, step, mean);
    // Squares that overflow remain infinite; they are NaN if a value is infinite.
    const square = squares[s];
    squares[s] = square === Infinity && Number.isFinite(sum) ? square : Math.max(0, square - sum * step);
  }
}

function mergeMoments(into: ReduceState, from: ReduceState, run: SlotRun): void {
  const [mean, lack, squares] = [arrayOf(into, 0), arrayOf(into, 1), arrayOf(into, 2)];
  const [theirMean, theirLack, theirSquares] = [arrayOf(from, 0), arrayOf(from, 1), arrayOf(from, 2)];
  const [[m, mStride], [l, lStride], [q, qStride], [c, cStride]] = [
    layoutIn(theirMean, run),
    layoutIn(theirLack, run),
    layoutIn(theirSquares, run),
    layoutIn(from.count, run),
  ];
  const { count, to, toStride } = run;
  const [counts, theirCounts] = [into.count, from.count];
  for (let n = 0, i = to; n < count; n++, i += toStride) {
    const added = theirCounts[c + n * cStride];
    if (added === 0) continue;
    addMoments(
      mean,
      lack,
      squares,
      i,
      counts[i],
      added,
      theirMean[m + n * mStride],
      theirLack[l + n * lStride],
      theirSquares[q + n * qStride],
    );
  }
}

/** Adds elements, at most one per slot. */
function addOnes(into: ReduceState, plane: Float64Array, piece: Piece): void {
  const [mean, lack, squares] = [arrayOf(into, 0), arrayOf(into, 1), arrayOf(into, 2)];
  const { count } = into;
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const value = plane[i];
      // The deviations are NaN if a value is infinite.
      if (value === value) addMoments(mean, lack, squares, s, count[s], 1, value, 0, value - value);
    }
  });
}

/**
 * Merges moments by Chan's formula.
 * @param before number of values merged so far
 * @param added number of added values
 */
function addMoments(
  mean: Float64Array,
  lack: Float64Array,
  squares: Float64Array,
  i: number,
  before: number,
  added: number,
  theirMean: number,
  theirLack: number,
  theirSquares: number,
): void {
  if (before === 0) {
    mean[i] = theirMean;
    lack[i] = theirLack;
    squares[i] = theirSquares;
    return;
  }
  const old = mean[i];
  const distance = theirMean - old + (theirLack - lack[i]);
  const step = (distance * added) / (before + added);
  const next = old + step;
  mean[i] = next;
  lack[i] = lack[i] + roundingError(old, step, next);
  squares[i] = squares[i] + theirSquares + distance * step * before;
}
