/** Decodes a single chunk on a thread. */
import type { CodecChain } from '../../codec/codec.js';
import type { DecodedChunk } from '../../codec/decode-chunk.js';
import { CodecError, throwIfAborted } from '../../errors.js';
import type { CodecPool } from './codec-pool.js';
import { LARGE_CHUNK_BYTES } from './large-buffers.js';
import type { Decoded } from './outcomes.js';

/** Number of lost threads after which a chunk fails. */
const MAX_LOSSES = 2;

/**
 * @param chunkBytes size of the decoded chunk
 * @returns the chunk, in separate memory
 * @throws errors from decodeChunk; AbortedError; CodecError if no thread is left
 */
export async function decodeInPool(
  pool: CodecPool,
  chain: CodecChain,
  chunkBytes: number,
  encoded: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<DecodedChunk> {
  let given = encoded;
  for (let losses = 0; losses < MAX_LOSSES; losses++) {
    while (pool.capacity(chunkBytes) === 0) {
      if (pool.isOver) throw new CodecError('cannot decode the chunk: all decoding threads have exited');
      await pool.whenAvailable(chunkBytes, signal);
      throwIfAborted(signal);
    }
    const result = await run(pool, chain, chunkBytes, given, signal);
    throwIfAborted(signal);
    if ('chunk' in result) return result.chunk;
    if ('error' in result) throw result.error;
    given = result.encoded;
  }
  throw new CodecError(`decoding threads exited while decoding a chunk (${MAX_LOSSES} times)`);
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
