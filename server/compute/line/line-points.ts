/** Computes the points of a line from the states of its bins: in order, with a missing point at each gap. */
import { type LineKernel, MISSING_AT, lineNumberAt } from './line-kernel.js';

/** The points of one series, in ascending positions. Each list has one number per point. */
export interface LinePoints {
  /** First and last position that a point represents. They differ only for means. */
  readonly at: Float64Array;
  readonly to: Float64Array;
  /** NaN for a missing point, which marks a gap. */
  readonly values: Float64Array;
  /** Second plane of the values; see `Planes.second`. */
  readonly lows: Float64Array;
}

/** Number of bins processed between two yields. */
const BINS_PER_STEP = 2 ** 12;

/** Yields between pieces of work. @param state the rows of one series' bins, in ascending positions */
export function* finishSeries(kernel: LineKernel, state: Float64Array): Generator<void, LinePoints, void> {
  const [at, to, values, lows]: [number[], number[], number[], number[]] = [[], [], [], []];
  const put = (first: number, last: number, value: number, low: number): void => {
    at.push(first);
    to.push(last);
    values.push(value);
    lows.push(low);
  };
  let missingAt = -1;
  const step = BINS_PER_STEP * kernel.width;
  for (let row = 0; row < state.length; row += kernel.width) {
    if (row % step === step - kernel.width) yield;
    for (const point of kernel.points(state, row)) {
      const gap = point.gap < 0 ? missingAt : point.gap;
      const before = to.at(-1);
      if (before !== undefined && gap > before) put(gap, gap, NaN, 0);
      put(point.at, point.to, point.value, point.low);
    }
    missingAt = Math.max(missingAt, lineNumberAt(state, row + MISSING_AT));
  }
  return {
    at: Float64Array.from(at),
    to: Float64Array.from(to),
    values: Float64Array.from(values),
    lows: Float64Array.from(lows),
  };
}
