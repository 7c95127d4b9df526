/** Memory of shard indexes: their cost, and the size limit of readers and writers. */
import { sizeOf } from '../../../core/bytes/shape.js';
import type { CodecChain, ShardSpec } from '../codec.js';
import { LimitError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import { ENTRY_BYTES } from './shard-index.js';

/** Size of a page of an index in bytes. Indexes without a checksum are read in pages. */
export const INDEX_PAGE_BYTES = 64 * 2 ** 10;

/** Whether the index is stored as plain entries, without other codecs and without a checksum. */
function isPlain({ indexChain }: ShardSpec): boolean {
  const { arrayToArray, arrayToBytes, bytesToBytes, isStandard } = indexChain;
  return (
    isStandard &&
    arrayToArray.length === 0 &&
    bytesToBytes.length === 0 &&
    arrayToBytes.spec.name === 'bytes' &&
    arrayToBytes.spec.configuration['endian'] === 'little'
  );
}

/** Whether a read of `entries` entries reads pages of the index instead of the whole index. */
export function readsPages(spec: ShardSpec, entries: number): boolean {
  return isPlain(spec) && entries * INDEX_PAGE_BYTES < spec.indexBytes;
}

/** The memory of one whole index: the stored bytes, plus twice the decoded bytes if decoding makes copies. */
function wholeIndexBytes(spec: ShardSpec): number {
  return spec.indexBytes + (decodingCopies(spec.indexChain) ? 2 * sizeOf(spec.counts) * ENTRY_BYTES : 0);
}

/**
 * Whether decoding an index makes a copy. Plain entries, with or without the usual checksum, are used in
 * place; all other codecs create new bytes.
 */
function decodingCopies({ arrayToArray, arrayToBytes, bytesToBytes }: CodecChain): boolean {
  const [checksum, ...others] = bytesToBytes;
  return (
    arrayToBytes.spec.configuration['endian'] !== 'little' ||
    arrayToArray.length > 0 ||
    others.length > 0 ||
    (checksum !== undefined &&
      (checksum.spec.name !== 'crc32c' || (checksum.spec.configuration['location'] ?? 'end') !== 'end'))
  );
}

/**
 * Whether the index consists of entries in C order followed by a CRC-32C, so that it can be verified piece
 * by piece.
 */
export function hasPlainChecksum({ indexChain }: ShardSpec): boolean {
  return indexChain.isStandard && indexChain.bytesToBytes.length === 1 && !decodingCopies(indexChain);
}

/** @param entries upper bound of the entries to read in `shards` shards */
export function indexCost(
  spec: ShardSpec,
  shards: number,
  entries: number,
): { readonly bytes: number; readonly requests: number } {
  const whole = shards * wholeIndexBytes(spec);
  if (!readsPages(spec, 1)) return { bytes: whole, requests: shards };
  // The first request for a shard determines its length and version.
  return { bytes: Math.min(whole, entries * INDEX_PAGE_BYTES), requests: 2 * shards + entries };
}

/** Total size, in bytes, of the indexes in one chunk if its shards are decoded as a whole. */
export function indexBytesWithin({ arrayToBytes: { shard } }: CodecChain): number {
  return shard === undefined ? 0 : indexBytesOfShard(shard);
}

/** Total size, in bytes, of all indexes of one shard, at every level. */
export function indexBytesOfShard(spec: ShardSpec): number {
  return wholeIndexBytes(spec) + sizeOf(spec.counts) * indexBytesWithin(spec.chain);
}

/**
 * Maximum size, in bytes, of an index with slow codecs. It is lower because such an index is decoded in one
 * step.
 */
const MAX_SLOW_INDEX_BYTES = 4 * 2 ** 20;

/** @throws LimitError for an index that is too large to read */
export function assertIndexSize(spec: ShardSpec): void {
  const isSlow = decodingCopies(spec.indexChain);
  const allowed = isSlow ? MAX_SLOW_INDEX_BYTES : metadataBounds.maxIndexBytes;
  if (spec.indexBytes <= allowed) return;
  throw new LimitError(
    `the shard index has ${spec.indexBytes} bytes; at most ${allowed} are allowed; rewrite the array with larger inner chunks or smaller shards`,
    { excess: [{ limit: 'maxIndexBytes', allowed, needed: spec.indexBytes }] },
  );
}

/** Checks every level of shards in a chain. @throws LimitError for an index that is too large to read */
export function assertIndexSizes({ arrayToBytes: { shard } }: CodecChain): void {
  if (shard === undefined) return;
  assertIndexSize(shard);
  assertIndexSizes(shard.chain);
}
