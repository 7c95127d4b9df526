/**
 * The position of the smallest or largest value, the first of equal values. Arrays: the position of the first
 * missing value if missing values count, the planes of the value, its position.
 */
import type { Kernel } from './kernel.js';
import { forEachRow, type Piece } from './piece.js';
import { arrayOf, placeIn, type ReduceState } from './state.js';

export interface ArgSpec {
  readonly largest: boolean;
  /** Whether missing values are skipped. Otherwise the first missing value is the result. */
  readonly skipMissing: boolean;
}

export function argKernel({ largest, skipMissing }: ArgSpec, planes: 1 | 2): Kernel {
  const initial = largest ? -Infinity : Infinity;
  const take = (
    highs: Float64Array,
    lows: Float64Array | undefined,
    places: Float64Array,
    slot: number,
    first: number,
    second: number,
    position: number,
  ): void => {
    const order = compare(first, highs[slot] ?? 0) || compare(second, lows?.[slot] ?? second);
    const isFurther = largest ? order > 0 : order < 0;
    if (!isFurther && (order !== 0 || position >= (places[slot] ?? 0))) return;
    highs[slot] = first;
    if (lows !== undefined) lows[slot] = second;
    places[slot] = position;
  };
  const takeMissing = (state: ReduceState, slot: number, position: number): void => {
    const missing = arrayOf(state, 0);
    if (!skipMissing && position < (missing[slot] ?? 0)) missing[slot] = position;
  };
  const lowsOf = (state: ReduceState): Float64Array | undefined =>
    planes === 2 ? arrayOf(state, 2) : undefined;
  const add = (state: ReduceState, piece: Piece): void => {
    const { positions, planes: [first, second] } = piece; // prettier-ignore
    if (first === undefined || positions === undefined) return;
    const [highs, lows, places] = [arrayOf(state, 1), lowsOf(state), arrayOf(state, 1 + planes)];
    forEachRow(piece, (at, length, slot, stride) => {
      for (let i = at, s = slot; i < at + length; i++, s += stride) {
        const value = first[i] ?? NaN;
        if (value === value) take(highs, lows, places, s, value, second?.[i] ?? 0, positions[i] ?? 0);
        else takeMissing(state, s, positions[i] ?? 0);
      }
    });
  };
  return {
    arrays: [
      { width: 1, initial: Infinity },
      ...Array.from({ length: planes }, () => ({ width: 1, initial })),
      { width: 1, initial: Infinity },
    ],
    needsPositions: true,
    passes: 1,
    add,
    // Also for a slot that is not empty.
    addEach: add,
    repeat(state, slot, { planes: [first = NaN, second = 0], isMissing, first: position }) {
      if (isMissing) takeMissing(state, slot, position);
      else take(arrayOf(state, 1), lowsOf(state), arrayOf(state, 1 + planes), slot, first, second, position);
    },
    merge(into, from, run) {
      const arrays = from.values.map((array) => ({ array, place: placeIn(array, run) }));
      const at = (index: number, n: number): number => {
        const one = arrays[index];
        return one === undefined ? 0 : (one.array[one.place[0] + n * one.place[1]] ?? 0);
      };
      const [highs, lows, places] = [arrayOf(into, 1), lowsOf(into), arrayOf(into, 1 + planes)];
      for (let n = 0; n < run.count; n++) {
        const i = run.to + n * run.toStride;
        takeMissing(into, i, at(0, n));
        take(highs, lows, places, i, at(1, n), planes === 2 ? at(2, n) : 0, at(1 + planes, n));
      }
    },
  };
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
