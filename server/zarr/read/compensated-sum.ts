/** Sums of float64 values whose rounding errors are kept: blocks are summed plainly, and their sums without loss (Knuth's two-sum). */

/** A sum, and what it lacks by rounding. */
export type CompensatedSum = readonly [sum: number, lack: number];

/** Values that are summed plainly, at most: their error stays within 64 units in the last place. */
const BLOCK = 64;

/** The sum of the values that are not missing. Integers of up to 32 bits sum up without any loss. */
export function sumOf(values: Float64Array, from: number, to: number): CompensatedSum {
  let total: CompensatedSum = [0, 0];
  for (let start = from; start < to; start += BLOCK) {
    const end = Math.min(start + BLOCK, to);
    let sum = 0;
    for (let i = start; i < end; i++) {
      const value = values[i] ?? NaN;
      if (value === value) sum += value;
    }
    total = addSums(total, [sum, 0]);
  }
  return total;
}

export function addSums([a, lackA]: CompensatedSum, [b, lackB]: CompensatedSum): CompensatedSum {
  const sum = a + b;
  const part = sum - a;
  return [sum, lackA + lackB + (a - (sum - part) + (b - part))];
}

/** The sum of equal values, with what it lacks (Dekker's product). */
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

/** Rounded once; infinite and NaN where the values are. */
export function roundedSum([sum, lack]: CompensatedSum): number {
  return Number.isFinite(sum) ? sum + lack : sum;
}

/** Of integers, exact. */
export function integerSum([sum, lack]: CompensatedSum): bigint {
  return BigInt(sum) + BigInt(lack);
}
