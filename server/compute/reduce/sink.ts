/** Consumers of the chunks of a read, which place them in a result or reduce them. */
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import type { ReadTask } from '../../format/plan/plan.js';
import type { ReduceRule, ReduceWork } from './partial.js';

/** Where a thread passes the decoded chunks of a read; structured-cloneable. */
export type Destination =
  /** Whole chunks: in a slot, or transferred if they are large. */
  | { readonly kind: 'chunks' }
  /** Chunks of variable length, which are transferred. */
  | { readonly kind: 'items' }
  /** The result itself, in shared memory. */
  | { readonly kind: 'memory'; readonly bytes: Uint8Array }
  /** The selected elements of each chunk, contiguous and in C order, in a slot; see `Sink.region`. */
  | { readonly kind: 'regions' }
  /** Partial results, one for each rule; see `Sink.partials`. */
  | { readonly kind: 'partials'; readonly rules: readonly ReduceRule[] };

/**
 * Receives every chunk of a plan once, in any order. After a conflict or another failure (see `retried`), chunks of one
 * batch are received again: the later call counts.
 */
export interface Sink<R> {
  /** The destination of chunks that threads read directly; undefined if the sink has none. */
  readonly destination?: Extract<Destination, { kind: 'memory' | 'regions' | 'partials' }> | undefined;
  /**
   * Receives the selected elements of a chunk; see `Destination`.
   * @param bytes valid only within the call
   */
  region?(task: ReadTask, bytes: Uint8Array): void;
  /**
   * Memory for the decoded chunk, with exactly its length and layout. `chunk` is called even then, because a
   * codec may return its result in other memory.
   */
  into?(task: ReadTask): Uint8Array | undefined;
  /** @param decoded decoded values, valid only within the call */
  chunk(task: ReadTask, decoded: DecodedChunk): void;
  /** Whether `chunk` would block this thread for too long; `largeChunk` is called instead. @default false */
  isSlow?(task: ReadTask): boolean;
  /**
   * Like `chunk`, for a chunk that takes too long to process in one step.
   * @param decoded decoded values, unchanged until the promise is settled
   * @throws AbortedError if the signal fires; the sink changes nothing afterwards
   */
  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void>;
  /**
   * Work that a pool thread can do with the chunk, so that only the results are sent back, to `partials`. Undefined if it
   * must send the chunk.
   */
  reduceWork?(task: ReadTask): readonly ReduceWork[] | undefined;
  /** Called instead of `chunk` or `largeChunk` with a thread's partial results. */
  partials?(task: ReadTask, partials: readonly unknown[]): void;
  /** Called for an absent chunk, whose elements all have the fill value. */
  absent(task: ReadTask, signal: AbortSignal): void | Promise<void>;
  /**
   * Called if chunks may be received again, because a stored object was replaced during the read, or a chunk could
   * not be read directly or in part.
   */
  retried?(): void;
  /** Called for consecutive tasks that will not be received again. */
  settled?(tasks: readonly ReadTask[]): void | Promise<void>;
  /** Returns the result. Called once, after all tasks are settled. */
  finish(): R;
}
