/**
 * Exact selection by rank in passes: each pass counts 16 bits of the keys whose upper bits are known. The
 * count of a chunk lists only the digits that occur.
 */
import { assertLength } from '../../core/bytes/bounds.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { keyBits, type SortKeys } from './sort-keys.js';

const DIGIT_BITS = 16;
export const DIGITS = 2 ** DIGIT_BITS;

/** Number of passes after which all bits of a value are known. */
export function digitPasses(dtype: DataType): number {
  return Math.max(1, keyBits(dtype) / DIGIT_BITS);
}

/** The parameters of one pass, as plain data. */
export interface DigitSpec {
  /** Number of known digits, from 0. */
  readonly depth: number;
  /** The known digits, combined into one number each, ascending; a single 0 at depth 0. */
  readonly prefixes: Float64Array;
}

/** Counts of one pass. Plain data that is transferred between threads. */
export interface DigitCounts {
  /** The counted digits: index of the prefix x `DIGITS` + digit. Without duplicates, in any order. */
  readonly digits: Uint32Array;
  /** Number of occurrences of each entry of `digits`. */
  readonly counts: Float64Array;
}

/** Counts one digit of keys. The loops use local variables, because they visit every value of an array. */
export class DigitCounter {
  readonly #depth: number;
  readonly #prefixes: Float64Array;
  readonly #table: Uint32Array;
  #touched: Uint32Array = new Uint32Array(1024);
  #size = 0;
  /** Maps the upper digit to the first prefix that begins with it; -1 if there is none. Empty at depth 0. */
  readonly #starts: Int32Array;

  constructor({ depth, prefixes }: DigitSpec) {
    this.#depth = depth;
    this.#prefixes = prefixes;
    this.#table = takeTable(prefixes.length * DIGITS);
    this.#starts = depth === 0 ? noStarts : startsOf(depth, prefixes);
  }

  /** Adds keys. The total number of keys must be less than 2^32. */
  add({ count, high, low }: SortKeys): void {
    assertLength(high, count, 'the list of keys');
    assertLength(low, count, 'the list of keys');
    if (this.#depth === 0) this.#addFirst(high, count);
    else if (this.#depth === 1) this.#addSecond(high, count);
    else this.#addLast(high, low, count);
  }

  /** Returns the counts. Called once, at the end. */
  result(): DigitCounts {
    const digits = this.#touched.slice(0, this.#size);
    const counts = new Float64Array(digits.length);
    const table = this.#table;
    for (let i = 0; i < digits.length; i++) {
      const index = digits[i];
      counts[i] = table[index];
      table[index] = 0;
    }
    spareTables.push(table);
    return { digits, counts };
  }

  #addFirst(high: Uint32Array, count: number): void {
    const table = this.#table;
    for (let i = 0; i < count; i++) {
      const index = high[i] >>> 16;
      const before = table[index];
      table[index] = before + 1;
      if (before === 0) this.#touch(index);
    }
  }

  #addSecond(high: Uint32Array, count: number): void {
    const [table, starts] = [this.#table, this.#starts];
    for (let i = 0; i < count; i++) {
      const key = high[i];
      const slot = starts[key >>> 16] ?? -1;
      if (slot < 0) continue;
      const index = (slot << 16) | (key & 0xffff);
      const before = table[index];
      table[index] = before + 1;
      if (before === 0) this.#touch(index);
    }
  }

  /** Counts the third or the fourth digit. */
  #addLast(high: Uint32Array, low: Uint32Array, count: number): void {
    const [table, starts, prefixes] = [this.#table, this.#starts, this.#prefixes];
    const isThird = this.#depth === 2;
    for (let i = 0; i < count; i++) {
      const upper = high[i];
      const lower = low[i];
      let slot = starts[upper >>> 16] ?? -1;
      if (slot < 0) continue;
      const prefix = isThird ? upper : upper * DIGITS + (lower >>> 16);
      while ((prefixes[slot] ?? Infinity) < prefix) slot++;
      if (prefixes[slot] !== prefix) continue;
      const index = (slot << 16) | (isThird ? lower >>> 16 : lower & 0xffff);
      const before = table[index];
      table[index] = before + 1;
      if (before === 0) this.#touch(index);
    }
  }

  #touch(index: number): void {
    if (this.#size === this.#touched.length) {
      const larger = new Uint32Array(2 * this.#size);
      larger.set(this.#touched);
      this.#touched = larger;
    }
    this.#touched[this.#size++] = index;
  }
}

const noStarts = new Int32Array(0);

/** Reused tables of zeros: allocating them for each chunk would take longer than counting it. */
const spareTables: Uint32Array[] = [];

function takeTable(length: number): Uint32Array {
  const spare = spareTables.pop();
  return spare !== undefined && spare.length >= length ? spare : new Uint32Array(length);
}

function startsOf(depth: number, prefixes: Float64Array): Int32Array {
  const starts = new Int32Array(DIGITS).fill(-1);
  const lower = DIGITS ** (depth - 1);
  prefixes.forEach((prefix, slot) => {
    const upper = Math.floor(prefix / lower);
    if ((starts[upper] ?? -1) < 0) starts[upper] = slot;
  });
  return starts;
}

/** All counts of one pass, as a dense table. */
export class DigitTotals {
  readonly totals: Float64Array;

  constructor(prefixes: number) {
    this.totals = new Float64Array(prefixes * DIGITS);
  }

  merge({ digits, counts }: DigitCounts): void {
    for (let i = 0; i < digits.length; i++) {
      const index = digits[i];
      this.totals[index] = this.totals[index] + counts[i];
    }
  }

  /** Number of keys with the prefix of this index. */
  countOf(slot: number): number {
    let sum = 0;
    for (const count of this.totals.subarray(slot * DIGITS, (slot + 1) * DIGITS)) sum += count;
    return sum;
  }

  /**
   * Finds the next digit of the key with a given rank (from 0) among the keys with the prefix. Also returns
   * its rank among the keys that share this digit.
   */
  digitAt(slot: number, rank: number): { readonly digit: number; readonly rank: number } {
    let left = rank;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = this.totals[slot * DIGITS + digit];
      if (left < count) return { digit, rank: left };
      left -= count;
    }
    throw new RangeError(`rank ${rank} is not less than the number of values`);
  }
}
