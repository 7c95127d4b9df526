/** State shared by the edits of an array's chunks. */
import type { InnerChunkLayout } from '../sharding/layout.js';
import type { Element } from '../dtype/data-type.js';
import type { CodecPool } from '../read/pool/codec-pool.js';
import type { YieldToEventLoop } from '../turns.js';

/** The context that all edits of an array share. */
export interface ChunkContext {
  readonly layout: InnerChunkLayout;
  readonly fill: Element;
  /** Whether to store chunks even if all their elements have the fill value. */
  readonly writeEmptyChunks: boolean;
  /** Maximum size of the variable-length values in one chunk. */
  readonly maxChunkBytes: number;
  readonly threads: EditThreads;
  readonly signal: AbortSignal | undefined;
  /** Called between pieces of a large chunk. */
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** The threads that encode chunks, and decode old ones. */
export interface EditThreads {
  /** Without a pool, everything runs inline. */
  readonly pool: CodecPool | undefined;
  /** Whether small chunks are processed inline while all threads are busy. */
  readonly here: boolean;
}
