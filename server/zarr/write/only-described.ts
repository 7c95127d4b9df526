/**
 * Nodes described only by consolidated metadata are read-only, because a new document would duplicate metadata
 * that another program maintains elsewhere, and the two could diverge.
 */
import { isZarrError } from '../../core/errors.js';
import type { NodeContext } from '../../chunks/node-context.js';
import type { ConsolidatedIndex } from '../documents/consolidated-index.js';
import { areUsuallyMissing, isEmpty } from '../nodes/described-nodes.js';
import type { DocumentReader } from '../documents/documents.js';
import type { StoredDocuments } from '../documents/stored-document.js';
import type { Pause } from '../../core/turns.js';
import { SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import type { StoredNode } from './stored-node.js';

export function describedConflict(path: string, holder: string): SettledConflictError {
  return new SettledConflictError(
    `"${path}" is read-only, because it has no metadata document, ` +
      `only the consolidated metadata of "/${holder}"; ` +
      'first create the document with the program that wrote the store, ' +
      'or rebuild the consolidated metadata if the node was deleted',
  );
}

/**
 * @param around all nodes on the path from the root
 * @param missing nodes on that path for which documents will be created
 * @throws ConflictError if consolidated metadata describes one of the missing nodes and the store contains
 * its data
 */
export async function assertNotDescribed(
  context: NodeContext,
  around: readonly StoredNode[],
  missing: readonly StoredNode[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (missing.length === 0) return;
  for (const holder of around) {
    const index = await usableIndex(holder.stored);
    for (const { prefix } of missing) {
      if (index?.at(prefix) === undefined) continue;
      if (!(await isEmpty(context.store, prefix, signal)))
        throw describedConflict(`/${prefix}`, holder.prefix);
    }
  }
}

/**
 * @param found prefixes of all nodes below the group that have documents
 * @throws ConflictError if the group's consolidated metadata is the only description of nodes with data
 */
export async function assertNothingLost(
  context: NodeContext,
  reader: DocumentReader,
  { prefix, stored }: StoredNode,
  found: ReadonlySet<string>,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<void> {
  const index = await usableIndex(stored);
  let gone: string | undefined;
  for (const node of index?.below(prefix, { recursive: true, after: undefined }) ?? []) {
    await pause();
    if (node === undefined) continue;
    const isBelowGone = gone !== undefined && node.prefix.startsWith(`${gone}/`);
    if (index === undefined || found.has(node.prefix) || isBelowGone) continue;
    if (await isEmpty(context.store, node.prefix, signal)) gone = node.prefix;
    else if (await areUsuallyMissing(reader, index, node.prefix, signal))
      throw describedConflict(`/${node.prefix}`, prefix);
  }
}

/** @returns undefined if there is no consolidated metadata, or readers would not use it */
export async function usableIndex(stored: StoredDocuments): Promise<ConsolidatedIndex | undefined> {
  try {
    return await (stored['zarr.json'] ?? stored['.zmetadata'])?.consolidated?.index();
  } catch (error) {
    if (isZarrError(error)) return undefined;
    throw error;
  }
}
