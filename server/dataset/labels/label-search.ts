/**
 * Where labels lie along a coordinate: by halving, also where it has to be sorted first. Pure; what is found are
 * positions, and what is not found is left to the caller to explain.
 */
import type { LabelKey, LabelKeys, LabelSpan } from './label-keys.js';

export type LabelOrder = 'ascending' | 'descending' | 'unsorted';

/** Equal neighbours do not spoil an order; a missing label does. */
export function orderOf(keys: LabelKeys): LabelOrder {
  let [rises, falls] = [false, false];
  let before: LabelKey | undefined;
  for (let i = 0; i < keys.size; i++) {
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

/** Positions [start, stop) of the coordinate. */
export interface Run {
  readonly start: number;
  readonly stop: number;
}

/** All labels within the span, of a sorted coordinate; where there are none, an empty run at their place. */
export function sortedRun({ keys, order }: SortedKeys, span: Partial<LabelSpan>): Run {
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

/** The first position from which on all keys pass. */
function firstWhere(keys: LabelKeys, passes: (key: LabelKey) => boolean): number {
  let [low, high] = [0, keys.size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = keys.at(middle);
    if (key !== undefined && passes(key)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Labels in an order that can be searched. */
export interface SortedKeys {
  readonly keys: LabelKeys;
  readonly order: 'ascending' | 'descending';
  /** Where each lies in a coordinate that is not sorted itself. */
  readonly positions: readonly number[] | undefined;
}

/** Of an unsorted coordinate, a sorted view: equal labels keep the order of their positions, missing ones are left out. */
export function sortKeys(keys: LabelKeys, order: LabelOrder): SortedKeys {
  if (order !== 'unsorted') return { keys, order, positions: undefined };
  const found: { key: LabelKey; position: number }[] = [];
  for (let i = 0; i < keys.size; i++) {
    const key = keys.at(i);
    if (key !== undefined) found.push({ key, position: i });
  }
  found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.position - b.position));
  const positions = found.map(({ position }) => position);
  const sorted = keysAt(keys, positions.length, (i) => positions[i] ?? 0);
  return { keys: sorted, order: 'ascending', positions };
}

/** The positions in the coordinate of all labels within a span, in rising order. */
export function positionsWithin(sorted: SortedKeys, span: LabelSpan): number[] {
  const { start, stop } = sortedRun(sorted, span);
  const { positions } = sorted;
  if (positions !== undefined) return positions.slice(start, stop).sort((a, b) => a - b);
  return Array.from({ length: Math.max(0, stop - start) }, (_, i) => start + i);
}

/** The labels at some positions of a coordinate. */
export function keysAt(keys: LabelKeys, size: number, positionOf: (i: number) => number): LabelKeys {
  return { ...keys, size, at: (i) => keys.at(positionOf(i)), show: (i) => keys.show(positionOf(i)) };
}

/** Places among sorted labels: of the greatest that is not greater than a key, and of the smallest that is not smaller. */
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

/** How far two keys are apart; undefined for text. */
export function distance(a: LabelKey, b: LabelKey): number | bigint | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a > b ? a - b : b - a;
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  return Math.abs(Number(a) - Number(b));
}

function isNumeric(key: LabelKey): key is number | bigint {
  return typeof key === 'number' || typeof key === 'bigint';
}
