/**
 * Reads and changes nodes for writers. Reads bypass caches in front of the store, because writes depend on
 * them.
 */
import { isJsonObject } from '../../core/bytes/json.js';
import { MetadataError, NotFoundError } from '../../core/errors.js';
import type { MetadataLimits } from '../../core/limits.js';
import type { AnyMeta, Documents, ZarrFormat } from '../../format/metadata/model.js';
import { resolveNode } from '../../format/metadata/resolve-node.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { unchangedSince } from '../../store/checks.js';
import { joinKey } from '../../store/keys.js';
import { DocumentReader } from '../documents/documents.js';
import { NetcdfGroups } from '../documents/netcdf-groups.js';
import {
  type DocumentName,
  documentNames,
  jsonOf,
  nodeVersion,
  parsedDocuments,
  type StoredDocument,
  type StoredDocuments,
  storedKind,
  v1DocumentNames,
} from '../documents/stored-document.js';
import { inTurns, runToEnd } from '../../core/turns.js';
import { replaceSpan } from '../documents/without-span.js';
import { scanSteps } from './consolidated-text.js';
import { retryConflicts } from '../../chunks/write/retry-conflicts.js';
import { withLock } from '../../chunks/write/locks.js';
import type { PendingChange } from './pending-changes.js';
import { assertPrintedLength, printDocuments } from './print-document.js';
import { assertWritable, versionConflict } from '../../chunks/write/write-region.js';

export interface StoredNode {
  /** Prefix of the node: "" for the root, otherwise, for example, "a/b". */
  readonly prefix: string;
  /** All existing documents, even if they do not form a node. */
  readonly stored: StoredDocuments;
  readonly kind: 'group' | 'array' | undefined;
  /** Format of the applicable documents; undefined if none of them defines a node. */
  readonly format: ZarrFormat | undefined;
  readonly version: string | undefined;
  /** See `NodeDocuments`. */
  readonly isNetcdf: boolean | undefined;
}

