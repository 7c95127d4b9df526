/**
 * FIRST and LAST of numbers and times, by position. The state has arrays for the position of the value and
 * for its planes.
 */
import type { DataType } from '../../core/dtype/data-type.js';
import { integerOf, planesOf } from '../number-planes.js';
import type { FinishSlot, Kernel } from '../kernel.js';
import { forEachRow } from '../piece.js';
import { arrayOf, layoutIn, numberAt, type ReduceState } from '../state.js';

interface PickSpec {
  readonly last: boolean;
  /** Whether missing values are skipped. */
  readonly skipMissing: boolean;
}

export function pickKernel(dtype: DataType, { last, skipMissing }: PickSpec): Kernel {
  const planes = planesOf(dtype);
  const take = (state: ReduceState, slot: number, position: number, first: number, second: number): void => {
    const positions = arrayOf(state, 0);
    const old = positions[slot];
    if (last ? position <= old : position >= old) return;
    positions[slot] = position;
    arrayOf(state, 1)[slot] = first;
    if (planes === 2) arrayOf(state, 2)[slot] = second;
  };
  return {
    arrays: [
      { width: 1, initial: last ? -Infinity : Infinity },
      ...Array.from({ length: planes }, () => ({ width: 1, initial: NaN })),
    ],
    needsPositions: true,
    passes: 1,
    add(state, piece) {
      const [first, second] = piece.planes;
      const positions = piece.positions();
      forEachRow(piece, (at, length, slot, stride) => {
        for (let i = at, s = slot; i < at + length; i++, s += stride) {
          const value = first[i];
          if (value !== value && skipMissing) continue;
          take(state, s, positions[i], value, second?.[i] ?? 0);
        }
      });
    },
    repeat(state, slot, element) {
      if (element.isMissing && skipMissing) return;
      const [value = NaN, second = 0] = element.planes;
      take(state, slot, last ? element.last : element.first, value, second);
    },
    merge(into, from, run) {
      const arrays = from.values.map((array) => ({ array, layout: layoutIn(array, run) }));
      const at = (index: number, n: number): number => {
        const {
          array,
          layout: [start, stride],
        } = arrays[index];
        return array[start + n * stride];
      };
      for (let n = 0; n < run.count; n++)
        take(into, run.to + n * run.toStride, at(0, n), at(1, n), planes === 2 ? at(2, n) : 0);
    },
  };
}

export const finishPick: FinishSlot = (state, slot, { source }) => {
  const first = numberAt(arrayOf(state, 1), slot);
  if (planesOf(source) === 1) return first;
  return Number.isNaN(first) ? undefined : integerOf(first, numberAt(arrayOf(state, 2), slot));
};
