/** What an open node needs of the hierarchy that it belongs to. */
import type { CodecRegistry } from './codec/codec.js';
import type { Limits, MetadataLimits } from './limits.js';
import type { MetadataReading } from './metadata/model.js';
import type { ChunkCache } from './read/chunk-cache.js';
import type { Decoding } from './read/pool/shared-pool.js';
import type { ReadMetrics } from './read/read.js';
import type { KeyStore } from './store/store.js';

export interface CallOptions {
  /** Ends the call with ABORTED, its reads with it. */
  readonly signal?: AbortSignal | undefined;
}

/** What a write did to a node. */
export interface StoredChange {
  /** `deleted` is said of the topmost node only; everything below it is gone, too. */
  readonly kind: 'created' | 'updated' | 'data' | 'resized' | 'deleted';
  readonly path: string;
  /** Of `data`: the smallest box that holds everything that was written, one range a dimension. */
  readonly region?: readonly { readonly start: number; readonly stop: number }[];
}

export interface NodeHome {
  readonly store: KeyStore;
  readonly limits: Limits;
  readonly metadataLimits: MetadataLimits;
  readonly registry: CodecRegistry;
  readonly reading: MetadataReading;
  readonly metrics: ReadMetrics | undefined;
  readonly decoding: Decoding;
  /** Decoded chunks of all reads; without it every read decodes for itself. */
  readonly chunkCache: ChunkCache | undefined;
  /** Told of every change when it is stored, also where the write fails later on. Must not throw. */
  readonly changed?: ((change: StoredChange) => void) | undefined;
  /** Told of metadata that violate the specification and are read all the same, or not used. Must not throw. */
  readonly warn?: ((path: string, warning: string) => void) | undefined;
  /** The version that a node has now; undefined where there is none. */
  versionOf(path: string, options?: CallOptions): Promise<string | undefined>;
}
