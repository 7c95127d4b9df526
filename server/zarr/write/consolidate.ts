/** Consolidated metadata made anew, from what the store holds. */
import { isJsonObject } from '../bytes/json.js';
import { InputError, NotFoundError } from '../errors.js';
import { consolidateV2, consolidateV3, withoutConsolidated } from '../metadata/consolidated.js';
import type { NodeDocuments } from '../metadata/resolve-node.js';
import type { NodeHome } from '../node-home.js';
import { joinKey } from '../store/keys.js';
import { DocumentReader, jsonOf, nodeDocuments } from '../tree/documents.js';
import { walkStore } from '../tree/walk-store.js';
import { retryConflicts } from './conflicts.js';
import { printDocument } from './print-document.js';
import { holdNode, readStoredNode } from './stored-node.js';
import { rememberHolder } from './update-consolidated.js';
import { assertWritable } from './write-region.js';

/**
 * Lists all nodes of the group's own format below it and keeps their metadata in the group: v2 in `.zmetadata`, v3 in
 * its zarr.json.
 * @throws ReadOnlyError; NotFoundError where there is no group; MetadataError for a node that cannot be read
 */
export async function consolidateMetadata(
  home: NodeHome,
  prefix: string,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  assertWritable(home.store);
  await holdNode(home, prefix, () =>
    retryConflicts(signal, async () => {
      const group = await readStoredNode(home, prefix, signal);
      if (group.kind !== 'group') throw new NotFoundError('there is no group here');
      const name = group.format === 3 ? 'zarr.json' : '.zmetadata';
      const nodes = await nodesBelow(home, prefix, signal);
      const own = nodeDocuments(group.stored);
      const json = jsonOf(group.stored['zarr.json']);
      if (group.format === 3 && !isJsonObject(json)) throw new InputError('the group cannot be read');
      const document =
        group.format === 3 && isJsonObject(json)
          ? consolidateV3(withoutConsolidated(json), nodes)
          : consolidateV2([['/', own], ...nodes]);
      const version = group.stored[name]?.version;
      const condition =
        group.stored[name] === undefined
          ? { ifAbsent: true }
          : version === undefined
            ? {}
            : { ifMatch: version };
      await home.store.set(joinKey(prefix, name), printDocument(document), condition, { signal });
      rememberHolder(home, prefix, true);
      home.changed?.({ kind: 'updated', path: `/${prefix}` });
    }),
  );
}

/** By path below the group, in code point order. */
async function nodesBelow(
  home: NodeHome,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<(readonly [string, NodeDocuments])[]> {
  const nodes: (readonly [string, NodeDocuments])[] = [];
  const options = { signal, recursive: true, throughFolders: true, after: undefined };
  for await (const found of walkStore(
    home.store,
    new DocumentReader(home.store, { fresh: true }),
    prefix,
    options,
  ))
    nodes.push([
      `/${prefix === '' ? found.prefix : found.prefix.slice(prefix.length + 1)}`,
      nodeDocuments(found.documents),
    ]);
  return nodes;
}
