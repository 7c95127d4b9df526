/** The metadata documents of one node -> the model. Where several versions lie in one folder, v3 wins, then v2. */
import type { JsonValue } from '../bytes/json.js';
import type { CodecRegistry } from '../codec/codec.js';
import type { AnyMeta, MetadataReading } from './model.js';
import { resolveV1Array } from './v1.js';
import { resolveV2Array, resolveV2Group } from './v2.js';
import { resolveV3 } from './v3.js';

/** Parsed JSON by document; undefined where the store has none. */
export interface NodeDocuments {
  readonly zarrJson?: JsonValue | undefined;
  readonly zarray?: JsonValue | undefined;
  readonly zgroup?: JsonValue | undefined;
  readonly zattrs?: JsonValue | undefined;
  /** v1. */
  readonly meta?: JsonValue | undefined;
  readonly attrs?: JsonValue | undefined;
}

/** Which key (the last part) holds which document. */
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
 * @returns undefined where the documents make no node (attributes alone are none)
 * @throws MetadataError for a document that is wrong; UnsupportedError for one that must not be opened by who does not
 *   understand it. An unknown data type or codec is neither: see `ArrayMeta.chain`.
 */
export function resolveNode(
  documents: NodeDocuments,
  registry: CodecRegistry,
  reading?: MetadataReading,
): AnyMeta | undefined {
  const { zarrJson, zarray, zgroup, zattrs, meta, attrs } = documents;
  if (zarrJson !== undefined) return resolveV3(zarrJson, registry);
  if (zarray !== undefined) return resolveV2Array(zarray, zattrs, registry, reading);
  if (zgroup !== undefined) return resolveV2Group(zgroup, zattrs);
  if (meta !== undefined) return resolveV1Array(meta, attrs, registry);
  return undefined;
}

/**
 * What kind of node the documents make, without checking more than that: for listings.
 * @returns undefined where they make none, or none that can be told
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
