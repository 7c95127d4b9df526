/**
 * Finds the positions of labels along a coordinate by binary search, sorting it first if necessary, and
 * creates the messages for labels that are not found.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere, sortInSteps } from '../../zarr/index.js';
import type { LabelDirection, LabelKey, LabelKeys, LabelSpan } from './label-keys.js';

/** Number of labels compared between two yields. */
const PIECE = 2 ** 10;

/**
 * Determines whether labels ascend, descend or are unsorted. Equal neighbours count as sorted; a missing
 * label makes them unsorted. Yields between pieces of work.
 */
export function* orderOf(keys: LabelKeys): Generator<void, LabelDirection, void> {
  if (keys.direction !== undefined) return keys.direction;
  let [rises, falls] = [false, false];
  let before: LabelKey | undefined;
  for (let i = 0; i < keys.size; i++) {
    if (i % PIECE === PIECE - 1) yield;
    const key = keys.at(i);
    if (key === undefined) return 'unsorted';
    if (before !== undefined) {
      rises ||= key > before;
      falls ||= key < before;
      if (rises && falls) return 'unsorted';
    }
    before = key;
  }
  return falls ? 'descending' : 'ascending';
}

/** The order of the keys, if it is known and they are sorted. */
export function sortedDirection({ direction }: LabelKeys): 'ascending' | 'descending' | undefined {
  return direction === 'unsorted' ? undefined : direction;
}

/** Positions [start, stop) of the coordinate. */
export interface PositionRange {
  readonly start: number;
  readonly stop: number;
}

/**
 * All labels within the span, in a sorted coordinate. If there are none, an empty run at the insertion
 * position.
 */
export function sortedRun({ keys, order }: SortedKeys, span: Partial<LabelSpan>): PositionRange {
  const { first, last } = span;
  if (order === 'ascending')
    return {
      start: first === undefined ? 0 : firstWhere(keys, (key) => key >= first),
      stop: last === undefined ? keys.size : firstWhere(keys, (key) => key > last),
    };
  return {
    start: last === undefined ? 0 : firstWhere(keys, (key) => key <= last),
    stop: first === undefined ? keys.size : firstWhere(keys, (key) => key < first),
  };
}

/** The first position whose key satisfies the condition. All later keys must satisfy it too. */
function firstWhere(keys: LabelKeys, passes: (key: LabelKey) => boolean): number {
  return firstIndexWhere(0, keys.size, (i) => {
    const key = keys.at(i);
    return key !== undefined && passes(key);
  });
}

/** Labels in a searchable order. */
export interface SortedKeys {
  readonly keys: LabelKeys;
  readonly order: 'ascending' | 'descending';
  /** Original position of each sorted label; undefined for a sorted coordinate. */
  readonly positions: Uint32Array | undefined;
}

/**
 * A sorted view of an unsorted coordinate. The sort is stable; missing labels are omitted. Yields between
 * pieces of work.
 */
export function* sortKeys(keys: LabelKeys): Generator<void, SortedKeys, void> {
  const labels: (LabelKey | undefined)[] = [];
  const present = new Uint32Array(keys.size);
  let count = 0;
  for (let i = 0; i < keys.size; i++) {
    if (i % PIECE === PIECE - 1) yield;
    const label = keys.at(i);
    labels.push(label);
    if (label !== undefined) present[count++] = i;
  }
  const positions = yield* sortInSteps(
    present.subarray(0, count),
    (i, j) => compare(labels[i], labels[j]) || i - j,
  );
  const sorted = keysAt(keys, positions.length, (i) => defined(positions[i]));
  return { keys: sorted, order: 'ascending', positions };
}

/** Compares keys in ascending order. */
export function compare(a: LabelKey | undefined, b: LabelKey | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Matching positions of the coordinate: their number, and the first few. */
export interface Matches {
  readonly count: number;
  readonly some: readonly number[];
}

const MAX_MATCHES = 6;

/** The positions of labels within a span, at most the first few: a partial date may match millions. */
export function matchesWithin(sorted: SortedKeys, span: LabelSpan): Matches {
  const { start, stop } = sortedRun(sorted, span);
  const count = Math.max(0, stop - start);
  const positions = Array.from({ length: Math.min(count, MAX_MATCHES) }, (_, i) => start + i);
  return { count, some: positions.map((position) => sorted.positions?.[position] ?? position) };
}

/** The labels at some positions of a coordinate. */
export function keysAt(keys: LabelKeys, size: number, positionOf: (i: number) => number): LabelKeys {
  const at = (i: number): LabelKey | undefined => keys.at(positionOf(i));
  return { ...keys, size, direction: undefined, at, show: (i) => keys.show(positionOf(i)) };
}

/**
 * Positions in the sorted labels: of the largest label up to a key, and of the smallest label from a key
 * on.
 */
export interface Neighbours {
  readonly below: number | undefined;
  readonly above: number | undefined;
}

export function neighbours(sorted: SortedKeys, key: LabelKey): Neighbours {
  const { keys, order } = sorted;
  const { start, stop } = sortedRun(sorted, { first: key, last: key });
  const within = (i: number): number | undefined => (i >= 0 && i < keys.size ? i : undefined);
  if (start < stop) return { below: start, above: start };
  return order === 'ascending'
    ? { below: within(start - 1), above: within(start) }
    : { below: within(start), above: within(start - 1) };
}

/** The distance between two keys; undefined for text and booleans. */
export function distance(a: LabelKey, b: LabelKey): number | bigint | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a > b ? a - b : b - a;
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  return Math.abs(Number(a) - Number(b));
}

export function isNumeric(key: LabelKey): key is number | bigint {
  return typeof key === 'number' || typeof key === 'bigint';
}
