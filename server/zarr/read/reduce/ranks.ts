/**
 * Exact medians and quantiles: by selection if the list fits into memory, otherwise in passes over histograms
 * of the bits.
 */
import type { DataType } from '../../dtype/data-type.js';
import type { Collector } from './collector.js';
import { between, rankPosition, selectRank, type RankPosition } from './select-ranks.js';
import { planesOf, WORD } from './widen.js';

/** Maximum number of elements in memory. */
export const MAX_HELD = 2 ** 20;

const DIGIT = 2 ** 16;
/** Number of 16-bit digits of a float64's key. */
export const RANK_PASSES = 4;

/** @param quantiles between 0 and 1; undefined for the median */
export function rankCollector(dtype: DataType, quantiles: readonly number[] | undefined): Collector {
  const planes = planesOf(dtype);
  let held = new Float64Array(0);
  let search: BitSearch | undefined;
  let present = 0;
  return {
    begin(count) {
      present = 0;
      search = count > MAX_HELD ? new BitSearch(quantiles) : undefined;
      if (search === undefined && held.length < count) held = new Float64Array(count);
    },
    add(widened, count) {
      const [first, second] = widened.planes;
      if (first === undefined) return;
      for (let i = 0; i < count; i++) {
        const high = first[i] ?? NaN;
        if (high !== high) continue;
        // Replaces -0, because its key would be less than that of 0.
        const value = (planes === 2 ? high * WORD + (second?.[i] ?? 0) : high) + 0;
        if (search === undefined) held[present++] = value;
        else search.add(value);
      }
    },
    endPass: () => search?.endPass() ?? false,
    get present() {
      return search?.present ?? present;
    },
    results() {
      if (search !== undefined) return search.results();
      return ranksOf(held, present, quantiles);
    },
  };
}

/** @param list at least one element; modified */
function ranksOf(list: Float64Array, count: number, quantiles: readonly number[] | undefined): number[] {
  return positionsOf(quantiles, count).map((position) => {
    const low = selectRank(list, position.low, 0, count);
    if (position.high === position.low) return low;
    // The element of the next rank is the minimum of the elements after this position.
    let high = Infinity;
    for (let i = position.high; i < count; i++) high = Math.min(high, list[i] ?? Infinity);
    return valueAt(position, low, high, quantiles === undefined);
  });
}

function positionsOf(quantiles: readonly number[] | undefined, count: number): RankPosition[] {
  return (quantiles ?? [0.5]).map((q) => rankPosition(q, count));
}

function valueAt(position: RankPosition, low: number, high: number, isMedian: boolean): number {
  const { fraction } = position;
  if (position.low === position.high) return low;
  if (!isMedian) return between(low, high, fraction);
  return fraction === 0 ? low : (low + high) / 2;
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/** Finds elements by rank, digit by digit: each pass counts the elements that begin with the known digits. */
class BitSearch {
  present = 0;
  readonly #quantiles: readonly number[] | undefined;
  #digits = 0;
  /** Maps known digits to the counts of the next digit. */
  #counts = new Map<number, Float64Array>([[0, new Float64Array(DIGIT)]]);
  /** For each requested rank: the known digits, and the rank among the elements that begin with them. */
  #places: { prefix: number; last: number; place: number }[] = [];
  #positions: readonly RankPosition[] = [];

  constructor(quantiles: readonly number[] | undefined) {
    this.#quantiles = quantiles;
  }

  add(value: number): void {
    if (this.#digits === 0) this.present++;
    float[0] = value;
    const isNegative = (words[1] ?? 0) >>> 31 === 1;
    const high = isNegative ? ~(words[1] ?? 0) >>> 0 : ((words[1] ?? 0) ^ 0x80000000) >>> 0;
    const low = isNegative ? ~(words[0] ?? 0) >>> 0 : (words[0] ?? 0);
    const digits = this.#digits;
    const prefix =
      digits === 0 ? 0 : digits === 1 ? high >>> 16 : digits === 2 ? high : high * DIGIT + (low >>> 16);
    const counts = this.#counts.get(prefix);
    if (counts === undefined) return;
    const digit =
      digits === 0 ? high >>> 16 : digits === 1 ? high & 0xffff : digits === 2 ? low >>> 16 : low & 0xffff;
    counts[digit] = (counts[digit] ?? 0) + 1;
  }

  /** @returns whether another pass is needed */
  endPass(): boolean {
    if (this.#digits === 0) {
      if (this.present === 0) return false;
      this.#positions = positionsOf(this.#quantiles, this.present);
      this.#places = this.#positions.flatMap(({ low, high }) =>
        [low, high].map((place) => ({ prefix: 0, last: 0, place })),
      );
    }
    for (const one of this.#places) {
      const counts = this.#counts.get(one.prefix);
      let digit = 0;
      while (digit < DIGIT - 1 && one.place >= (counts?.[digit] ?? 0)) one.place -= counts?.[digit++] ?? 0;
      // Four digits (64 bits) exceed the precision of a number.
      if (this.#digits === RANK_PASSES - 1) one.last = digit;
      else one.prefix = one.prefix * DIGIT + digit;
    }
    this.#digits++;
    if (this.#digits === RANK_PASSES) return false;
    this.#counts = new Map(this.#places.map(({ prefix }) => [prefix, new Float64Array(DIGIT)]));
    return true;
  }

  results(): number[] {
    return this.#positions.map((position, i) => {
      const [low, high] = [this.#places[2 * i], this.#places[2 * i + 1]].map((one) =>
        one === undefined ? NaN : valueOfKey(one.prefix, one.last),
      );
      return valueAt(position, low ?? NaN, high ?? NaN, this.#quantiles === undefined);
    });
  }
}

/**
 * @param prefix the first 48 bits
 * @param last the other bits
 */
function valueOfKey(prefix: number, last: number): number {
  const high = Math.floor(prefix / DIGIT);
  const low = (prefix % DIGIT) * DIGIT + last;
  const isNegative = high >>> 31 === 0;
  words[1] = isNegative ? ~high : high ^ 0x80000000;
  words[0] = isNegative ? ~low : low;
  return float[0] ?? NaN;
}
