/**
 * Documents of a node with changed attributes or another shape, in the format of the node. Documents of an array
 * with another shape, in the format of the array.
 */
import {
  floatsOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keepFloats,
  rememberFloat,
  sameJson,
} from '../../core/bytes/json.js';
import { InputError } from '../../core/errors.js';
import { readShape } from './fields.js';
import { sameEdges, unitsOfChunks, withGrownGrid } from './rectilinear.js';
import type { AnyMeta, ArrayMeta, Documents } from './model.js';

export interface AttributeChange {
  /** Attributes to add or replace. null is stored as null. */
  readonly set?: JsonObject;
  /** Names of attributes to remove; missing ones are ignored. */
  readonly remove?: readonly string[];
  /** Whether to remove all attributes that are not in `set`. @default false */
  readonly replace?: boolean;
}

/** Applies a change to attributes. Existing keys keep their order. */
export function changeAttributes(attributes: JsonObject, change: AttributeChange): JsonObject {
  const result = new Map(change.replace === true ? [] : Object.entries(attributes));
  for (const name of change.remove ?? []) result.delete(name);
  for (const [name, value] of Object.entries(change.set ?? {})) result.set(name, value);
  const changed: JsonObject = Object.fromEntries(result);
  const { set = {} } = change;
  // An integer in the change replaces a whole float, although both are the same number.
  for (const name of floatsOf(attributes) ?? [])
    if (!Object.hasOwn(set, name) && changed[name] === attributes[name]) rememberFloat(changed, name);
  for (const name of floatsOf(set) ?? []) rememberFloat(changed, name);
  return changed;
}

/** Creates the changed document under its key: `zarr.json` (otherwise unchanged), `.zattrs` or `attrs`. */
export function attributeDocuments(meta: AnyMeta, attributes: JsonObject): Documents {
  if (meta.zarrFormat === 1) return { attrs: attributes };
  if (meta.zarrFormat === 2) return { '.zattrs': attributes };
  const document = meta.documents['zarr.json'];
  const before = isJsonObject(document) ? document : {};
  return { 'zarr.json': keepFloats({ ...before, attributes }, before) };
}

/** The name of the document that describes an array. */
export function arrayDocumentOf({ zarrFormat }: ArrayMeta): 'zarr.json' | '.zarray' | 'meta' {
  return zarrFormat === 3 ? 'zarr.json' : zarrFormat === 2 ? '.zarray' : 'meta';
}

/**
 * Whether the documents of an array with this path describe chunks of the same form: only the shape, the
 * attributes and consolidated metadata may differ, and chunks may have been added at the end.
 */
export function hasSameChunks(meta: ArrayMeta, documents: Documents): boolean {
  const name = arrayDocumentOf(meta);
  const [mine, theirs] = [withoutShape(meta.documents[name]), withoutShape(documents[name])];
  if (sameJson(mine, theirs)) return true;
  if (!isJsonObject(mine) || !isJsonObject(theirs)) return false;
  return sameJson({ ...mine, chunk_grid: null }, { ...theirs, chunk_grid: null }) && sameEdges(mine, theirs);
}

function withoutShape(document: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(document)
    ? { ...document, shape: null, attributes: null, consolidated_metadata: null }
    : document;
}

/**
 * Creates the changed document. Only the shape differs, and chunks are added at the end of a grid without enough.
 * @throws InputError if the shape is invalid or has another rank; MetadataError for 2^63 elements or more
 */
export function resizedDocuments(meta: ArrayMeta, shape: readonly number[]): Documents {
  if (shape.length !== meta.shape.length)
    throw new InputError(`the new shape has ${shape.length} dimensions; the array has ${meta.shape.length}`);
  if (shape.some((length) => !Number.isSafeInteger(length) || length < 0))
    throw new InputError(`the new shape is [${shape.join(', ')}]; lengths must be non-negative integers`);
  const key = arrayDocumentOf(meta);
  const document = meta.documents[key];
  const before = isJsonObject(document) ? document : {};
  const changed = withGrownGrid(
    { ...before, shape: readShape(shape) },
    shape,
    'unsupported' in meta.chain ? undefined : unitsOfChunks(meta.chain),
  );
  return { [key]: keepFloats(changed, before) };
}
