/**
 * Creates the metadata documents of new and changed nodes. Those of a new array are resolved by the same code
 * that opens nodes, so that no array is created that cannot be opened.
 */
import { encodeBase64 } from '../../../wire/base64.js';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  floatsOf,
  keepFloats,
  rememberFloat,
  sameJson,
} from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import type { CodecRegistry } from '../codec/codec.js';
import { sameSwaps } from '../../core/dtype/byte-order.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { swapsOf } from '../../core/dtype/families.js';
import { printFillV3 } from '../../core/dtype/fill-value.js';
import { dataTypeJson } from '../../core/dtype/notation.js';
import { InputError, MetadataError } from '../../core/errors.js';
import { assertIndexSizes } from '../codec/sharding/index-cost.js';
import { createV1Documents, createV2Documents } from './create-classic.js';
import {
  type CreateArrayRequest,
  parseRequestedType,
  type RequestedType,
  defaultChunkShape,
  defaultInnerChunkShape,
  parseRequestedFill,
} from './create-request.js';
import { readShape } from './fields.js';
import type { ArrayMeta, Documents, ZarrFormat, AnyMeta } from './model.js';
import { documentKeys, isDocumentKey, resolveNode, type NodeDocuments } from './resolve-node.js';

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

// v3 documents of a new array.

/** @throws InputError for an invalid request; UnsupportedError for a data type that v3 does not define */
function createV3Documents(request: CreateArrayRequest, type: RequestedType): Documents {
  const { shape, shardShape, dimensionNames } = request;
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
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [...(shardShape ?? chunkShape)] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: request.separator ?? '/' } },
    fill_value: fillJson(request.fillValue, type),
    codecs: shardShape === undefined ? codecs : [shardingCodec(chunkShape, codecs)],
    attributes: request.attributes ?? {},
    ...(dimensionNames === undefined ? {} : { dimension_names: [...dimensionNames] }),
  };
  return { 'zarr.json': document };
}

function fillJson(requested: JsonValue | undefined, { dtype, swaps, structured }: RequestedType): JsonValue {
  const fill = parseRequestedFill(requested, dtype, swaps);
  return structured !== undefined && 'bytes' in fill ? encodeBase64(fill.bytes) : printFillV3(fill, dtype);
}

function requestedCodecs({ codecs, order, shape }: CreateArrayRequest, type: RequestedType): JsonValue[] {
  if (codecs !== undefined && codecs !== null && !Array.isArray(codecs))
    throw new InputError(
      `codecs is ${describeJson(codecs)}; Zarr v3 requires a list of codecs, such as [{"name": "bytes"}, {"name": "zstd"}]`,
    );
  const list = Array.isArray(codecs) ? codecs.map(namedCodec) : defaultCodecs(type);
  const transposes = list.some((codec) => isJsonObject(codec) && codec['name'] === 'transpose');
  if (order !== 'F' || shape.length < 2 || transposes) return list;
  return [
    { name: 'transpose', configuration: { order: shape.map((_, d) => shape.length - 1 - d) } },
    ...list,
  ];
}

/**
 * A codec can be requested by its name alone, also in the lists of `sharding_indexed`. It is stored as an object,
 * because zarr-python rejects a plain name.
 */
function namedCodec(codec: JsonValue): JsonValue {
  if (typeof codec === 'string') return { name: codec };
  if (!isJsonObject(codec)) return codec;
  const { name, configuration } = codec;
  if (name !== 'sharding_indexed' || !isJsonObject(configuration)) return codec;
  const lists = ['codecs', 'index_codecs'].flatMap((key): [string, JsonValue][] => {
    const list = configuration[key];
    return Array.isArray(list) ? [[key, list.map(namedCodec)]] : [];
  });
  return { ...codec, configuration: { ...configuration, ...Object.fromEntries(lists) } };
}

function defaultCodecs({ dtype, swaps }: RequestedType): JsonValue[] {
  return [arrayToBytes(dtype, swaps.length > 0 && sameSwaps(swaps, swapsOf(dtype))), defaultCompressor()];
}

