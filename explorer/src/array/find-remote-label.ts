/** Finds labels in coordinates that are too long to load, using the gateway. */
import { type Label, typedDocument } from 'zarrql-client';
import { client } from '../gateway/client.js';
import type { Coordinate } from './model.js';

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

const findDocument = typedDocument<
  FoundData,
  { store: string; group: string; name: string; label: string | number }
>(
  'FindLabel',
  'query FindLabel($store: String!, $group: String!, $name: String!, $label: JSON!) { store(name: $store) { dataset(path: $group) { variable(name: $name) { slice(select: { named: [{ dim: $name, by: { between: { from: $label, to: $label } } }] }) { dimensions { start size } } } } } }',
);

/**
 * The first position with the label, or with a date that starts with it; else the nearest position.
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
  { store, group, name }: Coordinate,
  label: string | number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const data = await client.request(findDocument, { store, group, name, label }, { signal });
  const found = data.store?.dataset?.variable?.slice?.dimensions[0];
  if (found === undefined || Number(found.size) === 0) return undefined;
  return Number(found.start);
}

/** A label as text. */
export async function labelAt(
  { store, group, name }: Coordinate,
  at: number | { readonly at: Label; readonly method: 'nearest' },
  signal: AbortSignal,
): Promise<string> {
  const variable = client.store(store).dataset(group).variable(name);
  const value = (await variable.slice({ [name]: at }, { coordinates: false, signal })).toJSON();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
