/**
 * The index of a shard: for each inner chunk, in C order, where its bytes lie (sharding codec specification 1.0,
 * "Binary shard format"). Pure.
 */
import { decodeChunk } from '../codec/decode-chunk.js';
import { encodeChunk } from '../codec/encode-chunk.js';
import type { ShardSpec } from '../codec/codec.js';
import { CodecError, LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** Offset and length in bytes of every inner chunk; an empty one has length -1. */
export interface ShardIndex {
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
}

const EMPTY = 2n ** 64n - 1n;

/** @throws LimitError for an index that would be larger than any honest one */
export function assertIndexSize(spec: ShardSpec): void {
  if (!(spec.indexBytes <= metadataBounds.maxIndexBytes))
    throw new LimitError(
      `the shard index takes ${spec.indexBytes} bytes; ${metadataBounds.maxIndexBytes} are allowed`,
      {
        excess: [{ limit: 'maxIndexBytes', allowed: metadataBounds.maxIndexBytes, needed: spec.indexBytes }],
      },
    );
}

/**
 * @param encoded exactly the stored index
 * @param shardBytes length of the whole shard, where it is known: entries are checked against it
 * @throws CodecError, ChecksumError
 */
export function parseShardIndex(
  spec: ShardSpec,
  encoded: Uint8Array,
  shardBytes: number | undefined,
): ShardIndex {
  const { values, strides } = decodeChunk(spec.indexChain, encoded, spec.indexBytes);
  if ('items' in values) throw new CodecError('the shard index does not hold integers');
  // A copy: what was decoded may live in a buffer that the next decode takes, or begin at an odd address. Halves of 32
  // bits, little-endian, because numbers made of them are several times faster than bigints.
  const halves = new Uint32Array(values.bytes.slice().buffer);
  const count = halves.length / 4;
  const [entryStride, partStride] = indexStrides(spec, strides);
  const offsets = new Float64Array(count);
  const lengths = new Float64Array(count);
  const places = cOrderPlaces(spec.counts, entryStride);
  const bound = shardBytes ?? Number.MAX_SAFE_INTEGER;
  for (let i = 0; i < count; i++) {
    const at = places === undefined ? i * 2 : (places[i] ?? 0);
    const offset = numberAt(halves, at);
    const length = numberAt(halves, at + partStride);
    if (offset === EMPTY_NUMBER && length === EMPTY_NUMBER) {
      lengths[i] = -1;
      continue;
    }
    // Beyond 2^53 the sum is rounded, but stays far above every bound.
    if (offset + length > bound)
      throw new CodecError(
        `the shard index places inner chunk ${i} at bytes ${offset} to ${offset + length}, outside the shard` +
          (shardBytes === undefined ? '' : ` of ${shardBytes} bytes`),
      );
    offsets[i] = offset;
    lengths[i] = length;
  }
  return { offsets, lengths };
}

/** Both halves all ones, 2^64 - 1: the nearest number is 2^64, which only that entry and its near neighbours give. */
const EMPTY_NUMBER = 2 ** 64;

function numberAt(halves: Uint32Array, entry: number): number {
  const [low, high] = [halves[entry * 2] ?? 0, halves[entry * 2 + 1] ?? 0];
  // Exactly the marker becomes the marker; a neighbour of it stays below, however it is rounded.
  if (high === 0xffffffff) return low === 0xffffffff ? EMPTY_NUMBER : Number.MAX_VALUE;
  return high * 2 ** 32 + low;
}

/** Strides in entries of 8 bytes: along the shard's dimensions, and between offset and length. */
function indexStrides(spec: ShardSpec, strides: readonly number[]): [readonly number[], number] {
  const inEntries = strides.map((stride) => stride / 8);
  return [inEntries.slice(0, spec.counts.length), inEntries[spec.counts.length] ?? 1];
}

/** For an index stored in another order (a transpose among its codecs): where entry i in C order lies. */
function cOrderPlaces(counts: readonly number[], strides: readonly number[]): Float64Array | undefined {
  let expected = 2;
  let inOrder = true;
  for (let d = counts.length - 1; d >= 0; d--) {
    if ((counts[d] ?? 1) > 1 && strides[d] !== expected) inOrder = false;
    expected *= counts[d] ?? 1;
  }
  if (inOrder) return undefined;
  let places = new Float64Array(1);
  counts.forEach((count, d) => {
    const grown = new Float64Array(places.length * count);
    places.forEach((place, i) => {
      for (let j = 0; j < count; j++) grown[i * count + j] = place + j * (strides[d] ?? 0);
    });
    places = grown;
  });
  return places;
}

/** The index as it is stored. */
export function encodeShardIndex(spec: ShardSpec, index: ShardIndex): Uint8Array {
  const entries = new BigUint64Array(index.offsets.length * 2);
  index.lengths.forEach((length, i) => {
    entries[i * 2] = length < 0 ? EMPTY : BigInt(index.offsets[i] ?? 0);
    entries[i * 2 + 1] = length < 0 ? EMPTY : BigInt(length);
  });
  return encodeChunk(spec.indexChain, { bytes: new Uint8Array(entries.buffer) });
}
