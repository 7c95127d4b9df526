/** Finds the bins of a coordinate whose stored labels arrive in blocks, and checks that they are sorted. */
import { blockPart } from '../../dataset/decode/decode-cooperatively.js';
import type { Decoding } from '../../dataset/decode/decoding.js';
import { type LabelKey, type LabelKeys, labelKeys } from '../../dataset/labels/label-keys.js';
import { type Block, type YieldToEventLoop, isZarrError, SelectionError, sizeOf } from '../../zarr/index.js';
import { BinStarts, createBins, type Key } from './bins.js';
import { isSorted } from './is-sorted.js';
import type { LabelRange } from './line-axis.js';

/** Labels processed at a time: well below a millisecond of work. */
const PIECE = 2 ** 13;

export class BinSearch {
  readonly #name: string;
  readonly #decoding: Decoding;
  readonly #starts: BinStarts;
  readonly #isDescending: boolean;
  #before: Key | undefined;

  /**
   * @param ends the first and the last label, as stored
   * @throws SelectionError for a malformed label; InputError for a range without ends
   */
  constructor(name: string, decoding: Decoding, ends: Block, range: LabelRange, bins: number) {
    this.#name = name;
    this.#decoding = decoding;
    const keys = labelKeys(ends, decoding);
    const [first, last] = [this.#keyAt(keys, 0), this.#keyAt(keys, keys.size - 1)];
    this.#isDescending = last < first;
    const [least, greatest] = this.#isDescending ? [last, first] : [first, last];
    const [from, to] = this.#rangeOf(keys, range);
    this.#starts = new BinStarts(
      createBins(...sameKind(from ?? least, to ?? greatest), bins),
      this.#isDescending,
    );
  }

  /** @param stored the next labels. @throws SelectionError where they are not sorted */
  async add(stored: Block, yieldToEventLoop: YieldToEventLoop): Promise<void> {
    const size = sizeOf(stored.shape);
    for (let from = 0; from < size; from += PIECE) {
      const keys = labelKeys(blockPart(stored, from, Math.min(PIECE, size - from)), this.#decoding);
      this.#checkOrder(keys);
      for (const _ of this.#starts.add(keys.size, (i) => this.#keyAt(keys, i))) await yieldToEventLoop();
      await yieldToEventLoop();
    }
  }

  finish(): Float64Array {
    return this.#starts.finish();
  }

  #rangeOf(keys: LabelKeys, { from, to }: LabelRange): readonly [Key | undefined, Key | undefined] {
    const spanOf = (label: unknown): { readonly first: Key; readonly last: Key } | undefined => {
      if (label === undefined || label === null) return undefined;
      const { first, last } = this.#inCoordinate(() => keys.span(label));
      return { first: this.#asKey(first), last: this.#asKey(last) };
    };
    const [one, other] = [spanOf(from), spanOf(to)];
    if (one === undefined || other === undefined) return [one?.first, other?.last];
    return one.first <= other.last ? [one.first, other.last] : [other.first, one.last];
  }

  #checkOrder(keys: LabelKeys): void {
    if (keys.size === 0) return;
    const [first, last] = [this.#keyAt(keys, 0), this.#keyAt(keys, keys.size - 1)];
    if (this.#before !== undefined && this.#isOutOfOrder(this.#before, first))
      throw this.#error('is not sorted');
    this.#before = last;
    if (keys.numbers !== undefined && isSorted(keys.numbers, this.#isDescending)) return;
    let before = first;
    for (let i = 1; i < keys.size; i++) {
      const key = this.#keyAt(keys, i);
      if (this.#isOutOfOrder(before, key)) throw this.#error('is not sorted');
      before = key;
    }
  }

  #isOutOfOrder(before: Key, key: Key): boolean {
    return this.#isDescending ? key > before : key < before;
  }

  #keyAt(keys: LabelKeys, i: number): Key {
    const key = keys.at(i);
    if (key === undefined) throw this.#error('has missing labels');
    return this.#asKey(key);
  }

  #asKey(key: LabelKey): Key {
    if (typeof key === 'number' || typeof key === 'bigint') return key;
    throw this.#error('has labels that are neither numbers nor dates');
  }

  #error(what: string): SelectionError {
    return new SelectionError(`the coordinate "${this.#name}" ${what}; a line requires sorted labels`);
  }

  #inCoordinate<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!isZarrError(error, 'BAD_SELECTION')) throw error;
      throw new SelectionError(`${error.detail} ("${this.#name}")`, { cause: error });
    }
  }
}

/** A range with a fractional end is compared as floating-point numbers. */
function sameKind(from: Key, to: Key): readonly [Key, Key] {
  if (typeof from === typeof to) return [from, to];
  const isWhole = (key: Key): boolean => typeof key === 'bigint' || Number.isSafeInteger(key);
  return isWhole(from) && isWhole(to) ? [BigInt(from), BigInt(to)] : [Number(from), Number(to)];
}
