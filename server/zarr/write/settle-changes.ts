/**
 * Runs changes of nodes, then updates the consolidated metadata of parent groups and notifies subscribers.
 * The update always reads the current state of the nodes, so that the order of concurrent changes does not
 * matter, and one process can complete another's update.
 */
import { isZarrError } from '../../core/errors.js';
import type { Documents } from '../../format/metadata/model.js';
import type { NodeContext, StoredChange } from '../../chunks/node-context.js';
import { DocumentReader } from '../documents/documents.js';
import { jsonOf, type StoredDocuments } from '../documents/stored-document.js';
import { foldersOf, walkStore } from '../documents/walk-store.js';
import { needsMarks, putMark, readMarks, type PendingChange, type PendingMark } from './pending-changes.js';
import { readStoredNodes } from './stored-node.js';
import { hasHolder, type NodeChange, updateConsolidated } from './update-consolidated.js';

/**
 * A change to report and to add to consolidated metadata. `kind` is sent to subscribers; undefined if another
 * change already implies this one.
 */
export interface SettledChange {
  readonly prefix: string;
  readonly kind: StoredChange['kind'] | undefined;
}

/** Declares the pending changes. Must be called after all checks, before the first write. */
export type Begin = (changes: readonly PendingChange[]) => Promise<void>;

/**
 * Runs a change of nodes, then updates consolidated metadata, even if the change fails after its first
 * write. If the update fails, the change still succeeds: its marker, if any, remains, and a later change
 * completes the update.
 * @param prefix prefix of the changed node, whose current state is written to consolidated metadata
 * @throws errors from `body`
 */
export async function settled<T>(
  context: NodeContext,
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
    if (needsMarks(context.store) && (await hasHolder(context, prefix)))
      marks.push(await putMark(context, changes));
  };
  let isDone = false;
  try {
    const result = await body(begin);
    isDone = true;
    return result;
  } finally {
    const changes = begun.length > 0 ? begun : [{ prefix, isDeep: false }];
    if (isDone || begun.length > 0) await updateParents(context, changes, marks);
  }
}

/**
 * Completes the pending updates of all processes, including killed ones. Updates use the current state of the
 * nodes.
 * @returns whether any update was pending
 */
export async function settlePending(context: NodeContext): Promise<boolean> {
  const isAny = (await readMarks(context, undefined)).length > 0;
  if (isAny) await updateParents(context, [], []);
  return isAny;
}

/** Whether consolidated metadata may be missing a change at or below a path. */
export async function isBehind(context: NodeContext, prefix: string): Promise<boolean> {
  const marks = await readMarks(context, undefined);
  const isBelow = (path: string): boolean =>
    prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
  return marks.some(({ changes }) => changes.some((change) => isBelow(change.prefix)));
}

/**
 * Updates consolidated metadata, and deletes the markers of completed updates. An error of the engine becomes a
 * warning.
 * @param marks keys of this process's markers
 */
async function updateParents(
  context: NodeContext,
  own: readonly PendingChange[],
  marks: readonly string[],
): Promise<void> {
  try {
    // The update includes changes of other writers, so that waiting writers have nothing left to write.
    const others: PendingMark[] =
      own.length === 0 || marks.length > 0 ? await readMarks(context, marks[0]) : [];
    const changes = [...own, ...others.flatMap((mark) => mark.changes)];
    const prefixes = changes.map(({ prefix }) => prefix);
    await updateConsolidated(context, prefixes, () => readChanges(context, changes), undefined);
    const done = others.filter(({ isAbandoned }) => isAbandoned).map(({ key }) => key);
    const gone = [...marks, ...done];
    if (gone.length > 0) await context.store.delete(gone);
  } catch (error) {
    if (!isZarrError(error)) throw error;
    context.warn?.(
      `/${own[0]?.prefix ?? ''}`,
      `the consolidated metadata of a parent group may be out of date until the next change: ${error.detail}`,
    );
  }
}

/** Reads the current state of nodes, for consolidated metadata. */
async function readChanges(context: NodeContext, pending: readonly PendingChange[]): Promise<NodeChange[]> {
  const deep = new Set(pending.flatMap(({ prefix, isDeep }) => (isDeep ? [prefix] : [])));
  const prefixes = [...new Set(pending.map(({ prefix }) => prefix))];
  const nodes = await readStoredNodes(context, prefixes, undefined);
  const changes: NodeChange[] = [];
  for (const { prefix, stored, kind } of nodes) {
    const documents = kind === undefined ? undefined : documentsOf(stored);
    if (deep.has(prefix) || kind === undefined) changes.push({ prefix, documents: undefined });
    if (documents !== undefined) changes.push({ prefix, documents });
    if (!deep.has(prefix) || kind === 'array') continue;
    const reader = new DocumentReader(context.store, { fresh: true, limits: context.metadataLimits });
    const options = {
      signal: undefined,
      recursive: true,
      throughFolders: true,
      after: undefined,
      childrenOf: foldersOf(context.store, undefined),
    };
    for await (const below of walkStore(reader, prefix, options)) {
      const belowDocuments = documentsOf(below.documents);
      if (belowDocuments !== undefined) changes.push({ prefix: below.prefix, documents: belowDocuments });
    }
  }
  return changes;
}

/** @returns undefined if a node cannot be read; its entry remains unchanged */
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

export function notifyChanges(context: NodeContext, changes: readonly SettledChange[]): void {
  for (const { prefix, kind } of changes)
    if (kind !== undefined) context.changed?.({ kind, path: `/${prefix}` });
}
