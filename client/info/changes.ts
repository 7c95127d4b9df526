import type { Connection } from '../transport/connection.js';
import { RequestError, TransportError } from '../errors.js';
import { ChangesDocument } from '../generated/operations.js';
import type { ChangeKind } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import type { NodeLocation } from '../writing/mutations.js';

export interface Change {
  readonly kind: ChangeKind;
  /** Path of the node. */
  readonly path: string;
  /** For DATA: a region that contains all written values, one range per dimension. Else null. */
  readonly region: readonly { readonly start: number; readonly stop: number }[] | null;
}

const kinds: readonly ChangeKind[] = ['CREATED', 'UPDATED', 'DATA', 'RESIZED', 'DELETED'];

export async function* watchChanges(
  connection: Connection,
  { store, path }: NodeLocation,
  signal?: AbortSignal,
): AsyncGenerator<Change, void> {
  for await (const { data, errors } of connection.subscribe(ChangesDocument, { store, path }, { signal })) {
    const [first, ...others] = errors;
    if (first !== undefined) throw new RequestError([first, ...others], data);
    yield parseChange(data?.['changes']);
  }
}

function parseChange(change: unknown): Change {
  const kind = isRecord(change) ? kinds.find((name) => name === change['kind']) : undefined;
  if (!isRecord(change) || kind === undefined || typeof change['path'] !== 'string')
    throw new TransportError('BAD_RESPONSE', 'malformed change event');
  const { path, region } = change;
  return { kind, path, region: isList(region) ? region.map(parseRange) : null };
}

function parseRange(range: unknown): { start: number; stop: number } {
  const { start, stop } = isRecord(range) ? range : {};
  return { start: Number(start), stop: Number(stop) };
}
