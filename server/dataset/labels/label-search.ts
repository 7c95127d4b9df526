/**
 * Finds the positions of labels along a coordinate by binary search, sorting it first if necessary, and
 * creates the messages for labels that are not found.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere, sortInSteps, nearest } from '../../zarr/index.js';
import { type LabelKey, type LabelKeys, type LabelSpan, showLabel } from './label-keys.js';

export type LabelDirection = 'ascending' | 'descending' | 'unsorted';

/** Number of labels compared between two yields. */
const PIECE = 2 ** 10;

/**
 * Determines whether labels ascend, descend or are unsorted. Equal neighbours count as sorted; a missing
 * label makes them unsorted. Yields between pieces of work.
 */
export function* orderOf(keys: LabelKeys): Generator<void, LabelDirection, void> {
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
  return { ...keys, size, at: (i) => keys.at(positionOf(i)), show: (i) => keys.show(positionOf(i)) };
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

function isNumeric(key: LabelKey): key is number | bigint {
  return typeof key === 'number' || typeof key === 'bigint';
}

// Error messages for labels that are not found, with the existing labels and a suggestion.

const MAX_SHOWN = 5;
const MAX_COMPARED = 1000;

/** A requested label, and the method of the lookup. */
export interface WantedLabel {
  readonly label: unknown;
  readonly key: LabelKey;
  /** "EXACT", or the method of an inexact match. */
  readonly method: string;
  readonly tolerance?: number | undefined;
  /** Whether the label is one of several, for which there is no method. @default false */
  readonly isListed?: boolean;
  /** With a period, the nearest equal or neighbouring label on the circle; see `nearestTurn`. */
  readonly onCircle?: LabelKey | undefined;
}

/** @param name name of the dimension */
export function noSuchLabel(
  name: string,
  order: LabelDirection,
  size: number,
  sorted: SortedKeys,
  wanted: WantedLabel,
): string {
  const { label, key, method, tolerance, isListed = false } = wanted;
  const how =
    method === 'EXACT' ? '' : ` by ${method}${tolerance === undefined ? '' : ` within ${tolerance}`}`;
  const near =
    wanted.onCircle !== undefined
      ? [showLabel(wanted.onCircle)]
      : typeof key === 'string'
        ? nearTexts(sorted.keys, key)
        : nearLabels(sorted, key);
  const [only, ...others] = near;
  const nearNote =
    only === undefined
      ? ''
      : others.length === 0
        ? `; the nearest is ${only}`
        : `; the nearest are ${near.join(' and ')}`;
  const advice =
    method === 'EXACT' && !isListed && order !== 'unsorted' && isNumeric(key) && near.length > 0
      ? '; set method NEAREST to select the nearest'
      : '';
  const turned = wanted.onCircle === undefined ? turnedOnCircle(sorted, key) : undefined;
  const circle =
    turned === undefined
      ? ''
      : `; for longitudes, set wrap: 360, with which the nearest is ${nearLabels(sorted, turned).join(' or ')}`;
  return `no label ${showLabel(label)} along "${name}"${how}: ${extent(order, size, sorted)}${nearNote}${advice}${circle}`;
}

/** A number outside the labels after a turn of 360 degrees, if it is among them then. */
function turnedOnCircle({ keys }: SortedKeys, key: LabelKey): number | undefined {
  if (keys.size === 0 || typeof key !== 'number') return undefined;
  const [a, b] = [Number(keys.at(0)), Number(keys.at(keys.size - 1))];
  const [least, most] = [Math.min(a, b), Math.max(a, b)];
  if (!(most - least > 0 && most - least <= DEGREES) || (key >= least && key <= most)) return undefined;
  return [key - DEGREES, key + DEGREES].find((turned) => turned >= least && turned <= most);
}

const DEGREES = 360;

export function severalLabels(
  name: string,
  order: LabelDirection,
  keys: LabelKeys,
  { count, some }: Matches,
  label: unknown,
): string {
  const shown = some.slice(0, MAX_SHOWN).map((i) => `${keys.show(i)} at ${i}`);
  const more = count > MAX_SHOWN ? ', ...' : '';
  return (
    `${count} labels along "${name}" match ${showLabel(label)}; expected exactly one: ${shown.join(', ')}${more}; ` +
    (order === 'unsorted'
      ? 'select one by "index", or several by "indices"'
      : 'select all of them with "between", or one by "index"')
  );
}

function extent(order: LabelDirection, size: number, { keys }: SortedKeys): string {
  if (keys.size === 0) return 'it has no labels';
  const count = `${size} ${size === 1 ? 'label' : 'labels'}`;
  return `it has ${count} from ${keys.show(0)} to ${keys.show(keys.size - 1)}, ${order}`;
}

function nearTexts(keys: LabelKeys, text: string): string[] {
  const texts: string[] = [];
  for (let i = 0; i < Math.min(keys.size, MAX_COMPARED); i++) {
    const key = keys.at(i);
    if (typeof key === 'string') texts.push(key);
  }
  return nearest(text, texts).map((label) => JSON.stringify(label));
}

function nearLabels(sorted: SortedKeys, key: LabelKey): string[] {
  const { below, above } = neighbours(sorted, key);
  return [...new Set([below, above])].flatMap((i) => (i === undefined ? [] : [sorted.keys.show(i)]));
}
