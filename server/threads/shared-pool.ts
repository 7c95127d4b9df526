/**
 * The pool of the process, for callers that do not provide a pool. Started when reads and writes have enough to decode
 * and encode to justify it, and then kept.
 */
import { createCodecPool, hasThreads } from '#codec-pool';
import type { CodecChain } from '../format/codec/codec.js';
import { decodingNsPerByte } from '../format/codec/speed.js';
import type { CodecPool } from './codec-pool.js';

/** The threads that decode and encode chunks. */
export interface Decoding {
  /** The threads to use; undefined for the process's threads, null for none. */
  readonly pool?: CodecPool | null | undefined;
  /** Whether the calling thread decodes too. @default true */
  readonly here?: boolean | undefined;
  /** Whether the calling thread must process other events meanwhile, as a server: it decodes in short turns. @default false */
  readonly inTurns?: boolean | undefined;
}

/**
 * Minimum total decoding time, in nanoseconds, to start the threads. A thread loads and compiles its own code, so the
 * first read of a process must decode this much before threads save time (figures: bench/records.md, "Measured
 * constants").
 */
const START_NS = 60_000_000;
/** Minimum decoding time of a chunk, in nanoseconds, for a brief read to count towards `START_NS`. */
const SMALL_CHUNK_NS = 150_000;

let shared: CodecPool | undefined;
let decodedNs = 0;

/**
 * Adds up the decoding times of reads, so that many small reads also start threads. Brief reads of small chunks do not
 * count, because they do not use threads (bench/records.md, "Reads: attempts").
 * @param decodedBytes number of bytes that a read will decode
 * @param chunkBytes size of each chunk
 * @returns undefined until all reads together justify the threads
 */
function sharedPool(chain: CodecChain, decodedBytes: number, chunkBytes: number): CodecPool | undefined {
  if (!hasThreads) return undefined;
  if (shared !== undefined) return shared;
  const nsPerByte = decodingNsPerByte(chain);
  const ns = nsPerByte * decodedBytes;
  if (ns < START_NS && nsPerByte * chunkBytes < SMALL_CHUNK_NS) return undefined;
  decodedNs += ns;
  if (decodedNs >= START_NS) shared = createCodecPool();
  return shared;
}

/**
 * The threads for a read or write of this many decoded bytes; undefined to decode on this thread.
 * @param chunkBytes size of each chunk, for reads in which this thread decodes
 */
export function poolFor(
  decoding: Decoding,
  chain: CodecChain,
  bytes: number,
  chunkBytes = Infinity,
): CodecPool | undefined {
  return decoding.pool === undefined ? sharedPool(chain, bytes, chunkBytes) : (decoding.pool ?? undefined);
}
