/** Recognises arrays that libnetcdf wrote in its NCZarr mode. */
import { isJsonObject, type JsonValue } from '../bytes/json.js';

/**
 * Whether a node has NCZarr metadata: a key `_nczarr_*` (`_NCZARR_*` in older versions), either in the
 * attributes or in the metadata document itself. libnetcdf adds one to every array, except in plain Zarr
 * mode.
 */
export function hasNczarrNote(documents: readonly (JsonValue | undefined)[]): boolean {
  return documents.some(
    (document) => isJsonObject(document) && Object.keys(document).some((key) => /^_nczarr_/i.test(key)),
  );
}
