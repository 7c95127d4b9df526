/** The number of true (nonzero) elements. NaN is true, as in NumPy. */
import type { DataType } from '../../core/dtype/data-type.js';
import { planesOf } from '../number-planes.js';
import type { FinishSlot, Kernel } from '../kernel.js';
import { forEachRow } from '../piece.js';
import { arrayOf, layoutIn, numberAt } from '../state.js';

export function truthKernel(dtype: DataType): Kernel {
  const planes = planesOf(dtype);
  return {
    arrays: [{ width: 1, initial: 0 }],
    needsPositions: false,
    passes: 1,
    add(state, piece) {
      const counts = arrayOf(state, 0);
      const [first, second] = piece.planes;
      if (planes === 2 && second !== undefined)
        for (let i = 0; i < piece.length; i++) if (second[i] !== 0) first[i] = 1;
      forEachRow(piece, (at, length, slot, stride) => {
        for (let i = at, s = slot; i < at + length; i++, s += stride)
          if (first[i] !== 0) counts[s] = counts[s] + 1;
      });
    },
    repeat(state, slot, element) {
      if (element.planes.some((value) => value !== 0)) arrayOf(state, 0)[slot] = element.times;
    },
    merge(into, from, run) {
      const [sum, other] = [arrayOf(into, 0), arrayOf(from, 0)];
      const [j, stride] = layoutIn(other, run);
      for (let n = 0; n < run.count; n++) {
        const i = run.to + n * run.toStride;
        sum[i] = sum[i] + other[j + n * stride];
      }
    },
  };
}

export const finishAny: FinishSlot = (state, slot) => (numberAt(arrayOf(state, 0), slot) > 0 ? 1 : 0);

export const finishAll: FinishSlot = (state, slot, _, { elements }) =>
  numberAt(arrayOf(state, 0), slot) === elements(slot) ? 1 : 0;
