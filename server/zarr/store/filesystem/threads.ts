/**
 * Limits a store's use of Node's thread pool, which all stores share (with name resolution and
 * compression). A hanging disk blocks its threads, so no store may use all of them, and callers stop
 * waiting at the deadline.
 */
import { withinDeadline, type Effort } from '../deadline.js';
import { acquireUnlessAborted, createSemaphore } from '../semaphore.js';

export interface Threads {
  /** Maximum concurrent operations. */
  readonly count: number;
  /**
   * Runs an operation that uses one thread at a time. Its permit is kept until the operation has ended,
   * even after the deadline.
   * @param bytes bytes that the operation writes, which extend its deadline
   * @throws StoreUnavailableError after the deadline; AbortedError; errors of `work`
   */
  run<T>(signal: AbortSignal | undefined, work: (effort: Effort) => Promise<T>, bytes?: number): Promise<T>;
}

/** Default number of threads in libuv. */
const STANDARD_POOL_SIZE = 4;

/** @param poolSize number of threads of this process; if there are several, one of them stays free */
export function createThreads(
  deadlineMs: number,
  concurrency: number,
  poolSize: number = Number(process.env['UV_THREADPOOL_SIZE']) || STANDARD_POOL_SIZE,
): Threads {
  const count = Math.max(1, Math.min(concurrency, poolSize - 1));
  const permits = createSemaphore(count);
  return {
    count,
    run: (signal, work, bytes) =>
      withinDeadline({ deadlineMs, signal, bytes }, async (effort) => {
        const waiting = acquireUnlessAborted(permits, effort.signal);
        if (waiting !== undefined) await waiting;
        try {
          return await work(effort);
        } finally {
          permits.release();
        }
      }),
  };
}
