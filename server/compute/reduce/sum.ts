/**
 * Sums. Sums of float64 and complex128, of more than `MAX_PLAIN` elements, and across tasks are compensated
 * by the exact error of each addition (Knuth's two-sum). Within a task, other sums are plain float64 sums,
 * which are exact for a million 32-bit integers, and have 29 more bits than float32. The state has two arrays
 * per plane: the sum and its rounding error.
 */
import { isFloatName, isTimeName } from '../../../wire/data-types.js';
import type { DataType } from '../../core/dtype/data-type.js';
import {
  addTo,
  type CompensatedSum,
  integerSum,
  roundedSum,
  roundingError,
  sumOfEqual,
} from '../compensated-sum.js';
import { UnsupportedError } from '../../core/errors.js';
import { floorQuotient } from '../line/means.js';
import type { FinishAll, FinishSlot, Kernel, ResolvedReduce } from '../kernel.js';
import { type BlockRow, forEachRow, type Piece, slotBefore } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState, type SlotRun } from '../state.js';
import { planeForm, planesOf, WORD } from '../number-planes.js';

/** Maximum number of elements of at most 32 bits whose sum needs no compensation. */
export const MAX_PLAIN = 2 ** 20;

export function sumKernel(dtype: DataType, slotElements: number): Kernel {
  const isLong = dtype.name === 'float64' || dtype.name === 'complex128';
  const addPlane = isLong || slotElements > MAX_PLAIN ? addCompensated : addPlain;
  const planes = planesOf(dtype);
  return {
    arrays: Array.from({ length: planes }, () => [
      { width: 1, initial: 0 },
      { width: 1, initial: 0 },
    ]).flat(),
    needsPositions: false,
    passes: 1,
    add(state, piece) {
      if (piece.hasMissing) clearMissing(piece);
      const [first, second] = piece.planes;
      addPlane(first, piece, state, 0);
      if (second !== undefined) addPlane(second, piece, state, 1);
    },
    repeat(state, slot, { planes: element, isMissing, times }) {
      element.forEach((value, p) => {
        const [sum, lack] = sumOfEqual(isMissing ? 0 : value, times);
        arrayOf(state, 2 * p)[slot] = sum;
        arrayOf(state, 2 * p + 1)[slot] = lack;
      });
    },
    merge(into, from, run) {
      for (let p = 0; p < planes; p++) mergePlane(into, from, run, p);
    },
    addEach(into, piece) {
      addEachPlane(into, piece, 0);
      if (planes === 2) addEachPlane(into, piece, 1);
    },
    columns: 'sum',
  };
}

function clearMissing({ planes, length }: Piece): void {
  const [first, second] = planes;
  for (let i = 0; i < length; i++) {
    if (first[i] === first[i]) continue;
    first[i] = 0;
    if (second !== undefined) second[i] = 0;
  }
}

function addPlain(plane: Float64Array, piece: Piece, state: ReduceState, p: number): void {
  const sum = arrayOf(state, 2 * p);
  forEachRow(
    piece,
    (at, length, slot, stride) => {
      if (stride === 0) sum[slot] = sum[slot] + plainSum(plane, at, at + length);
      else if (stride === 1) addToEach(plane.subarray(at, at + length), sum.subarray(slot, slot + length));
      else for (let i = at, s = slot; i < at + length; i++, s += stride) sum[s] = sum[s] + plane[i];
    },
    (row) => addBlocks(plane, row, sum),
  );
}

function addBlocks(
  plane: Float64Array,
  { at, start, end, starts, slot, stride }: BlockRow,
  sum: Float64Array,
): void {
  let k = slotBefore(starts, start);
  for (let i = start; i < end; k++) {
    const next = Math.min(end, starts[k + 1] ?? end);
    // The last entry is the end of the last block.
    if (k + 1 >= starts.length) return;
    const to = slot + k * stride;
    sum[to] = sum[to] + plainSum(plane, at + i - start, at + next - start);
    i = next;
  }
}

/**
 * Adds each value to a separate sum. Inner loops receive arrays that start at the elements, because an offset
 * would make them up to twice as slow.
 */
