/** Consumers of the chunks of a read: they place them in the result, stream them or reduce them. */
import type { DecodedChunk } from '../codec/decode-chunk.js';
import type { ReadTask } from './plan.js';
import type { ReduceRule, ReduceWork } from './reduce/partial.js';

/** How direct reads process the chunks that they decode. */
export type DirectAccess =
  /** They write to the result in shared memory. */
  | { readonly kind: 'result'; readonly bytes: Uint8Array }
  /**
   * They pass on the elements that a task selects from its chunk, contiguous and in C order. The bytes are valid within
   * the call only.
   */
  | { readonly kind: 'regions'; region(task: ReadTask, bytes: Uint8Array): void }
  /** They reduce each chunk, and `Sink.partial` receives the result. */
  | { readonly kind: 'partials'; readonly rule: ReduceRule };

/**
 * Receives every chunk of a plan once, in any order. After a conflict (see `retried`), chunks of one batch
 * are received again: the later call counts.
 */
export interface Sink<R> {
  /** Supported direct processing; undefined for none. */
  readonly direct?: DirectAccess | undefined;
  /**
   * Memory for the decoded chunk, exactly as long as the chunk, in the order of its codecs' chunk. `chunk` is called in
   * any case, because a codec may return its result in other memory.
   */
  into?(task: ReadTask): Uint8Array | undefined;
  /** @param decoded its bytes are valid only within the call */
  chunk(task: ReadTask, decoded: DecodedChunk): void;
  /** Whether `chunk` would block this thread for too long; `largeChunk` is called instead. @default false */
  isSlow?(task: ReadTask): boolean;
  /**
   * Like `chunk`, for a chunk that takes too long to process in one step.
   * @param decoded its bytes do not change until the promise is settled
   * @throws AbortedError; the sink changes nothing afterwards
   */
  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void>;
  /** Work that a pool thread can do with the chunk, so that only the result is sent back, to `partial`. */
  reduceWork?(task: ReadTask): ReduceWork;
  /** Called instead of `chunk` or `largeChunk` with a thread's result of `reduceWork`. */
  partial?(task: ReadTask, partial: unknown): void;
  /** The chunk is absent: all its elements have the fill value. */
  absent(task: ReadTask, signal: AbortSignal): void | Promise<void>;
  /** Some chunks will be received again, because a stored object was replaced while it was being read. */
  retried?(): void;
  /** These consecutive tasks will not be received again. */
  settled?(tasks: readonly ReadTask[]): void | Promise<void>;
  /** The result. Called once, after all tasks are settled. */
  finish(): R;
}
