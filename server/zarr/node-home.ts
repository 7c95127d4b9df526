/** What an open node needs of the hierarchy that it belongs to. */
import type { CodecRegistry } from './codec/codec.js';
import type { Limits } from './limits.js';
import type { ChunkCache } from './read/chunk-cache.js';
import type { Decoding } from './read/shared-decoder.js';
import type { ReadMetrics } from './read/execute.js';
import type { KeyStore } from './store/store.js';

export interface CallOptions {
  /** Ends the call with ABORTED, its reads with it. */
  readonly signal?: AbortSignal | undefined;
}

export interface NodeHome {
  readonly store: KeyStore;
  readonly limits: Limits;
  readonly registry: CodecRegistry;
  readonly metrics: ReadMetrics | undefined;
  readonly decoding: Decoding;
  /** Decoded chunks of all reads; without it every read decodes for itself. */
  readonly chunkCache: ChunkCache | undefined;
  /** The version that a node has now; undefined where there is none. */
  versionOf(path: string, options?: CallOptions): Promise<string | undefined>;
}
