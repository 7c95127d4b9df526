/**
 * Resolves the metadata documents of a node to the model. If several formats are in one folder, v3 takes
 * precedence over v2, and v2 over v1.
 */
import type { JsonValue } from '../bytes/json.js';
import type { CodecRegistry } from '../codec/codec.js';
import type { AnyMeta, MetadataOptions } from './model.js';
import { resolveV1Array } from './v1.js';
import { resolveV2Array, resolveV2Group } from './v2.js';
import { resolveV3 } from './v3.js';

/** Parsed JSON of each document; undefined if the store has none. */
export interface NodeDocuments {
  readonly zarrJson?: JsonValue | undefined;
  readonly zarray?: JsonValue | undefined;
  readonly zgroup?: JsonValue | undefined;
  readonly zattrs?: JsonValue | undefined;
  /** The metadata document of a v1 array. */
  readonly meta?: JsonValue | undefined;
  readonly attrs?: JsonValue | undefined;
}

/** The last part of the key of each document. */
export const documentKeys = {
  'zarr.json': 'zarrJson',
  '.zarray': 'zarray',
  '.zgroup': 'zgroup',
  '.zattrs': 'zattrs',
  meta: 'meta',
  attrs: 'attrs',
} as const satisfies Readonly<Record<string, keyof NodeDocuments>>;

export type DocumentKey = keyof typeof documentKeys;

export function isDocumentKey(key: string): key is DocumentKey {
  return Object.hasOwn(documentKeys, key);
}

/**
 * @returns undefined if the documents do not form a node (attributes alone do not)
 * @throws MetadataError for an invalid document; UnsupportedError if the specification forbids opening it.
 * An unknown data type or codec is not an error; see `ArrayMeta.chain`.
 */
export function resolveNode(
  documents: NodeDocuments,
  registry: CodecRegistry,
  reading?: MetadataOptions,
): AnyMeta | undefined {
  const { zarrJson, zarray, zgroup, zattrs, meta, attrs } = documents;
  if (zarrJson !== undefined) return resolveV3(zarrJson, registry);
  if (zarray !== undefined) return resolveV2Array(zarray, zattrs, registry, reading);
  if (zgroup !== undefined) return resolveV2Group(zgroup, zattrs);
  if (meta !== undefined) return resolveV1Array(meta, attrs, registry);
  return undefined;
}

/**
 * Determines only the kind of node, for listings.
 * @returns undefined if the documents do not form a node, or the kind cannot be determined
 */
export function kindOf({ zarrJson, zarray, zgroup, meta }: NodeDocuments): 'array' | 'group' | undefined {
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
