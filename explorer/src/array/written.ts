/** Selections of addresses as text, such as `time=2021-03,lat=-5..5`, to and from the positions of a view. */
import {
  labelAsPosition,
  type NamedTextDim,
  parseSelectionText,
  type TextDim,
  type TextLabel,
  wordText,
} from '../../../wire/selection-text.js';
import type { Naming } from '../state/link.js';
import type { Span, View, Written } from '../state/view.js';
import { findLabel, isSorted, nearest, secondsOfDate } from './find-label.js';
import type { Labels } from './labels.js';
import type { Dimension } from './model.js';

/** Degrees of a circle: a longitude of -10 is also 350. */
const CIRCLE = 360;

/** What matters of the model of an array. */
export interface Dimensions {
  readonly dimensions: readonly Dimension[];
}

/** Writes positions as labels where the same text leads back to them. */
export function namingOf({ dimensions }: Dimensions): Naming {
  const find = (key: string) => dimensions.find((dim) => dim.key === key);
  return {
    labelText(key, index) {
      const dim = find(key);
      const label = dim?.labels && labelText(dim.labels, index);
      if (dim === undefined || label === undefined) return undefined;
      return textsOf(label).find((text) => isFound(dim, text, index));
    },
    rangeText(key, span) {
      const dim = find(key);
      const ends = dim?.labels && endsOf(dim.labels, span);
      if (dim === undefined || ends === undefined) return undefined;
      const text = `${wordText(ends[0])}..${wordText(ends[1])}`;
      return isFound(dim, text, span) ? text : undefined;
    },
  };
}

/** A label without and with quotes, which are necessary if it looks like positions. */
function textsOf(label: string): readonly string[] {
  const word = wordText(label);
  return word.startsWith('"') ? [word] : [word, `"${word}"`];
}

/** For dates the year and month, or the day, if no other label begins with it. */
function labelText(labels: Labels, index: number): string {
  const text = labels.text(index);
  if (labels.kind !== 'date' || !isSorted(labels.numbers)) return text;
  const around = [index - 1, index + 1].filter((i) => i >= 0 && i < labels.size).map((i) => labels.text(i));
  const isUnique = (prefix: string) => !around.some((other) => other.startsWith(prefix));
  return [text.slice(0, 7), text.slice(0, 10)].find(isUnique) ?? text;
}

/** The lower and the upper label of a range. */
function endsOf(labels: Labels, [start, stop]: Span): readonly [string, string] | undefined {
  if (labels.kind === 'text' || !isSorted(labels.numbers)) return undefined;
  const ends = [start, stop - 1] as const;
  const [first = Number.NaN, last = Number.NaN] = [labels.numbers[start], labels.numbers[stop - 1]];
  const [low, high] = first <= last ? ends : [ends[1], ends[0]];
  return [labelText(labels, low), labelText(labels, high)];
}

function isFound(dim: Dimension, text: string, wanted: number | Span): boolean {
  try {
    const parsed = parseSelectionText(`label=${text}`);
    const by = parsed.kind === 'named' ? parsed.named[0]?.by : undefined;
    const found = by && findPart(dim, by);
    return found !== undefined && found !== 'remote' && String(found) === String(wanted);
  } catch {
    return false;
  }
}

/** A position, or a range of positions. */
type Found = number | Span;

export interface Resolved {
  readonly part: Partial<View>;
  /** What could not be found, for people. */
  readonly problems: readonly string[];
}

/** Finds labels that only the gateway can find. */
export type FindRemote = (dim: Dimension, by: TextDim) => Promise<Found | undefined>;

/**
 * Resolves the selections of an address with the labels that are loaded.
 * @returns undefined if the gateway has to look up labels
 */
export function resolveWritten(model: Dimensions, view: View, written = view.written): Resolved | undefined {
  if (written === undefined) return { part: {}, problems: [] };
  const parts = partsOf(model, written);
  const found = parts.named.map(({ dim, by }) => dim && findPart(dim, by));
  if (found.includes('remote')) return undefined;
  return resolved(
    view,
    parts,
    found.map((each) => (each === 'remote' ? undefined : each)),
  );
}

/** @throws ZarrqlError */
export async function resolveRemotely(
  model: Dimensions,
  view: View,
  written: Written,
  findRemote: FindRemote,
): Promise<Resolved> {
  const parts = partsOf(model, written);
  const found = await Promise.all(
    parts.named.map(async ({ dim, by }) => {
      const local = dim && findPart(dim, by);
      return local === 'remote' && dim !== undefined
        ? findRemote(dim, by)
        : local === 'remote'
          ? undefined
          : local;
    }),
  );
  return resolved(view, parts, found);
}

type Target = 'view' | 'minus';

interface Part {
  readonly target: Target;
  /** Undefined if the array has no such dimension. */
  readonly dim: Dimension | undefined;
  readonly by: TextDim;
  /** The text before the value, for messages. */
  readonly name: string;
}

interface Parts {
  readonly named: readonly Part[];
  readonly problems: readonly string[];
}

