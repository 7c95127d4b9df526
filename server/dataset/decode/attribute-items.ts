/** Attributes of one value may be written as a list of one, and the other way round. */
import type { JsonValue } from '../../zarr/index.js';

export function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}

/** The items of a list; a single value as a list of it. */
export function itemsOf(json: JsonValue): readonly JsonValue[] {
  return isList(json) ? json : [json];
}
