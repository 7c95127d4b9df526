/**
 * Creates the metadata documents of new and changed nodes. Those of a new array are resolved by the same code
 * that opens nodes, so that no array is created that cannot be opened.
 */
import type { JsonObject, JsonValue } from '../../core/bytes/json.js';
import type { CodecRegistry } from '../codec/codec.js';
import { dataTypeJson } from '../../core/dtype/notation.js';
import { InputError, MetadataError } from '../../core/errors.js';
import { assertIndexSizes } from '../codec/sharding/index-cost.js';
import { createV1Documents, createV2Documents } from './create-classic.js';
import type { ChunkLengths, CreateArrayRequest } from './create-request.js';
import { defaultChunkShape, defaultInnerChunkShape } from './default-chunks.js';
import { parseRequestedType, type RequestedType } from './requested-type.js';
import type { ArrayMeta, Documents, ZarrFormat } from './model.js';
import { documentKeys, isDocumentKey, type NodeDocuments, resolveNode } from './resolve-node.js';
import { fillJson, requestedCodecs, shardingMetadata } from './create-v3.js';

interface CreatedArray {
  /** Documents by the last part of their keys. */
  readonly documents: Documents;
  /** The model that the documents resolve to. */
  readonly meta: ArrayMeta;
}

/**
 * @throws InputError if the request is invalid, the format does not support it, or a codec is unsupported;
 * UnsupportedError for a data type that v3 cannot represent; LimitError if the metadata exceeds a bound, or a
 * shard index would be too large to read
 */
export function createArrayDocuments(
  request: CreateArrayRequest,
  format: ZarrFormat,
  registry: CodecRegistry,
): CreatedArray {
  try {
    const type: RequestedType = parseRequestedType(request.dtype);
    checkNames(request);
    checkLengths(request, format);
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
    // An error in the metadata of the new node is an error of the request.
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

/** Converts documents by key to the form for `resolveNode`. */
export function nodeDocuments(documents: Documents): NodeDocuments {
  const named: Partial<Record<(typeof documentKeys)[keyof typeof documentKeys], JsonValue>> = {};
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

function checkLengths(
  { chunkLengths, chunkShape, shardShape }: CreateArrayRequest,
  format: ZarrFormat,
): void {
  if (chunkLengths === undefined) return;
  if (format !== 3) throw new InputError(`format ${format} has no chunks of different lengths; use format 3`);
  if (chunkShape !== undefined || shardShape !== undefined)
    throw new InputError('"chunkLengths" replaces "chunkShape" and "shardShape"; for shards, use the codec "sharding_indexed"'); // prettier-ignore
}

function rectilinearMetadata(lengths: readonly ChunkLengths[]): JsonValue {
  const shapes = lengths.map((dim) =>
    typeof dim === 'number' ? dim : dim.map((entry) => (typeof entry === 'number' ? entry : [...entry])),
  );
  return { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: shapes } };
}

/** @throws InputError for an invalid request; UnsupportedError for a data type that v3 does not define */
function createV3Documents(request: CreateArrayRequest, type: RequestedType): Documents {
  const { shape, shardShape, dimensionNames, chunkLengths: lengths } = request;
  const { dtype } = type;
  const chunkShape =
    request.chunkShape ??
    (shardShape === undefined
      ? defaultChunkShape(shape, dtype.itemSize)
      : defaultInnerChunkShape(shardShape, dtype.itemSize));
  const codecs = requestedCodecs(request, type);
  const document: JsonObject = {
    zarr_format: 3,
    node_type: 'array',
    shape: [...shape],
    data_type: type.structured ?? dataTypeJson(dtype),
    chunk_grid:
      lengths === undefined
        ? { name: 'regular', configuration: { chunk_shape: [...(shardShape ?? chunkShape)] } }
        : rectilinearMetadata(lengths),
    chunk_key_encoding: { name: 'default', configuration: { separator: request.separator ?? '/' } },
    fill_value: fillJson(request.fillValue, type),
    codecs: shardShape === undefined ? codecs : [shardingMetadata(chunkShape, codecs)],
    attributes: request.attributes ?? {},
    ...(dimensionNames === undefined ? {} : { dimension_names: [...dimensionNames] }),
  };
  return { 'zarr.json': document };
}
