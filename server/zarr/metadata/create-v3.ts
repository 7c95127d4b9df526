/** v3 documents of a new array. */
import { encodeBase64 } from '../../../wire/base64.js';
import { swapsOf } from '../dtype/families.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { sameSwaps } from '../dtype/byte-order.js';
import type { DataType } from '../dtype/data-type.js';
import { printFillV3 } from '../dtype/fill-value.js';
import { dataTypeJson } from '../dtype/names.js';
import { InputError } from '../errors.js';
import { defaultChunkShape, defaultInnerChunkShape } from './default-chunks.js';
import type { CreateArrayRequest } from './create-request.js';
import type { Documents } from './model.js';
import { parseRequestedFill, type RequestedType } from './requested-type.js';

/** @throws InputError, UnsupportedError for a data type that v3 does not define */
export function createV3Documents(request: CreateArrayRequest, type: RequestedType): Documents {
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

function fillJson(given: JsonValue | undefined, { dtype, swaps, structured }: RequestedType): JsonValue {
  const fill = parseRequestedFill(given, dtype, swaps);
  return structured !== undefined && 'bytes' in fill ? encodeBase64(fill.bytes) : printFillV3(fill, dtype);
}

function requestedCodecs({ codecs, order, shape }: CreateArrayRequest, type: RequestedType): JsonValue[] {
  if (codecs !== undefined && codecs !== null && !Array.isArray(codecs))
    throw new InputError(
      'codecs must be a list of codecs in Zarr v3, such as [{"name": "bytes"}, {"name": "zstd"}]',
    );
  const given: readonly JsonValue[] | undefined = Array.isArray(codecs) ? codecs : undefined;
  const list = given ?? defaultCodecs(type);
  const transposes = list.some((codec) => (isJsonObject(codec) ? codec['name'] : codec) === 'transpose');
  if (order !== 'F' || shape.length < 2 || transposes) return [...list];
  return [
    { name: 'transpose', configuration: { order: shape.map((_, d) => shape.length - 1 - d) } },
    ...list,
  ];
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
