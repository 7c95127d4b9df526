/**
 * Names of dimensions where the format has no field for them: xarray's `_ARRAY_DIMENSIONS` (its "Zarr Encoding
 * Specification") and NCZarr's references to named dimensions, in `.zattrs` or, from older versions, in `.zarray`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { namesOf } from './fields.js';
import type { ArrayMeta } from './model.js';

/** One a dimension; null where a dimension has no name. */
export function dimensionNamesOf(meta: ArrayMeta): readonly (string | null)[] {
  return meta.dimensionNames ?? meta.shape.map(() => null);
}

/** @returns undefined where there are none, or not as many as dimensions */
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

/** References are paths ("/group/x"), of which the last part is the name. */
function ncZarrNames(json: JsonValue | undefined, rank: number): readonly string[] | undefined {
  if (!isJsonObject(json)) return undefined;
  const references = namesOf(json['dimension_references'] ?? json['dimrefs'], rank);
  return references?.map((reference) => reference.slice(reference.lastIndexOf('/') + 1));
}
