/** Lines as a reducer: a slot is a bin of one series. */
import type { DataType } from '../../dtype/data-type.js';
import type { Kernel } from '../reduce/kernel.js';
import { forEachRow } from '../reduce/piece.js';
import { arrayOf, placeIn } from '../reduce/state.js';
import { addMissing } from './line-kernel.js';
import { lineKernelOf, type LineMethod } from './line-methods.js';

export interface LineSpec {
  readonly method: LineMethod;
}

/**
 * The state is one array with the rows of a line kernel. The elements of a slot, and tasks, must be added in
 * ascending positions.
 */
export function lineSlots({ method }: LineSpec, dtype: DataType): Kernel {
  const kernel = lineKernelOf(method, dtype);
  const { width } = kernel;
  return {
    arrays: [{ width, initial: -1 }],
    needsPositions: true,
    passes: 1,
    add(state, piece) {
      const rows = arrayOf(state, 0);
      const { positions, planes: [first, second] } = piece; // prettier-ignore
      if (first === undefined || positions === undefined) return;
      const planes = { first, second };
      forEachRow(piece, (at, length, slot, stride) => {
        if (stride === 0) kernel.add(rows, slot * width, planes, at, at + length, positions[at] ?? 0);
        else
          for (let i = 0; i < length; i++)
            kernel.add(rows, (slot + i * stride) * width, planes, at + i, at + i + 1, positions[at + i] ?? 0);
      });
    },
    repeat(state, slot, { planes: [first = NaN, second], isMissing, times, first: position }) {
      const rows = arrayOf(state, 0);
      const planes = {
        first: Float64Array.of(first),
        second: second === undefined ? undefined : Float64Array.of(second),
      };
      if (isMissing) addMissing(rows, slot * width, times, position);
      else kernel.addEqual(rows, slot * width, planes, times, position);
    },
    merge(into, from, run) {
      const [rows, others] = [arrayOf(into, 0), arrayOf(from, 0)];
      const [start, step] = placeIn(others, run, width);
      for (let n = 0; n < run.count; n++)
        kernel.append(rows, (run.to + n * run.toStride) * width, others, (start + n * step) * width);
    },
  };
}
