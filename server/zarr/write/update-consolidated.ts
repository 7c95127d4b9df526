/**
 * Consolidated metadata kept right after writes of our own: the entries of the nodes that changed are changed in every
 * group above that has some (v2 in `.zmetadata`, v3 inline in its zarr.json). Everything else in them stays.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { sameJson } from '../bytes/same-json.js';
import { emptyJsonObject } from '../bytes/json-object.js';
import { withoutConsolidated } from '../metadata/consolidated.js';
import type { Documents } from '../metadata/model.js';
import { ancestorsOf } from '../metadata/paths.js';
import type { NodeHome } from '../node-home.js';
import { joinKey } from '../store/keys.js';
import type { KeyStore } from '../store/store.js';
import { DocumentReader, jsonOf, type StoredDocument } from '../tree/documents.js';
import { retryConflicts } from './conflicts.js';
import { printDocument } from './print-document.js';
import { holdNode } from './stored-node.js';

/** A node that was written (its documents by name), or deleted with everything below it. */
export interface NodeChange {
  readonly prefix: string;
  readonly documents: Documents | undefined;
}

/**
 * @param prefixes of the nodes that changed
 * @param readChanges what to say of them, one after the other; asked after the consolidated metadata was read, so that
 *   what a change makes of a node meanwhile is either seen or a conflict
 */
