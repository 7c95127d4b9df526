/**
 * Consolidated metadata: the documents of all nodes below a group in one. v2 keeps them in `.zmetadata` with flat keys
 * (`a/b/.zarray`), v3 in the group's own zarr.json under `consolidated_metadata`, by path (`a/b`). Neither is part of a
 * specification; both are what zarr-python writes.
 *
 * Only paths are checked here. What a node's documents say is resolved when somebody opens it, so that a store of many
 * thousand arrays is listed at once, and a broken one spoils nothing but itself.
 */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { emptyJsonObject } from '../bytes/json-object.js';
import { InputError, MetadataError, UnsupportedError } from '../errors.js';
import { requireObject } from './fields.js';
import { parseNodePath } from './paths.js';
import { documentKeys, isDocumentKey, type NodeDocuments } from './resolve-node.js';

export interface Consolidated {
  readonly zarrFormat: 2 | 3;
  /** By path below the group that holds it (`/` for the group itself, `/a/b`), in the order of the document. */
  readonly nodes: ReadonlyMap<string, NodeDocuments>;
}

/**
 * Reads `.zmetadata`.
 * @throws MetadataError, also for a key that names a node outside the store; UnsupportedError for another
 *   zarr_consolidated_format
 */
export function parseConsolidatedV2(json: JsonValue): Consolidated {
  const document = requireObject(json, '.zmetadata');
  const format = document['zarr_consolidated_format'];
  if (format !== 1)
    throw new UnsupportedError(
      `.zmetadata: zarr_consolidated_format is ${describeJson(format)}; 1 is supported`,
    );
  const nodes = new Map<string, Record<string, JsonValue>>();
  for (const [key, value] of Object.entries(requireObject(document['metadata'], '.zmetadata: metadata'))) {
    const slash = key.lastIndexOf('/');
    const path = parseMember(key.slice(0, Math.max(slash, 0)), key);
    const name = key.slice(slash + 1);
    if (!name.startsWith('.z') || !isDocumentKey(name)) continue;
    const documents = nodes.get(path) ?? {};
    documents[documentKeys[name]] = value;
    nodes.set(path, documents);
  }
  return { zarrFormat: 2, nodes };
}

/**
 * Reads what a v3 group's zarr.json carries. Groups within may carry their own; what only those know is added.
 * @returns undefined where there is none, or one of a kind that may be ignored
 * @throws MetadataError, also for a key that names a node outside the store; UnsupportedError for another kind that
 *   must be understood
 */
export function consolidatedOf(zarrJson: JsonValue): Consolidated | undefined {
  const group = requireObject(zarrJson, 'zarr.json');
  const members = membersOf(group);
  if (members === undefined) return undefined;
  const nodes = new Map<string, NodeDocuments>([['/', { zarrJson: group }]]);
  addMembers(nodes, '', members);
  return { zarrFormat: 3, nodes };
}

function membersOf(group: JsonObject): JsonObject | undefined {
  const json = group['consolidated_metadata'];
  if (json === undefined || json === null) return undefined;
  const consolidated = requireObject(json, 'consolidated_metadata');
  if (consolidated['kind'] !== 'inline') {
    if (consolidated['must_understand'] === false) return undefined;
    throw new UnsupportedError(
      `consolidated_metadata: kind is ${describeJson(consolidated['kind'])}; "inline" is supported`,
    );
  }
  return requireObject(consolidated['metadata'], 'consolidated_metadata: metadata');
}

/** @param base "" for the outermost group, else its path */
function addMembers(nodes: Map<string, NodeDocuments>, base: string, members: JsonObject): void {
  const inner: [string, JsonObject][] = [];
  for (const [key, value] of Object.entries(members)) {
    const path = base + parseMember(key, key);
    if (nodes.has(path)) continue;
    nodes.set(path, { zarrJson: value });
    const own = isJsonObject(value) && value['node_type'] === 'group' ? membersOf(value) : undefined;
    if (own !== undefined) inner.push([path, own]);
  }
  // Documents nest no deeper than the parser allows, so this ends.
  for (const [path, own] of inner) addMembers(nodes, path, own);
}

function parseMember(path: string, key: string): string {
  try {
    return parseNodePath(path);
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new MetadataError(
      `consolidated metadata has the key ${describeJson(key)}, which names no node of the store: ${cause.detail}`,
      { cause },
    );
  }
}

/** The `.zmetadata` of nodes: documents of a v2 hierarchy by path (`/` for the group that gets it). */
export function consolidateV2(nodes: Iterable<readonly [string, NodeDocuments]>): JsonObject {
  const metadata = emptyJsonObject();
  for (const [path, documents] of nodes) {
    const prefix = path === '/' ? '' : `${path.slice(1)}/`;
    for (const name of ['.zarray', '.zgroup', '.zattrs'] as const) {
      const document = documents[documentKeys[name]];
      if (document !== undefined) metadata[prefix + name] = document;
    }
  }
  return { zarr_consolidated_format: 1, metadata };
}

/**
 * A v3 group's zarr.json with the documents of the nodes below it (by path; `/` itself is passed over). Metadata
 * consolidated in groups below is left out, as their members are here.
 */
export function consolidateV3(
  group: JsonObject,
  nodes: Iterable<readonly [string, NodeDocuments]>,
): JsonObject {
  const metadata = emptyJsonObject();
  for (const [path, { zarrJson }] of nodes) {
    if (path === '/' || zarrJson === undefined) continue;
    metadata[path.slice(1)] = isJsonObject(zarrJson) ? withoutConsolidated(zarrJson) : zarrJson;
  }
  return { ...group, consolidated_metadata: { kind: 'inline', must_understand: false, metadata } };
}

/** A v3 document without consolidated metadata: after a change below, stale is worse than none. */
export function withoutConsolidated(document: JsonObject): JsonObject {
  if (!('consolidated_metadata' in document)) return document;
  const { consolidated_metadata: _, ...rest } = document;
  return rest;
}
