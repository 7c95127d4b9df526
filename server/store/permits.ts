/**
 * Limits concurrent operations, requests and memory. Waiting callers are served in the order of their calls.
 */
import { startTimer, allowManyListeners } from '#platform';
import { AbortedError } from '../core/errors.js';

export interface Semaphore {
  /**
   * Acquires a permit. Returns `undefined` if one is free immediately, otherwise a promise that resolves when
   * one is free.
   */
  acquire(): Promise<void> | undefined;
  /** Acquires a permit only if one is free. @returns whether the caller has a permit */
  tryAcquire(): boolean;
  release(): void;
}

/** Number of served callers from which they may be removed from the list while others wait. */
const MIN_SERVED = 64;

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
    tryAcquire() {
      if (free === 0) return false;
      free--;
      return true;
    },
    release() {
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

// Limits the requests that a store has in flight. A request without progress returns its permit before it
// ends, so that after an outage, new requests do not wait for hanging connections.

export interface RequestPermits {
  /**
   * Runs `work` once a permit is free.
   * @param work calls `progress` whenever data arrives
   * @throws AbortedError if the signal fires before a permit is free; errors from `work`
   */
  use<T>(signal: AbortSignal | undefined, work: (progress: () => void) => Promise<T>): Promise<T>;
  /** Runs `work` only if a permit is free, otherwise returns `undefined`. */
  tryUse<T>(work: () => Promise<T>): Promise<T> | undefined;
}

/** Time without progress, in milliseconds, after which a request is considered stuck. */
const STUCK_MS = 1000;
/** Maximum number of stuck requests per permit that return their permit. Further stuck requests keep it. */
export const MAX_STUCK_PER_PERMIT = 3;

/** @param count maximum number of requests in flight, at least 1 */
export function createRequestPermits(count: number): RequestPermits {
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
    async use(signal, work) {
      const waiting = acquireUnlessAborted(semaphore, signal);
      if (waiting !== undefined) await waiting;
      return run(work);
    },
    tryUse: (work) => (semaphore.tryAcquire() ? run(work) : undefined),
  };
}

// Limits the memory of concurrent operations in a process. Waiting callers are served in the order of their
// calls.

interface BytePermits {
  /**
   * Runs `body` with `bytes` reserved. Requests for more than the total wait for the whole total.
   * @throws AbortedError if the signal fires while waiting; errors from `body`
   */
  withPermits<T>(bytes: number, signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T>;
}

interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

export function createBytePermits(maxBytes: number): BytePermits {
  let held = 0;
  const waiting = new Set<Waiter>();

  function startNext(): void {
    for (const waiter of waiting) {
      if (held + waiter.bytes > maxBytes) return;
      waiting.delete(waiter);
      held += waiter.bytes;
      waiter.start();
    }
  }

  function wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    // A request has one listener for each object that it reads.
    if (signal !== undefined) allowManyListeners(signal);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        waiting.delete(waiter);
        reject(new AbortedError('the request was cancelled', { cause: signal?.reason }));
        // A smaller request may be waiting behind this one.
        startNext();
      };
      const waiter: Waiter = {
        bytes,
        start: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(waiter);
    });
  }

  return {
    async withPermits(bytes, signal, body) {
      const needed = Math.min(bytes, maxBytes);
      if (waiting.size === 0 && held + needed <= maxBytes) held += needed;
      else await wait(needed, signal);
      try {
        return await body();
      } finally {
        held -= needed;
        startNext();
      }
    },
  };
}
