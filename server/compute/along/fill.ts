/** Fills missing values from their neighbours along an axis. */
import { isTimeName, NAT } from '../../../wire/data-types.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { type AlongKernel, assertAlong, isPlain, put, VALUES_PER_STEP } from './along.js';

/** Repeats the last value before a gap, for at most `limit` positions. */
export function forwardKernel(limit: number, source: DataType): AlongKernel {
  assertAlong(source, 'fill');
  const missing = isPlain(source) ? NaN : NAT;
  const isTimes = isTimeName(source.name);
  return {
    dtype: source,
    reach: 'before',
    work: isPlain(source) ? 10 : 50,
    start(columns) {
      const last = new Array<number | bigint>(columns).fill(missing);
      const filled = new Float64Array(columns);
      return function* ({ values, first, stop }, { values: out, from }) {
        let done = 0;
        for (let row = first; row < stop; row++) {
          for (let c = 0; c < columns; c++) {
            const value = values[(row - first) * columns + c];
            const isMissing = value !== value || (isTimes && value === NAT);
            filled[c] = isMissing ? filled[c] + 1 : 0;
            if (!isMissing) last[c] = value;
            put(out, (row - from) * columns + c, filled[c] > limit ? missing : last[c]);
          }
          done += columns;
          if (done < VALUES_PER_STEP) continue;
          done = 0;
          yield;
        }
      };
    },
  };
}

/**
 * Interpolates between the values on both sides of a gap, for the first `limit` positions of each gap. Outside the first
 * and last value, values stay missing.
 * @param at the coordinate of each position, strictly monotonic
 */
export function linearKernel(limit: number, source: DataType, at: Float64Array): AlongKernel {
  assertAlong(source, 'fill');
  return {
    dtype: source,
    reach: 'whole',
    work: 20,
    start: (columns) =>
      function* ({ values, stop }, { values: out, from, to }) {
        if (!(values instanceof Float64Array) || !(out instanceof Float64Array))
          throw new TypeError('only floats have gaps between numbers');
        let done = 0;
        for (let c = 0; c < columns; c++) {
          let before = -1;
          for (let first = 0; first < stop; first += VALUES_PER_STEP) {
            const last = Math.min(stop, first + VALUES_PER_STEP);
            before = fillRows(values, { columns, c, limit, at }, first, last, before);
            done += last - first;
            if (done < VALUES_PER_STEP) continue;
            done = 0;
            yield;
          }
        }
        out.set(values.subarray(from * columns, to * columns));
      },
  };
}

interface Column {
  readonly columns: number;
  readonly c: number;
  readonly limit: number;
  readonly at: Float64Array;
}

/** @param before the last row before `first` with a value; -1 for none. @returns the last one before `last` */
function fillRows(values: Float64Array, column: Column, first: number, last: number, before: number): number {
  const { columns, c } = column;
  for (let row = first; row < last; row++) {
    const value = values[row * columns + c];
    if (value !== value) continue;
    if (before >= 0 && row - before > 1) interpolate(values, { ...column, before, after: row });
    before = row;
  }
  return before;
}

interface Gap extends Column {
  readonly before: number;
  readonly after: number;
}

function interpolate(values: Float64Array, { columns, c, before, after, limit, at }: Gap): void {
  const low = values[before * columns + c];
  const high = values[after * columns + c];
  const slope = (high - low) / (at[after] - at[before]);
  for (let row = before + 1; row < after && row - before <= limit; row++)
    values[row * columns + c] = slope * (at[row] - at[before]) + low;
}
