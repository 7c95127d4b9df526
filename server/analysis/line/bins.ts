/**
 * Bins of equal width over a range of a coordinate: the bin of a label, and the first position of each bin
 * along a sorted coordinate. Numbers are compared as float64; 64-bit integers and dates exactly, as bigints.
 * Pure.
 */
import { InputError } from '../../zarr/index.js';

export type Key = number | bigint;

export interface Bins {
  readonly count: number;
  /**
   * The bin of a label, from 0; -1 below the range, `count` above it. The last bin includes both its ends.
   */
  binOf(key: Key): number;
}

/**
 * @param from smallest label of the range; `from` and `to` are included
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
    throw new InputError(`cannot divide the range from ${from} to ${to} into bins; both ends must be finite`);
  // Halved, so that no difference overflows to infinity.
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

/** Finds the first position of each bin along a sorted coordinate whose labels arrive in parts, in order. */
export class BinStarts {
  readonly #bins: Bins;
  readonly #isDescending: boolean;
  /** `starts[k]` is the first position at or after bin k, in the order of the coordinate. */
  readonly #starts: Float64Array;
  #known = 0;
  #end = 0;

  constructor(bins: Bins, isDescending: boolean) {
    this.#bins = bins;
    this.#isDescending = isDescending;
    this.#starts = new Float64Array(bins.count + 1);
  }

  /**
   * Adds the next labels. Yields after some microseconds of work.
   * @param keyAt returns the i-th of these labels
   */
  *add(size: number, keyAt: (i: number) => Key): Generator<void> {
    let low = 0;
    while (this.#known <= this.#bins.count && size > 0 && !this.#liesBefore(keyAt(size - 1), this.#known)) {
      let high = size - 1;
      while (low < high) {
        // Not `>>> 1`: positions of a dimension may exceed 32 bits.
        const middle = Math.floor((low + high) / 2);
        if (this.#liesBefore(keyAt(middle), this.#known)) low = middle + 1;
        else high = middle;
      }
      this.#starts[this.#known++] = this.#end + low;
      yield;
    }
    this.#end += size;
  }

  /** Call after all labels have been added. The last entry is the end of the range. */
  finish(): Float64Array {
    return this.#starts.fill(this.#end, this.#known);
  }

  /** Whether a label is before bin k; bins are numbered along the coordinate. */
  #liesBefore(key: Key, k: number): boolean {
    const bin = this.#bins.binOf(key);
    return this.#isDescending ? bin > this.#bins.count - 1 - k : bin < k;
  }
}
