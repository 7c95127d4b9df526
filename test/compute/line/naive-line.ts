/** Lines by definition: slow and simple. Values are numbers or bigints; undefined is missing. */

export type Value = number | bigint | undefined;

export interface NaivePoint {
  /** First and last position that the point represents. */
  readonly at: number;
  readonly to: number;
  readonly value: Value;
}

/**
 * First, smallest, largest and last point of each bin in order, without repeats; a missing point for missing values in
 * between.
 */
export function naiveExtremes(
  values: readonly Value[],
  starts: readonly number[],
  onlyExtremes = false,
): NaivePoint[] {
  const points: NaivePoint[] = [];
  for (let bin = 0; bin + 1 < starts.length; bin++) {
    const positions = Array.from(
      { length: (starts[bin + 1] ?? 0) - (starts[bin] ?? 0) },
      (_, i) => (starts[bin] ?? 0) + i,
    );
    const present = positions.filter((at) => values[at] !== undefined);
    if (present.length === 0) continue;
    const [first = 0] = present;
    const least = present.reduce((a, b) => ((values[b] ?? 0) < (values[a] ?? 0) ? b : a));
    const greatest = present.reduce((a, b) => ((values[b] ?? 0) > (values[a] ?? 0) ? b : a));
    const chosen = onlyExtremes ? [least, greatest] : [first, least, greatest, present.at(-1) ?? first];
    for (const at of [...new Set(chosen)].toSorted((a, b) => a - b))
      points.push({ at, to: at, value: values[at] });
  }
  return withGaps(points, values);
}

export function naiveMeans(
  values: readonly Value[],
  starts: readonly number[],
  isTime = false,
): NaivePoint[] {
  const means: NaivePoint[] = [];
  for (let bin = 0; bin + 1 < starts.length; bin++) {
    const positions = Array.from(
      { length: (starts[bin + 1] ?? 0) - (starts[bin] ?? 0) },
      (_, i) => (starts[bin] ?? 0) + i,
    );
    const present = positions.filter((at) => values[at] !== undefined);
    const [at] = present;
    if (at === undefined) continue;
    means.push({
      at,
      to: present.at(-1) ?? at,
      value: meanOf(
        present.map((position) => values[position]),
        isTime,
      ),
    });
  }
  return withGaps(means, values);
}

function meanOf(values: readonly Value[], isTime: boolean): Value {
  if (typeof values[0] !== 'bigint')
    return values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
  const sum = values.reduce<bigint>((total, value) => total + BigInt(value ?? 0), 0n);
  const count = BigInt(values.length);
  if (!isTime) return Number(sum) / values.length;
  return sum % count < 0n ? sum / count - 1n : sum / count;
}

function withGaps(points: readonly NaivePoint[], values: readonly Value[]): NaivePoint[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1];
    if (before === undefined) return [point];
    const gap = values.findLastIndex((value, k) => value === undefined && k > before.to && k < point.at);
    return gap < 0 ? [point] : [{ at: gap, to: gap, value: undefined }, point];
  });
}
