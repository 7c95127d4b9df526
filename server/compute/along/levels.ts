/** Interpolates columns to given levels. Each column has its own levels. */
import { numberType } from '../../core/dtype/data-type.js';
import { type AlongKernel, VALUES_PER_STEP } from './along.js';

/** Nanoseconds per position and per result of a column. */
const LEVEL_WORK = 80;

/**
 * The value at each target, linear between the two positions whose levels enclose it; missing if there are none. If a
 * column crosses a target more than once, the first crossing counts. Positions whose level is missing or infinite are no
 * neighbours.
 * @param targets finite, in any order
 * @returns a kernel for complex numbers: the value as the real part, its level as the imaginary part
 */
export function levelsKernel(targets: Float64Array): AlongKernel {
  const order = Int32Array.from(targets.keys()).sort((a, b) => targets[a] - targets[b]);
  const sorted = Float64Array.from(order, (k) => targets[k]);
  return {
    dtype: numberType('float64'),
    reach: 'whole',
    size: targets.length,
    work: LEVEL_WORK,
    start: (columns) =>
      function* ({ values, first, stop }, { values: out }) {
        if (!(values instanceof Float64Array) || !(out instanceof Float64Array))
          throw new TypeError('values and levels are floats');
        out.fill(NaN);
        const column: Column = { sorted, order, next: new Int32Array(sorted.length + 1) };
        let done = 0;
        for (let c = 0; c < columns; c++) {
          for (let k = 0; k < column.next.length; k++) column.next[k] = k;
          done += column.next.length;
          for (let from = first; from < stop; from += VALUES_PER_STEP) {
            const to = Math.min(stop, from + VALUES_PER_STEP);
            for (let row = from; row < to; row++)
              cross(values, row - first, stop - first, { c, columns }, column, out);
            done += to - from;
            if (done < VALUES_PER_STEP) continue;
            done = 0;
            yield;
          }
        }
      },
  };
}

interface Column {
  /** The targets, ascending, and their positions in the result. */
  readonly sorted: Float64Array;
  readonly order: Int32Array;
  /** For each target, itself or a later one: the targets between them have been found. The last entry ends the list. */
  readonly next: Int32Array;
}

/** The values of the targets from the level of a row to that of the next one, inclusive. */
function cross(
  pairs: Float64Array,
  row: number,
  rows: number,
  { c, columns }: { readonly c: number; readonly columns: number },
  { sorted, order, next }: Column,
  out: Float64Array,
): void {
  const at = 2 * (row * columns + c);
  const level = pairs[at + 1];
  if (!Number.isFinite(level)) return;
  const hasOther = row + 1 < rows && Number.isFinite(pairs[at + 2 * columns + 1]);
  const other = hasOther ? pairs[at + 2 * columns + 1] : level;
  const [low, high] = level < other ? [level, other] : [other, level];
  for (
    let k = unfound(next, firstNotBelow(sorted, low));
    k < sorted.length && sorted[k] <= high;
    k = unfound(next, k)
  ) {
    const target = sorted[k];
    const value = pairs[at];
    let found = value;
    if (target !== level) {
      const beyond = pairs[at + 2 * columns];
      found = target === other ? beyond : value + ((target - level) / (other - level)) * (beyond - value);
    }
    out[order[k] * columns + c] = found;
    next[k] = k + 1;
  }
}

/** The first target from `k` on that has not been found. Shortens the way to it, so that each step is taken once. */
function unfound(next: Int32Array, k: number): number {
  let end = k;
  while (next[end] !== end) end = next[end];
  for (let at = k; at !== end;) {
    const after = next[at];
    next[at] = end;
    at = after;
  }
  return end;
}

function firstNotBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
