/**
 * Millions of numbers in memory, as the labels of a coordinate: their order and their extremes, in loops over typed
 * arrays. Yields between pieces of work.
 */

type NumberArray =
  Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;
type BigArray = BigInt64Array | BigUint64Array;

/** NaN is a missing number. */
export type NumberSequence = NumberArray | BigArray;

export function isNumberSequence(values: unknown): values is NumberSequence {
  return ArrayBuffer.isView(values) && !(values instanceof DataView);
}

export interface SequenceFacts {
  /** Equal neighbours count as sorted; a missing number makes the sequence unsorted. */
  readonly direction: 'ascending' | 'descending' | 'unsorted';
  /** The smallest and the largest number; undefined for an empty sequence, and with missing numbers. */
  readonly ends: readonly [least: number | bigint, most: number | bigint] | undefined;
  /** The difference of all neighbours, so that element i is exactly the first one plus i times this; of long sequences. */
  readonly step: number | bigint | undefined;
}

/** Number of elements above which it is worth to look for equal differences. */
const LONG = 2 ** 16;

/** Number of elements that are compared between two yields. */
const PIECE = 2 ** 16;

const known = new WeakMap<NumberSequence, SequenceFacts>();

/** Computed once for each array. */
export function* factsOf(values: NumberSequence): Generator<void, SequenceFacts, void> {
  const before = known.get(values);
  if (before !== undefined) return before;
  const facts =
    values instanceof BigInt64Array || values instanceof BigUint64Array
      ? yield* factsBy(values, bigTurns, bigEnds)
      : yield* factsBy(values, numberTurns, numberEnds);
  known.set(values, facts);
  return facts;
}

/** How neighbours compare in a part of a sequence. */
interface Turns {
  readonly rises: boolean;
  readonly falls: boolean;
  readonly hasMissing: boolean;
}

function* factsBy<A extends NumberSequence>(
  values: A,
  turnsOf: (values: A, from: number, to: number) => Turns,
  endsOf: (values: A, from: number, to: number) => [number | bigint, number | bigint],
): Generator<void, SequenceFacts, void> {
  const { length } = values;
  if (length === 0) return { direction: 'ascending', ends: undefined, step: undefined };
  let [rises, falls] = [false, false];
  for (let from = 0; from < length && !(rises && falls); from += PIECE) {
    const turns = turnsOf(values, Math.max(1, from), Math.min(length, from + PIECE));
    if (turns.hasMissing) return unsorted;
    rises ||= turns.rises;
    falls ||= turns.falls;
    yield;
  }
  const [first, last] = [values[0], values[length - 1]];
  if (first !== first) return unsorted;
  if (!(rises && falls)) {
    const step = length < LONG ? undefined : yield* commonStep(values);
    return falls
      ? { direction: 'descending', ends: [last, first], step }
      : { direction: 'ascending', ends: [first, last], step };
  }
  let [least, most] = [first, first];
  for (let from = 0; from < length; from += PIECE) {
    const [low, high] = endsOf(values, from, Math.min(length, from + PIECE));
    if (low !== low) return unsorted;
    if (low < least) least = low;
    if (high > most) most = high;
    yield;
  }
  return { direction: 'unsorted', ends: [least, most], step: undefined };
}

const unsorted = { direction: 'unsorted', ends: undefined, step: undefined } as const;

/** @param values at least two */
function* commonStep(values: NumberSequence): Generator<void, number | bigint | undefined, void> {
  const isBig = values instanceof BigInt64Array || values instanceof BigUint64Array;
  const step = isBig ? values[1] - values[0] : values[1] - values[0];
  for (let from = 0; from < values.length; from += PIECE) {
    const to = Math.min(values.length, from + PIECE);
    if (isBig ? !haveBigStep(values, from, to, BigInt(step)) : !haveStep(values, from, to, Number(step)))
      return undefined;
    yield;
  }
  return step;
}

function haveStep(values: NumberArray, from: number, to: number, step: number): boolean {
  const first = values[0];
  for (let i = from; i < to; i++) if (values[i] !== first + i * step) return false;
  return true;
}

function haveBigStep(values: BigArray, from: number, to: number, step: bigint): boolean {
  for (let i = Math.max(1, from); i < to; i++) if (values[i] - values[i - 1] !== step) return false;
  return true;
}

function numberTurns(values: NumberArray, from: number, to: number): Turns {
  let [rises, falls, hasMissing] = [false, false, false];
  let before = values[from - 1];
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value > before) rises = true;
    else if (value < before) falls = true;
    else if (value !== before) hasMissing = true;
    before = value;
  }
  return { rises, falls, hasMissing };
}

function bigTurns(values: BigArray, from: number, to: number): Turns {
  let [rises, falls] = [false, false];
  let before = values[from - 1];
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value > before) rises = true;
    else if (value < before) falls = true;
    before = value;
  }
  return { rises, falls, hasMissing: false };
}

/** NaN if a number is missing. */
function numberEnds(values: NumberArray, from: number, to: number): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value < least) least = value;
    if (value > most) most = value;
    if (value !== value) return [NaN, NaN];
  }
  return [least, most];
}

function bigEnds(values: BigArray, from: number, to: number): [bigint, bigint] {
  let least = values[from];
  let most = least;
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
