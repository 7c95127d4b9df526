/**
 * How many requests a store has in flight. A request that makes no progress gives its place back for others before it
 * ends: after an outage nobody waits behind connections that will never answer.
 */
import { startTimer } from '#platform';
import { acquireUnlessAborted, createSemaphore } from './semaphore.js';

export interface Places {
  /**
   * Runs `work` when a place is free.
   * @param work calls `progress` whenever something arrives
   * @throws AbortedError when the signal fires before a place is free; what `work` throws
   */
  use<T>(signal: AbortSignal | undefined, work: (progress: () => void) => Promise<T>): Promise<T>;
}

/** Without progress for so long, a request is taken for stuck. */
const stuckMs = 1000;
/** Stuck requests, for each place, that give their place back; more keep it. */
export const maxStuckPerPlace = 3;

/** @param count requests in flight, at least 1 */
export function createPlaces(count: number): Places {
  const semaphore = createSemaphore(count);
  let stuck = 0;
  return {
    async use(signal, work) {
      const waiting = acquireUnlessAborted(semaphore, signal);
      if (waiting !== undefined) await waiting;
      let isStuck = false;
      const timer = startTimer(() => {
        if (stuck >= count * maxStuckPerPlace) return;
        isStuck = true;
        stuck++;
        semaphore.release();
      }, stuckMs);
      try {
        return await work(() => {
          if (!isStuck) timer.restart();
        });
      } finally {
        timer.stop();
        if (isStuck) stuck--;
        else semaphore.release();
      }
    },
  };
}
