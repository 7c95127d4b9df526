/**
 * Creates groups and arrays with their missing parent groups, changes attributes, and deletes nodes. The document that
 * defines a new node is written only if it does not exist, so that only one of two concurrent creators writes it.
 */
import { AlreadyExistsError, InputError, isZarrError } from '../../core/errors.js';
import { createGroupDocuments } from '../../format/metadata/create.js';
import {
  type AttributeChange,
  attributeDocuments,
  changeAttributes,
} from '../../format/metadata/changed-documents.js';
import type { AnyMeta, Documents, ZarrFormat } from '../../format/metadata/model.js';
import { ancestorsOf, assertUnreservedNames, nameOf } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { joinKey, PENDING_FOLDER } from '../../store/keys.js';
import { documentNames } from '../documents/stored-document.js';
import { retryConflicts, SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import { assertAttributes, printDocument, printDocuments } from './print-document.js';
import { type Begin, notifyChanges, settled, type SettledChange } from './settle-changes.js';
import { assertNotDescribed } from './only-described.js';
import {
  changeNode,
  type ChangeOptions,
  isDocumentName,
  readStoredNodes,
  type StoredNode,
} from './stored-node.js';
import { assertWritable } from '../../chunks/write/write-region.js';

/**
 * Behaviour if a node already exists: fail, keep it if its kind and format, and the shape and data type of an array,
 * are as requested, or delete it and everything below it.
 */
export type IfExists = 'error' | 'keep' | 'replace';

export interface CreateOptions {
  /** Format of the new node. @default the format of the nearest parent group, otherwise 3 */
  readonly zarrFormat?: ZarrFormat | undefined;
  /** @default 'error' */
  readonly ifExists?: IfExists | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The node to create, whose format may still be undetermined. */
interface WantedNode {
  readonly kind: 'group' | 'array';
  /** Creates the documents of the node. @throws an error if the request is invalid or not supported by the format */
  documents(format: ZarrFormat): Documents;
  /** Compares an existing node with the requested one, for `keep`. @throws ConflictError if they differ */
  assertAlike(node: StoredNode): void;
}

/**
 * @returns the documents written; undefined if the node was kept
 * @throws ReadOnlyError; InputError for a format that differs from that of the parent group;
 * AlreadyExistsError unless an existing node may be kept or replaced; ConflictError if a parent is an array, the
 * kept node differs, or a new array would have existing objects; errors from `wanted`
 */
export async function createNode(
  context: NodeContext,
  prefix: string,
  wanted: WantedNode,
  options: CreateOptions,
): Promise<Documents | undefined> {
  assertWritable(context.store);
  assertNoDocument(prefix);
  const { signal } = options;
  // Includes the changes of earlier attempts.
  const changes: SettledChange[] = [];
  const attempt = async (begin: Begin): Promise<Documents | undefined> => {
    const { node, format, missing } = await readSite(context, prefix, options);
    const exists = node.kind !== undefined;
    if (exists && (options.ifExists ?? 'error') === 'error')
      throw new AlreadyExistsError(
        `${node.kind === 'group' ? 'a group' : 'an array'} already exists at this path`,
      );
    if (exists && options.ifExists === 'keep') {
      assertKept(node, wanted, options.zarrFormat);
      return undefined;
    }
    assertUnreservedNames(prefix, format);
    const documents = wanted.documents(format);
    const texts = printDocuments(documents, context.metadataLimits);
    const replaces = options.ifExists === 'replace';
    if (!replaces && wanted.kind === 'array') await assertEmpty(context, prefix, signal);
    await begin([
      ...missing.map((above) => ({ prefix: above, isDeep: false })),
      { prefix, isDeep: replaces },
    ]);
    if (replaces) {
      await context.store.deletePrefix(prefix, { signal });
      changes.push({ prefix, kind: exists ? 'deleted' : undefined });
    }
    await writeGroups(context, missing, format, changes, signal);
    await writeDocuments(context, node, texts, options);
    changes.push({ prefix, kind: 'created' });
    return documents;
  };
  try {
    return await settled(context, prefix, (begin) => retryConflicts(signal, () => attempt(begin)));
  } finally {
    notifyChanges(context, changes);
  }
}

/** @throws InputError if the path is in the folder of markers, or a part is the name of a v2 or v3 document */
function assertNoDocument(prefix: string): void {
  if (prefix === PENDING_FOLDER || prefix.startsWith(`${PENDING_FOLDER}/`))
    throw new InputError(
      `"/${PENDING_FOLDER}" is reserved for markers of unfinished changes; choose another path`,
    );
  const name = prefix.split('/').find((part) => documentNames.some((document) => document === part));
  if (name !== undefined)
    throw new InputError(
      `"${name}" is not allowed as the name of a node, because it is the name of a metadata document`,
    );
}

interface Site {
  readonly node: StoredNode;
  readonly format: ZarrFormat;
  /** Prefixes of the missing ancestors, the root first. */
  readonly missing: readonly string[];
}

async function readSite(context: NodeContext, prefix: string, options: CreateOptions): Promise<Site> {
  const [node, ...above] = await readStoredNodes(context, [prefix, ...ancestorsOf(prefix)], options.signal);
  if (node === undefined) throw new InputError('the path of the new node is empty');
  const array = above.find(({ kind }) => kind === 'array');
  if (array !== undefined)
    throw new SettledConflictError(`"/${array.prefix}" is an array; nodes cannot be created below an array`);
  const group = above.find(({ kind }) => kind === 'group');
  const format = options.zarrFormat ?? group?.format ?? 3;
  if (group !== undefined && group.format !== format)
    throw new InputError(
      `the parent group "/${group.prefix}" has Zarr format ${group.format}, but format ${format} was requested; omit the format`,
    );
  // A replaced node is deleted as a whole, so its old metadata does not matter.
  const [own, ...others] = [node, ...above].filter(({ kind }) => kind === undefined);
  const checked = own === node && options.ifExists === 'replace' ? others : [own, ...others];
  await assertNotDescribed(
    context,
    [node, ...above],
    checked.flatMap((unwritten) => unwritten ?? []),
    options.signal,
  );
  // v1 has no groups, so its arrays have no parent groups.
  const missing = format === 1 ? [] : above.filter(({ kind }) => kind === undefined);
  return { node, format, missing: missing.map((group) => group.prefix).reverse() };
}

function assertKept(node: StoredNode, wanted: WantedNode, format: ZarrFormat | undefined): void {
  if (node.kind !== wanted.kind)
    throw new SettledConflictError(
      `the existing node is ${node.kind === 'group' ? 'a group, not an array' : 'an array, not a group'}`,
    );
  if (format !== undefined && node.format !== format)
    throw new SettledConflictError(`the existing ${node.kind} has Zarr format ${node.format}, not ${format}`);
  wanted.assertAlike(node);
}

/** An array must not be created over existing objects: other nodes, or chunks of a deleted array. */
async function assertEmpty(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { keys, folders } = await context.store.list(prefix, { signal });
  const other = [...folders, ...keys.map(nameOf)].find((name) => !isDocumentName(name));
  if (other === undefined) return;
  throw new SettledConflictError(
    `other objects exist at this path: ${JSON.stringify(other)}; set "ifExists" to replace them`,
  );
}

/** @param missing prefixes of the missing groups, the root first @param changes receives the written nodes */
async function writeGroups(
  context: NodeContext,
  missing: readonly string[],
  format: ZarrFormat,
  changes: SettledChange[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const prefix of missing) {
    const documents = createGroupDocuments(format);
    // If another writer creates the group first, the next attempt finds it.
    for (const [name, document] of Object.entries(documents))
      await context.store.set(joinKey(prefix, name), printDocument(document), { ifAbsent: true }, { signal });
    changes.push({ prefix, kind: 'created' });
  }
}

/** @param node state before the write; its documents that the new node does not have are deleted */
async function writeDocuments(
  context: NodeContext,
  node: StoredNode,
  documents: readonly (readonly [name: string, text: Uint8Array])[],
  { ifExists, signal }: CreateOptions,
): Promise<void> {
  const [main, ...others] = documents;
  if (main === undefined) return;
  const [name, text] = main;
  try {
    await context.store.set(joinKey(node.prefix, name), text, { ifAbsent: true }, { signal });
  } catch (error) {
    if (!isZarrError(error, 'CONFLICT') || ifExists === 'keep' || ifExists === 'replace') throw error;
    throw new AlreadyExistsError('another writer has just created a node at this path', { cause: error });
  }
  for (const [other, content] of others)
    await context.store.set(joinKey(node.prefix, other), content, undefined, { signal });
  const stale = Object.keys(node.stored).filter((key) => !documents.some(([written]) => written === key));
  if (stale.length > 0)
    await context.store.delete(
      stale.map((key) => joinKey(node.prefix, key)),
      undefined,
      { signal },
    );
}

/** @throws InputError for values that are not JSON; errors from `changeNode` */
export async function setAttributes(
  context: NodeContext,
  prefix: string,
  change: AttributeChange,
  options: ChangeOptions,
): Promise<void> {
  assertAttributes(change.set);
  const edit = (meta: AnyMeta) => attributeDocuments(meta, changeAttributes(meta.attributes, change));
  await settled(context, prefix, (begin) => changeNode(context, prefix, edit, options, begin));
  notifyChanges(context, [{ prefix, kind: 'updated' }]);
}
