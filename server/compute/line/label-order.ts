/**
 * The order of a coordinate's labels and the starts of bins along it: computed for each chunk by the thread
 * that decodes it, so that labels are neither kept nor sent.
 */
import type { Values } from '../../core/bytes/values.js';
import { integerOf, WORD, widen } from '../number-planes.js';
import { runLength } from '../../format/plan/parts.js';
import type { TaskAxis } from '../axis-map.js';
import { piecesOf, type PieceForm } from '../piece.js';
import type { ElementRegion } from '../../format/plan/region.js';
import { type Bins, createBins, firstOfBin, type Key } from './bins.js';
import { longLabelsOf, type LongLabels } from './long-labels.js';

/** Input of the computation, as plain data. */
export interface LabelOrderSpec {
  /** The bins: see `createBins`. */
  readonly from: Key;
  readonly to: Key;
  readonly count: number;
  readonly isDescending: boolean;
}

/**
 * The order of the labels of one chunk, in the order of positions. Plain data that is transferred between
 * threads.
 */
export type LabelOrder =
  | { readonly fault: LabelFault }
  | {
      readonly fault: undefined;
      readonly count: number;
      readonly first: Key;
      readonly last: Key;
      /**
       * The starts of bins within the chunk, from bin `known` on. Bins before `known` start at or before the
       * first label; bins that are not listed start after the chunk.
       */
      readonly known: number;
      readonly starts: Float64Array;
      /** The difference of neighbours, if it is the same for all integers or dates. */
      readonly step: Key | undefined;
    };

export type LabelFault = 'missing' | 'unsorted';

/** Labels as numbers: one plane, or two words. */
interface Labels {
  readonly first: Float64Array;
  readonly second: Float64Array | undefined;
}

/**
 * Determines the order of a chunk's labels. Yields several times per millisecond.
 * @throws InputError for an unbounded range
 */
export function* labelOrderOf(
  spec: LabelOrderSpec,
  form: PieceForm,
  axes: readonly TaskAxis[],
  values: Values,
  region: ElementRegion,
): Generator<void, LabelOrder> {
  const scan = new LabelScan(spec, form.dtype.name);
  const longs = yield* longLabelsOf(form, spec.isDescending, values, region);
  if (longs !== undefined) return scan.addSorted(longs).finish();
  for (const { planes, length, hasMissing } of piecesOf(values, region, axes, form)) {
    const [first, second] = planes;
    if (hasMissing) return { fault: 'missing' };
    if (!scan.add({ first, second }, length)) return { fault: 'unsorted' };
    yield;
  }
  return scan.finish();
}

/** Like `labelOrderOf`, for equal labels. */
export function labelOrderOfFill(
  spec: LabelOrderSpec,
  { dtype }: Pick<PieceForm, 'dtype'>,
  axes: readonly TaskAxis[],
  fill: Values,
): LabelOrder {
  const { planes: [first, second], hasMissing } = widen({ values: fill, count: 1 }, dtype); // prettier-ignore
  if (hasMissing) return { fault: 'missing' };
  const scan = new LabelScan(spec, dtype.name);
  scan.add({ first, second }, 1);
  const count = axes.reduce((product, { run }) => product * runLength(run), 1);
  const order = scan.finish();
  const zero = typeof order.first === 'bigint' ? 0n : 0;
  return { ...order, count, step: count > 1 && !dtype.name.startsWith('float') ? zero : undefined };
}

class LabelScan {
  readonly #bins: Bins;
  readonly #isDescending: boolean;
  readonly #isInteger: boolean;
  readonly #starts: number[] = [];
  #count = 0;
  #known = 0;
  #first: Key = NaN;
  #last: Key = NaN;
  /** Both planes of the first label and of the last label. */
  #ends: readonly [first: readonly [number, number], last: readonly [number, number]] | undefined;
  /** NaN if the labels are not regular, undefined with fewer than two, and for floats. */
  #step: number | undefined;

  constructor({ from, to, count, isDescending }: LabelOrderSpec, name: string) {
    this.#bins = createBins(from, to, count);
    this.#isDescending = isDescending;
    this.#isInteger = !name.startsWith('float');
  }

