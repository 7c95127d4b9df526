/**
 * Limits the memory of concurrent operations in a process. Waiting callers are served in the order of their calls.
 */
import { allowManyListeners } from '#platform';
import { AbortedError } from '../core/errors.js';

interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

export function createBytePermits(maxBytes: number) {
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
    /**
     * Runs `body` with `bytes` reserved. Requests for more than the total wait for the whole total.
     * @throws AbortedError if the signal fires while waiting; errors from `body`
     */
    async withPermits<T>(bytes: number, signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T> {
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
