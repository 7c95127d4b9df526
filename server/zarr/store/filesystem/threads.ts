/**
 * The way of a store to Node's thread pool, which all stores share (with name resolution and compression). A disk that
 * hangs keeps its threads for as long as it hangs: no store may take all of them, and nobody waits without end.
 */
import { withinDeadline, type Effort } from '../deadline.js';
import { acquireUnlessAborted, createSemaphore } from '../semaphore.js';

export interface Threads {
  /** Operations that run at a time. */
  readonly count: number;
  /**
   * Runs an operation that has one call in the pool at a time. Its place is taken until it has really ended.
   * @param bytes that it writes, which extend its deadline
   * @throws StoreUnavailableError after the deadline; AbortedError; what `work` throws
   */
  run<T>(signal: AbortSignal | undefined, work: (effort: Effort) => Promise<T>, bytes?: number): Promise<T>;
}

/** As libuv has it. */
const standardPoolSize = 4;

/** @param poolSize threads of this process, of which one at least stays free where there are several */
export function createThreads(
  deadlineMs: number,
  concurrency: number,
  poolSize: number = Number(process.env['UV_THREADPOOL_SIZE']) || standardPoolSize,
): Threads {
  const count = Math.max(1, Math.min(concurrency, poolSize - 1));
  const places = createSemaphore(count);
  return {
    count,
    run: (signal, work, bytes) =>
      withinDeadline({ deadlineMs, signal, bytes }, async (effort) => {
        const waiting = acquireUnlessAborted(places, effort.signal);
        if (waiting !== undefined) await waiting;
        try {
          return await work(effort);
        } finally {
          places.release();
        }
      }),
  };
}