export async function updateConsolidated(
  home: NodeHome,
  prefixes: readonly string[],
  readChanges: () => Promise<readonly NodeChange[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const holders = new Set(prefixes.flatMap((prefix) => [prefix, ...ancestorsOf(prefix)]));
  for (const holder of [...holders].toSorted((a, b) => b.length - a.length)) {
    // Looked at before the lock is taken: most groups have none.
    if (!(await lookForHolder(home, holder, signal))) continue;
    await holdNode(home, holder, () =>
      retryConflicts(signal, async () => {
        const found = await readHolder(home, holder, signal);
        if (found === undefined) return;
        const below = (await readChanges()).flatMap(({ prefix, documents }) => {
          const relative = relativeTo(prefix, holder);
          return relative === undefined ? [] : [{ relative, documents }];
        });
        const next = below.reduce((document, change) => found.edit(document, change), found.document);
        if (sameJson(next, found.document)) return;
        const condition = found.version === undefined ? {} : { ifMatch: found.version };
        await home.store.set(joinKey(holder, found.name), printDocument(next), condition, { signal });
      }),
    );
  }
}

const MAX_REMEMBERED = 10_000;
/** Which groups had consolidated metadata when they were last looked at. */
const holdersOf = new WeakMap<KeyStore, Map<string, boolean>>();

async function lookForHolder(
  home: NodeHome,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isHolder = (await readHolder(home, prefix, signal)) !== undefined;
  rememberHolder(home, prefix, isHolder);
  return isHolder;
}

export function rememberHolder({ store }: NodeHome, prefix: string, isHolder: boolean): void {
  const known = holdersOf.get(store) ?? new Map<string, boolean>();
  if (known.size >= MAX_REMEMBERED) known.clear();
  holdersOf.set(store, known.set(prefix, isHolder));
}

/** Whether a node or a group above it has consolidated metadata, as far as is known of those that were looked at. */
export async function hasHolder(home: NodeHome, prefix: string): Promise<boolean> {
  for (const holder of [prefix, ...ancestorsOf(prefix)]) {
    const known = holdersOf.get(home.store)?.get(holder);
    if (known ?? (await lookForHolder(home, holder, undefined))) return true;
  }
  return false;
}

interface RelativeChange {
  /** "" for the group itself. */
  readonly relative: string;
  readonly documents: Documents | undefined;
}

interface Holder {
  readonly name: 'zarr.json' | '.zmetadata';
  readonly document: JsonObject;
  readonly version: string | undefined;
  readonly edit: (document: JsonObject, change: RelativeChange) => JsonObject;
}

/** @returns undefined where the group has no consolidated metadata that this engine understands */
async function readHolder(
  home: NodeHome,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Holder | undefined> {
  const reader = new DocumentReader(home.store, { fresh: true });
  const [stored = {}] = await reader.read([prefix], ['zarr.json', '.zmetadata'], signal);
  const v3 = stored['zarr.json'];
  if (v3 !== undefined) return holderOf('zarr.json', v3, (json) => membersOf(json) !== undefined, editV3);
  return holderOf('.zmetadata', stored['.zmetadata'], (json) => isJsonObject(json['metadata']), editV2);
}

function holderOf(
  name: Holder['name'],
  stored: StoredDocument | undefined,
  holds: (json: JsonObject) => boolean,
  edit: Holder['edit'],
): Holder | undefined {
  const document = jsonOf(stored);
  if (!isJsonObject(document) || !holds(document)) return undefined;
  return { name, document, version: stored?.version, edit };
}

function membersOf(group: JsonObject): JsonObject | undefined {
  const consolidated = group['consolidated_metadata'];
  if (!isJsonObject(consolidated) || consolidated['kind'] !== 'inline') return undefined;
  const members = consolidated['metadata'];
  return isJsonObject(members) ? members : undefined;
}

function withMembers(group: JsonObject, members: JsonObject): JsonObject {
  const consolidated = group['consolidated_metadata'];
  return isJsonObject(consolidated)
    ? { ...group, consolidated_metadata: { ...consolidated, metadata: members } }
    : group;
}

function editV3(group: JsonObject, { relative, documents }: RelativeChange): JsonObject {
  const members = membersOf(group);
  // The group's own document is this one.
  if (members === undefined || relative === '') return group;
  return withMembers(group, editMembers(members, relative, documents?.['zarr.json'], true));
}

/** @param adds whether an entry that is not there is added; in groups within, only those that are there change */
function editMembers(
  members: JsonObject,
  path: string,
  document: JsonValue | undefined,
  adds: boolean,
): JsonObject {
  const result = emptyJsonObject();
  for (const [key, value] of Object.entries(members)) {
    if (document === undefined && isAtOrBelow(key, path)) continue;
    const inner = isJsonObject(value) && path.startsWith(`${key}/`) ? membersOf(value) : undefined;
    result[key] =
      isJsonObject(value) && inner !== undefined
        ? withMembers(value, editMembers(inner, path.slice(key.length + 1), document, false))
        : value;
  }
  if (document !== undefined && (adds || Object.hasOwn(members, path)))
    result[path] = asMember(document, members[path]);
  return result;
}

/** What a group within knew of its own members, it goes on to know. */
function asMember(document: JsonValue, known: JsonValue | undefined): JsonValue {
  if (!isJsonObject(document)) return document;
  const bare = withoutConsolidated(document);
  const consolidated = isJsonObject(known) ? known['consolidated_metadata'] : undefined;
  return consolidated === undefined ? bare : { ...bare, consolidated_metadata: consolidated };
}

function editV2(zmetadata: JsonObject, { relative, documents }: RelativeChange): JsonObject {
  const metadata = emptyJsonObject();
  const entries = isJsonObject(zmetadata['metadata']) ? Object.entries(zmetadata['metadata']) : [];
  for (const [key, value] of entries) {
    const node = key.slice(0, Math.max(0, key.lastIndexOf('/')));
    const goes = documents === undefined ? isAtOrBelow(node, relative) : node === relative;
    if (!goes) metadata[key] = value;
  }
  for (const [name, document] of Object.entries(documents ?? {}))
    if (['.zarray', '.zgroup', '.zattrs'].includes(name)) metadata[joinKey(relative, name)] = document;
  return { ...zmetadata, metadata };
}

function isAtOrBelow(key: string, path: string): boolean {
  return path === '' || key === path || key.startsWith(`${path}/`);
}

/** @returns undefined where `prefix` is neither `holder` nor below it */
function relativeTo(prefix: string, holder: string): string | undefined {
  if (prefix === holder) return '';
  if (holder === '') return prefix;
  return prefix.startsWith(`${holder}/`) ? prefix.slice(holder.length + 1) : undefined;
}
