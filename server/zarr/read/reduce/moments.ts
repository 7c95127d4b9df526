/**
 * Mean, its rounding error and the sum of squared deviations: two passes over a task, and Chan's formula to
 * merge tasks. A mean in a single float64 would lose the variance of large numbers that differ little.
 */
import type { Kernel } from './kernel.js';
import { forEachRow, type Piece } from './piece.js';
import { arrayOf, placeIn, type ReduceState, type SlotRun } from './state.js';
import { addToEach, plainSum } from './sum.js';
import { WORD } from './widen.js';

export function momentsKernel(planes: 1 | 2): Kernel {
  return {
    arrays: [
      { width: 1, initial: 0 },
      { width: 1, initial: 0 },
      { width: 1, initial: 0 },
    ],
    needsPositions: false,
    passes: 2,
    add(state, piece, pass) {
      const plane = onePlane(piece, planes);
      if (pass === 0) addValues(plane, piece, arrayOf(state, 0));
      else addSquares(plane, piece, state);
    },
    endPass(state, pass) {
      if (pass === 0) divide(arrayOf(state, 0), state.count);
      else correct(state);
    },
    repeat(state, slot, element) {
      if (element.isMissing) return;
      const value = numberOf(element.planes[0] ?? NaN, element.planes[1], planes);
      arrayOf(state, 0)[slot] = value;
      // The deviations are NaN if a value is infinite.
      arrayOf(state, 2)[slot] = value - value;
    },
    merge: mergeMoments,
    addEach: (into, piece) => addOnes(into, onePlane(piece, planes), piece),
  };
}

/** 64-bit integers, rounded to one number. */
export function onePlane({ planes: [first, second], length }: Piece, planes: 1 | 2): Float64Array {
  if (first === undefined) throw new TypeError('the chunk has no values');
  if (planes === 2) for (let i = 0; i < length; i++) first[i] = numberOf(first[i] ?? 0, second?.[i], planes);
  return first;
}

function numberOf(first: number, second: number | undefined, planes: 1 | 2): number {
  return planes === 2 ? first * WORD + (second ?? 0) : first;
}

function addValues(plane: Float64Array, piece: Piece, sum: Float64Array): void {
  if (piece.hasMissing) for (let i = 0; i < piece.length; i++) if (plane[i] !== plane[i]) plane[i] = 0;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) sum[slot] = (sum[slot] ?? 0) + plainSum(plane, at, at + length);
    else if (stride === 1) addToEach(plane.subarray(at, at + length), sum.subarray(slot, slot + length));
    else
      for (let i = at, s = slot; i < at + length; i++, s += stride) sum[s] = (sum[s] ?? 0) + (plane[i] ?? 0);
  });
}

function divide(sum: Float64Array, count: Float64Array): void {
  const stride = count.length === 1 ? 0 : 1;
  for (let s = 0; s < sum.length; s++) sum[s] = (sum[s] ?? 0) / Math.max(1, count[s * stride] ?? 0);
}

function addSquares(plane: Float64Array, piece: Piece, state: ReduceState): void {
  const [mean, rest, squares] = [arrayOf(state, 0), arrayOf(state, 1), arrayOf(state, 2)];
  const { hasMissing } = piece;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      addRow(plane, at, at + length, hasMissing, mean[slot] ?? 0, slot, rest, squares);
      return;
    }
    if (stride === 1 && !hasMissing) {
      const part = (array: Float64Array): Float64Array => array.subarray(slot, slot + length);
      addSquaresToEach(plane.subarray(at, at + length), part(mean), part(rest), part(squares));
      return;
    }
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const deviation = (plane[i] ?? 0) - (mean[s] ?? 0);
      if (hasMissing && deviation !== deviation && plane[i] !== plane[i]) continue;
      squares[s] = (squares[s] ?? 0) + deviation * deviation;
      rest[s] = (rest[s] ?? 0) + deviation;
    }
  });
}

