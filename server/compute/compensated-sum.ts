/**
 * Compensated sums of float64 values: the error of each addition is computed and added up (Knuth's two-sum). Long lists
 * are summed in blocks without compensation, and the sums of blocks with it.
 */

/** A sum and its rounding error. */
export type CompensatedSum = readonly [sum: number, lack: number];

/**
 * Maximum number of values that are summed without compensation. Their error is at most 64 * 2^-53 of the sum
 * of their absolute values.
 */
const BLOCK = 64;

/** The sum of the values that are not missing. Exact for integers of up to 32 bits. */
export function sumOf(values: Float64Array, from: number, to: number): CompensatedSum {
  let total: CompensatedSum = [0, 0];
  for (let start = from; start < to; start += BLOCK) {
    const end = Math.min(start + BLOCK, to);
    let sum = 0;
    for (let i = start; i < end; i++) {
      const value = values[i];
      if (value === value) sum += value;
    }
    total = addSums(total, [sum, 0]);
  }
  return total;
}

export function addSums([a, lackA]: CompensatedSum, [b, lackB]: CompensatedSum): CompensatedSum {
  const sum = a + b;
  return [sum, lackA + lackB + roundingError(a, b, sum)];
}

/** The exact difference of a + b and `sum`, the rounded sum (Knuth's two-sum). V8 inlines the calls. */
export function roundingError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** Adds a value to the sum of a slot. */
export function addTo(sum: Float64Array, lack: Float64Array, slot: number, value: number): void {
  const total = sum[slot];
  const next = total + value;
  lack[slot] = lack[slot] + roundingError(total, value, next);
  sum[slot] = next;
}

/** The sum of `times` equal values and its rounding error (Dekker's product). */
export function sumOfEqual(value: number, times: number): CompensatedSum {
  const sum = value * times;
  const [high, low] = split(value);
  const [timesHigh, timesLow] = split(times);
  const lack = low * timesLow - (sum - high * timesHigh - low * timesHigh - high * timesLow);
  return [sum, Number.isFinite(lack) ? lack : 0];
}

function split(value: number): readonly [number, number] {
  const scaled = value * 134_217_729;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** The sum, rounded once. The error term of an infinite sum is NaN, so it is not added. */
export function roundedSum([sum, lack]: CompensatedSum): number {
  return Number.isFinite(sum) ? sum + lack : sum;
}

/** The exact sum of integers. */
export function integerSum([sum, lack]: CompensatedSum): bigint {
  return BigInt(sum) + BigInt(lack);
}
