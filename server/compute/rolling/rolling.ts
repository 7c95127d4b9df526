/**
 * Reduces windows that move along rows of numbers. Rows are divided into blocks of the length of a window, so that each
 * window is the end of one block and the start of the next. The cost per row does not depend on the length of the
 * window, and errors do not accumulate.
 */

import { assertLength } from '../../core/bytes/bounds.js';

/** How a reduction of windows is computed. The generators yield every 100 microseconds or more often. */
export interface WindowReduction {
  readonly roll: (rows: Rows, windows: Windows, put: PutRow) => Generator<void>;
  /**
   * Computes exact results of 64-bit integers; undefined if float64 results suffice.
   * @throws InputError for a result that does not fit in 64 bits
   */
  readonly rollWords?: (rows: WordRows, windows: Windows, put: PutWord) => Generator<void>;
  /** Nanoseconds per value; see `workOf`. */
  readonly work: (window: number) => number;
}

/** The states of some columns. The first number of each state is the count of non-missing values. */
export interface WindowKernel {
  readonly initial: readonly number[];
  /** Adds a row of values to the state at `from`, and stores the result at `to`, which may equal `from`. */
  add(state: readonly Float64Array[], from: number, to: number, values: Floats, at: number, columns: number): void; // prettier-ignore
  /** Stores the results of two combined states; NaN for fewer than `minCount` values, except for counts. */
  finish(
    a: readonly Float64Array[],
    b: readonly Float64Array[],
    windows: Windows,
    results: Float64Array,
  ): void;
}

/** float32 values are added as they are: float64 copies of all of them would be memory that is freed late. */
export type Floats = Float64Array | Float32Array;

export interface Rows {
  /** The values: rows of `stride` numbers in C order. */
  readonly values: Floats;
  readonly stride: number;
  /** Positions of the rows; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
  /** The weight of each row. */
  readonly weights?: Float64Array | undefined;
}

/** Upper and lower halves of 64-bit integers, at the same positions. Lower halves are never negative. */
export interface WordRows extends Omit<Rows, 'values'> {
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  readonly isSigned: boolean;
}

