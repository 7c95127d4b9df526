/** What all parts of a read share: its plan, the source of its chunks, the caller's settings, and the sink. */
import type { Element } from '../../core/dtype/data-type.js';
import type { Limits } from '../../core/limits.js';
import type { Sink } from '../../compute/reduce/sink.js';
import type { ReadPlan } from '../../format/plan/plan.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import type { InnerChunkStore } from '../shards/store.js';
import type { ChunkCache } from './chunk-cache.js';

/** The source of the chunks of an array. */
export interface ChunkSource {
  readonly store: InnerChunkStore;
  /** The key of a stored object (a chunk, or the outermost shard) by its coordinates in the stored grid. */
  objectKey(position: readonly number[]): string;
  readonly fill: Element;
  /** Identifies the array, with its current metadata, among all arrays that share a cache. */
  readonly cacheKey: string;
}

/** Callbacks for metrics. */
/** One read of an array that has ended. */
export interface ReadRecord {
  /** Whether its chunks were reduced instead of placed in a result. */
  readonly isReduced: boolean;
  /** Its start, from `performance.now()`. */
  readonly startMs: number;
  /** The plan: chunks that are cached or absent included. */
  readonly chunks: number;
  readonly bytes: number;
  readonly hasFailed: boolean;
}

export interface ReadMetrics {
  chunksDecoded(count: number, decodedBytes: number): void;
  /** Called when a read has ended, in its asynchronous context. */
  readEnded?(read: ReadRecord): void;
}

export interface ReadSettings {
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly metrics: ReadMetrics | undefined;
  /** Threads that share the decoding. Without threads, this thread decodes all chunks. */
  readonly pool: CodecPool | undefined;
  /** Whether this thread decodes too. A server sets false to keep this thread free for requests. */
  readonly decodesHere: boolean;
  /** Whether this thread decodes in short turns, because it serves requests. */
  readonly inTurns: boolean;
  readonly cache: ChunkCache | undefined;
  /** Called for every object that was read, with its version; undefined if it is absent or has no version. */
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
}

export interface ChunkRead {
  readonly plan: ReadPlan;
  readonly source: ChunkSource;
  readonly settings: ReadSettings;
  readonly sink: Sink<unknown>;
  /** Fires when the caller's signal does, or when a batch has failed. */
  readonly signal: AbortSignal;
  /** Functions to call at the end of the read. */
  readonly atEnd: (() => void)[];
}
