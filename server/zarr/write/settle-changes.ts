/**
 * How every change of a node runs: consolidated metadata above it follows, and whoever listens is told. What the groups
 * above come to say is read from the nodes as they are then, never remembered, so that it does not matter in which order
 * changes meet, or whether one was finished by another process.
 */
import { isZarrError } from '../errors.js';
import type { Documents } from '../metadata/model.js';
import type { NodeHome, StoredChange } from '../node-home.js';
import { DocumentReader } from '../tree/documents.js';
import { jsonOf, type StoredDocuments } from '../tree/stored-document.js';
import { walkStore } from '../tree/walk-store.js';
import { needsMarks, putMark, readMarks, type PendingChange, type PendingMark } from './pending-changes.js';
import { readStoredNodes } from './stored-node.js';
import { hasHolder, updateConsolidated, type NodeChange } from './update-consolidated.js';

/** `kind` is what is told of it; undefined for nothing, where another change says it all. */
export interface SettledChange {
  readonly prefix: string;
  readonly kind: StoredChange['kind'] | undefined;
}

/** Called when everything was checked, before the first write. */
export type Begin = (changes: readonly PendingChange[]) => Promise<void>;

/**
 * Runs a change of nodes and has consolidated metadata follow, also where the change fails after its first write. Where
 * it cannot follow, the change is done all the same: the mark stays, and the next change does what is left.
 * @param prefix of the node that is changed or looked at: consolidated metadata come to show it as it is
 * @throws what `body` throws
 */
export async function settled<T>(
  home: NodeHome,
  prefix: string,
  body: (begin: Begin) => Promise<T>,
): Promise<T> {
  const begun: PendingChange[] = [];
  const marks: string[] = [];
  const begin: Begin = async (changes) => {
    const isKnown = ({ prefix: path, isDeep }: PendingChange): boolean =>
      begun.some((known) => known.prefix === path && known.isDeep === isDeep);
    if (changes.every(isKnown)) return;
    begun.push(...changes);
    if (needsMarks(home.store) && (await hasHolder(home, prefix))) marks.push(await putMark(home, changes));
  };
  let isDone = false;
  try {
    const result = await body(begin);
    isDone = true;
    return result;
  } finally {
    const changes = begun.length > 0 ? begun : [{ prefix, isDeep: false }];
    if (isDone || begun.length > 0) await follow(home, changes, marks);
  }
}

/**
 * Does what killed processes left, and what live ones are about to do: both are read from the nodes as they are.
 * @returns whether there was anything
 */
export async function settlePending(home: NodeHome): Promise<boolean> {
  const isAny = (await readMarks(home, undefined)).length > 0;
  if (isAny) await follow(home, [], []);
  return isAny;
}

/** Whether a change at or below a path may not have reached consolidated metadata. */
export async function isBehind(home: NodeHome, prefix: string): Promise<boolean> {
  const marks = await readMarks(home, undefined);
  const isBelow = (path: string): boolean =>
    prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
  return marks.some(({ changes }) => changes.some((change) => isBelow(change.prefix)));
}

async function follow(
  home: NodeHome,
  own: readonly PendingChange[],
  marks: readonly string[],
): Promise<void> {
  try {
    // Others' changes come along: whoever waits behind this one then finds nothing left to write.
    const others: PendingMark[] = own.length === 0 || marks.length > 0 ? await readMarks(home, marks[0]) : [];
    const changes = [...own, ...others.flatMap((mark) => mark.changes)];
    const prefixes = changes.map(({ prefix }) => prefix);
    await updateConsolidated(home, prefixes, () => readChanges(home, changes), undefined);
    const done = others.filter(({ isAbandoned }) => isAbandoned).map(({ key }) => key);
    const gone = [...marks, ...done];
    if (gone.length > 0) await home.store.delete(gone);
  } catch (error) {
    if (!isZarrError(error)) throw error;
    home.warn?.(
      `/${own[0]?.prefix ?? ''}`,
      `consolidated metadata above is behind, and follows with the next change: ${error.detail}`,
    );
  }
}

/** What consolidated metadata has to say of nodes, as they are now. */
async function readChanges(home: NodeHome, pending: readonly PendingChange[]): Promise<NodeChange[]> {
  const deep = new Set(pending.flatMap(({ prefix, isDeep }) => (isDeep ? [prefix] : [])));
  const prefixes = [...new Set(pending.map(({ prefix }) => prefix))];
  const nodes = await readStoredNodes(home, prefixes, undefined);
  const changes: NodeChange[] = [];
  for (const { prefix, stored, kind } of nodes) {
    const documents = kind === undefined ? undefined : documentsOf(stored);
    if (deep.has(prefix) || kind === undefined) changes.push({ prefix, documents: undefined });
    if (documents !== undefined) changes.push({ prefix, documents });
    if (!deep.has(prefix) || kind === 'array') continue;
    const reader = new DocumentReader(home.store, { fresh: true, limits: home.metadataLimits });
    const options = { signal: undefined, recursive: true, throughFolders: true, after: undefined };
    for await (const below of walkStore(home.store, reader, prefix, options)) {
      const found = documentsOf(below.documents);
      if (found !== undefined) changes.push({ prefix: below.prefix, documents: found });
    }
  }
  return changes;
}

/** @returns undefined where one cannot be read: that is left as it was */
function documentsOf(stored: StoredDocuments): Documents | undefined {
  try {
    return Object.fromEntries(
      Object.entries(stored).flatMap(([name, document]) => {
        const json = jsonOf(document);
        return json === undefined ? [] : [[name, json]];
      }),
    );
  } catch (error) {
    if (isZarrError(error, 'INVALID_METADATA', 'LIMIT_EXCEEDED')) return undefined;
    throw error;
  }
}

export function tellChanges(home: NodeHome, changes: readonly SettledChange[]): void {
  for (const { prefix, kind } of changes)
    if (kind !== undefined) home.changed?.({ kind, path: `/${prefix}` });
}
