/** Lines as a reducer: a slot is a bin of one series, and keeps its extremes or its mean. */
import { type DataType, type FixedSizeType, numberType } from '../../core/dtype/data-type.js';
import type { Kernel } from '../kernel.js';
import { forEachRow } from '../piece.js';
import { arrayOf, layoutIn } from '../state.js';
import { addMissing, type LineKernel } from './line-kernel.js';
import { InputError, UnsupportedError } from '../../core/errors.js';
import { planeForm } from '../number-planes.js';
import { integerMeans, means, timeMeans } from './means.js';
import { extremes, leastAndGreatest } from './extremes.js';

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

export const lineMethods = ['M4', 'MINMAX', 'MEAN'] as const;
export type LineMethod = (typeof lineMethods)[number];

/**
 * The data type of a line's values. Means of booleans and integers are float64.
 * @throws InputError for an unknown method; UnsupportedError for values without a numeric order
 */
export function lineType(method: LineMethod, dtype: DataType): FixedSizeType {
  if (!lineMethods.includes(method))
    throw new InputError(
      `unknown line method "${String(method)}"; the methods are ${lineMethods.join(', ')}`,
    );
  const form = planeForm(dtype);
  if (form === undefined || form === 'complex' || dtype.itemSize === null)
    throw new UnsupportedError(`lines of type ${dtype.name} are not supported`);
  const keeps = method !== 'MEAN' || dtype.name.startsWith('float') || dtype.name.startsWith('numpy');
  return keeps ? dtype : numberType('float64');
}

export function lineKernelOf(method: LineMethod, dtype: DataType): LineKernel {
  if (method === 'M4') return extremes;
  if (method === 'MINMAX') return leastAndGreatest;
  if (dtype.name.startsWith('numpy')) return timeMeans;
  return planeForm(dtype) === 'words' ? integerMeans : means;
}
