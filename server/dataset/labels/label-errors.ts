/** Error messages for labels that are not found, with the existing labels and a suggestion. */
import { nearest } from '../../zarr/index.js';
import { explained, type LabelDirection, type LabelKey, type LabelKeys, showLabel } from './label-keys.js';
import { isNumeric, type Matches, neighbours, type SortedKeys } from './label-search.js';

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
  const shown = some.slice(0, MAX_SHOWN).map((i) => `${explained(keys, i)} at ${i}`);
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
  return `it has ${count} from ${explained(keys, 0)} to ${explained(keys, keys.size - 1)}, ${order}`;
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
  return [...new Set([below, above])].flatMap((i) => (i === undefined ? [] : [explained(sorted.keys, i)]));
}
