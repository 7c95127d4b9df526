/** Reads the pyramids of a group, in any convention: OME-NGFF, ndpyramid, GeoZarr. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  UnsupportedError,
  type ZarrGroup,
} from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import { parseLayout } from './multiscales/layout.js';
import { parseTileMatrices } from './multiscales/tile-matrices.js';
import type { Multiscale } from './multiscales/model.js';
import { broken } from './multiscales/checks.js';
import { parseOme } from './multiscales/ome.js';

export type { ImageAxis, ImageLevel, Multiscale } from './multiscales/model.js';

/**
 * @returns an empty list if the group has no pyramid
 * @throws MetadataError if the attribute violates its convention; UnsupportedError for an unknown version,
 * form or transformation; LimitError for too many levels or transformations
 */
export function parseMultiscales({ meta: { attributes }, path }: ZarrGroup): Multiscale[] {
  const { ome } = attributes;
  const own = isJsonObject(ome) ? ome['multiscales'] : undefined;
  const json = attributes['multiscales'];
  const images =
    own === undefined || !isJsonObject(ome)
      ? []
      : parseOme({ json: own, at: 'ome.multiscales', version: ome['version'] }, path);
  if (json === undefined) return images;
  if (isJsonObject(json)) return [...images, parseObject(json, attributes, path)];
  // Writers of version 0.5 may also add the older form, for older readers.
  if (own !== undefined) return images;
  if (!Array.isArray(json))
    throw broken({ at: 'multiscales', by: 'OME-NGFF or GeoZarr' }, 'a list or an object');
  return parseOme({ json, at: 'multiscales', version: undefined }, path);
}

function parseObject(json: JsonObject, attributes: JsonObject, path: string): Multiscale {
  if (json['layout'] !== undefined) return parseLayout(json, attributes, path, layoutVersion(attributes));
  if (json['tile_matrix_set'] !== undefined || json['tile_matrix_limits'] !== undefined)
    return parseTileMatrices(json, path);
  const keys = Object.keys(json).slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40))).join(', '); // prettier-ignore
  throw new UnsupportedError(
    `multiscales is an object with the keys ${keys || '(none)'}; expected "layout" (zarr-conventions) or "tile_matrix_set" (GeoZarr)`,
  );
}

/** The version of the convention, as stated in the group. @throws UnsupportedError for an unknown one */
function layoutVersion(attributes: JsonObject): string | undefined {
  const conventions = attributes['zarr_conventions'];
  const list: readonly JsonValue[] = Array.isArray(conventions) ? conventions : [];
  const noted = list.find((item) => isJsonObject(item) && isMultiscales(item));
  if (!isJsonObject(noted)) return undefined;
  const url = textAttribute(noted, 'schema_url') ?? textAttribute(noted, 'spec_url') ?? '';
  const version = textAttribute(noted, 'version') ?? /\/v(\d+(?:\.\d+)*)\//.exec(url)?.[1];
  if (version === undefined || /^(?:0\.1|1)(?:\.\d+)*$/.test(version)) return version;
  throw new UnsupportedError(
    `multiscales has version ${JSON.stringify(version.slice(0, 40))} of the zarr-conventions; supported versions are 0.1 and 1`,
  );
}

function isMultiscales(convention: JsonObject): boolean {
  return (
    convention['uuid'] === 'd35379db-88df-4056-af3a-620245f8e347' || convention['name'] === 'multiscales'
  );
}