  /** @returns false if the labels are not sorted */
  add(labels: Labels, length: number): boolean {
    if (length === 0) return true;
    const pairAt = (i: number): readonly [number, number] => [labels.first[i], labels.second?.[i] ?? 0];
    const before = this.#ends?.[1] ?? pairAt(0);
    if (!isSorted(labels, length, before, this.#isDescending)) return false;
    const keyAt = (i: number): Key => {
      const [high, low] = pairAt(i);
      return labels.second === undefined ? high : integerOf(high, low);
    };
    if (this.#ends === undefined) {
      this.#first = keyAt(0);
      this.#known = this.#startedBefore(this.#first);
    }
    this.#ends = [this.#ends?.[0] ?? pairAt(0), pairAt(length - 1)];
    this.#last = keyAt(length - 1);
    if (this.#isInteger) this.#checkStep(labels, length);
    this.#search(keyAt, length);
    this.#count += length;
    return true;
  }

  /** Adds all labels of a chunk at once. */
  addSorted({ count, keyAt, step }: LongLabels): this {
    this.#first = keyAt(0);
    this.#last = keyAt(count - 1);
    this.#known = this.#startedBefore(this.#first);
    const isSafe = Number.isSafeInteger(Number(this.#last) - Number(this.#first));
    this.#step = isSafe && step !== undefined ? Number(step) : NaN;
    this.#search(keyAt, count);
    this.#count = count;
    return this;
  }

  finish(): LabelOrder & { readonly fault: undefined } {
    const step = this.#step;
    const isRegular = step !== undefined && !Number.isNaN(step);
    return {
      fault: undefined,
      count: this.#count,
      first: this.#first,
      last: this.#last,
      known: this.#known,
      starts: Float64Array.from(this.#starts),
      step: isRegular ? (typeof this.#first === 'bigint' ? BigInt(step) : step) : undefined,
    };
  }

  /** Number of bins that start at or before a label. */
  #startedBefore(key: Key): number {
    const { count, binOf } = this.#bins;
    const bin = binOf(key);
    return Math.min(count, this.#isDescending ? count - 1 - bin : bin) + 1;
  }

  #search(keyAt: (i: number) => Key, length: number): void {
    let low = 0;
    const started = this.#startedBefore(this.#last);
    for (let k = this.#known + this.#starts.length; k < started; k++) {
      low = firstOfBin(this.#bins, k, this.#isDescending, keyAt, low, length);
      this.#starts.push(this.#count + low);
    }
  }

  #checkStep(labels: Labels, length: number): void {
    const { first, second } = labels;
    const [high = NaN, low = 0] = this.#ends?.[0] ?? [];
    // Distances up to 2^53 are exact. A longer distance is not a safe integer.
    const factor = second === undefined ? 1 : WORD;
    const distanceAt = (i: number): number => (first[i] - high) * factor + ((second?.[i] ?? 0) - low);
    const from = this.#count === 0 ? 1 : 0;
    if (this.#count === 0 && length > 1) this.#step = distanceAt(1);
    else if (this.#count === 1 && length > 0) this.#step ??= distanceAt(0);
    const step = this.#step;
    if (step === undefined || Number.isNaN(step)) return;
    const isSafe = Number.isSafeInteger(distanceAt(length - 1));
    const expected = { from, to: length, high, low, start: this.#count * step, step };
    if (!isSafe || !isRegular(labels, expected)) this.#step = NaN;
  }
}

/** Labels at (`high`, `low`) plus `start + i * step`, for i from `from` to `to`. */
interface RegularLabels {
  readonly from: number;
  readonly to: number;
  readonly high: number;
  readonly low: number;
  readonly start: number;
  readonly step: number;
}

function isRegular({ first, second }: Labels, expected: RegularLabels): boolean {
  const { from, to, high, low, start, step } = expected;
  if (second === undefined) {
    for (let i = from; i < to; i++) if (first[i] - high !== start + i * step) return false;
    return true;
  }
  for (let i = from; i < to; i++) {
    const distance = (first[i] - high) * WORD + (second[i] - low);
    if (distance !== start + i * step) return false;
  }
  return true;
}

/** @param before both planes of the preceding label */
function isSorted(
  { first, second }: Labels,
  length: number,
  [high, low]: readonly [number, number],
  isDescending: boolean,
): boolean {
  if (second !== undefined) return areWordsSorted(first, second, length, high, low, isDescending);
  const sign = isDescending ? -1 : 1;
  let before = sign * high;
  for (let i = 0; i < length; i++) {
    const label = sign * first[i];
    if (!(label >= before)) return false;
    before = label;
  }
  return true;
}

function areWordsSorted(
  first: Float64Array,
  second: Float64Array,
  length: number,
  high: number,
  low: number,
  isDescending: boolean,
): boolean {
  for (let i = 0; i < length; i++) {
    const upper = first[i];
    const lower = second[i];
    if (upper === high ? (isDescending ? lower > low : lower < low) : upper > high === isDescending)
      return false;
    high = upper;
    low = lower;
  }
  return true;
}
