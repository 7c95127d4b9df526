/** The points of a finished line, out of what its bins remember: in order, with a missing one where there is a gap. */
import { type LineKernel, MISSING_AT, numberAt } from './line-kernel.js';

/** The points of one series, in ascending positions: one number each in every list. */
export interface LinePoints {
  /** First and last position that a point stands for: the same but for a mean. */
  readonly at: Float64Array;
  readonly to: Float64Array;
  /** NaN for a gap: the last missing position before the next point. */
  readonly values: Float64Array;
  /** See `Planes.second`. */
  readonly lows: Float64Array;
}

/** @param state rows of the bins of one series, in ascending positions */
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
