/**
 * When small files may be read by blocking calls. A cached file of a few kilobytes takes about 20 us so, and three
 * times that by way of the thread pool; a cold disk or a network file system takes milliseconds, which would hold up
 * everything else. So: only while such reads prove quick, and only for a short while in each turn of the event loop.
 */
export interface InlineBudget {
  isOpen(): boolean;
  /** Tells how long one blocking read took, in milliseconds. */
  spend(ms: number): void;
}

/** Blocking reads in one turn of the event loop, in milliseconds. */
const turnMs = 2;
/** A read slower than this came from a slow disk ... */
const slowMs = 1;
/** ... and so may the next ones: they go by the thread pool for a while. */
const pauseMs = 500;

/** @param now milliseconds, for tests */
export function createInlineBudget(now: () => number = () => performance.now()): InlineBudget {
  let spentMs = 0;
  let closedUntil = 0;
  let resets = false;
  return {
    isOpen: () => spentMs < turnMs && (closedUntil === 0 || now() >= closedUntil),
    spend(ms) {
      spentMs += ms;
      if (ms > slowMs) closedUntil = now() + pauseMs;
      if (resets) return;
      resets = true;
      setImmediate(() => {
        resets = false;
        spentMs = 0;
      });
    },
  };
}
