/** Naive reductions: each result separately from a list of its values, with integers as bigints. */
import { type Block, elementAt, type ReduceRequest } from '../../../server/zarr/index.js';

const NAT = -(2n ** 63n);

function isMissing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((part) => Number.isNaN(part));
  return value === null || Number.isNaN(value) || value === NAT;
}

/** The values of each result, in C order of the result; each list in C order of the input. */
function groups(block: Block, over: readonly number[]): unknown[][] {
  const kept = block.shape.flatMap((size, d) => (over.includes(d) ? [] : [{ size, d }]));
  const results: unknown[][] = Array.from(
    { length: kept.reduce((product, { size }) => product * size, 1) },
    () => [],
  );
  const size = block.shape.reduce((product, length) => product * length, 1);
  for (let i = 0; i < size; i++) {
    let rest = i;
    const index = block.shape.map(() => 0);
    for (let d = block.shape.length - 1; d >= 0; d--) {
      const length = block.shape[d] ?? 1;
      index[d] = rest % length;
      rest = Math.floor(rest / length);
    }
    const slot = kept.reduce((at, dim) => at * dim.size + (index[dim.d] ?? 0), 0);
    results[slot]?.push(elementAt(block, i));
  }
  return results;
}

/** @returns one value per result (for QUANTILE a list); numbers exact or in float64, null if missing */
export function modelOf(block: Block, over: readonly number[], request: ReduceRequest): unknown[] {
  return groups(block, over).map((values) => one(values, request));
}

function one(
  all: readonly unknown[],
  { by, q, skipMissing = true, ddof = 0, minCount = 0 }: ReduceRequest,
): unknown {
  const present = all.filter((value) => !isMissing(value));
  if (by === 'COUNT') return BigInt(present.length);
  if (by === 'ANY') return all.some((value) => Number(value) !== 0);
  if (by === 'ALL') return all.every((value) => Number(value) !== 0);
  if (by === 'ARGMIN' || by === 'ARGMAX') return argOf(all, present, by === 'ARGMIN', skipMissing);
  if (present.length < minCount) return null;
  if (by === 'FIRST' || by === 'LAST') {
    const list = skipMissing ? present : all;
    const value = by === 'FIRST' ? list[0] : list.at(-1);
    return present.length === 0 || isMissing(value) ? null : value;
  }
  if (!skipMissing && present.length < all.length) return null;
  if (by === 'SUM') return sumOf(present);
  if (present.length === 0) return null;
  switch (by) {
    case 'MEAN':
      return meanOf(present);
    case 'MIN':
      return sorted(present)[0];
    case 'MAX':
      return sorted(present).at(-1);
    case 'MODE':
      return mostFrequent(sorted(present));
    case 'MEDIAN':
      return quantileOf(sorted(present).map(Number), 0.5);
    case 'QUANTILE':
      return q?.map((one) => quantileOf(sorted(present).map(Number), one));
    default: {
      const mean = Number(meanOf(present.map(Number)));
      const squares = present.reduce((sum: number, value) => sum + (Number(value) - mean) ** 2, 0);
      if (present.length <= ddof) return null;
      const variance = squares / (present.length - ddof);
      return by === 'VAR' ? variance : Math.sqrt(variance);
    }
  }
}

function mostFrequent(order: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of order) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return order.find((value) => counts.get(value) === most);
}

function quantileOf(order: readonly number[], q: number): number {
  const place = (order.length - 1) * q;
  const [low = NaN, high = low] = order.slice(Math.floor(place), Math.floor(place) + 2);
  return low + (high - low) * (place - Math.floor(place));
}

function argOf(
  all: readonly unknown[],
  present: readonly unknown[],
  isMin: boolean,
  skipMissing: boolean,
): bigint {
  if (present.length === 0) return -1n;
  if (!skipMissing && present.length < all.length) return BigInt(all.findIndex(isMissing));
  const order = sorted(present);
  return BigInt(all.indexOf(isMin ? order[0] : order.at(-1)));
}

function sorted(values: readonly unknown[]): unknown[] {
  const isLess = (a: unknown, b: unknown): boolean =>
    (typeof a === 'bigint' && typeof b === 'bigint') || (typeof a === 'string' && typeof b === 'string')
      ? a < b
      : Number(a) < Number(b);
  return [...values].sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
}

function sumOf(values: readonly unknown[]): unknown {
  if (values.some(Array.isArray))
    return [0, 1].map((part) =>
      values.reduce((sum: number, value) => sum + (Array.isArray(value) ? Number(value[part]) : 0), 0),
    );
  const isWhole = values.every((value) => typeof value !== 'number' || Number.isInteger(value));
  return isWhole
    ? values.reduce(
        (sum: bigint, value) => sum + BigInt(typeof value === 'bigint' ? value : Number(value)),
        0n,
      )
    : values.reduce((sum: number, value) => sum + Number(value), 0);
}

function meanOf(values: readonly unknown[]): unknown {
  const sum = sumOf(values);
  if (Array.isArray(sum)) return sum.map((part) => Number(part) / values.length);
  return Number(sum) / values.length;
}
