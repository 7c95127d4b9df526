/**
 * Metadata that NCZarr, the Zarr format of the NetCDF library, stores with each node: in attributes or, in
 * older versions, in keys of the metadata documents. The oldest versions wrote these names in upper case.
 * Dimension names are read by the engine, not here.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';

function noteOf({ meta }: ZarrArray | ZarrGroup, name: string): JsonObject | undefined {
  const candidates = [meta.attributes, ...Object.values(meta.documents).filter(isJsonObject)];
  for (const candidate of candidates) {
    const note = candidate[name] ?? candidate[name.toUpperCase()];
    if (isJsonObject(note)) return note;
  }
  return undefined;
}

/**
 * Whether an array is a scalar. NCZarr has no arrays without dimensions: it stores a scalar with shape [1]
 * and marks it.
 */
export function isStoredScalar(array: ZarrArray): boolean {
  if (array.shape.length !== 1 || array.shape[0] !== 1) return false;
  const note = noteOf(array, '_nczarr_array');
  if (note === undefined) return false;
  const references = note['dimension_references'] ?? note['dimrefs'];
  return (
    note['scalar'] === 1 || note['scalar'] === true || (Array.isArray(references) && references.length === 0)
  );
}

/** The dimensions that a group declares, by name, without those of parent groups. */
export function declaredDimensions(group: ZarrGroup): ReadonlyMap<string, number> {
  const note = noteOf(group, '_nczarr_group');
  const dimensions = note?.['dimensions'] ?? note?.['dims'];
  const sizes = new Map<string, number>();
  if (!isJsonObject(dimensions)) return sizes;
  for (const [name, json] of Object.entries(dimensions)) {
    const size = sizeOfDimension(json);
    if (size !== undefined) sizes.set(name, size);
  }
  return sizes;
}

/** A number, or an object for an unlimited dimension. */
function sizeOfDimension(json: JsonValue): number | undefined {
  const size = isJsonObject(json) ? json['size'] : json;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}