/** All arrays start at the elements; see `addToEach`. */
function addSquaresToEach(
  values: Float64Array,
  mean: Float64Array,
  rest: Float64Array,
  squares: Float64Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const deviation = (values[i] ?? 0) - (mean[i] ?? 0);
    squares[i] = (squares[i] ?? 0) + deviation * deviation;
    rest[i] = (rest[i] ?? 0) + deviation;
  }
}

/** Computes two independent sums; see `plainSum`. */
function addRow(
  plane: Float64Array,
  start: number,
  end: number,
  hasMissing: boolean,
  mean: number,
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
    const first = (plane[i] ?? 0) - mean;
    a += first * first;
    aRest += first;
    if (++i === end) break;
    if (hasMissing && plane[i] !== plane[i]) continue;
    const second = (plane[i] ?? 0) - mean;
    b += second * second;
    bRest += second;
  }
  squares[slot] = (squares[slot] ?? 0) + (a + b);
  rest[slot] = (rest[slot] ?? 0) + (aRest + bRest);
}

/** Corrects for deviations from a rounded mean, which do not add up to 0. */
function correct(state: ReduceState): void {
  const { count } = state;
  const [rest, squares] = [arrayOf(state, 1), arrayOf(state, 2)];
  const stride = count.length === 1 ? 0 : 1;
  for (let s = 0; s < rest.length; s++) {
    const [sum, n] = [rest[s] ?? 0, Math.max(1, count[s * stride] ?? 0)];
    squares[s] = Math.max(0, (squares[s] ?? 0) - (sum * sum) / n);
    rest[s] = sum / n;
  }
}

function mergeMoments(into: ReduceState, from: ReduceState, run: SlotRun): void {
  const [mean, lack, squares] = [arrayOf(into, 0), arrayOf(into, 1), arrayOf(into, 2)];
  const [theirMean, theirLack, theirSquares] = [arrayOf(from, 0), arrayOf(from, 1), arrayOf(from, 2)];
  const [[m, mStride], [l, lStride], [q, qStride], [c, cStride]] = [
    placeIn(theirMean, run),
    placeIn(theirLack, run),
    placeIn(theirSquares, run),
    placeIn(from.count, run),
  ];
  const { count, to, toStride } = run;
  const [counts, theirCounts] = [into.count, from.count];
  for (let n = 0, i = to; n < count; n++, i += toStride) {
    const added = theirCounts[c + n * cStride] ?? 0;
    if (added === 0) continue;
    addMoments(
      mean,
      lack,
      squares,
      i,
      counts[i] ?? 0,
      added,
      theirMean[m + n * mStride] ?? 0,
      theirLack[l + n * lStride] ?? 0,
      theirSquares[q + n * qStride] ?? 0,
    );
  }
}

/** Adds single values. */
function addOnes(into: ReduceState, plane: Float64Array, piece: Piece): void {
  const [mean, lack, squares] = [arrayOf(into, 0), arrayOf(into, 1), arrayOf(into, 2)];
  const { count } = into;
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      const value = plane[i] ?? NaN;
      // The deviations are NaN if a value is infinite.
      if (value === value) addMoments(mean, lack, squares, s, count[s] ?? 0, 1, value, 0, value - value);
    }
  });
}

/**
 * Merges moments by Chan's formula. @param had number of values before @param added number of added values
 */
function addMoments(
  mean: Float64Array,
  lack: Float64Array,
  squares: Float64Array,
  i: number,
  had: number,
  added: number,
  theirMean: number,
  theirLack: number,
  theirSquares: number,
): void {
  if (had === 0) {
    mean[i] = theirMean;
    lack[i] = theirLack;
    squares[i] = theirSquares;
    return;
  }
  const old = mean[i] ?? 0;
  const distance = theirMean - old + (theirLack - (lack[i] ?? 0));
  const step = (distance * added) / (had + added);
  const next = old + step;
  const part = next - old;
  mean[i] = next;
  lack[i] = (lack[i] ?? 0) + (old - (next - part) + (step - part));
  squares[i] = (squares[i] ?? 0) + theirSquares + distance * step * had;
}
