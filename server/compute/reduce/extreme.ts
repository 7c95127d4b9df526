/**
 * The smallest or largest value. The state has one array per plane. If there are two planes, the first one is
 * compared first.
 */
import type { DataType } from '../../core/dtype/data-type.js';
import { integerOf, planesOf } from '../number-planes.js';
import type { FinishSlot, Kernel } from '../kernel.js';
import { forEachRow, type Piece } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState } from '../state.js';

export function extremeKernel(dtype: DataType, largest: boolean): Kernel {
  const planes = planesOf(dtype);
  const initial = largest ? -Infinity : Infinity;
  const add = (state: ReduceState, piece: Piece): void => {
    const [first, second] = piece.planes;
    if (second !== undefined) addPairs(state, piece, first, second, largest);
    else if (largest) addLargest(arrayOf(state, 0), piece, first);
    else addSmallest(arrayOf(state, 0), piece, first);
  };
  return {
    arrays: Array.from({ length: planes }, () => ({ width: 1, initial })),
    needsPositions: false,
    passes: 1,
    add,
    // `add` also accepts states that are not empty.
    addEach: add,
    repeat(state, slot, element) {
      if (element.isMissing) return;
      element.planes.forEach((value, p) => (arrayOf(state, p)[slot] = value));
    },
    merge(into, from, run) {
      const arrays = from.values.map((array) => ({ array, layout: layoutIn(array, run) }));
      const [high, low] = arrays;
      if (high === undefined) return;
      for (let n = 0; n < run.count; n++) {
        const i = run.to + n * run.toStride;
        const a = high.array[high.layout[0] + n * high.layout[1]];
        if (low === undefined) takeOne(into, i, a, largest);
        else takePair(into, i, a, low.array[low.layout[0] + n * low.layout[1]], largest);
      }
    },
    columns: { isLargest: largest },
  };
}

export const finishExtreme: FinishSlot = (state, slot, { source }) => {
  const first = numberAt(arrayOf(state, 0), slot);
  return planesOf(source) === 1 ? first : integerOf(first, numberAt(arrayOf(state, 1), slot));
};

/**
 * Adds elements to the smallest values. Missing values are skipped, because comparisons with NaN are false.
 */
function addSmallest(least: Float64Array, piece: Piece, plane: Float64Array): void {
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      let smallest = least[slot];
      for (let i = at; i < at + length; i++) {
        const value = plane[i];
        if (value < smallest) smallest = value;
      }
      least[slot] = smallest;
    } else if (stride === 1)
      takeSmallest(plane.subarray(at, at + length), least.subarray(slot, slot + length));
    else
      for (let i = at, s = slot; i < at + length; i++, s += stride) {
        const value = plane[i];
        if (value < least[s]) least[s] = value;
      }
  });
}

function addLargest(most: Float64Array, piece: Piece, plane: Float64Array): void {
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 0) {
      let largest = most[slot];
      for (let i = at; i < at + length; i++) {
        const value = plane[i];
        if (value > largest) largest = value;
      }
      most[slot] = largest;
    } else if (stride === 1) takeLargest(plane.subarray(at, at + length), most.subarray(slot, slot + length));
    else
      for (let i = at, s = slot; i < at + length; i++, s += stride) {
        const value = plane[i];
        if (value > most[s]) most[s] = value;
      }
  });
}

/**
 * Updates the smallest value of each of many slots. Takes typed-array views, because offsets would be up to
 * twice as slow; see `addToEach`.
 */
function takeSmallest(values: Float64Array, least: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < least[i]) least[i] = value;
  }
}

/**
 * Updates the largest value of each of many slots. Takes typed-array views, because offsets would be up to
 * twice as slow; see `addToEach`.
 */
function takeLargest(values: Float64Array, most: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value > most[i]) most[i] = value;
  }
}

function addPairs(
  state: ReduceState,
  piece: Piece,
  high: Float64Array,
  low: Float64Array,
  largest: boolean,
): void {
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride)
      takePair(state, s, high[i], low[i], largest);
  });
}

function takeOne(state: ReduceState, slot: number, value: number, largest: boolean): void {
  const array = arrayOf(state, 0);
  const old = array[slot];
  if (largest ? value > old : value < old) array[slot] = value;
}

function takePair(state: ReduceState, slot: number, high: number, low: number, largest: boolean): void {
  const [highs, lows] = [arrayOf(state, 0), arrayOf(state, 1)];
  const [oldHigh, oldLow] = [highs[slot], lows[slot]];
  const isFurther = largest ? high > oldHigh : high < oldHigh;
  if (!isFurther && (high !== oldHigh || (largest ? low <= oldLow : low >= oldLow))) return;
  highs[slot] = high;
  lows[slot] = low;
}
