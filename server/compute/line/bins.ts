/**
 * Bins of equal width over a range of a coordinate. Numbers are compared as float64; 64-bit integers and
 * dates exactly, as bigints. Pure.
 */
import { firstIndexWhere } from '../../core/bytes/search.js';
import { InputError } from '../../core/errors.js';

export type Key = number | bigint;

export interface Bins {
  readonly count: number;
  /**
   * The bin of a label, from 0; -1 below the range, `count` above it. The last bin includes both its ends.
   */
  readonly binOf: (key: Key) => number;
}

/**
 * @param from smallest label of the range, inclusive; `to` is inclusive too
 * @throws InputError for an unbounded range
 */
export function createBins(from: Key, to: Key, count: number): Bins {
  if (typeof from === 'bigint' && typeof to === 'bigint') return integerBins(from, to, count);
  return numberBins(Number(from), Number(to), count);
}

function integerBins(from: bigint, to: bigint, count: number): Bins {
  const [width, bins] = [to - from, BigInt(count)];
  return {
    count,
    binOf(key) {
      if (key < from) return -1;
      if (key > to) return count;
      if (width === 0n) return 0;
      return Math.min(count - 1, Number(((BigInt(key) - from) * bins) / width));
    },
  };
}

function numberBins(from: number, to: number, count: number): Bins {
  if (!Number.isFinite(from) || !Number.isFinite(to))
    throw new InputError(`the range of the line is from ${from} to ${to}; both ends must be finite`);
  // Both ends are halved, so that no difference overflows to infinity.
  const width = to / 2 - from / 2;
  return {
    count,
    binOf(key) {
      if (key < from) return -1;
      if (key > to) return count;
      if (width === 0) return 0;
      const distance = Number(key) / 2 - from / 2;
      const product = distance * count;
      const bin = Number.isFinite(product) ? product / width : (distance / width) * count;
      return Math.min(count - 1, Math.floor(bin));
    },
  };
}

/**
 * Whether a label is before bin k. Bins are numbered in the order of positions: for a descending coordinate they start
 * with the largest labels.
 */
function liesBefore({ count, binOf }: Bins, key: Key, k: number, isDescending: boolean): boolean {
  const bin = binOf(key);
  return isDescending ? bin > count - 1 - k : bin < k;
}

/**
 * The index of the first sorted label that is not before bin k.
 * @param low start of the search
 * @returns `size` if all labels are before it
 */
export function firstOfBin(
  bins: Bins,
  k: number,
  isDescending: boolean,
  keyAt: (i: number) => Key,
  low: number,
  size: number,
): number {
  return firstIndexWhere(low, size, (i) => !liesBefore(bins, keyAt(i), k, isDescending));
}
