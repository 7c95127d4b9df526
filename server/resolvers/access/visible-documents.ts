/** Removes nodes that the caller may not read from consolidated metadata. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../zarr/index.js';

/** Documents by key, with nodes that the caller may not read removed from consolidated documents. */
export function visibleDocuments(
  documents: JsonObject,
  path: string,
  canRead: (path: string) => boolean,
): JsonObject {
  const group = documents['zarr.json'];
  return isJsonObject(group) ? { ...documents, 'zarr.json': visibleGroup(group, path, canRead) } : documents;
}

function visibleGroup(group: JsonObject, path: string, canRead: (path: string) => boolean): JsonObject {
  const consolidated = group['consolidated_metadata'];
  if (!isJsonObject(consolidated) || !isJsonObject(consolidated['metadata'])) return group;
  const metadata: Record<string, JsonValue> = {};
  for (const [name, document] of Object.entries(consolidated['metadata'])) {
    const below = path === '/' ? `/${name}` : `${path}/${name}`;
    // Omits keys with extra slashes, which are ambiguous.
    if (!canRead(below) || /^\/|\/$|\/\//.test(name)) continue;
    metadata[name] = isJsonObject(document) ? visibleGroup(document, below, canRead) : document;
  }
  return { ...group, consolidated_metadata: { ...consolidated, metadata } };
}
