/** Error messages for labels that are not found, with the existing labels and a suggestion. */
import { nearest } from '../../zarr/index.js';
import { type LabelKey, type LabelKeys, showLabel } from './label-keys.js';
import { type LabelOrder, type Matches, neighbours, type SortedKeys } from './label-search.js';

const MAX_SHOWN = 5;
const MAX_COMPARED = 1000;

/** A requested label and method. */
export interface WantedLabel {
  readonly label: unknown;
  readonly key: LabelKey;
  /** "EXACT", or the method of an inexact match. */
  readonly method: string;
  readonly tolerance?: number | undefined;
}

/** @param name of the dimension */
export function noSuchLabel(
  name: string,
  order: LabelOrder,
  size: number,
  sorted: SortedKeys,
  wanted: WantedLabel,
): string {
  const { label, key, method, tolerance } = wanted;
  const how =
    method === 'EXACT' ? '' : ` by ${method}${tolerance === undefined ? '' : ` within ${tolerance}`}`;
  const near = typeof key === 'string' ? nearTexts(sorted.keys, key) : nearLabels(sorted, key);
  const nearNote = near.length === 0 ? '' : `; the nearest are ${near.join(' and ')}`;
  const advice =
    method === 'EXACT' && order !== 'unsorted' && typeof key !== 'string' && near.length > 0
      ? '; set method NEAREST to select the nearest'
      : '';
  return `no label ${showLabel(label)} along "${name}"${how}: ${extent(order, size, sorted)}${nearNote}${advice}`;
}

export function severalLabels(
  name: string,
  keys: LabelKeys,
  { count, some }: Matches,
  label: unknown,
): string {
  const places = some.slice(0, MAX_SHOWN).map((i) => `${keys.show(i)} at ${i}`);
  const more = count > MAX_SHOWN ? ', ...' : '';
  return (
    `${count} labels along "${name}" match ${showLabel(label)}; expected exactly one: ${places.join(', ')}${more}; ` +
    'select all of them with "between", or one by "index"'
  );
}

function extent(order: LabelOrder, size: number, { keys }: SortedKeys): string {
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
  return nearest(text, texts).map((one) => JSON.stringify(one));
}

function nearLabels(sorted: SortedKeys, key: LabelKey): string[] {
  const { below, above } = neighbours(sorted, key);
  return [...new Set([below, above])].flatMap((i) => (i === undefined ? [] : [sorted.keys.show(i)]));
}
