/** Reduces long lines to a few points per bin. */
import { defined } from '../../../wire/guards.js';
import {
  type Pause,
  finishSeries,
  type Fold,
  foldBlocks,
  foldSlice,
  inTurns,
  type LazySlice,
  lineKernelOf,
  type LineMethod,
  type LinePoints,
  type ReduceState,
  type SliceFoldOptions,
  slotFold,
  type Block,
  type DataType,
  NAT,
  toTypedArray,
} from '../../zarr/index.js';
import { ValueList, valueSource } from './value-list.js';

/**
 * The fold that computes the points of lines.
 * @param along position of the dimension of the x-axis
 * @param starts first positions of the bins, ascending; the last entry is the end of the last bin
 */
export function lineFold(
  { shape, dtype }: Pick<LazySlice, 'shape' | 'dtype'>,
  along: number,
  starts: Float64Array,
  method: LineMethod,
): Fold<ReduceState> {
  const maps = shape.map((_, d) =>
    d === along ? ({ kind: 'spans', starts } as const) : ({ kind: 'keep' } as const),
  );
  return slotFold({ kind: 'line', method }, maps, shape, dtype);
}

export async function readPoints(
  slice: LazySlice,
  along: number,
  starts: Float64Array,
  method: LineMethod,
  options: SliceFoldOptions,
  pause: Pause,
): Promise<LinePoints[]> {
  const fold = isOrdered(slice) ? foldSlice : foldBlocks;
  const { values } = await fold(slice, lineFold(slice, along, starts, method), options);
  const [rows] = values;
  if (rows === undefined) throw new TypeError('the partial result of the line has no rows');
  const kernel = lineKernelOf(method, slice.dtype);
  const bins = starts.length - 1;
  const lines = slice.shape.length === 1 ? 1 : defined(slice.shape[1 - along]);
  const points: LinePoints[] = [];
  for (let s = 0; s < lines; s++) {
    points.push(
      await inTurns(
        finishSeries(kernel, seriesRows(rows, kernel.width, bins, along === 0 ? [s, lines] : [s * bins, 1])),
      ),
    );
    await pause();
  }
  return points;
}

/**
 * Returns the rows of one series.
 * @param position the first slot of the series, and the distance between its slots
 */
function seriesRows(
  rows: Float64Array,
  width: number,
  bins: number,
  [first, step]: readonly [number, number],
): Float64Array {
  if (step === 1) return rows.subarray(first * width, (first + bins) * width);
  const own = new Float64Array(bins * width);
  for (let k = 0; k < bins; k++) {
    const slot = first + k * step;
    own.set(rows.subarray(slot * width, (slot + 1) * width), k * width);
  }
  return own;
}

/** Whether chunks contain consecutive positions. False for lists of positions, which may be in any order. */
export function isOrdered({ origin: { selection } }: LazySlice): boolean {
  return selection.kind === 'box' && selection.dims.every(({ kind }) => kind === 'range');
}

// Lines with few points, returned unreduced.

/** Number of elements between two checks of the clock. */
const PIECE = 2 ** 12;

/**
 * Converts the values of lines to another data type.
 * @param values a block with one or two dimensions
 * @param along the dimension of the x-axis; it becomes the last one
 */
export async function wholeValues(
  values: Block,
  along: number,
  dtype: DataType,
  pause: Pause,
): Promise<Block> {
  const { shape } = values;
  if (shape.length === 1 && dtype === values.dtype) return values;
  const length = defined(shape[along]);
  const lines = shape.length === 1 ? 1 : defined(shape[1 - along]);
  const list = new ValueList(dtype, lines * length);
  const numbers = toTypedArray(values);
  const hasNaT = values.dtype.name.startsWith('numpy');
  // Counts elements rather than lines, because any number of lines may have no elements.
  for (let position = 0; position < lines * length; position++) {
    const [s, i] = [Math.floor(position / length), position % length];
    const value = numbers[along === 0 ? i * lines + s : position];
    if (typeof value === 'number' || (typeof value === 'bigint' && !(hasNaT && value === NAT)))
      list.setNumber(position, value);
    else list.setMissing(position);
    if (position % PIECE === 0) await pause();
  }
  return list.block(shape.length === 1 ? [length] : [lines, length]);
}

/** Converts labels to a data type, and repeats them for each line. @param lines undefined for a single line */
export async function repeatedLabels(
  labels: Block,
  dtype: DataType,
  lines: number | undefined,
  pause: Pause,
): Promise<Block> {
  if (lines === undefined && dtype === labels.dtype) return labels;
  const length = defined(labels.shape[0]);
  const list = new ValueList(dtype, (lines ?? 1) * length);
  const source = valueSource(labels);
  for (let position = 0; position < (lines ?? 1) * length; position++) {
    source.put(list, position, position % length, position % length);
    if (position % PIECE === 0) await pause();
  }
  return list.block(lines === undefined ? [length] : [lines, length]);
}
