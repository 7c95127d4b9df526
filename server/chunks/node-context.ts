/** The context of an open node, provided by its hierarchy. */
import type { CodecRegistry } from '../format/codec/codec.js';
import type { Limits, MetadataLimits } from '../core/limits.js';
import type { MetadataOptions } from '../format/metadata/model.js';
import type { ChunkCache } from './read/chunk-cache.js';
import type { Decoding } from '../threads/shared-pool.js';
import type { ReadMetrics } from './read/chunk-read.js';
import type { KeyStore } from '../store/store.js';

export interface CallOptions {
  /** Aborts the call and its reads, which then fail with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether to check after each read that the array was not replaced, and which of its attributes to compare. */
export type ArrayChecks = boolean | { readonly attributes: readonly string[] };

export interface ConfirmOptions extends CallOptions {
  /** Whether to bypass caches in front of the store. @default false */
  readonly fresh?: boolean;
}

/** A change of a node by a write. */
export interface StoredChange {
  /** `deleted` is reported only for the topmost node; all nodes below it are deleted too. */
  readonly kind: 'created' | 'updated' | 'data' | 'resized' | 'deleted';
  readonly path: string;
  /** For `data`: the smallest box that contains everything written, one range per dimension. */
  readonly region?: readonly { readonly start: number; readonly stop: number }[];
}

export interface NodeContext {
  readonly store: KeyStore;
  readonly limits: Limits;
  readonly metadataLimits: MetadataLimits;
  readonly registry: CodecRegistry;
  readonly metadataOptions: MetadataOptions;
  readonly metrics: ReadMetrics | undefined;
  readonly decoding: Decoding;
  /** Cache of decoded chunks. Without it, every read decodes all its chunks. */
  readonly chunkCache: ChunkCache | undefined;
  /** Called for every change once it is stored, even if the write fails later. Must not throw. */
  readonly changed?: ((change: StoredChange) => void) | undefined;
  /** See `HierarchyOptions.warn`. Must not throw. */
  readonly warn?: ((path: string, warning: string) => void) | undefined;
  /** The current version of a node; undefined if there is no node, or its store has no versions. */
  versionOf(path: string, options?: CallOptions): Promise<string | undefined>;
}
