/**
 * Markers of changes that consolidated metadata may not include yet. A change of a node writes its marker
 * first, and removes it when the parent groups are updated. If the process is killed in between, the marker
 * remains, and the next change, or the next opening of the store, completes the update. Other programs see
 * a small object that is not a node.
 */
import { encodeUtf8 } from '../../core/bytes/text.js';
import { isJsonObject, type JsonValue } from '../../core/bytes/json.js';
import { parseJson } from '../../core/bytes/parse-json.js';
import { isZarrError } from '../../core/errors.js';
import { parseNodePath } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { joinKey, PENDING_FOLDER } from '../../store/keys.js';
import { isDead, thisProcess } from '#process-identity';
import type { KeyStore, ReadResult } from '../../store/store.js';
import { isRecord } from '../../../wire/guards.js';

export interface PendingChange {
  /** Prefix of the changed node: "" for the root, otherwise, for example, "a/b". */
  readonly prefix: string;
  /** Whether the change includes everything below the node, because it is deleted or replaced. */
  readonly isDeep: boolean;
}

export interface PendingMark {
  readonly key: string;
  readonly changes: readonly PendingChange[];
  /** Whether the process that wrote the marker has ended, or is assumed to have ended. */
  readonly isAbandoned: boolean;
}

/** Maximum number of markers to process at once. The next change processes the rest. */
const MAX_MARKS = 500;
const MAX_MARK_BYTES = 65_536;
/** Age in milliseconds above which markers of unknown processes count as abandoned. */
const ABANDONED_MS = 60_000;

/** Whether changes need markers: only in durable stores that can be listed and written. */
export function needsMarks({ isDurable, can }: KeyStore): boolean {
  return can.write && can.list && isDurable;
}

/** @returns the key of the marker */
export async function putMark(context: NodeContext, changes: readonly PendingChange[]): Promise<string> {
  const { machine, process } = thisProcess();
  const key = joinKey(PENDING_FOLDER, `${machine}.${process}.${crypto.randomUUID()}`);
  const content = { changes: changes.map(({ prefix, isDeep }) => ({ path: `/${prefix}`, deep: isDeep })) };
  await context.store.set(key, encodeUtf8(JSON.stringify(content)));
  return key;
}

/** Reads up to `MAX_MARKS` markers except `own`. Markers that cannot be parsed are ignored. */
export async function readMarks({ store }: NodeContext, own: string | undefined): Promise<PendingMark[]> {
  if (!needsMarks(store)) return [];
  const { keys } = await store.list(PENDING_FOLDER, { fresh: true });
  forget(store, keys);
  const wanted = keys.filter((key) => key !== own).slice(0, MAX_MARKS);
  const marks: PendingMark[] = [];
  const each = (i: number, result: ReadResult): void => {
    const key = wanted[i];
    if (key === undefined || result === undefined || result === 'unchanged') return;
    const changes = parseMark(result.bytes);
    if (changes !== undefined) marks.push({ key, changes, isAbandoned: isAbandoned(store, key) });
  };
  await store.getMany(wanted.map((key) => ({ key })), each, { maxBytes: MAX_MARK_BYTES, fresh: true }); // prettier-ignore
  return marks;
}

function parseMark(bytes: Uint8Array): PendingChange[] | undefined {
  try {
    const json = parseJson(bytes);
    const changes: JsonValue | undefined = isJsonObject(json) ? json['changes'] : undefined;
    if (!Array.isArray(changes)) return undefined;
    return changes.flatMap((change: unknown) => {
      if (!isRecord(change) || typeof change['path'] !== 'string') return [];
      return [{ prefix: parseNodePath(change['path']).slice(1), isDeep: change['deep'] === true }];
    });
  } catch (error) {
    if (isZarrError(error)) return undefined;
    throw error;
  }
}

/** Time when each marker of another process was first seen, by the clock of this process. */
const seen = new WeakMap<KeyStore, Map<string, number>>();

function isAbandoned(store: KeyStore, key: string): boolean {
  const [machine = '', process = ''] = key.slice(key.lastIndexOf('/') + 1).split('.');
  const isOwnerDead = isDead({ machine, process });
  if (isOwnerDead !== undefined) return isOwnerDead;
  const times = seen.get(store) ?? new Map<string, number>();
  seen.set(store, times);
  const since = times.get(key) ?? performance.now();
  times.set(key, since);
  return performance.now() - since > ABANDONED_MS;
}

function forget(store: KeyStore, present: readonly string[]): void {
  const times = seen.get(store);
  const existing = new Set(present);
  for (const key of times?.keys() ?? []) if (!existing.has(key)) times?.delete(key);
}
