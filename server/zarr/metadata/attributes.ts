/** Documents of a node with changed attributes, in the format of the node. */
import { isJsonObject, type JsonObject } from '../bytes/json.js';
import { floatsOf, keepFloats, rememberFloat } from '../bytes/whole-floats.js';
import type { AnyMeta, Documents } from './model.js';

export interface AttributeChange {
  /** Attributes to add or replace. null is stored as null. */
  readonly set?: JsonObject;
  /** Names of attributes to remove; missing ones are ignored. */
  readonly remove?: readonly string[];
  /** Whether to remove all attributes that are not in `set`. @default false */
  readonly replace?: boolean;
}

/** The resulting attributes. Existing keys keep their order. */
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

/** The changed document by its key: `zarr.json` (otherwise unchanged), `.zattrs` or `attrs`. */
export function attributeDocuments(meta: AnyMeta, attributes: JsonObject): Documents {
  if (meta.zarrFormat === 1) return { attrs: attributes };
  if (meta.zarrFormat === 2) return { '.zattrs': attributes };
  const document = meta.documents['zarr.json'];
  const before = isJsonObject(document) ? document : {};
  return { 'zarr.json': keepFloats({ ...before, attributes }, before) };
}
