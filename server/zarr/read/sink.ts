/** What a read does with its chunks: it places them, hands them out or reduces them. */
import type { DecodedChunk } from '../codec/decode-chunk.js';
import type { ReadTask } from './plan.js';
import type { ReduceWork } from './reduce/partial.js';

/** What a sink offers to threads that read. */
export interface DirectAccess {
  /** The result, where threads can write to it. */
  readonly shared: Uint8Array | undefined;
  /** Takes the elements that the task selects of its chunk, contiguous and in C order; valid within the call only. */
  region(task: ReadTask, bytes: Uint8Array): void;
}

/**
 * Receives every chunk of a plan once, in any order. After a conflict (see `retried`) chunks of one batch come again: the
 * later call counts.
 */
export interface Sink<R> {
  /** How threads may place chunks by themselves; undefined: they may not. */
  readonly direct?: DirectAccess | undefined;
  /**
   * Memory for the decoded chunk, exactly as long as the chunk, in the order of its codecs' chunk. `chunk` is called all
   * the same, since a codec may leave its result somewhere else.
   */
  into?(task: ReadTask): Uint8Array | undefined;
  /** @param decoded its bytes are valid within the call only */
  chunk(task: ReadTask, decoded: DecodedChunk): void;
  /** Whether `chunk` would block this thread for too long; then `largeChunk` is called. @default false */
  isSlow?(task: ReadTask): boolean;
  /**
   * The same as `chunk` for a chunk that takes too long to handle in one go.
   * @param decoded its bytes stay as they are until the promise is settled
   * @throws AbortedError; the sink changes nothing afterwards
   */
  largeChunk(task: ReadTask, decoded: DecodedChunk, signal: AbortSignal): Promise<void>;
  /** What a thread of the pool can do with the chunk, so that only `partial` travels. */
  reduceWork?(task: ReadTask): ReduceWork;
  /** In place of `chunk` or `largeChunk`: what a thread made of `reduceWork`. */
  partial?(task: ReadTask, partial: unknown): void;
  /** The chunk is not stored: all its elements are the fill value. */
  absent(task: ReadTask, signal: AbortSignal): void | Promise<void>;
  /** Some chunks come again, because a stored object was replaced while it was being read. */
  retried?(): void;
  /** These tasks, neighbours in the plan's order, do not come again. */
  settled?(tasks: readonly ReadTask[]): void | Promise<void>;
  /** The result; called once, after all tasks are settled. */
  finish(): R;
}
