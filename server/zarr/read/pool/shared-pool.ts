/** The process-wide pool, for programs that pass none: started once reads have decoded enough to justify it, then kept. */
import { createCodecPool, hasThreads } from '#codec-pool';
import type { CodecChain } from '../../codec/codec.js';
import { decodingNsPerByte } from '../../codec/speed.js';
import type { CodecPool } from './codec-pool.js';

/** Where chunks are decoded and encoded. */
export interface Decoding {
  /** Threads to use; undefined: those of the process, null: none. */
  readonly pool?: CodecPool | null | undefined;
  /** Whether the calling thread decodes as well. @default true */
  readonly here?: boolean | undefined;
}

/** Processor time that starting a thread costs; less decoding than that does not justify one. */
const startNs = 20_000_000;

let shared: CodecPool | undefined;
let decodedNs = 0;

/**
 * Many small reads justify a thread as much as one large read.
 * @param decodedBytes that a read will decode
 * @returns undefined while all reads together have not justified a thread
 */
function sharedPool(chain: CodecChain, decodedBytes: number): CodecPool | undefined {
  if (!hasThreads) return undefined;
  if (shared !== undefined) return shared;
  decodedNs += decodingNsPerByte(chain) * decodedBytes;
  if (decodedNs >= startNs) shared = createCodecPool();
  return shared;
}

/** The threads for a read or a write of so many decoded bytes; undefined: decode on this thread. */
export function poolFor(decoding: Decoding, chain: CodecChain, bytes: number): CodecPool | undefined {
  return decoding.pool === undefined ? sharedPool(chain, bytes) : (decoding.pool ?? undefined);
}
