import { encodeBase64 } from '../../../wire/base64.js';
import { isJsonObject, type JsonValue } from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { sameSwaps } from '../../core/dtype/byte-order.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { swapsOf } from '../../core/dtype/families.js';
import { printFillV3 } from '../../core/dtype/fill-value.js';
import { InputError } from '../../core/errors.js';
import type { CreateArrayRequest } from './create-request.js';
import { parseRequestedFill, type RequestedType } from './requested-type.js';

export function fillJson(
  requested: JsonValue | undefined,
  { dtype, swaps, structured }: RequestedType,
): JsonValue {
  const fill = parseRequestedFill(requested, dtype, swaps);
  return structured !== undefined && 'bytes' in fill ? encodeBase64(fill.bytes) : printFillV3(fill, dtype);
}

export function requestedCodecs(
  { codecs, order, shape }: CreateArrayRequest,
  type: RequestedType,
): JsonValue[] {
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

export function shardingMetadata(chunkShape: readonly number[], codecs: readonly JsonValue[]): JsonValue {
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
