/**
 * Values by their rank, exactly, in passes: each pass counts 16 bits of the keys whose upper bits are known already. Digits
 * that occur are listed, so that a count costs as much as there are different ones.
 */
import type { DataType } from '../../dtype/data-type.js';
import { keyBits, type SortKeys } from './sort-keys.js';

const DIGIT_BITS = 16;
export const DIGITS = 2 ** DIGIT_BITS;

/** Passes until every bit of a value is known. */
export function digitPasses(dtype: DataType): number {
  return Math.max(1, keyBits(dtype) / DIGIT_BITS);
}

/** One pass; plain data. */
export interface DigitSpec {
  /** Digits that are known of the keys to count, from 0. */
  readonly depth: number;
  /** These digits, together one number, ascending; a single 0 at depth 0. */
  readonly prefixes: Float64Array;
}

/** Plain data, which travels between threads. */
export interface DigitCounts {
  /** Index of the prefix x `DIGITS` + digit, each once, in no order. */
  readonly digits: Uint32Array;
  /** How often each occurs. */
  readonly counts: Float64Array;
}

/** Counts one digit of keys. */
export class DigitCounter {
  readonly #depth: number;
  readonly #prefixes: Float64Array;
  readonly #table: Uint32Array;
  #touched: Uint32Array = new Uint32Array(256);
  #size = 0;
  /** Upper digit -> the first prefix that begins with it; -1: none. Where prefixes are. */
  readonly #starts: Int32Array | undefined;

  constructor({ depth, prefixes }: DigitSpec) {
    this.#depth = depth;
    this.#prefixes = prefixes;
    this.#table = takeTable(prefixes.length * DIGITS);
    this.#starts = depth === 0 ? undefined : startsOf(depth, prefixes);
  }

  /** Of fewer than 2^32 keys in all. */
  add({ count, high, low }: SortKeys): void {
    switch (this.#depth) {
      case 0:
        for (let i = 0; i < count; i++) this.#count((high[i] ?? 0) >>> 16);
        return;
      case 1:
        for (let i = 0; i < count; i++) {
          const key = high[i] ?? 0;
          const slot = this.#starts?.[key >>> 16] ?? -1;
          if (slot >= 0) this.#count(slot * DIGITS + (key & 0xffff));
        }
        return;
      case 2:
        for (let i = 0; i < count; i++) this.#countBehind(high[i] ?? 0, high[i] ?? 0, (low[i] ?? 0) >>> 16);
        return;
      default:
        for (let i = 0; i < count; i++) {
          const [upper, lower] = [high[i] ?? 0, low[i] ?? 0];
          this.#countBehind(upper, upper * DIGITS + (lower >>> 16), lower & 0xffff);
        }
    }
  }

  /** Called once, last. */
  result(): DigitCounts {
    const digits = this.#touched.slice(0, this.#size);
    const counts = Float64Array.from(digits, (index) => this.#table[index] ?? 0);
    for (const index of digits) this.#table[index] = 0;
    spareTables.push(this.#table);
    return { digits, counts };
  }

  #countBehind(high: number, prefix: number, digit: number): void {
    let slot = this.#starts?.[high >>> 16] ?? -1;
    if (slot < 0) return;
    const prefixes = this.#prefixes;
    while ((prefixes[slot] ?? Infinity) < prefix) slot++;
    if (prefixes[slot] === prefix) this.#count(slot * DIGITS + digit);
  }

  #count(index: number): void {
    const before = this.#table[index] ?? 0;
    if (before === 0) this.#touch(index);
    this.#table[index] = before + 1;
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

/** Tables of zeros: fresh memory for each chunk would take longer to come by than the chunk to count. */
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

/** All counts of one pass, dense. */
export class DigitTotals {
  readonly totals: Float64Array;

  constructor(prefixes: number) {
    this.totals = new Float64Array(prefixes * DIGITS);
  }

  merge({ digits, counts }: DigitCounts): void {
    for (let i = 0; i < digits.length; i++) {
      const index = digits[i] ?? 0;
      this.totals[index] = (this.totals[index] ?? 0) + (counts[i] ?? 0);
    }
  }

  /** How many keys begin with the prefix of this index. */
  countOf(slot: number): number {
    let sum = 0;
    for (const count of this.totals.subarray(slot * DIGITS, (slot + 1) * DIGITS)) sum += count;
    return sum;
  }

  /** The digit of the key of a rank (from 0) among those with the prefix, and its rank among those with the digit, too. */
  digitAt(slot: number, rank: number): { readonly digit: number; readonly rank: number } {
    let left = rank;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = this.totals[slot * DIGITS + digit] ?? 0;
      if (left < count) return { digit, rank: left };
      left -= count;
    }
    throw new RangeError(`there is no value of rank ${rank}`);
  }
}
