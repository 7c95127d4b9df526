/** Creates consolidated metadata from the nodes in the store. */
import { isJsonObject } from '../../core/bytes/json.js';
import { encodeUtf8 } from '../../core/bytes/text.js';
import { InputError, NotFoundError } from '../../core/errors.js';
import {
  emptyConsolidatedV2,
  withEmptyConsolidated,
  withoutConsolidated,
} from '../../format/metadata/consolidated.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { unchangedSince } from '../../store/checks.js';
import { joinKey } from '../../store/keys.js';
import { DocumentReader } from '../documents/documents.js';
import { jsonOf, type StoredDocuments } from '../documents/stored-document.js';
import { createPause, inTurns } from '../../core/turns.js';
import { foldersOf, walkStore } from '../documents/walk-store.js';
import { appendSteps } from './consolidated-text.js';
import { retryConflicts } from '../../chunks/write/retry-conflicts.js';
import { assertPrintedLength, printCompact } from './print-document.js';
import { holdNode, readStoredNode, type StoredNode } from './stored-node.js';
import { assertNothingLost } from './only-described.js';
import { assertWritable } from '../../chunks/write/write-region.js';
import { rememberHolder } from './update-consolidated.js';

/**
 * Lists all nodes below the group that have its format, and stores their metadata in the group: v2 in
 * `.zmetadata`, v3 in its zarr.json.
 * @throws ReadOnlyError; NotFoundError if there is no group; MetadataError for an unreadable node;
 * ConflictError if nodes with data would be lost, because only consolidated metadata describes them;
 * LimitError, before anything is written, if the result would be too large to read
 */
export async function consolidateMetadata(
  context: NodeContext,
  prefix: string,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  assertWritable(context.store);
  await holdNode(context, prefix, () =>
    retryConflicts(signal, async () => {
      const group = await readStoredNode(context, prefix, signal);
      if (group.kind !== 'group') throw new NotFoundError('no group at this path');
      const name = group.format === 3 ? 'zarr.json' : '.zmetadata';
      const bytes = await consolidatedText(context, group, signal);
      const condition = unchangedSince(group.stored[name]);
      await context.store.set(joinKey(prefix, name), bytes, condition, { signal });
      rememberHolder(context, prefix, true);
      context.changed?.({ kind: 'updated', path: `/${prefix}` });
    }),
  );
}

/** @throws LimitError if it would be too large to read; MetadataError for an unreadable node */
async function consolidatedText(
  context: NodeContext,
  group: StoredNode,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { prefix, format, stored } = group;
  const json = jsonOf(stored['zarr.json']);
  if (format === 3 && !isJsonObject(json)) throw new InputError('the group cannot be read');
  const name = format === 3 ? 'zarr.json' : '.zmetadata';
  const empty =
    format === 3 && isJsonObject(json)
      ? withEmptyConsolidated(withoutConsolidated(json))
      : emptyConsolidatedV2;
  const bytes = printCompact(empty);
  const members: (readonly [string, Uint8Array])[] = [];
  let length = bytes.length;
  const pause = createPause(signal);
  const add = (node: StoredDocuments, path: string): void => {
    for (const documentName of format === 3 ? v3Names : v2Names) {
      const document = jsonOf(node[documentName]);
      if (document === undefined) continue;
      const key = format === 3 ? path : joinKey(path, documentName);
      // In v2, "consolidated_metadata" is an ordinary attribute.
      const isV3Object = format === 3 && isJsonObject(document);
      const text = printCompact(isV3Object ? withoutConsolidated(document) : document);
      length += text.length + encodeUtf8(key).length + 4;
      assertPrintedLength('maxConsolidatedBytes', length, context.metadataLimits);
      members.push([key, text]);
    }
  };
  if (format !== 3) add(stored, '');
  const reader = new DocumentReader(context.store, { fresh: true, limits: context.metadataLimits });
  const options = {
    signal,
    recursive: true,
    throughFolders: true,
    after: undefined,
    childrenOf: foldersOf(context.store, signal),
  };
  const prefixes = new Set<string>();
  for await (const found of walkStore(reader, prefix, options)) {
    await pause();
    prefixes.add(found.prefix);
    add(found.documents, prefix === '' ? found.prefix : found.prefix.slice(prefix.length + 1));
  }
  await assertNothingLost(context, reader, group, prefixes, pause, signal);
  return inTurns(appendSteps({ name, bytes }, members));
}

const v3Names = ['zarr.json'] as const;
const v2Names = ['.zarray', '.zgroup', '.zattrs'] as const;
