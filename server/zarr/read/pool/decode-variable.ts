/**
 * Decodes a chunk of values of variable length. Its size is known only after decoding: decoding starts on
 * this thread, and restarts on a pool thread if the chunk exceeds a small limit.
 */
import type { CodecChain } from '../../codec/codec.js';
import { decodeChunk, type DecodedChunk } from '../../codec/decode-chunk.js';
import { isZarrError } from '../../errors.js';
import type { CodecPool } from './codec-pool.js';

/**
 * Maximum bytes decoded on this thread, in addition to the charge of the elements. The slowest codec takes
 * a few milliseconds for them.
 */
const SMALL_BYTES = 2 ** 18;
/** The same limit as a multiple of the charge of the elements. */
const FEW_BYTES = 2 ** 20;

/**
 * @param chargedBytes charge of the chunk's elements without their contents
 * @param limit maximum bytes of the chunk
 * @throws errors from decodeChunk; AbortedError
 */
export function decodeVariable(
  chain: CodecChain,
  encoded: Uint8Array,
  chargedBytes: number,
  limit: number,
  pool: CodecPool | undefined,
  signal: AbortSignal | undefined,
): DecodedChunk | Promise<DecodedChunk> {
  if (pool === undefined || chain.modules === undefined) return decodeChunk(chain, encoded, limit);
  if (encoded.length <= SMALL_BYTES && chargedBytes <= FEW_BYTES) {
    const small = Math.min(limit, chargedBytes + SMALL_BYTES);
    try {
      return decodeChunk(chain, encoded, small);
    } catch (error) {
      if (small === limit || !isZarrError(error, 'LIMIT_EXCEEDED')) throw error;
    }
  }
  return pool.decodeItems(chain, encoded, limit, signal);
}

/**
 * Whether encoding values on this thread is faster than on a pool thread.
 * @param bytes size of the values; shared contents count for each element
 */
export function isQuicklyEncoded(bytes: number): boolean {
  return bytes <= FEW_BYTES;
}
