/** Metadata documents as a caller may see them: consolidated metadata holds those of other nodes. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../zarr/index.js';

/** Documents by key, as `metadata` shows them, without consolidated documents of nodes that the caller may not see. */
export function visibleDocuments(
  documents: JsonObject,
  path: string,
  sees: (path: string) => boolean,
): JsonObject {
  const group = documents['zarr.json'];
  return isJsonObject(group) ? { ...documents, 'zarr.json': visibleGroup(group, path, sees) } : documents;
}

function visibleGroup(group: JsonObject, path: string, sees: (path: string) => boolean): JsonObject {
  const consolidated = group['consolidated_metadata'];
  if (!isJsonObject(consolidated) || !isJsonObject(consolidated['metadata'])) return group;
  const metadata: Record<string, JsonValue> = {};
  for (const [name, document] of Object.entries(consolidated['metadata'])) {
    const below = path === '/' ? `/${name}` : `${path}/${name}`;
    // Keys may be written with slashes that the path of the node does not have; what is not plainly seen is left out.
    if (!sees(below) || /^\/|\/$|\/\//.test(name)) continue;
    metadata[name] = isJsonObject(document) ? visibleGroup(document, below, sees) : document;
  }
  return { ...group, consolidated_metadata: { ...consolidated, metadata } };
}
