/**
 * Count, extremes, sum and variance of values. Sums of integers are exact, sums of floats compensated. The
 * variance uses Chan's formula over pieces whose deviations are summed in a second pass.
 */
import {
  addSums,
  type CompensatedSum,
  integerSum,
  roundedSum,
  sumOf,
  sumOfEqual,
} from '../compensated-sum.js';
import { scan } from '../line/scan.js';
import { integerOf, type PlaneForm, type Planes, WORD } from '../number-planes.js';

/**
 * Summary of the values that are not missing; both planes for types that have two. Plain data that is
 * transferred between threads.
 */
export interface Summary {
  readonly count: number;
  /**
   * Both planes of the smallest or largest value; NaN if there are no values, or for types without an order
   * (complex numbers).
   */
  readonly least: Pair;
  readonly greatest: Pair;
  readonly sum: CompensatedSum;
  readonly secondSum: CompensatedSum;
  /**
   * The rounded mean and its rounding error, because the variance of large, similar values needs more than
   * 53 bits; 0 for complex numbers.
   */
  readonly mean: CompensatedSum;
  /** Sum of squared deviations from the mean; 0 for complex numbers. */
  readonly squares: number;
}

type Pair = readonly [first: number, second: number];

export const noValues: Summary = {
  count: 0,
  least: [NaN, 0],
  greatest: [NaN, 0],
  sum: [0, 0],
  secondSum: [0, 0],
  mean: [0, 0],
  squares: 0,
};

/** @param count number of elements in the planes */
export function summarize(form: PlaneForm, planes: Planes, count: number): Summary {
  const { first, second } = planes;
  if (second === undefined) return summarizePlain(first, count);
  const present = countPresent(first, count);
  if (present === 0) return noValues;
  const sum = sumOf(first, 0, count);
  const base = { ...noValues, count: present, sum };
  if (form === 'complex') return { ...base, secondSum: sumOf(presentOnly(second, first, count), 0, count) };
  const scanned = scan(planes, 0, count);
  const pairAt = (i = 0): Pair => [first[i], second[i]];
  const extremes = { least: pairAt(scanned?.least.index), greatest: pairAt(scanned?.greatest.index) };
  // The lower word of a missing value is 0.
  const secondSum = sumOf(second, 0, count);
  const mean = Number(wholeSum(sum, secondSum)) / present;
  const values = first.subarray(0, count).map((high, i) => high * WORD + second[i]);
  return { ...base, ...extremes, secondSum, ...spreadOf(values, count, mean, present) };
}

/** Maximum number of values that are summed without compensation; see `sumOf`. */
const BLOCK = 64;

/** Summarises values of one plane in a single loop. A second loop computes the deviations from the mean. */
function summarizePlain(values: Float64Array, count: number): Summary {
  let sum: CompensatedSum = [0, 0];
  let present = 0;
  let least = Infinity;
  let greatest = -Infinity;
  for (let start = 0; start < count; start += BLOCK) {
    const end = Math.min(start + BLOCK, count);
    let blockSum = 0;
    // Two independent sums; see `plainSum`.
    let otherSum = 0;
    for (let i = start; i < end; i++) {
      const value = values[i];
      if (value === value) {
        present++;
        blockSum += value;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
      if (++i === end) break;
      const other = values[i];
      if (other !== other) continue;
      present++;
      otherSum += other;
      if (other < least) least = other;
      if (other > greatest) greatest = other;
    }
    sum = addSums(sum, [blockSum + otherSum, 0]);
  }
  if (present === 0) return noValues;
  const mean = roundedSum(sum) / present;
  return {
    ...noValues,
    count: present,
    least: [least, 0],
    greatest: [greatest, 0],
    sum,
    ...spreadOf(values, count, mean, present),
  };
}

/** Like `summarize`, for equal elements, in closed form. @param planes planes of one element */
export function summarizeEqual(form: PlaneForm, planes: Planes, times: number): Summary {
  const single = summarize(form, planes, 1);
  if (times === 0 || single.count === 0) return noValues;
  return {
    ...single,
    count: times,
    sum: sumOfEqual(planes.first[0], times),
    secondSum: sumOfEqual(planes.second?.[0] ?? 0, times),
  };
}

export function mergeSummaries(a: Summary, b: Summary): Summary {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const count = a.count + b.count;
  const distance = b.mean[0] - a.mean[0] + (b.mean[1] - a.mean[1]);
  return {
    count,
    least: isLess(b.least, a.least) ? b.least : a.least,
    greatest: isLess(a.greatest, b.greatest) ? b.greatest : a.greatest,
    sum: addSums(a.sum, b.sum),
    secondSum: addSums(a.secondSum, b.secondSum),
    mean: addSums(a.mean, [distance * (b.count / count), 0]),
    squares: a.squares + b.squares + distance * distance * ((a.count / count) * b.count),
  };
}

function isLess([a, aLow]: Pair, [b, bLow]: Pair): boolean {
  return a < b || (a === b && aLow < bLow);
}

/** The exact sum of integers. */
export function integersSum(form: PlaneForm, { sum, secondSum }: Summary): bigint {
  return form === 'words' ? wholeSum(sum, secondSum) : integerSum(sum);
}

function wholeSum(high: CompensatedSum, low: CompensatedSum): bigint {
  return integerSum(high) * BigInt(WORD) + integerSum(low);
}

/** A value of a summary; a bigint for types with two words. */
export function valueOfPair(form: PlaneForm, [first, second]: Pair): number | bigint {
  return form === 'words' ? integerOf(first, second) : first;
}

function countPresent(values: Float64Array, count: number): number {
  let present = 0;
  for (let i = 0; i < count; i++) if (values[i] === values[i]) present++;
  return present;
}

function presentOnly(values: Float64Array, marks: Float64Array, count: number): Float64Array {
  return values.subarray(0, count).map((value, i) => (marks[i] === marks[i] ? value : NaN));
}

/**
 * Computes the mean and the squared deviations.
 * @param mean the rounded mean. The result is corrected, because deviations from a rounded mean do not add up
 * to 0
 */
function spreadOf(
  values: Float64Array,
  count: number,
  mean: number,
  present: number,
): Pick<Summary, 'mean' | 'squares'> {
  // Deviations from a mean that is not finite are infinite or NaN.
  if (!Number.isFinite(mean)) return { mean: [mean, 0], squares: NaN };
  let squares = 0;
  let rest = 0;
  for (let i = 0; i < count; i++) {
    const deviation = values[i] - mean;
    if (deviation !== deviation) continue;
    squares += deviation * deviation;
    rest += deviation;
  }
  const lack = rest / present;
  const least = Number.isFinite(squares) ? Math.max(0, squares - rest * lack) : squares;
  return { mean: [mean, lack], squares: least };
}