function addToEach(values: Float64Array, sum: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i] + values[i];
}

/**
 * Adds up elements in four independent sums, so that the processor can overlap additions. The sums are
 * declared one by one, because destructuring is four times slower in V8.
 */
function plainSum(plane: Float64Array, start: number, end: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = start;
  for (; i + 3 < end; i += 4) {
    a += plane[i];
    b += plane[i + 1];
    c += plane[i + 2];
    d += plane[i + 3];
  }
  for (; i < end; i++) a += plane[i];
  return a + b + (c + d);
}

function addCompensated(plane: Float64Array, piece: Piece, state: ReduceState, p: number): void {
  const [sum, lack] = [arrayOf(state, 2 * p), arrayOf(state, 2 * p + 1)];
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) addRow(plane, at, at + length, sum, lack, slot);
    else for (let i = at, s = slot; i < at + length; i++, s += stride) addTo(sum, lack, s, plane[i]);
  });
}

/** Computes two independent sums; see `plainSum`. */
function addRow(
  plane: Float64Array,
  start: number,
  end: number,
  sum: Float64Array,
  lack: Float64Array,
  slot: number,
): void {
  let a = sum[slot];
  let b = 0;
  let aLack = lack[slot];
  let bLack = 0;
  let i = start;
  for (; i + 1 < end; i += 2) {
    const first = plane[i];
    const aNext = a + first;
    aLack += roundingError(a, first, aNext);
    a = aNext;
    const second = plane[i + 1];
    const bNext = b + second;
    bLack += roundingError(b, second, bNext);
    b = bNext;
  }
  if (i < end) {
    const value = plane[i];
    const next = a + value;
    aLack += roundingError(a, value, next);
    a = next;
  }
  const total = a + b;
  sum[slot] = total;
  lack[slot] = aLack + bLack + roundingError(a, b, total);
}

function addEachPlane(into: ReduceState, piece: Piece, p: 0 | 1): void {
  const [sum, lack] = [arrayOf(into, 2 * p), arrayOf(into, 2 * p + 1)];
  const { planes, hasMissing } = piece;
  const [first] = planes;
  const plane = planes[p] ?? first;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 1) {
      const [sums, lacks] = [sum.subarray(slot, slot + length), lack.subarray(slot, slot + length)];
      const part = (of: Float64Array): Float64Array => of.subarray(at, at + length);
      if (hasMissing) addPresentToEach(part(first), part(plane), sums, lacks);
      else addCompensatedToEach(part(plane), sums, lacks);
      return;
    }
    for (let i = at, s = slot; i < at + length; i++, s += stride) {
      if (!hasMissing || first[i] === first[i]) addTo(sum, lack, s, plane[i]);
    }
  });
}

function addCompensatedToEach(values: Float64Array, sum: Float64Array, lack: Float64Array): void {
  for (let i = 0; i < sum.length; i++) addTo(sum, lack, i, values[i]);
}

/** Like `addCompensatedToEach`, but skips the elements that are missing in the first plane. */
function addPresentToEach(
  first: Float64Array,
  values: Float64Array,
  sum: Float64Array,
  lack: Float64Array,
): void {
  for (let i = 0; i < sum.length; i++) if (first[i] === first[i]) addTo(sum, lack, i, values[i]);
}

function mergePlane(into: ReduceState, from: ReduceState, run: SlotRun, p: number): void {
  const [sum, lack] = [arrayOf(into, 2 * p), arrayOf(into, 2 * p + 1)];
  const [otherSum, otherLack] = [arrayOf(from, 2 * p), arrayOf(from, 2 * p + 1)];
  // A loop over local variables is several times as fast as one over properties of objects.
  const [[sumFrom, sumStride], [lackFrom, lackStride]] = [layoutIn(otherSum, run), layoutIn(otherLack, run)];
  const { to, toStride, count } = run;
  for (let n = 0, i = to, j = sumFrom, k = lackFrom; n < count; n++) {
    const a = sum[i];
    const b = otherSum[j];
    const bLack = otherLack[k];
    // The first sum of a slot has no error, so its memory is not touched, which is up to twice as fast.
    if (a === 0 && bLack === 0) sum[i] = b;
    else {
      const total = a + b;
      lack[i] = lack[i] + roundingError(a, b, total) + bLack;
      sum[i] = total;
    }
    i += toStride;
    j += sumStride;
    k += lackStride;
  }
}

