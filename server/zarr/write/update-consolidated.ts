/**
 * Updates consolidated metadata after writes: the entries of changed nodes in every parent group with
 * consolidated metadata (v2 in `.zmetadata`, v3 inline in its zarr.json). Everything else is preserved. Also
 * creates consolidated metadata on request.
 *
 * If the result of an update would be too large to read, the consolidated metadata is removed, and the group
 * is then listed from its nodes; it remains unchanged if nodes would be lost. An error would block all other
 * writers.
 */
import { isZarrError } from '../../core/errors.js';
import type { Documents } from '../../format/metadata/model.js';
import { ancestorsOf } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { unchangedSince } from '../../store/checks.js';
import { joinKey } from '../../store/keys.js';
import type { KeyStore } from '../../store/store.js';
import { areUsuallyMissing } from '../nodes/described-nodes.js';
import { DocumentReader } from '../documents/documents.js';
import { inTurns } from '../../core/turns.js';
import { withoutSpan } from '../documents/without-span.js';
import { changeSteps, type HolderText, type RelativeChange, scanSteps } from './consolidated-text.js';
import { retryConflicts } from '../../chunks/write/retry-conflicts.js';
import { holdNode } from './stored-node.js';
import { usableIndex } from './only-described.js';

/** A change of a node: its new documents by name, or its deletion with everything below it. */
export interface NodeChange {
  readonly prefix: string;
  readonly documents: Documents | undefined;
}

/**
 * @param prefixes prefixes of the changed nodes
 * @param readChanges returns the current state of the nodes; called after the consolidated metadata was read,
 *   so that a concurrent change is either included or causes a conflict
 */
export async function updateConsolidated(
  context: NodeContext,
  prefixes: readonly string[],
  readChanges: () => Promise<readonly NodeChange[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const holders = new Set(prefixes.flatMap((prefix) => [prefix, ...ancestorsOf(prefix)]));
  for (const holder of [...holders].toSorted((a, b) => b.length - a.length)) {
    // The check precedes the lock, because most groups have no consolidated metadata.
    if (!(await lookForHolder(context, holder, signal))) continue;
    await holdNode(context, holder, () =>
      retryConflicts(signal, () => updateHolder(context, holder, readChanges, signal)),
    );
  }
}

const MAX_REMEMBERED = 10_000;
/** Whether each group had consolidated metadata at the last check. */
const holdersOf = new WeakMap<KeyStore, Map<string, boolean>>();

async function lookForHolder(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isHolder = (await readHolder(context, prefix, signal)) !== undefined;
  rememberHolder(context, prefix, isHolder);
  return isHolder;
}

export function rememberHolder({ store }: NodeContext, prefix: string, isHolder: boolean): void {
  const known = holdersOf.get(store) ?? new Map<string, boolean>();
  if (known.size >= MAX_REMEMBERED) known.clear();
  holdersOf.set(store, known.set(prefix, isHolder));
}

/** Whether a node or a parent group has consolidated metadata, or had it at the last check. */
export async function hasHolder(context: NodeContext, prefix: string): Promise<boolean> {
  for (const holder of [prefix, ...ancestorsOf(prefix)]) {
    const known = holdersOf.get(context.store)?.get(holder);
    if (known ?? (await lookForHolder(context, holder, undefined))) return true;
  }
  return false;
}

async function updateHolder(
  context: NodeContext,
  holder: string,
  readChanges: () => Promise<readonly NodeChange[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const current = await readHolder(context, holder, signal);
  if (current === undefined) return;
  const below = (await readChanges()).flatMap(({ prefix, documents }) => {
    const relative = relativeTo(prefix, holder);
    return relative === undefined ? [] : [{ relative, documents }];
  });
  const next = await changeHolder(context, holder, current, below);
  if (next === undefined) return;
  const { maxConsolidatedBytes } = context.metadataLimits;
  const condition = unchangedSince(current);
  const key = joinKey(holder, current.name);
  if (next.length <= maxConsolidatedBytes) {
    await context.store.set(key, next, condition, { signal });
    return;
  }
  if (await wouldLoseNodes(context, holder, signal)) {
    context.warn?.(
      `/${holder}`,
      `consolidated metadata was not updated: it would have ${next.length} bytes, ` +
        `more than the ${maxConsolidatedBytes} bytes that maxConsolidatedBytes allows; ` +
        'it was kept, because some nodes have no other metadata; raise that option and rebuild it',
    );
    return;
  }
  context.warn?.(
    `/${holder}`,
    `consolidated metadata was removed: it would have ${next.length} bytes, ` +
      `more than the ${maxConsolidatedBytes} bytes that maxConsolidatedBytes allows; ` +
      'raise that option and rebuild it',
  );
  rememberHolder(context, holder, false);
  if (current.name === '.zmetadata') await context.store.delete([key], condition, { signal });
  else await context.store.set(key, await withoutMembers(current), condition, { signal });
}

/** Whether removing the consolidated metadata would lose nodes. */
async function wouldLoseNodes(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const reader = new DocumentReader(context.store, { fresh: true, limits: context.metadataLimits });
  const [stored = {}] = await reader.read([prefix], ['zarr.json', '.zmetadata'], signal);
  const index = await usableIndex(stored);
  return index !== undefined && areUsuallyMissing(reader, index, prefix, signal);
}

/** @returns undefined if nothing changes. Invalid metadata remains unchanged; readers ignore it too */
async function changeHolder(
  context: NodeContext,
  holder: string,
  current: Holder,
  changes: readonly RelativeChange[],
): Promise<Uint8Array | undefined> {
  try {
    return await inTurns(changeSteps(current, changes));
  } catch (error) {
    if (!isZarrError(error, 'INVALID_METADATA', 'UNSUPPORTED')) throw error;
    context.warn?.(`/${holder}`, `consolidated metadata was not updated: ${error.detail}`);
    return undefined;
  }
}

async function withoutMembers(holder: Holder): Promise<Uint8Array> {
  const scan = await inTurns(scanSteps(holder));
  const none = { start: 0, end: 0 };
  const [document] = scan.members;
  return withoutSpan(holder.bytes, document ?? none, document?.consolidated ?? none);
}

interface Holder extends HolderText {
  readonly version: string | undefined;
}

/** @returns undefined if the group has no readable consolidated metadata */
async function readHolder(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Holder | undefined> {
  const reader = new DocumentReader(context.store, { fresh: true, limits: context.metadataLimits });
  const [stored = {}] = await reader.read([prefix], ['zarr.json', '.zmetadata'], signal);
  const name = stored['zarr.json'] === undefined ? '.zmetadata' : 'zarr.json';
  const document = stored[name];
  if (document?.consolidated === undefined) return undefined;
  return { name, bytes: document.consolidated.bytes, version: document.version };
}

/** @returns undefined if `prefix` is neither `holder` nor below it */
function relativeTo(prefix: string, holder: string): string | undefined {
  if (prefix === holder) return '';
  if (holder === '') return prefix;
  return prefix.startsWith(`${holder}/`) ? prefix.slice(holder.length + 1) : undefined;
}
