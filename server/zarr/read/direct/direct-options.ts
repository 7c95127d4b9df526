/** The options of a direct read, and the outcome of its chunks. */
import type { CodecPool } from '../pool/codec-pool.js';
import type { ReadTask } from '../plan.js';

export interface DirectOptions {
  /** The threads that read; undefined if this thread reads all chunks. */
  readonly pool: CodecPool | undefined;
  /** Whether this thread decodes. */
  readonly decodesHere: boolean;
  /** Maximum stored bytes of a chunk. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

/** The outcome of the chunks of one batch. */
export interface Results {
  readonly absent: ReadTask[];
  /** Keys of objects with chunks that were not read. */
  readonly failed: Set<string>;
  decoded: number;
}
