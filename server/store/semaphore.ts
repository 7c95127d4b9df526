/**
 * Limits concurrent operations, requests and memory. Waiting callers are served in the order of their calls.
 */
import { AbortedError } from '../core/errors.js';

export type Semaphore = ReturnType<typeof createSemaphore>;

/** Number of served callers from which they may be removed from the list while others wait. */
const MIN_SERVED = 64;

/** @param count number of permits, at least 1 */
export function createSemaphore(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  let next = 0;
  return {
    /**
     * Acquires a permit. Returns `undefined` if one is free immediately, otherwise a promise that resolves when
     * one is free.
     */
    acquire(): Promise<void> | undefined {
      if (free > 0) {
        free--;
        return undefined;
      }
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Acquires a permit only if one is free. @returns whether the caller has a permit */
    tryAcquire(): boolean {
      if (free === 0) return false;
      free--;
      return true;
    },
    release(): void {
      const first = waiting[next];
      if (first === undefined) {
        free++;
        return;
      }
      next++;
      // Removes served callers also while others wait, because the list of a busy store might never be empty.
      if (next === waiting.length || (next >= MIN_SERVED && 2 * next >= waiting.length)) {
        waiting.splice(0, next);
        next = 0;
      }
      first();
    },
  };
}

/**
 * Like `acquire`, but stops waiting when the signal fires.
 * @throws AbortedError if the signal fires; the caller then has no permit
 */
export function acquireUnlessAborted(
  semaphore: Semaphore,
  signal: AbortSignal | undefined,
): Promise<void> | undefined {
  const waiting = semaphore.acquire();
  if (waiting === undefined || signal === undefined) return waiting;
  return new Promise((resolve, reject) => {
    let hasGivenUp = false;
    const giveUp = (): void => {
      hasGivenUp = true;
      reject(new AbortedError('the request was cancelled', { cause: signal.reason }));
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    waiting
      .then(() => {
        signal.removeEventListener('abort', giveUp);
        if (hasGivenUp) semaphore.release();
        else resolve();
      })
      .catch(reject);
  });
}
