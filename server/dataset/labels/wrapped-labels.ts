/** Labels that repeat after a period, such as longitudes after 360 degrees. Pure functions. */
import { type LabelWrap, LimitError, SelectionError } from '../../zarr/index.js';
import { type LabelKey, showLabel } from './label-keys.js';
import { distance, neighbours, type SortedKeys, sortedRun } from './label-search.js';
import type { LabelMethod } from './label-selection.js';

/** Rounds a number to the type of the coordinate. @throws SelectionError for labels that are not numbers */
export type KeyOf = (label: unknown) => LabelKey;

/** An equivalent of a label, shifted by whole periods. */
export interface Turn {
  readonly key: LabelKey;
  /** Number of periods by which it is shifted. */
  readonly count: number;
}

/**
 * All equivalents of a label within or near the range of the coordinate. The equivalent with the smallest shift comes
 * first.
 * @throws SelectionError unless label, coordinate and period are suitable for wrapping
 */
export function turnsOf(
  name: string,
  sorted: SortedKeys,
  label: unknown,
  wrap: number,
  keyOf: KeyOf,
): Turn[] {
  const value = numberOf(name, label);
  const { least, most } = endsOf(name, sorted, wrap);
  const first = Math.ceil((least - value) / wrap) - 1;
  const last = Math.floor((most - value) / wrap) + 1;
  return turnsBetween(first, last)
    .toSorted((a, b) => Math.abs(a) - Math.abs(b))
    .map((count) => ({ key: keyOf(value + count * wrap), count }));
}

/**
 * The label of the coordinate that equals one of the equivalents. Shifting either of the two may round, so that
 * 450.1 - 360 is not 90.1, but 90.1 + 360 is 450.1.
 */
export function equalTurn(
  sorted: SortedKeys,
  turns: readonly Turn[],
  label: unknown,
  wrap: number,
  keyOf: KeyOf,
): LabelKey | undefined {
  const key = keyOf(label);
  for (const turn of turns) {
    const { below, above } = neighbours(sorted, turn.key);
    for (const position of [below, above]) {
      const own = position === undefined ? undefined : sorted.keys.at(position);
      if (own === undefined) continue;
      if (distance(own, turn.key) === 0 || distance(keyOf(Number(own) - turn.count * wrap), key) === 0)
        return own;
    }
  }
  return undefined;
}

/**
 * Looks up each equivalent of a label with a lookup method. Returns the nearest label found, and its distance.
 * @returns undefined if there are no labels
 */
export function nearestTurn(
  sorted: SortedKeys,
  turns: readonly Turn[],
  method: Exclude<LabelMethod, 'EXACT'>,
  isAscending: boolean,
): { readonly label: LabelKey; readonly apart: number } | undefined {
  let best: { readonly label: LabelKey; readonly apart: number } | undefined;
  for (const { key } of turns) {
    const { below, above } = neighbours(sorted, key);
    const wanted =
      method === 'NEAREST' ? [above, below] : [(method === 'PAD') === isAscending ? below : above];
    for (const position of wanted) {
      const label = position === undefined ? undefined : sorted.keys.at(position);
      if (label === undefined) continue;
      const apart = Number(distance(label, key) ?? Infinity);
      if (best === undefined || apart < best.apart) best = { label, apart };
    }
  }
  return best;
}

export interface WrappedRange {
  /** In the order of the range. */
  readonly positions: ReadonlySet<number>;
  /** Where the labels at these positions are given: from one end of the range to the other; undefined if as stored. */
  readonly wrap: LabelWrap | undefined;
}

/**
 * The positions of the labels from one to another, in the direction of the coordinate, across its ends. A range that
 * ends before its start continues in the next period. Yields between pieces of work.
 */
export function* wrappedRange(
  name: string,
  sorted: SortedKeys,
  [from, to]: readonly [from: unknown, to: unknown],
  wrap: number,
  keyOf: KeyOf,
): Generator<void, WrappedRange, void> {
  const { least, most } = endsOf(name, sorted, wrap);
  const first = numberOf(name, from);
  const end = numberOf(name, to);
  const next = end >= first ? end : end + wrap * Math.ceil((first - end) / wrap);
  const last = Math.min(next, first + wrap);
  // One more period on either side, because rounded labels may lie slightly outside.
  const turns = turnsBetween(Math.ceil((least - last) / wrap) - 1, Math.floor((most - first) / wrap) + 1);
  // For ascending labels, equivalents in a higher period are nearer to the start.
  const positions = new Set<number>();
  let [lowest, highest, isMoved, found] = [Infinity, -Infinity, false, 0];
  for (const turn of sorted.order === 'ascending' ? turns.toReversed() : turns) {
    const run = sortedRun(sorted, { first: keyOf(first + turn * wrap), last: keyOf(last + turn * wrap) });
    found += Math.max(0, run.stop - run.start);
    if (found > MAX_WRAPPED)
      throw new LimitError(
        `the range along "${name}" has more than ${MAX_WRAPPED} labels; with "wrap", select fewer, or select by position`,
        { excess: [{ limit: 'labels', allowed: MAX_WRAPPED, needed: found }] },
      );
    for (let i = run.start; i < run.stop; i++) {
      if (i % PIECE === PIECE - 1) yield;
      const position = sorted.positions?.[i] ?? i;
      if (positions.has(position)) continue;
      positions.add(position);
      const label = Number(sorted.keys.at(i)) - turn * wrap;
      [lowest, highest] = [Math.min(lowest, label), Math.max(highest, label)];
      if (turn !== 0) isMoved = true;
    }
  }
  // Starts in the middle between the labels and their next equivalents, where rounding does not matter.
  const start = lowest - (wrap - (highest - lowest)) / 2;
  return { positions, wrap: isMoved ? { from: start, period: wrap } : undefined };
}

function turnsBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

function endsOf(name: string, { keys }: SortedKeys, wrap: number): { least: number; most: number } {
  if (!keys.isNumeric)
    throw new SelectionError(`"wrap" requires numbers; the labels along "${name}" are ${keys.form}`);
  if (!(wrap > 0 && wrap < Infinity))
    throw new SelectionError(`"wrap" is ${wrap}; expected a finite number above 0`);
  if (keys.size === 0) return { least: Infinity, most: -Infinity };
  const [a, b] = [Number(keys.at(0)), Number(keys.at(keys.size - 1))];
  const [least, most] = [Math.min(a, b), Math.max(a, b)];
  // Rounded coordinates may span slightly more than a period.
  if (!(most - least <= wrap * (1 + 1e-6)))
    throw new SelectionError(
      `labels along "${name}" span ${least} to ${most}, which exceeds the period of ${wrap} given by "wrap"`,
    );
  return { least, most };
}

function numberOf(name: string, label: unknown): number {
  const value = typeof label === 'bigint' ? Number(label) : label;
  if (typeof value === 'number' && Math.abs(value) <= MAX_LABEL) return value;
  throw new SelectionError(
    `label ${showLabel(label)} along "${name}": with "wrap", expected a number from -${MAX_LABEL} to ${MAX_LABEL}`,
  );
}

/** Number of labels that are taken between two yields. */
const PIECE = 2 ** 12;

/** Maximum number of labels of a range across the ends of a coordinate, because their positions are listed. */
const MAX_WRAPPED = 2 ** 18;

/** Maximum absolute value of a label, beyond which floats are too coarse. */
const MAX_LABEL = 1e9;
