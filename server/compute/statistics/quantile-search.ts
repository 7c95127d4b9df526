/** Finds quantiles digit by digit: plans the counts of each pass and evaluates them. */
import type { DataType } from '../../core/dtype/data-type.js';
import { DIGITS, digitPasses, type DigitSpec, type DigitTotals } from './digit-counts.js';
import { valueOfKey } from './sort-keys.js';

/** A value to find: the known digits of its key, and its rank among the keys with this prefix. */
interface Wanted {
  readonly digits: readonly number[];
  readonly rank: number;
}

/** A value of fractional rank, between two values. */
export interface Between {
  readonly below: number | bigint;
  readonly above: number | bigint;
  /** Position between the two, from 0 (inclusive) to 1 (exclusive). */
  readonly share: number;
}

export class QuantileSearch {
  readonly #dtype: DataType;
  readonly #quantiles: readonly number[];
  readonly #passes: number;
  readonly #ranksOf: (q: number, count: number) => readonly [below: number, above: number];
  #depth = 0;
  #count = 0;
  /** Two entries per quantile: the values below and above it. */
  #wanted: readonly Wanted[] = [];
  #prefixes: Float64Array = Float64Array.of(0);

  /**
   * @param quantiles quantiles from 0 to 1
   * @param ranksOf returns the ranks of the two values to find for a quantile, given a positive number of
   * values
   */
  constructor(
    dtype: DataType,
    quantiles: readonly number[],
    ranksOf: (q: number, count: number) => readonly [below: number, above: number] = nearestRanks,
  ) {
    this.#dtype = dtype;
    this.#quantiles = quantiles;
    this.#ranksOf = ranksOf;
    this.#passes = quantiles.length === 0 ? 0 : digitPasses(dtype);
  }

  /** Number of values that are not missing, after the first pass. */
  get count(): number {
    return this.#count;
  }

  /**
   * Parameters of the next pass; undefined when all digits are known, or if there are no values or quantiles.
   */
  get next(): DigitSpec | undefined {
    const isKnown = this.#depth >= this.#passes || (this.#depth > 0 && this.#count === 0);
    return isKnown ? undefined : { depth: this.#depth, prefixes: this.#prefixes };
  }

  /** Evaluates the counts of the pass that `next` describes. Yields several times per millisecond. */
  *add(totals: DigitTotals): Generator<void> {
    if (this.#depth === 0) {
      this.#count = totals.countOf(0);
      this.#wanted = this.#quantiles.flatMap((q) => {
        if (this.#count === 0) return [];
        return this.#ranksOf(q, this.#count).map((rank) => ({ digits: [], rank }));
      });
    }
    const wanted: Wanted[] = [];
    for (const { digits, rank: before } of this.#wanted) {
      const { digit, rank } = totals.digitAt(this.#prefixes.indexOf(prefixOf(digits)), before);
      wanted.push({ digits: [...digits, digit], rank });
      yield;
    }
    this.#wanted = wanted;
    this.#depth++;
    this.#prefixes = Float64Array.from(new Set(wanted.map(({ digits }) => prefixOf(digits)))).sort();
  }

  /** Returns one result per quantile; empty if there are no values. */
  finish(): readonly Between[] {
    if (this.#count === 0) return [];
    return this.#quantiles.map((q, i) => {
      const rank = (this.#count - 1) * q;
      return {
        below: this.#valueOf(this.#wanted[2 * i]),
        above: this.#valueOf(this.#wanted[2 * i + 1]),
        share: rank - Math.floor(rank),
      };
    });
  }

  #valueOf(wanted: Wanted | undefined): number | bigint {
    const [a = 0, b = 0, c = 0, d = 0] = wanted?.digits ?? [];
    return valueOfKey(this.#dtype, a * DIGITS + b, c * DIGITS + d);
  }
}

function nearestRanks(q: number, count: number): readonly [below: number, above: number] {
  const rank = (count - 1) * q;
  return [Math.floor(rank), Math.ceil(rank)];
}

/** Combines digits into a number. Three digits are 48 bits, which a number represents exactly. */
function prefixOf(digits: readonly number[]): number {
  return digits.reduce((prefix, digit) => prefix * DIGITS + digit, 0);
}
