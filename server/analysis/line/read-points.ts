/** Reduces long lines to a few points per bin. */
import { defined } from '../../../wire/guards.js';
import {
  finishSeries,
  type Fold,
  foldBlocks,
  foldSlice,
  inTurns,
  type LazySlice,
  lineKernelOf,
  type LineMethod,
  type LinePoints,
  type Pause,
  type ReduceState,
  type SliceFoldOptions,
  slotFold,
} from '../../zarr/index.js';

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
