/** Finds the bins of a coordinate, and checks that its labels are sorted. */
import { blockPieces } from '../../dataset/decode/decode-cooperatively.js';
import type { Decoding } from '../../dataset/decode/decoding.js';
import { type LabelKey, type LabelKeys, labelKeys } from '../../dataset/labels/label-keys.js';
import {
  addBlock,
  type Block,
  createBins,
  type ElementTransform,
  type Fold,
  isZarrError,
  type Key,
  labelOrderFold,
  type LabelOrderTotal,
  runNow,
  SelectionError,
  transformBlock,
  type YieldToEventLoop,
} from '../../zarr/index.js';
import type { LabelRange } from './line-axis.js';

/** Converts labels to keys: dates to ticks, packed numbers to floats. Undefined if labels are keys. */
export function keyTransform({ times, transform }: Decoding): ElementTransform | undefined {
  return times === undefined ? transform : times.transform;
}

/**
 * The fold that finds the first position of each bin.
 * @param name name of the coordinate
 * @param ends the first and the last label, as stored
 * @throws SelectionError for a malformed or missing label; InputError for a range without ends
 */
export function binFold(
  name: string,
  decoding: Decoding,
  ends: Block,
  range: LabelRange,
  bins: number,
): Fold<LabelOrderTotal> {
  const keys = runNow(labelKeys(ends, decoding));
  const endAt = (i: number): Key => {
    const key = keys.at(i);
    if (key === undefined) throw badLabels(name, 'has missing labels');
    return asNumber(name, key);
  };
  const [first, last] = [endAt(0), endAt(keys.size - 1)];
  const isDescending = last < first;
  const [least, greatest] = isDescending ? [last, first] : [first, last];
  const [one, other] = rangeOf(name, keys, range);
  const [from, to] = sameKind(one ?? least, other ?? greatest);
  // Throws for an unbounded range.
  createBins(from, to, bins);
  return labelOrderFold({ from, to, count: bins, isDescending });
}

/** Folds labels that are in memory. @param blocks of labels as stored, in the order of positions */
export async function foldLabels(
  blocks: Iterable<Block> | AsyncIterable<Block>,
  transform: ElementTransform | undefined,
  fold: Fold<LabelOrderTotal>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<LabelOrderTotal> {
  const total = fold.createTotal();
  const axes = [{ map: { kind: 'all' }, positionStride: 1, resultStride: 0 }] as const;
  for await (const stored of blocks) {
    for (const { part } of blockPieces(stored)) {
      const labels = transform === undefined ? part : transformBlock(transform, part);
      for (const _ of addBlock(total, fold, labels, axes, [0])) await yieldToEventLoop();
    }
  }
  return total.finish();
}

/** @throws SelectionError for labels that are missing or not sorted */
export function assertSorted(name: string, { fault }: LabelOrderTotal): void {
  if (fault !== undefined)
    throw badLabels(name, fault === 'missing' ? 'has missing labels' : 'is not sorted');
}

function rangeOf(
  name: string,
  keys: LabelKeys,
  { from, to }: LabelRange,
): readonly [Key | undefined, Key | undefined] {
  const spanOf = (label: unknown): { readonly first: Key; readonly last: Key } | undefined => {
    if (label === undefined || label === null) return undefined;
    const { first, last } = inCoordinate(name, () => keys.span(label));
    return { first: asNumber(name, first), last: asNumber(name, last) };
  };
  const [one, other] = [spanOf(from), spanOf(to)];
  if (one === undefined || other === undefined) return [one?.first, other?.last];
  return one.first <= other.last ? [one.first, other.last] : [other.first, one.last];
}

function asNumber(name: string, key: LabelKey): Key {
  if (typeof key === 'number' || typeof key === 'bigint') return key;
  throw badLabels(name, 'has labels that are neither numbers nor dates');
}

function badLabels(name: string, what: string): SelectionError {
  return new SelectionError(`the coordinate "${name}" ${what}; a line requires sorted labels`);
}

function inCoordinate<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isZarrError(error, 'BAD_SELECTION')) throw error;
    throw new SelectionError(`${error.detail} ("${name}")`, { cause: error });
  }
}

/** A range with a fractional end is compared as floating-point numbers. */
function sameKind(from: Key, to: Key): readonly [Key, Key] {
  if (typeof from === typeof to) return [from, to];
  const isWhole = (key: Key): boolean => typeof key === 'bigint' || Number.isSafeInteger(key);
  return isWhole(from) && isWhole(to) ? [BigInt(from), BigInt(to)] : [Number(from), Number(to)];
}