export interface Windows {
  readonly window: number;
  /** Number of rows of a window after its position. */
  readonly after: number;
  readonly minCount: number;
  /** Delta degrees of freedom. @default 0 */
  readonly ddof?: number | undefined;
  /** The quantile of each window, if it is not the median. */
  readonly q?: number | undefined;
  /** The positions of the results; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Number of states that are kept for a block, so that they fit into the processor's cache. */
const BLOCK = 2 ** 14;
/** Long windows have more states, because rows of fewer columns take longer. */
const MIN_COLUMNS = 256;
const MAX_BLOCK = 2 ** 17;
/** Number of values per step. */
const STEP = 16_384;

/**
 * Receives the results of a position, starting at a column. Except for counts, NaN for windows with fewer than
 * `minCount` values.
 */
export type PutRow = (position: number, column: number, results: Float64Array) => void;

/** Receives one result. */
export type PutWord = (position: number, column: number, result: bigint) => void;

/**
 * Computes the results of all windows. Yields every 10 to 100 microseconds.
 * @param rows the existing rows within the windows, with all columns
 */
export function* rollRows(
  rows: Rows,
  kernel: WindowKernel,
  windows: Windows,
  put: PutRow,
): Generator<void> {
  const { window, after, from, to } = windows;
  assertLength(rows.values, (rows.end - rows.first) * rows.stride, 'the list of values');
  const block = Math.min(MAX_BLOCK, Math.max(BLOCK, MIN_COLUMNS * (window + 1)));
  const width = Math.max(1, Math.min(rows.stride, Math.floor(block / (window + 1))));
  const create = (slots: number): Float64Array[] => kernel.initial.map(() => new Float64Array(slots * width));
  const states = { head: create(1), tails: create(window + 1) };
  for (let column = 0; column < rows.stride; column += width) {
    const columns = Math.min(width, rows.stride - column);
    const results = new Float64Array(columns);
    const part = { window, column, columns, from: from + after, to: to + after, ...states };
    yield* rollColumns(rows, kernel, part, (end, head, tails, tail) => {
      kernel.finish(head, tails.map((plane) => plane.subarray(tail)), windows, results); // prettier-ignore
      put(end - after, column, results);
    });
  }
} // prettier-ignore

/** Neighbouring columns, and the ends of the windows to compute for them. */
interface RolledColumns {
  readonly window: number;
  readonly column: number;
  readonly columns: number;
  readonly from: number;
  readonly to: number;
  /** The state of the rows of the current block. */
  readonly head: readonly Float64Array[];
  /** For each row of the previous block: the state of the rows from there to the end of the block. */
  readonly tails: readonly Float64Array[];
}

function* rollColumns(
  { values, stride, first, end }: Rows,
  kernel: WindowKernel,
  { window, column, columns, from, to, head, tails }: RolledColumns,
  visit: (end: number, head: readonly Float64Array[], tails: readonly Float64Array[], tail: number) => void,
): Generator<void> {
  for (const state of [head, tails]) state.forEach((plane, p) => plane.fill(kernel.initial[p]));
  const addRow = (state: readonly Float64Array[], source: number, target: number, position: number): void => {
    if (position >= first && position < end)
      kernel.add(state, source, target, values, (position - first) * stride + column, columns);
    else if (source !== target) for (const plane of state) plane.copyWithin(target, source, source + columns);
  };
  let done = 0;
  for (let position = first; position < to; position++) {
    const slot = position % window;
    if (slot === 0) {
      for (let i = window - 1; i > 0; i--) {
        addRow(tails, (i + 1) * columns, i * columns, position - window + i);
        done += columns;
        if (done < STEP) continue;
        done = 0;
        yield;
      }
      head.forEach((plane, p) => plane.fill(kernel.initial[p]));
    }
    addRow(head, 0, 0, position);
    if (position >= from) visit(position, head, tails, (slot + 1) * columns);
    done += 2 * columns;
    if (done < STEP) continue;
    done = 0;
    yield;
  }
}

export const countWindow: WindowKernel = {
  initial: [0],
  add([count = empty], from, to, values, at, columns) {
    for (let c = 0; c < columns; c++) {
      const value = values[at + c];
      count[to + c] = count[from + c] + (value === value ? 1 : 0);
    }
  },
  finish([own = empty], [other = empty], _, results) {
    for (let c = 0; c < results.length; c++) results[c] = own[c] + other[c];
  },
};

const empty = new Float64Array(0);

const sums: Omit<WindowKernel, 'finish'> = {
  initial: [0, 0],
  add([count = empty, sum = empty], from, to, values, at, columns) {
    for (let c = 0; c < columns; c++) {
      const value = values[at + c];
      const isValue = value === value;
      count[to + c] = count[from + c] + (isValue ? 1 : 0);
      sum[to + c] = sum[from + c] + (isValue ? value : 0);
    }
  },
};

export const sumWindow: WindowKernel = {
  ...sums,
  finish([m = empty, a = empty], [n = empty, b = empty], { minCount: least }, results) {
    for (let c = 0; c < results.length; c++) results[c] = m[c] + n[c] < least ? NaN : a[c] + b[c];
  },
};

export const meanWindow: WindowKernel = {
  ...sums,
  finish([m = empty, a = empty], [n = empty, b = empty], { minCount: least }, results) {
    for (let c = 0; c < results.length; c++) {
      const count = m[c] + n[c];
      results[c] = count < least ? NaN : (a[c] + b[c]) / count;
    }
  },
};

export function extremeWindow(initial: number, better: (a: number, b: number) => number): WindowKernel {
  return {
    initial: [0, initial],
    add([count = empty, best = empty], from, to, values, at, columns) {
      for (let c = 0; c < columns; c++) {
        const value = values[at + c];
        const isValue = value === value;
        count[to + c] = count[from + c] + (isValue ? 1 : 0);
        best[to + c] = isValue ? better(best[from + c] ?? initial, value) : (best[from + c] ?? initial);
      }
    },
    finish([m = empty, a = empty], [n = empty, b = empty], { minCount: least }, results) {
      for (let c = 0; c < results.length; c++)
        results[c] = m[c] + n[c] < least ? NaN : better(a[c] ?? initial, b[c] ?? initial);
    },
  };
}

/** The state consists of count, mean and sum of squared deviations (Welford). */
const moments: Omit<WindowKernel, 'finish'> = {
  initial: [0, 0, 0],
  add([count = empty, mean = empty, squares = empty], from, to, values, at, columns) {
    for (let c = 0; c < columns; c++) {
      const value = values[at + c];
      const [before, old, sum] = [count[from + c], mean[from + c], squares[from + c]];
      if (value === value) {
        const next = old + (value - old) / (before + 1);
        count[to + c] = before + 1;
        mean[to + c] = next;
        squares[to + c] = sum + (value - old) * (value - next);
      } else {
        count[to + c] = before;
        mean[to + c] = old;
        squares[to + c] = sum;
      }
    }
  },
};

/** Merges the two states of a window by Chan's formula. */
export const varianceWindow: WindowKernel = {
  ...moments,
  finish(
    [m = empty, meanA = empty, a = empty],
    [n = empty, meanB = empty, b = empty],
    { minCount: least, ddof = 0 },
    results,
  ) {
    for (let c = 0; c < results.length; c++) {
      const [own, other] = [m[c], n[c]];
      const distance = meanB[c] - meanA[c];
      const between = own === 0 || other === 0 ? 0 : (distance * distance * own * other) / (own + other);
      const squares = a[c] + b[c] + between;
      const isMissing = own + other < least || own + other <= ddof;
      results[c] = isMissing ? NaN : Math.max(0, squares) / (own + other - ddof);
    }
  },
};

export const stdWindow: WindowKernel = {
  ...moments,
  finish(a, b, windows, results) {
    varianceWindow.finish(a, b, windows, results);
    for (let c = 0; c < results.length; c++) results[c] = Math.sqrt(results[c]);
  },
};
