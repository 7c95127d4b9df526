/**
 * Nodes as writers see them: read anew from the store, whatever was remembered of them, since what is written depends
 * on it.
 */
import { isJsonObject } from '../bytes/json.js';
import { MetadataError, NotFoundError } from '../errors.js';
import type { AnyMeta, Documents, ZarrFormat } from '../metadata/model.js';
import { resolveNode } from '../metadata/resolve-node.js';
import type { NodeHome } from '../node-home.js';
import { joinKey } from '../store/keys.js';
import type { WriteCondition } from '../store/store.js';
import { DocumentReader } from '../tree/documents.js';
import {
  documentNames,
  jsonOf,
  nodeDocuments,
  storedKind,
  v1DocumentNames,
  versionOf,
  type DocumentName,
  type StoredDocuments,
} from '../tree/stored-document.js';
import { retryConflicts } from './conflicts.js';
import { lockOf } from './locks.js';
import type { PendingChange } from './pending-changes.js';
import { printDocuments } from './print-document.js';
import { withKept } from './keep-consolidated.js';
import { assertWritable, versionConflict } from './write-region.js';

export interface StoredNode {
  /** "" for the root, else "a/b". */
  readonly prefix: string;
  /** All documents that lie there, also where they make no node. */
  readonly stored: StoredDocuments;
  readonly kind: 'group' | 'array' | undefined;
  /** Of the documents that count; undefined where there is no node or none that can be read. */
  readonly format: ZarrFormat | undefined;
  readonly version: string | undefined;
}

export async function readStoredNodes(
  home: NodeHome,
  prefixes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<StoredNode[]> {
  const reader = new DocumentReader(home.store, { fresh: true, limits: home.metadataLimits });
  const found = await reader.read(prefixes, documentNames, signal);
  const classic = await reader.read(prefixes, v1DocumentNames, signal);
  return prefixes.map((prefix, i) => {
    const stored = found[i] ?? {};
    const v1 = classic[i] ?? {};
    assertReadable({ ...v1, ...stored });
    const newer = storedKind(stored);
    // v1's names are what a group or array below could be called, so they count only where nothing else is.
    if (newer === undefined && isV1(v1))
      return { prefix, stored: { ...stored, ...v1 }, kind: 'array', format: 1, version: versionOf(v1) };
    return { prefix, stored, kind: newer, format: formatOf(stored), version: versionOf(stored) };
  });
}

/** What the store does not hand out may be anything: nothing is written on such ground. @throws store errors */
function assertReadable({ '.zmetadata': _, ...stored }: StoredDocuments): void {
  for (const document of Object.values(stored)) {
    const { content } = document;
    if ('failure' in content && content.failure.code.startsWith('STORE_')) jsonOf(document);
  }
}

export async function readStoredNode(
  home: NodeHome,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<StoredNode> {
  const [node] = await readStoredNodes(home, [prefix], signal);
  return node ?? { prefix, stored: {}, kind: undefined, format: undefined, version: undefined };
}

function isV1({ meta }: StoredDocuments): boolean {
  const content = meta?.content;
  if (content === undefined || 'failure' in content) return false;
  return isJsonObject(content.json) && content.json['zarr_format'] === 1;
}

function formatOf(stored: StoredDocuments): 2 | 3 | undefined {
  if (stored['zarr.json'] !== undefined) return 3;
  return stored['.zarray'] === undefined && stored['.zgroup'] === undefined ? undefined : 2;
}

/** @throws NotFoundError; MetadataError, UnsupportedError as opening it would, and for what only readers tolerate */
export function metaOf(node: StoredNode, home: NodeHome): AnyMeta {
  const meta = resolveNode(nodeDocuments(node.stored), home.registry, home.reading);
  if (meta === undefined) throw new NotFoundError('no node at this path');
  const [warning] = meta.kind === 'array' ? meta.warnings : [];
  if (warning !== undefined)
    throw new MetadataError(`the array cannot be changed: ${warning}; repair its metadata first`);
  return meta;
}

export interface ChangeOptions {
  readonly ifVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node before a change, and the documents that changed. */
export interface Changed {
  readonly before: AnyMeta;
  /** All documents of the node, as they are now. */
  readonly documents: Documents;
}

/**
 * Reads a node, changes it and writes what changed, provided that nobody else did in between.
 * @param change may be called again, with what somebody else made of the node
 * @param begin called before each attempt to write
 * @throws ConflictError for another version than `ifVersion`, or where others kept changing it; NotFoundError
 */
export async function changeNode(
  home: NodeHome,
  prefix: string,
  change: (meta: AnyMeta) => Documents,
  { ifVersion, signal }: ChangeOptions,
  begin?: (changes: readonly PendingChange[]) => Promise<void>,
): Promise<Changed> {
  assertWritable(home.store);
  const once = async (): Promise<Changed> => {
    const node = await readStoredNode(home, prefix, signal);
    if (ifVersion !== undefined && node.version !== ifVersion) throw versionConflict(node.version);
    const before = metaOf(node, home);
    const changed = change(before);
    const texts = printDocuments(changed, home.metadataLimits);
    await begin?.([{ prefix, isDeep: false }]);
    for (const [name, text] of texts) {
      const stored = isDocumentName(name) ? node.stored[name] : undefined;
      const condition: WriteCondition =
        stored === undefined
          ? { ifAbsent: true }
          : stored.version === undefined
            ? {}
            : { ifMatch: stored.version };
      await home.store.set(
        joinKey(prefix, name),
        await withKept(text, stored, home.metadataLimits),
        condition,
        {
          signal,
        },
      );
    }
    return { before, documents: { ...before.documents, ...changed } };
  };
  return holdNode(home, prefix, () => retryConflicts(signal, once), signal);
}

/** One writer of a node's documents at a time. */
export function holdNode<T>(
  home: NodeHome,
  prefix: string,
  body: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // No key of an object has two slashes side by side.
  return lockOf(home.store).hold(`//${prefix}`, body, { signal, isGuarded: true });
}

export function isDocumentName(name: string): name is DocumentName {
  return [...documentNames, ...v1DocumentNames].some((known) => known === name);
}
