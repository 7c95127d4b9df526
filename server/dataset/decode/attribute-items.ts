/** Attributes with one value may be written as a list, and lists of one value without the list. */
import type { JsonValue } from '../../zarr/index.js';

export function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}

/** The items of a list; a single value as a list with one item. */
export function itemsOf(json: JsonValue): readonly JsonValue[] {
  return isList(json) ? json : [json];
}
