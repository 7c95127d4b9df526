/**
 * ARGMIN and ARGMAX: the position of the smallest or largest value; of equal values, the position of the
 * first one. The state has these arrays: the position of the first missing value (infinite if there is none
 * or missing values are skipped), the one or two planes of the smallest or largest value so far, and the
 * position of that value.
 */
import type { DataType } from '../../core/dtype/data-type.js';
import { planesOf } from '../number-planes.js';
import type { FinishSlot, Kernel } from '../kernel.js';
import { forEachRow, type Piece } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState, type SlotRun } from '../state.js';

interface ArgSpec {
  readonly largest: boolean;
  /**
   * Whether missing values are skipped. Otherwise the result is the position of the first one, if there are
   * both missing and other values.
   */
  readonly skipMissing: boolean;
}

export function argKernel(dtype: DataType, { largest, skipMissing }: ArgSpec): Kernel {
  const planes = planesOf(dtype);
  const initial = largest ? -Infinity : Infinity;
  const take = (
    highs: Float64Array,
    lows: Float64Array | undefined,
    foundAt: Float64Array,
    slot: number,
    first: number,
    second: number,
    position: number,
  ): void => {
    const order = compare(first, highs[slot]) || compare(second, lows?.[slot] ?? second);
    const isFurther = largest ? order > 0 : order < 0;
    if (!isFurther && (order !== 0 || position >= foundAt[slot])) return;
    highs[slot] = first;
    if (lows !== undefined) lows[slot] = second;
    foundAt[slot] = position;
  };
  /** Like `take` for one plane. It is short enough to be compiled into the loop. @returns false if the value is missing */
  const takeOne = (
    highs: Float64Array,
    foundAt: Float64Array,
    slot: number,
    value: number,
    position: number,
  ): boolean => {
    const best = highs[slot];
    if (largest ? value > best : value < best) {
      highs[slot] = value;
      foundAt[slot] = position;
      return true;
    }
    if (value === best && position < foundAt[slot]) foundAt[slot] = position;
    return value === value;
  };
  const takeMissing = (state: ReduceState, slot: number, position: number): void => {
    const missing = arrayOf(state, 0);
    if (!skipMissing && position < missing[slot]) missing[slot] = position;
  };
  const mergeOne = (into: ReduceState, from: ReduceState, run: SlotRun): void => {
    const [missing, values, positions] = [arrayOf(from, 0), arrayOf(from, 1), arrayOf(from, 2)];
    const [[m, mStep], [v, vStep], [p, pStep]] = [layoutIn(missing, run), layoutIn(values, run), layoutIn(positions, run)]; // prettier-ignore
    const [highs, foundAt] = [arrayOf(into, 1), arrayOf(into, 2)];
    for (let n = 0; n < run.count; n++) {
      const slot = run.to + n * run.toStride;
      takeMissing(into, slot, missing[m + n * mStep]);
      takeOne(highs, foundAt, slot, values[v + n * vStep], positions[p + n * pStep]);
    }
  };
  const lowsOf = (state: ReduceState): Float64Array | undefined =>
    planes === 2 ? arrayOf(state, 2) : undefined;
  const add = (state: ReduceState, piece: Piece): void => {
    const [first, second] = piece.planes;
    const positions = piece.positions();
    const [highs, lows, foundAt] = [arrayOf(state, 1), lowsOf(state), arrayOf(state, 1 + planes)];
    forEachRow(piece, (at, length, slot, stride) => {
      if (lows === undefined) {
        for (let i = at, s = slot; i < at + length; i++, s += stride)
          if (!takeOne(highs, foundAt, s, first[i], positions[i])) takeMissing(state, s, positions[i]);
        return;
      }
      for (let i = at, s = slot; i < at + length; i++, s += stride) {
        const value = first[i];
        if (value === value) take(highs, lows, foundAt, s, value, second?.[i] ?? 0, positions[i]);
        else takeMissing(state, s, positions[i]);
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
    // `add` also accepts states that are not empty.
    addEach: add,
    repeat(state, slot, { planes: [first = NaN, second = 0], isMissing, first: position }) {
      if (isMissing) takeMissing(state, slot, position);
      else take(arrayOf(state, 1), lowsOf(state), arrayOf(state, 1 + planes), slot, first, second, position);
    },
    merge(into, from, run) {
      if (planes === 1) {
        mergeOne(into, from, run);
        return;
      }
      const arrays = from.values.map((array) => ({ array, layout: layoutIn(array, run) }));
      const at = (index: number, n: number): number => {
        const {
          array,
          layout: [start, stride],
        } = arrays[index];
        return array[start + n * stride];
      };
      const [highs, lows, foundAt] = [arrayOf(into, 1), lowsOf(into), arrayOf(into, 1 + planes)];
      for (let n = 0; n < run.count; n++) {
        const i = run.to + n * run.toStride;
        takeMissing(into, i, at(0, n));
        take(highs, lows, foundAt, i, at(1, n), at(2, n), at(1 + planes, n));
      }
    },
    columns: { isLargest: largest, positions: { skipMissing } },
  };
}

export const finishArg: FinishSlot = ({ count, values }, slot, { skipMissing }, { elements, indexOf }) => {
  const present = numberAt(count, slot);
  if (present === 0) return -1n;
  const isAtMissing = !skipMissing && present < elements(slot);
  return BigInt(indexOf(numberAt(arrayOf({ values }, isAtMissing ? 0 : values.length - 1), slot)));
};

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
