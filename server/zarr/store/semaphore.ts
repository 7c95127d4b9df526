/** Limits concurrency; first come, first served. */
import { AbortedError } from '../errors.js';

export interface Semaphore {
  /** Resolves when a permit is free. Returns `undefined` if one is free immediately. */
  acquire(): Promise<void> | undefined;
  release(): void;
}

/** @param count number of permits, at least 1 */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  let next = 0;
  return {
    acquire() {
      if (free > 0) {
        free--;
        return undefined;
      }
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const first = waiting[next];
      if (first === undefined) {
        free++;
        return;
      }
      next++;
      if (next === waiting.length) {
        waiting.length = 0;
        next = 0;
      }
      first();
    },
  };
}

/**
 * Like `acquire`, but stops waiting when the signal fires.
 * @throws AbortedError; the caller then has no permit
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
