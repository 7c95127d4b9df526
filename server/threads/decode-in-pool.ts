/** Decodes single chunks: of fixed size on a thread, of variable length on this thread or, if large, on a thread. */
import type { CodecChain } from '../format/codec/codec.js';
import { type DecodedChunk, decodeChunk } from '../format/codec/run-chain.js';
import { CodecError, throwIfAborted, isZarrError } from '../core/errors.js';
import type { CodecPool } from './codec-pool.js';
import { LARGE_CHUNK_BYTES } from '../core/bytes/large-buffers.js';
import type { Decoded } from './outcomes.js';

/** Number of lost threads after which a chunk fails. */
const MAX_LOSSES = 2;

/**
 * @param chunkBytes size of the decoded chunk
 * @returns the chunk, in separate memory
 * @throws errors from decodeChunk; AbortedError if the signal fires; CodecError if no thread is left or threads exited
 * while decoding the chunk; LimitError if too many callers are waiting
 */
export async function decodeInPool(
  pool: CodecPool,
  chain: CodecChain,
  chunkBytes: number,
  encoded: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<DecodedChunk> {
  let stored = encoded;
  for (let losses = 0; losses < MAX_LOSSES; losses++) {
    while (pool.capacity(chunkBytes) === 0) {
      if (pool.isOver) throw new CodecError('cannot decode the chunk: all decoding threads have exited');
      await pool.whenAvailable(chunkBytes, signal);
      throwIfAborted(signal);
    }
    const result = await run(pool, chain, chunkBytes, stored, signal);
    throwIfAborted(signal);
    if ('chunk' in result) return result.chunk;
    if ('error' in result) throw result.error;
    stored = result.encoded;
  }
  throw new CodecError(`decoding threads exited while decoding this chunk (${MAX_LOSSES} times)`);
}

function run(
  pool: CodecPool,
  chain: CodecChain,
  chunkBytes: number,
  encoded: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    const done = (_: number, result: Decoded): void => {
      if (chunkBytes > LARGE_CHUNK_BYTES || !('chunk' in result)) return resolve(result);
      const { values, strides } = result.chunk;
      // The slot is reused for the next chunk.
      resolve({ chunk: { values: 'bytes' in values ? { bytes: values.bytes.slice() } : values, strides } });
    };
    pool
      .decode(chain, chunkBytes, [{ encoded, needed: { start: 0, end: chunkBytes } }], done, signal)
      ?.catch(reject);
  });
}

// Decodes a chunk of values of variable length. Its size is known only after decoding: a chunk with few
// encoded bytes is first decoded on this thread, and again on a pool thread if it exceeds a small limit.

/**
 * Maximum number of bytes decoded on this thread, in addition to the charge of the elements. The slowest
 * codec takes a few milliseconds for this many.
 */
const SMALL_BYTES = 2 ** 18;
/**
 * Maximum charge, in bytes, of a chunk's elements for decoding on this thread. Also the maximum size for
 * encoding on it.
 */
const FEW_BYTES = 2 ** 20;

/**
 * @param chargedBytes charge of the chunk's elements without their contents
 * @param limit maximum size of the chunk in bytes
 * @throws errors from decodeChunk; AbortedError if the signal fires
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
