/**
 * State of each bin of a line of extremes: the last missing position, and the first, smallest, largest and last points,
 * each with the preceding missing position. Of several smallest or largest values, the first is used.
 */
import type { Planes } from '../number-planes.js';
import { type LineKernel, MISSING_AT, lineNumberAt, type LinePoint } from './line-kernel.js';
import { scan } from './scan.js';

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
