/**
 * Lines as a reducer: a slot is a bin of one series, and keeps its extremes or its mean. Also the methods of
 * lines, and the points of finished bins.
 */
import { type DataType, type FixedSizeType, numberType } from '../../core/dtype/data-type.js';
import { InputError, UnsupportedError } from '../../core/errors.js';
import { planeForm, type Planes } from '../number-planes.js';
import type { Kernel } from '../kernel.js';
import { forEachRow } from '../piece.js';
import { arrayOf, layoutIn } from '../state.js';
import { addMissing, type LineKernel, MISSING_AT, lineNumberAt, type LinePoint } from './line-kernel.js';
import { integerMeans, means, timeMeans } from './means.js';
import { scan } from './scan.js';

// State of each bin of an extremes line: the last missing position, and the first, smallest, largest and
// last points, each with the preceding missing position. Of several smallest or largest values, the first is
// used.

/** Offsets of the four points within a row. Each point takes four numbers. */
const [FIRST, LEAST, GREATEST, LAST] = [1, 5, 9, 13];
/** Offsets within a point: see `LinePoint`. */
const [AT, GAP, VALUE, LOW] = [0, 1, 2, 3];

/** @param shown which points of a bin are part of the line */
function createExtremes(shown: readonly number[]): LineKernel {
  return {
    width: 17,
    add(state, row, planes, from, to, position) {
      const shift = position - from;
      const scanned = scan(planes, from, to);
      if (scanned === undefined) {
        if (to > from) state[row + MISSING_AT] = to - 1 + shift;
        return;
      }
      const before = lineNumberAt(state, row + MISSING_AT);
      const put = (point: number, index: number, gap: number): void => {
        state[point + AT] = index + shift;
        state[point + GAP] = gap < from ? before : gap + shift;
        state[point + VALUE] = planes.first[index];
        state[point + LOW] = planes.second?.[index] ?? 0;
      };
      const isEmpty = lineNumberAt(state, row + FIRST + AT) < 0;
      const { first, least, greatest, last, missing } = scanned;
      if (isEmpty) put(row + FIRST, first.index, first.gap);
      if (isEmpty || isLess(planes, least.index, state, row + LEAST))
        put(row + LEAST, least.index, least.gap);
      if (isEmpty || isGreater(planes, greatest.index, state, row + GREATEST))
        put(row + GREATEST, greatest.index, greatest.gap);
      put(row + LAST, last.index, last.gap);
      if (missing >= from) state[row + MISSING_AT] = missing + shift;
    },
    addEqual(state, row, planes, count, position) {
      this.add(state, row, planes, 0, 1, position);
      state[row + LAST + AT] = position + count - 1;
    },
    append(into, row, from, other) {
      const before = lineNumberAt(into, row + MISSING_AT);
      const put = (point: number): void => {
        const gap = lineNumberAt(from, other + point + GAP);
        for (const n of [AT, VALUE, LOW]) into[row + point + n] = lineNumberAt(from, other + point + n);
        into[row + point + GAP] = gap < 0 ? before : gap;
      };
      if (lineNumberAt(from, other + FIRST + AT) >= 0) {
        const isEmpty = lineNumberAt(into, row + FIRST + AT) < 0;
        if (isEmpty) put(FIRST);
        if (isEmpty || isBelow(from, other + LEAST, into, row + LEAST)) put(LEAST);
        if (isEmpty || isBelow(into, row + GREATEST, from, other + GREATEST)) put(GREATEST);
        put(LAST);
      }
      const missing = lineNumberAt(from, other + MISSING_AT);
      if (missing >= 0) into[row + MISSING_AT] = missing;
    },
    points(state, row) {
      if (lineNumberAt(state, row + FIRST + AT) < 0) return [];
      return shown
        .map((point): LinePoint => {
          const at = lineNumberAt(state, row + point + AT);
          const number = (n: number): number => lineNumberAt(state, row + point + n);
          return { at, to: at, gap: number(GAP), value: number(VALUE), low: number(LOW) };
        })
        .toSorted((a, b) => a.at - b.at)
        .filter(({ at }, i, points) => at !== points[i - 1]?.at);
    },
  };
}

/** First, smallest, largest and last point of each bin. */
export const extremes = createExtremes([FIRST, LEAST, GREATEST, LAST]);

/** Smallest and largest point of each bin. */
export const leastAndGreatest = createExtremes([LEAST, GREATEST]);

function isLess({ first, second }: Planes, index: number, state: Float64Array, point: number): boolean {
  const [value, other] = [first[index], lineNumberAt(state, point + VALUE)];
  return value < other || (value === other && (second?.[index] ?? 0) < lineNumberAt(state, point + LOW));
}

function isGreater({ first, second }: Planes, index: number, state: Float64Array, point: number): boolean {
  const [value, other] = [first[index], lineNumberAt(state, point + VALUE)];
  return value > other || (value === other && (second?.[index] ?? 0) > lineNumberAt(state, point + LOW));
}

/** Whether the value of one point is less than that of another. */
function isBelow(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  const [left, right] = [lineNumberAt(a, i + VALUE), lineNumberAt(b, j + VALUE)];
  return left < right || (left === right && lineNumberAt(a, i + LOW) < lineNumberAt(b, j + LOW));
}

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

// The methods of lines: supported data types and the type of the result.

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

// Computes the points of a line from the states of its bins: in order, with a missing point at each gap.

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
