/**
 * Dimension names in formats without a field for them: xarray's `_ARRAY_DIMENSIONS` (its "Zarr Encoding
 * Specification") and NCZarr's references to named dimensions, in `.zattrs` or, in older versions, in
 * `.zarray`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { namesOf } from './fields.js';
import type { ArrayMeta } from './model.js';

/** One per dimension; null for an unnamed dimension. */
export function dimensionNamesOf(meta: ArrayMeta): readonly (string | null)[] {
  return meta.dimensionNames ?? meta.shape.map(() => null);
}

/** @returns undefined if there are none, or their number differs from the rank */
export function attributeDimensionNames(
  attributes: JsonObject,
  zarray: JsonObject,
  rank: number,
): readonly string[] | undefined {
  return (
    namesOf(attributes['_ARRAY_DIMENSIONS'], rank) ??
    ncZarrNames(attributes['_nczarr_array'] ?? attributes['_NCZARR_ARRAY'], rank) ??
    ncZarrNames(zarray['_nczarr_array'] ?? zarray['_NCZARR_ARRAY'], rank)
  );
}

/** References are paths ("/group/x"); the last part is the name. */
function ncZarrNames(json: JsonValue | undefined, rank: number): readonly string[] | undefined {
  if (!isJsonObject(json)) return undefined;
  const references = namesOf(json['dimension_references'] ?? json['dimrefs'], rank);
  return references?.map((reference) => reference.slice(reference.lastIndexOf('/') + 1));
}
