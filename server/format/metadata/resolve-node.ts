/**
 * Resolves the metadata documents of a node to the model. If several formats are in one folder, v3 takes
 * precedence over v2, and v2 over v1. Resolves v1 metadata (`meta`, `attrs`; Zarr storage specification version
 * 1). v1 has no groups.
 */
import { type JsonValue, isJsonObject, type JsonObject } from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import type { CodecRegistry } from '../codec/codec.js';
import { parseNumpyType } from '../../core/dtype/notation.js';
import { MetadataError } from '../../core/errors.js';
import { readAttributes, choiceOf, requireObject, attributeDimensionNames } from './fields.js';
import type { AnyMeta, MetadataOptions, ArrayMeta } from './model.js';
import { assertStorageBounds } from './storage-bounds.js';
import { resolveV2Array, resolveV2Group, checkFormat, resolveClassic } from './v2.js';
import { resolveV3 } from './v3.js';

/** The parsed JSON of each document; undefined if the store has no such document. */
export interface NodeDocuments {
  readonly zarrJson?: JsonValue | undefined;
  readonly zarray?: JsonValue | undefined;
  readonly zgroup?: JsonValue | undefined;
  readonly zattrs?: JsonValue | undefined;
  /** The metadata document of a v1 array. */
  readonly meta?: JsonValue | undefined;
  readonly attrs?: JsonValue | undefined;
  /** Whether a group above the node shows that libnetcdf wrote it; see `NetcdfGroups`. */
  readonly isNetcdf?: boolean | undefined;
}

/** The last part of the key of each document. */
export const documentKeys = {
  'zarr.json': 'zarrJson',
  '.zarray': 'zarray',
  '.zgroup': 'zgroup',
  '.zattrs': 'zattrs',
  meta: 'meta',
  attrs: 'attrs',
} as const satisfies Readonly<Record<string, Exclude<keyof NodeDocuments, 'isNetcdf'>>>;

type DocumentKey = keyof typeof documentKeys;

export function isDocumentKey(key: string): key is DocumentKey {
  return Object.hasOwn(documentKeys, key);
}

/**
 * @returns undefined if the documents do not form a node (attributes alone do not)
 * @throws MetadataError for an invalid document; UnsupportedError if the specification forbids opening it;
 * LimitError for metadata beyond the bounds. An unknown data type or codec is not an error; see
 * `ArrayMeta.chain`.
 */
export function resolveNode(
  documents: NodeDocuments,
  registry: CodecRegistry,
  reading?: MetadataOptions,
): AnyMeta | undefined {
  const { zarrJson, zarray, zgroup, zattrs, meta, attrs } = documents;
  if (zarrJson !== undefined) return resolveV3(zarrJson, registry);
  if (zarray !== undefined) {
    const netcdfShuffle = reading?.netcdfShuffle ?? (documents.isNetcdf === true || undefined);
    return resolveV2Array(zarray, zattrs, registry, { netcdfShuffle });
  }
  if (zgroup !== undefined) return resolveV2Group(zgroup, zattrs);
  if (meta !== undefined) return resolveV1Array(meta, attrs, registry);
  return undefined;
}

/**
 * Determines only the kind of node, for listings.
 * @returns undefined if the documents do not form a node, or the kind cannot be determined
 */
export function nodeKindOf({ zarrJson, zarray, zgroup, meta }: NodeDocuments): 'array' | 'group' | undefined {
  if (zarrJson !== undefined) {
    const type =
      typeof zarrJson === 'object' && zarrJson !== null && 'node_type' in zarrJson
        ? zarrJson.node_type
        : undefined;
    return type === 'array' || type === 'group' ? type : undefined;
  }
  if (zarray !== undefined) return 'array';
  if (zgroup !== undefined) return 'group';
  return meta === undefined ? undefined : 'array';
}

/** @throws MetadataError for an invalid document; UnsupportedError for a zarr_format above 3 */
function resolveV1Array(meta: JsonValue, attrs: JsonValue | undefined, registry: CodecRegistry): ArrayMeta {
  const document = requireObject(meta, 'meta');
  checkFormat(document, 1, 'meta');
  assertStorageBounds(document, 'meta');
  const storage = {
    ...parseNumpyType(document['dtype'] ?? null),
    order: choiceOf(document['order'], ['C', 'F'], 'order'),
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

/** Converts v1's compression to a v2 configuration: a level for zlib and bz2, options for blosc and lzma. */
function readCompression(name: JsonValue | undefined, options: JsonValue | undefined): JsonObject | null {
  if (name === null || name === undefined || name === 'none') return null;
  if (typeof name !== 'string')
    throw new MetadataError(`compression is ${describeJson(name)}; expected a name, "none" or null`);
  if (options === null || options === undefined) return { id: name };
  if (isJsonObject(options)) return { ...options, id: name };
  if (typeof options === 'number') return { id: name, level: options };
  throw new MetadataError(
    `compression_opts is ${describeJson(options)}; expected a level, an object or null`,
  );
}
