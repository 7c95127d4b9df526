/** Finds the positions of labels and values in a coordinate. */
import { parseSelectionText, type TextSelection } from '../../../wire/selection-text.js';
import type { Labels } from './labels.js';

/**
 * Finds the position of a label typed by the user. Numbers match the nearest label. Names match the first equal label,
 * else the first label that begins with the text. Dates match in the same way (`2001-03`), else the nearest label.
 * @returns undefined if nothing matches
 */
export function findLabel(labels: Labels, typed: string): number | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (labels.kind === 'number') return nearest(labels.numbers, Number(text));
  const lower = text.toLowerCase();
  let beginning: number | undefined;
  for (let i = 0; i < labels.size; i++) {
    const label = labels.text(i).toLowerCase();
    if (label === lower) return i;
    if (beginning === undefined && label.startsWith(lower)) beginning = i;
  }
  if (beginning !== undefined || labels.kind === 'text') return beginning;
  return nearest(labels.numbers, secondsOfDate(text));
}

/**
 * What a user typed for one dimension, in the grammar of selections: `#3` is a position, `~52` and `52` are labels, for
 * which the page finds the nearest anyway. Any other text is a label as it stands.
 * @returns a position, or the text of a label
 */
export function typedPart(typed: string, size: number): number | string | undefined {
  let parsed: TextSelection;
  try {
    parsed = parseSelectionText(`label=${typed}`);
  } catch {
    return typed;
  }
  const [part, ...others] = parsed.kind === 'named' ? parsed.named : [];
  // In text that contains "=", the parser finds another name, and only the rest as the value.
  const by = part?.dim === 'label' && others.length === 0 ? part.by : undefined;
  if (by?.kind === 'label' || by?.kind === 'near') return by.label.text;
  if (by?.kind !== 'index') return typed;
  const index = by.index < 0 ? size + by.index : by.index;
  return index >= 0 && index < size ? index : undefined;
}

/** Seconds since 1970. ISO text without a zone is UTC, as in the store. NaN for another zone or text that is no date. */
export function secondsOfDate(text: string): number {
  const whole = /^[+-]?\d{4,6}(-\d{2}(-\d{2})?)?$/.test(text)
    ? text
    : `${text}${/Z$/i.test(text) ? '' : 'Z'}`;
  return Date.parse(whole) / 1000;
}

export function nearest(numbers: Float64Array, wanted: number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (let i = 0; i < numbers.length; i++) {
    const distance = Math.abs((numbers[i] ?? Number.NaN) - wanted);
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/**
 * The fractional position of a value in a sorted coordinate, extrapolated beyond its ends. Undefined if the coordinate
 * has fewer than two values, or its ends are equal or not finite.
 */
export function positionOf(numbers: Float64Array, value: number): number | undefined {
  const last = numbers.length - 1;
  const [first = Number.NaN, end = Number.NaN] = [numbers[0], numbers[last]];
  if (last < 1 || !Number.isFinite(first) || !Number.isFinite(end) || first === end) return undefined;
  const rises = end > first;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rises === (numbers[middle] ?? Number.NaN) <= value) low = middle;
    else high = middle;
  }
  const [a = Number.NaN, b = Number.NaN] = [numbers[low], numbers[high]];
  return a === b ? undefined : low + (value - a) / (b - a);
}

export function isSorted(numbers: Float64Array): boolean {
  const rises = (numbers.at(-1) ?? 0) > (numbers[0] ?? 0);
  for (let i = 1; i < numbers.length; i++) {
    const step = (numbers[i] ?? Number.NaN) - (numbers[i - 1] ?? Number.NaN);
    if (!(rises ? step > 0 : step < 0)) return false;
  }
  return numbers.length > 0;
}