export async function readStoredNodes(
  context: NodeContext,
  prefixes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<StoredNode[]> {
  const reader = new DocumentReader(context.store, { fresh: true, limits: context.metadataLimits });
  const documents = await reader.read(prefixes, documentNames, signal);
  const v1Documents = await reader.read(prefixes, v1DocumentNames, signal);
  const groups = new NetcdfGroups(reader, signal);
  return Promise.all(
    prefixes.map(async (prefix, i): Promise<StoredNode> => {
      const stored = documents[i] ?? {};
      const v1 = v1Documents[i] ?? {};
      assertReadable({ ...v1, ...stored });
      const newer = storedKind(stored);
      // Names of v1 documents are valid names of nodes, so they apply only if there are no other documents.
      if (newer === undefined && isV1(v1))
        return {
          ...{ prefix, stored: { ...stored, ...v1 }, kind: 'array', format: 1, version: nodeVersion(v1) },
          isNetcdf: undefined,
        };
      const isNetcdf = newer === 'array' ? await isNetcdfArray(prefix, stored, groups) : undefined;
      return {
        prefix,
        stored,
        kind: newer,
        format: formatOf(stored),
        version: nodeVersion(stored),
        isNetcdf,
      };
    }),
  );
}

/** @returns undefined for a document with an error; opening the node throws it */
async function isNetcdfArray(
  prefix: string,
  { '.zarray': zarray, '.zattrs': zattrs }: StoredDocuments,
  groups: NetcdfGroups,
): Promise<boolean | undefined> {
  if (zarray?.kind === 'broken' || zattrs?.kind === 'broken') return undefined;
  const documents = { zarray: jsonOf(zarray), zattrs: jsonOf(zattrs) };
  return (await groups.complete(prefix, documents)).isNetcdf;
}

/** @throws store errors if a document cannot be read, because writing could destroy it */
function assertReadable({ '.zmetadata': _, ...stored }: StoredDocuments): void {
  for (const document of Object.values(stored)) {
    const { content } = document;
    if ('failure' in content && content.failure.code.startsWith('STORE_')) jsonOf(document);
  }
}

export async function readStoredNode(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<StoredNode> {
  const [node] = await readStoredNodes(context, [prefix], signal);
  return (
    node ?? {
      ...{ prefix, stored: {}, kind: undefined, format: undefined },
      version: undefined,
      isNetcdf: undefined,
    }
  );
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

/**
 * @throws NotFoundError; MetadataError or UnsupportedError if the node cannot be opened, or has violations
 * that readers tolerate
 */
export function metaOf(node: StoredNode, context: NodeContext): AnyMeta {
  const documents = { ...parsedDocuments(node.stored), isNetcdf: node.isNetcdf };
  const meta = resolveNode(documents, context.registry, context.metadataOptions);
  if (meta === undefined) throw new NotFoundError('no node at this path');
  const [violation] = meta.kind === 'array' ? meta.violations : [];
  if (violation !== undefined)
    throw new MetadataError(`the array cannot be changed: ${violation}; repair its metadata first`);
  return meta;
}

export interface ChangeOptions {
  /** The expected version of the node. The change fails with CONFLICT if the node has another version. */
  readonly ifVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node before a change, and the changed documents. */
interface Changed {
  readonly before: AnyMeta;
  /** All documents of the node after the change. */
  readonly documents: Documents;
}

/**
 * Reads a node, changes it and writes the changed documents if no other writer has changed them.
 * @param change called again with the new state if another writer has changed the node
 * @param begin called before each attempt to write
 * @throws ConflictError if the version differs from `ifVersion`, or other writers keep changing the node;
 * NotFoundError if there is no node
 */
export async function changeNode(
  context: NodeContext,
  prefix: string,
  change: (meta: AnyMeta) => Documents,
  { ifVersion, signal }: ChangeOptions,
  begin?: (changes: readonly PendingChange[]) => Promise<void>,
): Promise<Changed> {
  assertWritable(context.store);
  const once = async (): Promise<Changed> => {
    const node = await readStoredNode(context, prefix, signal);
    if (ifVersion !== undefined && node.version !== ifVersion) throw versionConflict(node.version);
    const before = metaOf(node, context);
    const changed = change(before);
    const texts = printDocuments(changed, context.metadataLimits);
    await begin?.([{ prefix, isDeep: false }]);
    for (const [name, text] of texts) {
      const stored = isDocumentName(name) ? node.stored[name] : undefined;
      const whole = await withKept(text, stored, context.metadataLimits);
      await context.store.set(joinKey(prefix, name), whole, unchangedSince(stored), { signal });
    }
    return { before, documents: { ...before.documents, ...changed } };
  };
  return holdNode(context, prefix, () => retryConflicts(signal, once), signal);
}

/** Locks a node's documents for one writer. */
export function holdNode<T>(
  context: NodeContext,
  prefix: string,
  body: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // The name cannot collide with a key, because keys never contain two consecutive slashes.
  return withLock(context.store, `//${prefix}`, body, { signal, isGuarded: true });
}

export function isDocumentName(name: string): name is DocumentName {
  return [...documentNames, ...v1DocumentNames].some((known) => known === name);
}

/**
 * @param text the new document, with `null` as its consolidated metadata
 * @param before the document that it replaces
 * @returns the text with the previous consolidated metadata, if reading had omitted it
 * @throws LimitError if the whole document would be too large to read
 */
async function withKept(
  text: Uint8Array,
  before: StoredDocument | undefined,
  limits: MetadataLimits,
): Promise<Uint8Array> {
  const kept = before?.consolidated?.bytes;
  const read = kept === undefined ? undefined : jsonOf(before);
  if (kept === undefined || !isJsonObject(read) || read['consolidated_metadata'] !== null) return text;
  const from = (await inTurns(scanSteps({ name: 'zarr.json', bytes: kept }))).members[0]?.consolidated;
  const to = runToEnd(scanSteps({ name: 'zarr.json', bytes: text })).members[0]?.consolidated;
  if (from === undefined || to === undefined) return text;
  const whole = replaceSpan(text, to, kept.subarray(from.start, from.end));
  assertPrintedLength('maxConsolidatedBytes', whole.length, limits);
  return whole;
}