/** The sum of one plane of a slot, rounded once; 0 without values. The addition also converts -0 to 0, as NumPy does. */
export function sumAt(state: ReduceState, plane: number, slot: number): number {
  return state.count[slot] === 0 ? 0 : roundedSum(pairAt(state, plane, slot));
}

function pairAt(state: ReduceState, plane: number, slot: number): CompensatedSum {
  return [numberAt(arrayOf(state, 2 * plane), slot), numberAt(arrayOf(state, 2 * plane + 1), slot)];
}

/** The exact sum of integers. */
function integerSumAt(state: ReduceState, source: DataType, slot: number): bigint {
  const first = integerSum(pairAt(state, 0, slot));
  return planesOf(source) === 1 ? first : first * BigInt(WORD) + integerSum(pairAt(state, 1, slot));
}

/** @throws UnsupportedError if an integer sum does not fit in the result's 64 bits */
export const finishSum: FinishSlot = (state, slot, { source, dtype }) => {
  if (planeForm(source) === 'complex') return [sumAt(state, 0, slot), sumAt(state, 1, slot)];
  if (isFloatName(source.name)) return sumAt(state, 0, slot);
  const sum = integerSumAt(state, source, slot);
  const fits = dtype.name === 'uint64' ? BigInt.asUintN(64, sum) : BigInt.asIntN(64, sum);
  if (fits === sum) return sum;
  throw new UnsupportedError(
    `the sum ${sum} does not fit in ${dtype.name}; query \`statistics { sum }\` of its elements, which has no size limit`,
  );
};

export const finishMean: FinishSlot = (state, slot, { source }) => {
  const present = numberAt(state.count, slot);
  if (planeForm(source) === 'complex')
    return [sumAt(state, 0, slot) / present, sumAt(state, 1, slot) / present];
  if (planesOf(source) === 1) return sumAt(state, 0, slot) / present;
  const sum = integerSumAt(state, source, slot);
  return isTimeName(source.name) ? floorQuotient(sum, BigInt(present)) : Number(sum) / present;
};

const MEANS_PER_STEP = 65_536;

/** Means of numbers with one plane, as floats, if missing values are skipped. */
export const finishPlainMeans: FinishAll = (state, resolved, bytes) => {
  const { skipMissing, source, dtype } = resolved;
  const isPlain = skipMissing && planesOf(source) === 1;
  return isPlain && (dtype.name === 'float32' || dtype.name === 'float64')
    ? finishMeans(state, resolved, bytes)
    : undefined;
};

function* finishMeans(
  state: ReduceState,
  { minCount = 0, dtype }: ResolvedReduce,
  bytes: Uint8Array,
): Generator<void> {
  const { count } = state;
  const { length } = count;
  const means = dtype.name === 'float32' ? new Float32Array(length) : new Float64Array(length);
  for (let from = 0; from < length; from += MEANS_PER_STEP) {
    const part = (array: Float64Array): Float64Array => array.subarray(from, from + MEANS_PER_STEP);
    divide(
      part(arrayOf(state, 0)),
      part(arrayOf(state, 1)),
      part(count),
      Math.max(1, minCount),
      means.subarray(from),
    );
    yield;
  }
  bytes.set(new Uint8Array(means.buffer));
}

/** Like `sumAt`, divided by the number of values; NaN with fewer values than `least`. */
function divide(
  sum: Float64Array,
  lack: Float64Array,
  count: Float64Array,
  least: number,
  means: Float32Array | Float64Array,
): void {
  for (let slot = 0; slot < sum.length; slot++) {
    const present = count[slot];
    const value = sum[slot];
    const total = Number.isFinite(value) ? value + lack[slot] : value;
    means[slot] = present < least ? NaN : total / present;
  }
}
