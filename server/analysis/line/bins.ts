/** Finds the bins of a coordinate, and checks that its labels are sorted. */
import { blockPieces } from '../../dataset/decode/decode-cooperatively.js';
import type { VariableDecoding } from '../../dataset/decode/decoding.js';
import { type LabelKey, labelKeys, type LabelKeys } from '../../dataset/labels/label-keys.js';
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
  type Pause,
  runToEnd,
  SelectionError,
  transformBlock,
} from '../../zarr/index.js';
import type { LabelRange } from './line-axis.js';

/**
 * Converts labels to keys: dates to ticks, packed numbers to floats. Undefined if the labels already are
 * keys.
 */
export function keyTransform({ times, transform }: VariableDecoding): ElementTransform | undefined {
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
  decoding: VariableDecoding,
  ends: Block,
  range: LabelRange,
  bins: number,
): Fold<LabelOrderTotal> {
  const keys = runToEnd(labelKeys(ends, decoding));
  const endAt = (i: number): Key => {
    const key = keys.at(i);
    if (key === undefined) throw badLabels(name, 'has missing labels');
    return asNumber(name, key);
  };
  const [first, last] = [endAt(0), endAt(keys.size - 1)];
  const isDescending = last < first;
  const [least, greatest] = isDescending ? [last, first] : [first, last];
  const [requestedFrom, requestedTo] = rangeOf(name, keys, range);
  const [from, to] = inKindOf(least, requestedFrom ?? least, requestedTo ?? greatest);
  // Throws for an unbounded range.
  createBins(from, to, bins);
  return labelOrderFold({ from, to, count: bins, isDescending });
}

/** Folds labels block by block. @param blocks blocks of labels as stored, in the order of positions */
export async function foldLabels(
  blocks: Iterable<Block> | AsyncIterable<Block>,
  transform: ElementTransform | undefined,
  fold: Fold<LabelOrderTotal>,
  pause: Pause,
): Promise<LabelOrderTotal> {
  const total = fold.createTotal();
  const axes = [{ map: { kind: 'all' }, positionStride: 1, resultStride: 0 }] as const;
  for await (const stored of blocks) {
    for (const { part } of blockPieces(stored)) {
      const labels = transform === undefined ? part : transformBlock(transform, part);
      for (const _ of addBlock(total, fold, labels, axes, [0])) await pause();
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
  const [start, end] = [spanOf(from), spanOf(to)];
  if (start === undefined || end === undefined) return [start?.first, end?.last];
  return start.first <= end.last ? [start.first, end.last] : [end.first, start.last];
}

function asNumber(name: string, key: LabelKey): Key {
  if (typeof key === 'number' || typeof key === 'bigint') return key;
  throw badLabels(name, 'has labels that are neither numbers nor dates');
}

function badLabels(name: string, problem: string): SelectionError {
  return new SelectionError(`the coordinate "${name}" ${problem}; a line requires sorted labels`);
}

function inCoordinate<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isZarrError(error, 'BAD_SELECTION')) throw error;
    throw new SelectionError(`${error.detail} ("${name}")`, { cause: error });
  }
}

/**
 * The ends of a range as floating-point numbers, or as integers if the labels are 64-bit integers or ticks and both
 * ends are integers.
 */
function inKindOf(label: Key, from: Key, to: Key): readonly [Key, Key] {
  const isWhole = (key: Key): boolean => typeof key === 'bigint' || Number.isSafeInteger(key);
  return typeof label === 'bigint' && isWhole(from) && isWhole(to)
    ? [BigInt(from), BigInt(to)]
    : [Number(from), Number(to)];
}
