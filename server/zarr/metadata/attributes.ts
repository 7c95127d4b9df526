/** A node's documents after a change of its attributes, in the node's own format. */
import { isJsonObject, type JsonObject } from '../bytes/json.js';
import { floatsOf, keepFloats, rememberFloat } from '../bytes/whole-floats.js';
import type { AnyMeta, Documents } from './model.js';

export interface AttributeChange {
  /** Added or put in the place of what is there. null is stored as null. */
  readonly set?: JsonObject;
  /** Names that go; those that are not there are passed over. */
  readonly remove?: readonly string[];
  /** Whether everything that `set` does not name goes. @default false */
  readonly replace?: boolean;
}

/** The attributes that result. Existing keys keep their places. */
export function changeAttributes(attributes: JsonObject, change: AttributeChange): JsonObject {
  const result = new Map(change.replace === true ? [] : Object.entries(attributes));
  for (const name of change.remove ?? []) result.delete(name);
  for (const [name, value] of Object.entries(change.set ?? {})) result.set(name, value);
  const changed: JsonObject = Object.fromEntries(result);
  for (const source of [attributes, change.set ?? {}])
    for (const name of floatsOf(source) ?? [])
      if (changed[name] === source[name]) rememberFloat(changed, name);
  return changed;
}

/**
 * Only the document that changes, by its key: `zarr.json` (everything else in it as it was), `.zattrs` or `attrs`.
 */
export function attributeDocuments(meta: AnyMeta, attributes: JsonObject): Documents {
  if (meta.zarrFormat === 1) return { attrs: attributes };
  if (meta.zarrFormat === 2) return { '.zattrs': attributes };
  const document = meta.documents['zarr.json'];
  const before = isJsonObject(document) ? document : {};
  return { 'zarr.json': keepFloats({ ...before, attributes }, before) };
}
