/** What shard indexes cost in memory, and the bound above which neither readers nor writers accept one. Pure. */
import { sizeOf } from '../bytes/shape.js';
import type { CodecChain, ShardSpec } from '../codec/codec.js';
import { LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { entryBytes } from './shard-index.js';

/** A part of an index that is read on its own, where the index has no checksum. */
export const indexPageBytes = 64 * 2 ** 10;

/** Stored bytes are entries as they are: nothing is decoded, and there is no checksum over the whole index. */
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

/** Whether a reader of `entries` entries reads pages of the index instead of all of it. */
export function readsPages(spec: ShardSpec, entries: number): boolean {
  return isPlain(spec) && entries * indexPageBytes < spec.indexBytes;
}

/** Bytes of one whole index in memory: as it is stored, and decoded where decoding makes a copy. */
function wholeIndexBytes(spec: ShardSpec): number {
  return spec.indexBytes + (decodingCopies(spec.indexChain) ? 2 * sizeOf(spec.counts) * entryBytes : 0);
}

/** Entries as they are, with the checksum that nearly all writers add, or none; everything else makes new bytes. */
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

/** The index is entries in C order with a CRC-32C behind them: it can be checked piece by piece. */
export function hasPlainChecksum({ indexChain }: ShardSpec): boolean {
  return indexChain.isStandard && indexChain.bytesToBytes.length === 1 && !decodingCopies(indexChain);
}

/** @param entries that are read in all, over `shards` shards: an upper bound */
export function indexCost(
  spec: ShardSpec,
  shards: number,
  entries: number,
): { readonly bytes: number; readonly requests: number } {
  const whole = shards * wholeIndexBytes(spec);
  if (!readsPages(spec, 1)) return { bytes: whole, requests: shards };
  // The first request of a shard finds out its length and version.
  return { bytes: Math.min(whole, entries * indexPageBytes), requests: 2 * shards + entries };
}

/** Bytes of all indexes in one chunk whose shards are decoded whole. */
export function indexBytesWithin({ arrayToBytes: { shard } }: CodecChain): number {
  return shard === undefined ? 0 : indexBytesOfShard(shard);
}

/** Bytes of all indexes of one shard, of every level within it. */
export function indexBytesOfShard(spec: ShardSpec): number {
  return wholeIndexBytes(spec) + sizeOf(spec.counts) * indexBytesWithin(spec.chain);
}

/** An index whose codecs take longer than a checksum is bounded more closely: it is decoded in one go. */
const maxSlowIndexBytes = 4 * 2 ** 20;

/** @throws LimitError for an index that is larger than any reader accepts */
export function assertIndexSize(spec: ShardSpec): void {
  const isSlow = decodingCopies(spec.indexChain);
  const allowed = isSlow ? maxSlowIndexBytes : metadataBounds.maxIndexBytes;
  if (spec.indexBytes <= allowed) return;
  throw new LimitError(
    `the shard index takes ${spec.indexBytes} bytes; ${allowed} are allowed: use larger inner chunks or smaller shards`,
    { excess: [{ limit: 'maxIndexBytes', allowed, needed: spec.indexBytes }] },
  );
}

/** The same for every level of shards in a chain. @throws LimitError */
export function assertIndexSizes({ arrayToBytes: { shard } }: CodecChain): void {
  if (shard === undefined) return;
  assertIndexSize(shard);
  assertIndexSizes(shard.chain);
}
