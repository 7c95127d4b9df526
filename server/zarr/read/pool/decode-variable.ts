/**
 * Decodes a chunk of values of variable length. How large one is shows only when it is decoded: small ones are decoded
 * here, at once; one that passes a small limit is begun again in a thread.
 */
import type { CodecChain } from '../../codec/codec.js';
import { decodeChunk, type DecodedChunk } from '../../codec/decode-chunk.js';
import { isZarrError } from '../../errors.js';
import type { CodecPool } from './codec-pool.js';

/** Bytes that are decoded here beside what elements are charged: some milliseconds of the slowest codec. */
const SMALL_BYTES = 2 ** 18;
/** Of what the elements of a chunk are charged. */
const FEW_BYTES = 2 ** 20;

/**
 * @param chargedBytes what the chunk's elements are charged without their contents
 * @param limit bytes that the chunk may take
 * @throws as decodeChunk; AbortedError
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

/** Whether values are encoded here sooner than in a thread. @param bytes what they take, shared contents counted each */
export function isQuicklyEncoded(bytes: number): boolean {
  return bytes <= FEW_BYTES;
}
