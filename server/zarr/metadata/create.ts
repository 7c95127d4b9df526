/**
 * Creates the metadata documents of new nodes. The documents are resolved by the same code that opens nodes,
 * so that nothing is written that cannot be opened.
 */
import type { JsonObject, JsonValue } from '../bytes/json.js';
import { assertIndexSizes } from '../sharding/index-cost.js';
import type { CodecRegistry } from '../codec/codec.js';
import { InputError, MetadataError } from '../errors.js';
import { createV1Documents, createV2Documents } from './create-classic.js';
import { createV3Documents } from './create-v3.js';
import { parseRequestedType, type RequestedType } from './requested-type.js';
import type { CreateArrayRequest } from './create-request.js';
import type { ArrayMeta, Documents, ZarrFormat } from './model.js';
import { documentKeys, isDocumentKey, resolveNode, type NodeDocuments } from './resolve-node.js';

export interface CreatedArray {
  /** Documents by the last part of their key. */
  readonly documents: Documents;
  /** The resolved documents. */
  readonly meta: ArrayMeta;
}

/**
 * @throws InputError if the request is invalid or the format does not support it; UnsupportedError for an
 * unsupported codec or data type; LimitError if a shard index would be too large to read
 */
export function createArrayDocuments(
  request: CreateArrayRequest,
  format: ZarrFormat,
  registry: CodecRegistry,
): CreatedArray {
  try {
    const type: RequestedType = parseRequestedType(request.dtype);
    checkNames(request);
    const documents =
      format === 3
        ? createV3Documents(request, type)
        : format === 2
          ? createV2Documents(request, type)
          : createV1Documents(request, type);
    const meta = resolveNode(nodeDocuments(documents), registry);
    if (meta?.kind !== 'array')
      throw new InputError('the metadata of the new node does not describe an array');
    if ('unsupported' in meta.chain)
      throw new InputError(`the new array cannot be opened: ${meta.chain.unsupported}`);
    assertIndexSizes(meta.chain);
    return { documents, meta };
  } catch (error) {
    // Here, a metadata error is an error of the request.
    if (error instanceof MetadataError) throw new InputError(error.detail, { cause: error });
    throw error;
  }
}

/** @throws InputError for v1, which has no groups */
export function createGroupDocuments(format: ZarrFormat, attributes: JsonObject = {}): Documents {
  if (format === 1) throw new InputError('Zarr v1 has no groups; use format 2 or 3');
  if (format === 3) return { 'zarr.json': { zarr_format: 3, node_type: 'group', attributes } };
  const zgroup = { '.zgroup': { zarr_format: 2 } };
  return Object.keys(attributes).length === 0 ? zgroup : { ...zgroup, '.zattrs': attributes };
}

/** Documents by key, in the form for `resolveNode`. */
export function nodeDocuments(documents: Documents): NodeDocuments {
  const named: Partial<Record<keyof NodeDocuments, JsonValue>> = {};
  for (const [key, document] of Object.entries(documents))
    if (isDocumentKey(key)) named[documentKeys[key]] = document;
  return named;
}

function checkNames({ dimensionNames, shape }: CreateArrayRequest): void {
  if (dimensionNames !== undefined && dimensionNames.length !== shape.length)
    throw new InputError(
      `expected one name per dimension: got ${dimensionNames.length} names for ${shape.length} dimensions`,
    );
}
