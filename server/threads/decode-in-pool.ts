/**
 * Decodes single chunks: of fixed size on a thread, of variable length on this thread or, if large, on a thread.
 * Decodes a chunk of values of variable length. Its size is known only after decoding: a chunk with few encoded
 * bytes is first decoded on this thread, and again on a pool thread if it exceeds a small limit.
 */
import type { CodecChain } from '../format/codec/codec.js';
import { type DecodedChunk, decodeChunk } from '../format/codec/run-chain.js';
import { CodecError, throwIfAborted, isZarrError } from '../core/errors.js';
import type { CodecPool } from './codec-pool.js';
import type { Destination } from '../compute/reduce/sink.js';
import type { Decoded, EncodedChunk } from './outcomes.js';
import { isLargeJob, type JobRead } from './job.js';

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
  const read = readOf(chain, chunkBytes, { kind: 'chunks' });
  const chunk = { encoded, needed: { start: 0, end: chunkBytes } };
  const decoded = await runAlone(pool, read, chunk, signal);
  if (decoded === undefined)
    throw new CodecError('cannot decode the chunk: all decoding threads have exited');
  return decoded;
}

function readOf(chain: CodecChain, chunkBytes: number, destination: Destination): JobRead {
  return { chain, chunkBytes, destination, plan: undefined, files: undefined };
}

/**
 * Decodes one chunk when a thread has capacity.
 * @returns the chunk, in separate memory; undefined if no thread is left
 */
async function runAlone(
  pool: CodecPool,
  read: JobRead,
  chunk: EncodedChunk,
  signal: AbortSignal | undefined,
): Promise<DecodedChunk | undefined> {
  const isLarge = isLargeJob(read);
  let { encoded } = chunk;
  try {
    for (let losses = 0; losses < MAX_LOSSES; losses++) {
      while (!pool.hasCapacity(isLarge)) {
        if (pool.isOver) return undefined;
        await pool.whenAvailable(isLarge, signal);
        throwIfAborted(signal);
      }
      const result = await new Promise<Decoded>((resolve) => {
        // The slot is reused for the next chunk.
        const each = (_: number, decoded: Decoded): void => resolve(isLarge ? decoded : detached(decoded));
        pool.run(read, { encoded: [{ ...chunk, encoded }] }, { each }, signal);
      });
      throwIfAborted(signal);
      if ('error' in result) throw result.error;
      if ('values' in result && result.values !== undefined)
        return { values: result.values, strides: read.chain.strides };
      if (!('lost' in result)) throw new CodecError('decoding thread returned no result');
      if (result.encoded === undefined) throw result.lost;
      encoded = result.encoded;
    }
    throw new CodecError(`decoding threads exited while decoding this chunk (${MAX_LOSSES} times)`);
  } finally {
    pool.closeRead(read);
  }
}

function detached(decoded: Decoded): Decoded {
  if (!('values' in decoded) || decoded.values === undefined || !('bytes' in decoded.values)) return decoded;
  return { ...decoded, values: { bytes: decoded.values.bytes.slice() } };
}

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
  return decodeItems(pool, chain, encoded, limit, signal);
}

async function decodeItems(
  pool: CodecPool,
  chain: CodecChain,
  encoded: Uint8Array,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<DecodedChunk> {
  const chunk = { encoded, needed: { start: 0, end: 0 }, limit };
  const decoded = await runAlone(pool, readOf(chain, 0, { kind: 'items' }), chunk, signal);
  return decoded ?? decodeChunk(chain, encoded, limit);
}

/**
 * Whether encoding values on this thread is faster than on a pool thread.
 * @param bytes size of the values; shared contents count for each element
 */
export function isQuicklyEncoded(bytes: number): boolean {
  return bytes <= FEW_BYTES;
}
