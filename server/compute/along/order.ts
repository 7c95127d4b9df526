/** Sorted values and ranks of columns. Missing values are last, and have no rank. */
import { isTimeName, NAT } from '../../../wire/data-types.js';
import { type DataType, numberType } from '../../core/dtype/data-type.js';
import { firstIndexWhere } from '../../core/bytes/search.js';
import {
  type AlongKernel,
  assertAlong,
  createNumbers,
  type AlongNumbers,
  put,
  VALUES_PER_STEP,
} from './along.js';

export function sortKernel(isDescending: boolean, source: DataType): AlongKernel {
  assertAlong(source, 'sort');
  return {
    dtype: source,
    reach: 'whole',
    work: 100,
    start: (columns) =>
      function* ({ values, stop }, { values: out, from, to }) {
        for (let c = 0; c < columns; c++) {
          const { sorted, present } = yield* sortColumn(values, columns, c, stop, source);
          for (let row = from; row < to; row++) {
            const at = isDescending && row < present ? present - 1 - row : row;
            put(out, (row - from) * columns + c, sorted[at]);
          }
        }
      },
  };
}

/** The rank of each value, from 1; equal values have the mean of their ranks. @param isShare whether ranks are divided by the number of values */
export function rankKernel(isShare: boolean, source: DataType): AlongKernel {
  assertAlong(source, 'rank');
  return {
    dtype: numberType('float64'),
    reach: 'whole',
    work: 200,
    start: (columns) =>
      function* ({ values, stop }, { values: out, from, to }) {
        for (let c = 0; c < columns; c++) {
          const { sorted, present } = yield* sortColumn(values, columns, c, stop, source);
          for (let row = from; row < to; row++) {
            const value = values[row * columns + c];
            put(out, (row - from) * columns + c, rankOf(value, sorted, present, isShare));
            if (row % 1024 === 1023) yield;
          }
        }
      },
  };
}

function rankOf(value: number | bigint, sorted: AlongNumbers, present: number, isShare: boolean): number {
  const first = firstIndexWhere(0, present, (i) => sorted[i] >= value);
  const end = firstIndexWhere(first, present, (i) => sorted[i] > value);
  if (end === first) return NaN;
  const rank = (first + 1 + end) / 2;
  return isShare ? rank / present : rank;
}

interface SortedColumn {
  /** Ascending, with missing values last. */
  readonly sorted: AlongNumbers;
  /** Number of values that are not missing. */
  readonly present: number;
}

function* sortColumn(
  values: AlongNumbers,
  columns: number,
  c: number,
  rows: number,
  dtype: DataType,
): Generator<void, SortedColumn, void> {
  const column = createNumbers(values instanceof Float64Array ? numberType('float64') : dtype, rows);
  const isTimes = isTimeName(dtype.name);
  let present = 0;
  for (let row = 0; row < rows; row++) {
    const value = values[row * columns + c];
    if (value === value && !(isTimes && value === NAT)) put(column, present++, value);
    if (row % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
  }
  if (column instanceof Float64Array) column.fill(NaN, present);
  else column.fill(NAT, present);
  return { sorted: yield* sortNumbers(column, present), present };
}

/** Sorts the first numbers. Runs are sorted at once and merged in steps, because one sort of millions would take too long. */
export function* sortNumbers(numbers: AlongNumbers, count: number): Generator<void, AlongNumbers, void> {
  for (let start = 0; start < count; start += RUN) {
    numbers.subarray(start, Math.min(count, start + RUN)).sort();
    yield;
  }
  let [source, target] = [numbers, count > RUN ? numbers.slice() : numbers];
  for (let length = RUN; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      const [middle, end] = [Math.min(count, start + length), Math.min(count, start + 2 * length)];
      let [a, b] = [start, middle];
      for (let to = start; to < end; to++) {
        put(target, to, b >= end || (a < middle && source[a] <= source[b]) ? source[a++] : source[b++]);
        if (to % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
      }
    }
    [source, target] = [target, source];
  }
  return source;
}

/** Number of values that are sorted at once. */
const RUN = 4096;
