/**
 * Finds the nodes below a folder of a store that cannot be listed: those that the attributes of OME-Zarr groups name
 * (`multiscales`, `plate`, `well`, `labels`), and those of the configuration. The names are candidates; only those with
 * documents are nodes. Metadata may be hostile, so every name is validated, and their number is bounded.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { InputError, isZarrError, LimitError } from '../../core/errors.js';
import { ancestorsOf, parseNodePath } from '../../format/metadata/paths.js';
import { joinKey } from '../../store/keys.js';
import type { DocumentReader } from './documents.js';
import { jsonOf, type DocumentName, type StoredDocuments } from './stored-document.js';

/** Maximum number of children of a folder. A plate has up to 1536 wells. */
const MAX_CHILDREN = 10_000;
/** Maximum depth of a path in attributes: that of a well in a plate has two parts. */
const MAX_DEPTH = 8;
const names: readonly DocumentName[] = ['zarr.json', '.zattrs'];

/**
 * @param folder prefix of the folder
 * @param paths configured paths, such as "/a/b"
 * @returns undefined if nothing names any node below the folder
 * @throws LimitError for too many names; store errors, unless they affect only single documents
 */
export async function impliedChildren(
  reader: DocumentReader,
  folder: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  const holders = [folder, ...ancestorsOf(folder)];
  const documents = await reader.read(holders, names, signal);
  const found = new Set<string>();
  const inside = folder === '' ? '' : `${folder}/`;
  const add = (prefix: string): void => {
    if (!prefix.startsWith(inside) || prefix.length === inside.length) return;
    const [name = ''] = prefix.slice(inside.length).split('/', 1);
    found.add(name);
    if (found.size > MAX_CHILDREN)
      throw new LimitError(`attributes name more than ${MAX_CHILDREN} nodes below "/${folder}"`, {
        excess: [{ limit: 'children', allowed: MAX_CHILDREN, needed: MAX_CHILDREN + 1 }],
      });
  };
  for (const path of paths) add(path.slice(1));
  for (const [i, holder] of holders.entries())
    for (const path of impliedPaths(attributesOf(documents[i] ?? {}))) {
      const prefix = validPrefix(path);
      if (prefix !== undefined) add(joinKey(holder, prefix));
    }
  return found.size === 0 ? undefined : [...found];
}

/** The paths of nodes, relative to a group, that its attributes name. They may be invalid. */
function* impliedPaths(attributes: JsonObject): Generator<string> {
  // From version 0.5, the attributes are in one object.
  const { ome } = attributes;
  const { multiscales, plate, well, labels } = isJsonObject(ome) ? ome : attributes;
  for (const image of listOf(multiscales))
    for (const level of listOf(image['datasets'])) yield* pathOf(level);
  // Pyramids of zarr-conventions. Their levels may be groups, whose arrays no attribute names.
  if (isJsonObject(multiscales))
    for (const { asset } of listOf(multiscales['layout'])) if (typeof asset === 'string') yield asset;
  // Labels of an image are below a group that its attributes do not name.
  if (Array.isArray(multiscales)) yield 'labels';
  if (isJsonObject(plate)) for (const item of listOf(plate['wells'])) yield* pathOf(item);
  if (isJsonObject(well)) for (const item of listOf(well['images'])) yield* pathOf(item);
  if (Array.isArray(labels)) for (const name of labels) if (typeof name === 'string') yield name;
}

/** Some writers store paths as numbers. */
function* pathOf({ path }: JsonObject): Generator<string> {
  if (typeof path === 'string') yield path;
  else if (typeof path === 'number') yield String(path);
}

function listOf(json: JsonValue | undefined): JsonObject[] {
  const list: readonly JsonValue[] = Array.isArray(json) ? json : [];
  return list.filter((item) => isJsonObject(item));
}

/** @returns undefined for text that is not the path of a node below the group */
function validPrefix(path: string): string | undefined {
  try {
    const prefix = parseNodePath(path).slice(1);
    return prefix === '' || prefix.split('/').length > MAX_DEPTH ? undefined : prefix;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A document that cannot be read or parsed names nothing. Opening its node reports the error. */
function attributesOf(stored: StoredDocuments): JsonObject {
  try {
    const v3 = jsonOf(stored['zarr.json']);
    const attributes = isJsonObject(v3) ? v3['attributes'] : jsonOf(stored['.zattrs']);
    return isJsonObject(attributes) ? attributes : {};
  } catch (error) {
    if (isZarrError(error)) return {};
    throw error;
  }
}
