/** Computes the points of a line from the states of its bins: in order, with a missing point at each gap. */
import { type LineKernel, MISSING_AT, numberAt } from './line-kernel.js';

/** The points of one series, in ascending positions. Each list has one number per point. */
export interface LinePoints {
  /** First and last position that a point represents. They differ only for means. */
  readonly at: Float64Array;
  readonly to: Float64Array;
  /** The last missing position before the next point; NaN without a gap. */
  readonly values: Float64Array;
  /** Second plane of the values; see `Planes.second`. */
  readonly lows: Float64Array;
}

/** @param state the rows of one series' bins, in ascending positions */
export function finishSeries(kernel: LineKernel, state: Float64Array): LinePoints {
  const [at, to, values, lows]: [number[], number[], number[], number[]] = [[], [], [], []];
  const put = (first: number, last: number, value: number, low: number): void => {
    at.push(first);
    to.push(last);
    values.push(value);
    lows.push(low);
  };
  let missingAt = -1;
  for (let row = 0; row < state.length; row += kernel.width) {
    for (const point of kernel.points(state, row)) {
      const gap = point.gap < 0 ? missingAt : point.gap;
      const before = to.at(-1);
      if (before !== undefined && gap > before) put(gap, gap, NaN, 0);
      put(point.at, point.to, point.value, point.low);
    }
    missingAt = Math.max(missingAt, numberAt(state, row + MISSING_AT));
  }
  return {
    at: Float64Array.from(at),
    to: Float64Array.from(to),
    values: Float64Array.from(values),
    lows: Float64Array.from(lows),
  };
}
