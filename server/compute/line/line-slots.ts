/** Lines as a reducer: a slot is a bin of one series, and keeps its extremes or its mean. */
import type { DataType } from '../../core/dtype/data-type.js';
import type { Kernel } from '../kernel.js';
import { forEachRow } from '../piece.js';
import { arrayOf, layoutIn } from '../state.js';
import { addMissing } from './line-kernel.js';
import { type LineMethod, lineKernelOf } from './line-methods.js';

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
      const [first, second] = piece.planes;
      const planes = { first, second };
      let positions: Float64Array | undefined;
      forEachRow(piece, (at, length, slot, stride) => {
        if (stride === 0) kernel.add(rows, slot * width, planes, at, at + length, piece.positionAt(at));
        else {
          positions ??= piece.positions();
          for (let i = 0; i < length; i++)
            kernel.add(rows, (slot + i * stride) * width, planes, at + i, at + i + 1, positions[at + i]);
        }
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
      const [start, step] = layoutIn(others, run, width);
      for (let n = 0; n < run.count; n++)
        kernel.append(rows, (run.to + n * run.toStride) * width, others, (start + n * step) * width);
    },
  };
}
