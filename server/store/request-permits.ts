/**
 * Limits the requests that a store has in flight. A request without progress returns its permit before it ends, so
 * that after an outage, new requests do not wait for hanging connections.
 */
import { startTimer } from '#platform';
import { acquireUnlessAborted, createSemaphore } from './semaphore.js';

export type RequestPermits = ReturnType<typeof createRequestPermits>;

/** Time without progress, in milliseconds, after which a request is considered stuck. */
const STUCK_MS = 1000;
/** Maximum number of stuck requests per permit that return their permit. Further stuck requests keep it. */
export const MAX_STUCK_PER_PERMIT = 3;

/** @param count maximum number of requests in flight, at least 1 */
export function createRequestPermits(count: number) {
  const semaphore = createSemaphore(count);
  let stuck = 0;

  /** Runs `work` with the permit that the caller has acquired, and releases the permit. */
  async function run<T>(work: (progress: () => void) => Promise<T>): Promise<T> {
    let isStuck = false;
    const timer = startTimer(() => {
      if (stuck >= count * MAX_STUCK_PER_PERMIT) return;
      isStuck = true;
      stuck++;
      semaphore.release();
    }, STUCK_MS);
    try {
      return await work(() => {
        if (!isStuck) timer.restart();
      });
    } finally {
      timer.stop();
      if (isStuck) stuck--;
      else semaphore.release();
    }
  }

  return {
    /**
     * Runs `work` once a permit is free.
     * @param work calls `progress` whenever data arrives
     * @throws AbortedError if the signal fires before a permit is free; errors from `work`
     */
    async use<T>(signal: AbortSignal | undefined, work: (progress: () => void) => Promise<T>): Promise<T> {
      const waiting = acquireUnlessAborted(semaphore, signal);
      if (waiting !== undefined) await waiting;
      return run(work);
    },
    /** Runs `work` only if a permit is free, otherwise returns `undefined`. */
    tryUse: <T>(work: () => Promise<T>): Promise<T> | undefined =>
      semaphore.tryAcquire() ? run(work) : undefined,
  };
}
