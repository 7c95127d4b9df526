/**
 * `sharding_indexed`, array to bytes: many chunks in one object, located by an index (sharding codec
 * specification 1.0). Readers usually read parts of a shard by byte ranges (`shard`, sharding/store.ts).
 * This codec decodes and encodes whole shards if a codec other than a transpose precedes it or any codec
 * follows it, and shards nested in such shards.
 */
import { defined } from '../../../../wire/guards.js';
import { forEachIndex, linearIndex, sizeOf, stridesOf } from '../../../core/bytes/shape.js';
import { allocateValues, copyValues, fillValues, unitOf } from '../../../core/bytes/values.js';
import { encodeShardIndex, ENTRY_BYTES } from './shard-index.js';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { parseNamed } from '../../../core/bytes/named-json.js';
import { asValues } from '../../../core/dtype/item-values.js';
import { isAllFill } from '../../../core/dtype/fill-value.js';
import { LimitError, MetadataError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import { resolveChain, assertCodecCount } from '../chain.js';
import { checkOptions, readChoice } from '../configuration.js';
import type {
  ArrayToBytesCodec,
  ChunkRep,
  ChunkValues,
  CodecRegistry,
  CodecSpec,
  ShardSpec,
  Size,
} from '../codec.js';
import { decodeChunk, encodeChunk } from '../run-chain.js';
import { joinShardAtOnce, openShard } from './parts.js';

export const shardingCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'sharding_indexed',
  create(configuration, rep, registry) {
    const shard = parseSharding(configuration, rep, registry);
    return {
      shard,
      encodedSize: shardSize(shard),
      decode: (bytes, limit) => decodeShard(shard, bytes, rep, limit),
      encode: (values) => encodeShard(shard, values, rep),
    };
  },
};

const knownOptions = ['chunk_shape', 'codecs', 'index_codecs', 'index_location'];

function parseSharding(configuration: JsonObject, rep: ChunkRep, registry: CodecRegistry): ShardSpec {
  checkOptions('sharding_indexed', configuration, knownOptions);
  const shape = parseInnerShape(configuration['chunk_shape'], rep);
  const counts = rep.shape.map((length, d) => length / (shape[d] ?? 1));
  const location = readChoice('sharding_indexed', configuration, 'index_location', ['start', 'end'], 'end');
  const chain = resolveChain(registry, parseSpecs(configuration['codecs'], 'codecs'), {
    dtype: rep.dtype,
    shape,
    fill: rep.fill,
    isFillDisputed: rep.isFillDisputed === true,
    ...(rep.arrayType === undefined ? {} : { arrayType: rep.arrayType }),
  });
  if (shardLevels(chain.arrayToBytes.shard) >= metadataBounds.maxShardLevels)
    throw new LimitError(
      `sharding_indexed: shards are nested more than ${metadataBounds.maxShardLevels} levels deep`,
    );
  const indexChain = resolveChain(registry, parseSpecs(configuration['index_codecs'], 'index_codecs'), {
    dtype: { name: 'uint64', itemSize: 8 },
    shape: [...counts, 2],
    fill: { bytes: new Uint8Array(8).fill(255) },
  });
  const indexSize = indexChain.sizes[indexChain.sizes.length - 1];
  if (indexSize?.kind !== 'exact')
    throw new MetadataError(
      'sharding_indexed: the result of index_codecs has variable length; use codecs of fixed length, such as bytes and crc32c',
    );
  return { chain, counts, indexChain, indexLocation: location, indexBytes: indexSize.bytes };
}

function shardLevels(shard: ShardSpec | undefined): number {
  return shard === undefined ? 0 : 1 + shardLevels(shard.chain.arrayToBytes.shard);
}

