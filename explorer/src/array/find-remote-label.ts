/** Finds labels in coordinates that are too long to load, using the gateway. */
import { type Label, typedDocument } from 'zarrql-client';
import { client } from '../gateway/client.js';
import type { TextDim, TextLabel } from '../../../wire/selection-text.js';
import type { Span } from '../state/view.js';
import type { Coordinate, Dimension } from './model.js';

interface FoundData {
  readonly store: {
    readonly dataset: {
      readonly variable: {
        readonly slice: {
          readonly dimensions: readonly {
            readonly start: number | string | bigint | null;
            readonly size: number | string | bigint;
          }[];
        } | null;
      } | null;
    } | null;
  } | null;
}

/** A label, or undefined for an open end. */
type End = string | number | undefined;

const findDocument = typedDocument<
  FoundData,
  { store: string; group: string; name: string; from: End; to: End }
>(
  'FindLabel',
  'query FindLabel($store: String!, $group: String!, $name: String!, $from: JSON, $to: JSON) { ' +
    'store(name: $store) { dataset(path: $group) { variable(name: $name) { slice(select: { named: ' +
    '[{ dim: $name, by: { between: { from: $from, to: $to } } }] }) { dimensions { start size } } } } } }',
);

/**
 * The first position with the label, or with a date that starts with it; else the nearest position of a number or date.
 * @returns undefined if nothing matches
 * @throws ZarrqlError
 */
export async function findRemoteLabel(
  coordinate: Coordinate,
  typed: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const text = typed.trim();
  const label = coordinate.isNumber ? Number(text) : text;
  if (text === '' || Number.isNaN(label)) return undefined;
  const exact = await firstWith(coordinate, label, signal);
  if (exact !== undefined || (!coordinate.isNumber && !coordinate.isDate)) return exact;
  const nearest = await labelAt(coordinate, { at: label, method: 'nearest' }, signal);
  return firstWith(coordinate, coordinate.isNumber ? Number(nearest) : nearest, signal);
}

async function firstWith(
  coordinate: Coordinate,
  label: string | number,
  signal: AbortSignal,
): Promise<number | undefined> {
  return (await findRemoteRange(coordinate, label, label, signal))?.[0];
}

/**
 * The positions with labels from `from` to `to`, with both ends included.
 * @returns undefined if there are none
 * @throws ZarrqlError
 */
export async function findRemoteRange(
  { store, group, name }: Coordinate,
  from: End,
  to: End,
  signal: AbortSignal,
): Promise<Span | undefined> {
  const data = await client.request(findDocument, { store, group, name, from, to }, { signal });
  const dimension = data.store?.dataset?.variable?.slice?.dimensions[0];
  if (dimension === undefined || Number(dimension.size) === 0) return undefined;
  const start = Number(dimension.start);
  return [start, start + Number(dimension.size)];
}

/** Requests the label of a position, as text. */
export async function labelAt(
  { store, group, name }: Coordinate,
  at: number | { readonly at: Label; readonly method: 'nearest' },
  signal: AbortSignal,
): Promise<string> {
  const variable = client.store(store).dataset(group).variable(name);
  const value = (await variable.slice({ [name]: at }, { coordinates: false, signal })).toJSON();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Resolves a label, or a range of labels, of a selection as text. */
export async function findRemote(
  { coordinate }: Dimension,
  by: TextDim,
  signal: AbortSignal,
): Promise<number | Span | undefined> {
  if (coordinate === undefined) return undefined;
  if (by.kind === 'label' || by.kind === 'near') return findRemoteLabel(coordinate, by.label.text, signal);
  if (by.kind !== 'between') return undefined;
  const endOf = (end: TextLabel | undefined) => end && (coordinate.isNumber ? Number(end.text) : end.text);
  return findRemoteRange(coordinate, endOf(by.from), endOf(by.to), signal);
}
