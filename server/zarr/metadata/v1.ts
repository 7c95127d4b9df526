/** Resolves v1 metadata (`meta`, `attrs`; Zarr storage specification version 1). v1 has no groups. */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import type { CodecRegistry } from '../codec/codec.js';
import { parseNumpyType } from '../dtype/parse-numpy.js';
import { MetadataError } from '../errors.js';
import { attributeDimensionNames } from './dimension-names.js';
import { readAttributes, readChoice, requireObject } from './fields.js';
import type { ArrayMeta } from './model.js';
import { assertStorageBounds } from './storage-bounds.js';
import { checkFormat, resolveClassic } from './v2.js';

/** @throws MetadataError; UnsupportedError for another zarr_format */
export function resolveV1Array(
  meta: JsonValue,
  attrs: JsonValue | undefined,
  registry: CodecRegistry,
): ArrayMeta {
  const document = requireObject(meta, 'meta');
  checkFormat(document, 1, 'meta');
  assertStorageBounds(document, 'meta');
  const storage = {
    ...parseNumpyType(document['dtype'] ?? null),
    order: readChoice(document['order'], ['C', 'F'], 'order'),
    filters: [],
    compressor: readCompression(document['compression'], document['compression_opts']),
  };
  const attributes = readAttributes(attrs, 'attrs');
  const classic = resolveClassic(document, storage, registry, 1);
  return {
    ...classic,
    zarrFormat: 1,
    attributes,
    documents: attrs === undefined ? { meta } : { meta, attrs },
    keys: { encoding: 'v2', separator: '.' },
    dimensionNames: attributeDimensionNames(attributes, {}, classic.shape.length),
  };
}

/** v1's compression as a v2 configuration: a level for zlib and bz2, options for blosc and lzma. */
function readCompression(name: JsonValue | undefined, options: JsonValue | undefined): JsonObject | null {
  if (name === null || name === undefined || name === 'none') return null;
  if (typeof name !== 'string')
    throw new MetadataError(`compression is ${describeJson(name)}; it must be a name, "none" or null`);
  if (options === null || options === undefined) return { id: name };
  if (isJsonObject(options)) return { ...options, id: name };
  if (typeof options === 'number') return { id: name, level: options };
  throw new MetadataError(
    `compression_opts is ${describeJson(options)}; it must be a level, an object or null`,
  );
}