function parseInnerShape(json: JsonValue | undefined, rep: ChunkRep): number[] {
  if (!Array.isArray(json) || json.length !== rep.shape.length)
    throw new MetadataError(
      `sharding_indexed: chunk_shape must be a list of ${rep.shape.length} integers, one per dimension`,
    );
  return json.map((length: JsonValue, d) => {
    const outer = defined(rep.shape[d]);
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 1)
      throw new MetadataError(`sharding_indexed: chunk_shape[${d}] must be an integer of at least 1`);
    if (outer % length !== 0)
      throw new MetadataError(
        `sharding_indexed: chunk_shape[${d}] is ${length}; it must divide the shard's length of ${outer}`,
      );
    return length;
  });
}

function parseSpecs(json: JsonValue | undefined, option: string): CodecSpec[] {
  if (!Array.isArray(json)) throw new MetadataError(`sharding_indexed: ${option} must be a list of codecs`);
  assertCodecCount(json.length, `sharding_indexed: ${option}`);
  return json.map((codec: JsonValue, i) => parseNamed(codec, `sharding_indexed: ${option}[${i}]`));
}

function shardSize(spec: ShardSpec): Size {
  const inner = spec.chain.sizes[spec.chain.sizes.length - 1];
  const chunks = sizeOf(spec.counts);
  // The bound is generous, because gaps are allowed between inner chunks.
  const bytes = (defined(inner).bytes * chunks + spec.indexBytes) * 2 + 2 ** 20;
  return { kind: 'atMost', bytes };
}

/** Without strides, all positions are one element, the fill value. */
function innerDims(spec: ShardSpec, strides: readonly number[], to: readonly number[]) {
  const fromAt = (d: number): number => (strides.length === 0 ? 0 : defined(strides[d]));
  return spec.chain.rep.shape.map((count, d) => ({ count, from: fromAt(d), to: defined(to[d]) }));
}

function startOf(spec: ShardSpec, index: readonly number[], strides: readonly number[]): number {
  return index.reduce((sum, i, d) => sum + i * defined(spec.chain.rep.shape[d]) * defined(strides[d]), 0);
}

function decodeShard(spec: ShardSpec, encoded: Uint8Array, rep: ChunkRep, limit: number): ChunkValues {
  // Copies the shard, because decoding the first inner chunk overwrites the buffer of the previous step.
  const parts = openShard(spec, new Uint8Array(encoded));
  const itemSize = rep.dtype.itemSize;
  const result = allocateValues(itemSize, sizeOf(rep.shape));
  const to = stridesOf(rep.shape, unitOf(itemSize));
  const fill = asValues(rep.fill, rep.dtype);
  let left = limit;
  forEachIndex(spec.counts, (inner) => {
    const part = parts.part(linearIndex(inner, spec.counts));
    const start = startOf(spec, inner, to);
    if (part === undefined) {
      fillValues(fill, result, start, innerDims(spec, [], to), itemSize);
      return;
    }
    const { values, strides } = decodeChunk(spec.chain, part, left);
    if ('items' in values) left -= values.items.bytes.length;
    copyValues(values, 0, result, start, innerDims(spec, strides, to), itemSize);
  });
  return result;
}

function encodeShard(spec: ShardSpec, values: ChunkValues, rep: ChunkRep): Uint8Array {
  const itemSize = rep.dtype.itemSize;
  const from = stridesOf(rep.shape, unitOf(itemSize));
  const to = stridesOf(spec.chain.rep.shape, unitOf(itemSize));
  const parts: (Uint8Array | undefined)[] = [];
  forEachIndex(spec.counts, (inner) => {
    const chunk = allocateValues(itemSize, sizeOf(spec.chain.rep.shape));
    copyValues(values, startOf(spec, inner, from), chunk, 0, innerDims(spec, from, to), itemSize);
    const isLeftOut = rep.isFillDisputed !== true && isAllFill(chunk, rep.dtype, rep.fill);
    parts.push(isLeftOut ? undefined : encodeChunk(spec.chain, chunk));
  });
  const shard = joinShardAtOnce(spec, { part: (i) => parts[i] });
  // A shard without inner chunks consists only of the index.
  return shard ?? encodeShardIndex(spec, new Uint8Array(sizeOf(spec.counts) * ENTRY_BYTES).fill(255));
}