function partsOf(model: Dimensions, { select, at, minusAt }: Written): Parts {
  const named: Part[] = [];
  const problems: string[] = [];
  const texts: readonly (readonly [Target, string | undefined])[] = [
    ['view', select],
    ['view', at],
    ['minus', minusAt],
  ];
  for (const [target, text] of texts) {
    try {
      for (const { dim: name, by } of namedParts(model, text ?? ''))
        named.push({ target, dim: model.dimensions.find(({ key }) => key === name), by, name });
    } catch (error) {
      problems.push(
        `The selection “${text ?? ''}”: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
  }
  return { named, problems };
}

/** The parts of a selection; those without names belong to the dimensions in order. */
function namedParts({ dimensions }: Dimensions, text: string): readonly Pick<NamedTextDim, 'dim' | 'by'>[] {
  const parsed = parseSelectionText(text);
  if (parsed.kind === 'named') return parsed.named;
  if (parsed.kind === 'all') return [];
  const ellipsis = parsed.dims.findIndex(({ kind }) => kind === 'ellipsis');
  const skipped = dimensions.length - parsed.dims.length;
  return parsed.dims.flatMap((by, i) => {
    const dim = dimensions[ellipsis >= 0 && i > ellipsis ? i + skipped : i];
    return by.kind === 'ellipsis' || dim === undefined ? [] : [{ dim: dim.key, by }];
  });
}

function resolved(view: View, { named, problems }: Parts, found: readonly (Found | undefined)[]): Resolved {
  const [at, span, minusAt] = [{ ...view.at }, { ...view.span }, { ...view.minus?.at }];
  const missed: string[] = [...problems];
  for (const [i, { target, dim, name }] of named.entries()) {
    const positions = found[i];
    if (dim === undefined) missed.push(`The array has no dimension “${name}”.`);
    else if (positions === undefined) missed.push(`The selection of “${name}” matches no position.`);
    else if (typeof positions === 'number') (target === 'minus' ? minusAt : at)[dim.key] = positions;
    else if (target === 'view') span[dim.key] = positions;
  }
  const minus = view.minus && { ...view.minus, at: minusAt };
  return { part: { at, span, minus, written: undefined }, problems: missed };
}

function findPart(dim: Dimension, by: TextDim): Found | undefined | 'remote' {
  const { size, labels, coordinate } = dim;
  if (by.kind === 'index') return within(by.index < 0 ? by.index + size : by.index, size);
  if (by.kind === 'indices') return by.indices.length === 1 ? findPart(dim, { kind: 'index', index: by.indices[0] ?? size }) : undefined; // prettier-ignore
  if (by.kind === 'slice') return sliceOf(by.start, by.stop, size);
  if (labels === undefined) {
    if (coordinate !== undefined) return 'remote';
    const position = by.kind === 'label' ? labelAsPosition(by.label) : undefined;
    return position === undefined ? undefined : findPart(dim, { kind: 'index', index: position });
  }
  if (by.kind === 'labels') return undefined;
  if (by.kind === 'between') return rangeOfLabels(dim, labels, by.from, by.to);
  return findLabel(labels, onCircle(dim, labels, by.label.text));
}

function within(index: number, size: number): number | undefined {
  return index >= 0 && index < size ? index : undefined;
}

function sliceOf(from: number | undefined, to: number | undefined, size: number): Span | undefined {
  const bound = (at: number) => Math.max(0, Math.min(size, at < 0 ? at + size : at));
  const span = [bound(from ?? 0), bound(to ?? size)] as const;
  return span[0] < span[1] ? span : undefined;
}

/** A longitude in the range of the labels, if it is there after a turn. */
function onCircle({ role }: Dimension, { numbers, kind }: Labels, text: string): string {
  const value = Number(text);
  if (role !== 'longitude' || kind !== 'number' || Number.isNaN(value)) return text;
  const distance = (turned: number) =>
    Math.abs((numbers[nearest(numbers, turned) ?? 0] ?? Number.NaN) - turned);
  const [best = value] = [value, value + CIRCLE, value - CIRCLE].sort((a, b) => distance(a) - distance(b));
  return String(best);
}

/** The positions whose labels lie between both ends. Undefined without any, or if others lie among them. */
function rangeOfLabels(
  { role }: Dimension,
  labels: Labels,
  from: TextLabel | undefined,
  to: TextLabel | undefined,
): Span | undefined {
  const turns = role === 'longitude' && labels.kind === 'number' ? [0, CIRCLE, -CIRCLE] : [0];
  for (const turn of turns) {
    const isBetween = betweenOf(labels, from?.text, to?.text, turn);
    let [start, stop, count] = [0, 0, 0];
    for (let i = 0; i < labels.size; i++) {
      if (!isBetween(i)) continue;
      if (count === 0) start = i;
      stop = i + 1;
      count += 1;
    }
    if (count > 0 && count === stop - start) return [start, stop];
  }
  return undefined;
}

/** Whether the label at a position lies between two ends, with all dates that begin with an end included. */
function betweenOf(labels: Labels, from: string | undefined, to: string | undefined, turn: number) {
  if (labels.kind === 'text')
    return (i: number): boolean => {
      const text = labels.text(i);
      return (from === undefined || text >= from) && (to === undefined || text <= to || text.startsWith(to));
    };
  const { numbers, kind } = labels;
  const numberOf = kind === 'date' ? secondsOfDate : (text: string) => numberAs(labels, text);
  const low = from === undefined ? Number.NEGATIVE_INFINITY : numberOf(from) + turn;
  const high = to === undefined ? Number.POSITIVE_INFINITY : numberOf(to) + turn;
  return (i: number): boolean => {
    const number = numbers[i] ?? Number.NaN;
    if (number >= low && number <= high) return true;
    return kind === 'date' && number >= low && to !== undefined && labels.text(i).startsWith(to);
  };
}

/** A number; for the text of a label, its exact value, which for a float32 is not the number of the text. */
function numberAs(labels: Labels, text: string): number {
  const value = Number(text);
  const i = nearest(labels.numbers, value);
  return i !== undefined && labels.text(i) === text ? (labels.numbers[i] ?? value) : value;
}
