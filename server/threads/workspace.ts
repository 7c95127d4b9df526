/** Memory for the values of chunks that will be encoded, and the results. */
import type { CodecChain } from '../format/codec/codec.js';
import { encodeChunk } from '../format/codec/run-chain.js';
import { errorOf } from './outcomes.js';
import type { Outcome } from './protocol.js';

/** The encoded bytes of a chunk, or their number if a thread wrote them to a file. */
export type Encoded = Uint8Array | { readonly inFile: number };

export interface EncodeRequest {
  /** Number of chunks whose values are in the memory, one after the other. */
  readonly count: number;
  /**
   * A file that the thread creates for the bytes of a single chunk. If this fails, the thread returns the
   * bytes.
   */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Workspace {
  /** Memory for the values of all chunks, each in C order. */
  readonly memory: Uint8Array;
  /** Whether a thread encodes the chunks, so that results may be in shared memory. */
  readonly isShared: boolean;
  /**
   * Encodes chunks. The results are valid until `release`.
   * @throws errors from encoding; CodecError if the thread exits; AbortedError if the signal fires between two chunks
   * that this thread encodes
   */
  encode(request: EncodeRequest): Promise<readonly Encoded[]>;
  /** Frees the memory. Call this once. */
  release(): void;
}

/** The functions of a thread that a workspace uses. */
export interface WorkspaceThread {
  readonly usable: boolean;
  encodeSlot(
    chain: CodecChain,
    slot: SharedArrayBuffer,
    chunkBytes: number,
    request: EncodeRequest,
  ): Promise<readonly Outcome[]>;
  release(slot: SharedArrayBuffer): void;
}

export interface Reservation {
  readonly chunkBytes: number;
  readonly count: number;
  /**
   * Whether capacity is occupied while values are collected, for callers that otherwise encode chunks
   * themselves. Other callers may need the capacity to decode old values.
   */
  readonly occupiesCapacity: boolean;
}

/**
 * @param chunkBytes size of the values of one chunk
 * @param onCollected called once, when all values have been collected or are not needed
 */
export function createWorkspace(
  thread: WorkspaceThread,
  chain: CodecChain,
  slot: SharedArrayBuffer,
  chunkBytes: number,
  onCollected: () => void,
): Workspace {
  const memory = new Uint8Array(slot);
  let isCollecting = true;
  const collected = (): void => {
    if (isCollecting) onCollected();
    isCollecting = false;
  };
  return {
    memory,
    isShared: true,
    async encode(request) {
      collected();
      // The thread was lost before it started the job.
      if (!thread.usable)
        return valuesOf(memory, chunkBytes, request.count).map((bytes) =>
          encodeChunk(chain, { bytes: bytes.slice() }).slice(),
        );
      return encodedOf(await thread.encodeSlot(chain, slot, chunkBytes, request), memory, request.count);
    },
    release() {
      collected();
      thread.release(slot);
    },
  };
}

/** The values of each chunk. */
export function valuesOf(memory: Uint8Array, chunkBytes: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => memory.subarray(i * chunkBytes, (i + 1) * chunkBytes));
}

/** The results of a thread. @throws the first error */
function encodedOf(outcomes: readonly Outcome[], memory: Uint8Array, count: number): Encoded[] {
  let end = 0;
  return Array.from({ length: count }, (_, i) => {
    const outcome = outcomes[i];
    if (outcome === undefined) throw errorOf(outcome);
    if ('inFile' in outcome) return outcome;
    if ('encoded' in outcome) return outcome.encoded;
    if (!('inSlot' in outcome)) throw errorOf(outcome);
    end += outcome.inSlot;
    return memory.subarray(end - outcome.inSlot, end);
  });
}
