/**
 * The pool of the process, for callers that do not provide a pool. Started when reads have decoded enough
 * to justify it, and then kept.
 */
import { createCodecPool, hasThreads } from '#codec-pool';
import type { CodecChain } from '../../codec/codec.js';
import { decodingNsPerByte } from '../../codec/speed.js';
import type { CodecPool } from './codec-pool.js';

/** The threads that decode and encode chunks. */
export interface Decoding {
  /** The threads to use; undefined for the process's threads, null for none. */
  readonly pool?: CodecPool | null | undefined;
  /** Whether the calling thread decodes too. @default true */
  readonly here?: boolean | undefined;
}

/** Minimum decoding time to start a thread, which takes this much processor time. */
const START_NS = 20_000_000;

let shared: CodecPool | undefined;
let decodedNs = 0;

/**
 * Counts small reads together, so that many of them also justify a thread.
 * @param decodedBytes that a read will decode
 * @returns undefined until all reads together justify a thread
 */
function sharedPool(chain: CodecChain, decodedBytes: number): CodecPool | undefined {
  if (!hasThreads) return undefined;
  if (shared !== undefined) return shared;
  decodedNs += decodingNsPerByte(chain) * decodedBytes;
  if (decodedNs >= START_NS) shared = createCodecPool();
  return shared;
}

/** The threads for a read or write of this many decoded bytes; undefined to decode on this thread. */
export function poolFor(decoding: Decoding, chain: CodecChain, bytes: number): CodecPool | undefined {
  return decoding.pool === undefined ? sharedPool(chain, bytes) : (decoding.pool ?? undefined);
}