/** Structs of mixed byte order become little-endian: v3 has one byte order for all fields. */
function arrayToBytes(dtype: DataType, big: boolean): JsonValue {
  if (dtype.name === 'string') return { name: 'vlen-utf8' };
  if (dtype.name === 'variable_length_bytes') return { name: 'vlen-bytes' };
  if (swapsOf(dtype).length === 0) return { name: 'bytes' };
  return { name: 'bytes', configuration: { endian: big ? 'big' : 'little' } };
}

function defaultCompressor(): JsonValue {
  return { name: 'zstd', configuration: { level: 0, checksum: false } };
}

function shardingCodec(chunkShape: readonly number[], codecs: readonly JsonValue[]): JsonValue {
  return {
    name: 'sharding_indexed',
    configuration: {
      chunk_shape: [...chunkShape],
      codecs,
      index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'crc32c' }],
      index_location: 'end',
    },
  };
}

// Documents of a node with changed attributes or another shape, in the format of the node.

export interface AttributeChange {
  /** Attributes to add or replace. null is stored as null. */
  readonly set?: JsonObject;
  /** Names of attributes to remove; missing ones are ignored. */
  readonly remove?: readonly string[];
  /** Whether to remove all attributes that are not in `set`. @default false */
  readonly replace?: boolean;
}

/** Applies a change to attributes. Existing keys keep their order. */
export function changeAttributes(attributes: JsonObject, change: AttributeChange): JsonObject {
  const result = new Map(change.replace === true ? [] : Object.entries(attributes));
  for (const name of change.remove ?? []) result.delete(name);
  for (const [name, value] of Object.entries(change.set ?? {})) result.set(name, value);
  const changed: JsonObject = Object.fromEntries(result);
  const { set = {} } = change;
  // An integer in the change replaces a whole float, although both are the same number.
  for (const name of floatsOf(attributes) ?? [])
    if (!Object.hasOwn(set, name) && changed[name] === attributes[name]) rememberFloat(changed, name);
  for (const name of floatsOf(set) ?? []) rememberFloat(changed, name);
  return changed;
}

/** Creates the changed document under its key: `zarr.json` (otherwise unchanged), `.zattrs` or `attrs`. */
export function attributeDocuments(meta: AnyMeta, attributes: JsonObject): Documents {
  if (meta.zarrFormat === 1) return { attrs: attributes };
  if (meta.zarrFormat === 2) return { '.zattrs': attributes };
  const document = meta.documents['zarr.json'];
  const before = isJsonObject(document) ? document : {};
  return { 'zarr.json': keepFloats({ ...before, attributes }, before) };
}

// Documents of an array with another shape, in the format of the array.

/** The name of the document that describes an array. */
export function arrayDocumentOf({ zarrFormat }: ArrayMeta): 'zarr.json' | '.zarray' | 'meta' {
  return zarrFormat === 3 ? 'zarr.json' : zarrFormat === 2 ? '.zarray' : 'meta';
}

/**
 * Whether the documents of an array with this path describe chunks of the same form: only the shape, the
 * attributes and consolidated metadata may differ.
 */
export function hasSameChunks(meta: ArrayMeta, documents: Documents): boolean {
  const name = arrayDocumentOf(meta);
  return sameJson(withoutShape(meta.documents[name]), withoutShape(documents[name]));
}

function withoutShape(document: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(document)
    ? { ...document, shape: null, attributes: null, consolidated_metadata: null }
    : document;
}

/**
 * Creates the changed document. Only the shape differs.
 * @throws InputError if the shape is invalid or has another rank; MetadataError for 2^63 elements or more
 */
export function resizedDocuments(meta: ArrayMeta, shape: readonly number[]): Documents {
  if (shape.length !== meta.shape.length)
    throw new InputError(`the new shape has ${shape.length} dimensions; the array has ${meta.shape.length}`);
  if (shape.some((length) => !Number.isSafeInteger(length) || length < 0))
    throw new InputError(`the new shape is [${shape.join(', ')}]; lengths must be non-negative integers`);
  const key = arrayDocumentOf(meta);
  const document = meta.documents[key];
  const before = isJsonObject(document) ? document : {};
  return { [key]: keepFloats({ ...before, shape: readShape(shape) }, before) };
}
