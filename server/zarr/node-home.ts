/** What an open node needs of the hierarchy that it belongs to. */
import type { CodecRegistry } from './codec/codec.js';
import type { Limits } from './limits.js';
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
}
