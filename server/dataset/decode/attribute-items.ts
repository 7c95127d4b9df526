/** Lists in attributes. Writers store a single value with or without a list. */
import type { JsonValue } from '../../zarr/index.js';

export function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}

/** The items of a list; a single value as a list with one item. */
export function itemsOf(json: JsonValue): readonly JsonValue[] {
  return isList(json) ? json : [json];
}
