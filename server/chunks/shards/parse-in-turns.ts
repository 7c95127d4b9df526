/**
 * Verifies large shard indexes piece by piece, because computing their checksum at once would block other
 * requests.
 */
import { createPause } from '../../core/turns.js';
import { crc32c } from '#crc';
import { sizeOf } from '../../core/bytes/shape.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import { loadCodecs } from '../../format/codec/run-chain.js';
import { ChecksumError, CodecError } from '../../core/errors.js';
import { hasPlainChecksum } from '../../format/codec/sharding/index-cost.js';
import {
  ENTRY_BYTES,
  parseShardIndex,
  plainShardIndex,
  type ShardIndex,
} from '../../format/codec/sharding/shard-index.js';

/** Size of a piece, which is verified within a few milliseconds. */
const PIECE_BYTES = 2 ** 20;

/**
 * Like `parseShardIndex`, but yields for a large index of plain entries with a checksum.
 * @throws errors from `parseShardIndex`; AbortedError if the signal fires
 */
export async function parseShardIndexInTurns(
  spec: ShardSpec,
  encoded: Uint8Array,
  shardBytes: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ShardIndex> {
  await loadCodecs(spec.indexChain);
  const isPlain = hasPlainChecksum(spec) && encoded.buffer.byteLength <= 2 * encoded.length;
  if (encoded.length <= PIECE_BYTES || !isPlain) return parseShardIndex(spec, encoded, shardBytes);
  const length = sizeOf(spec.counts) * ENTRY_BYTES;
  if (encoded.length !== length + 4)
    throw new CodecError(`the shard index has ${encoded.length} bytes; expected ${length + 4}`);
  const pause = createPause(signal);
  let crc = 0;
  for (let at = 0; at < length; at += PIECE_BYTES) {
    crc = crc32c(encoded.subarray(at, Math.min(at + PIECE_BYTES, length)), crc);
    await pause();
  }
  const stored = new DataView(encoded.buffer, encoded.byteOffset + length, 4).getUint32(0, true);
  if (crc !== stored) throw new ChecksumError('the checksum of the shard index does not match its entries');
  return plainShardIndex(encoded.subarray(0, length), shardBytes);
}
