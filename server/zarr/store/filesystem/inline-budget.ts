/**
 * When small files may be read by blocking calls. A cached file of a few kilobytes takes about 20 us so, and three
 * times that by way of the thread pool; a cold disk or a network file system takes milliseconds, which would hold up
 * everything else. So: only while such reads prove quick, and only for a short while in each turn of the event loop.
 */
export interface InlineBudget {
  /** 'later': this turn has had its share; 'closed': such reads were slow lately. */
  state(): 'open' | 'later' | 'closed';
  /** Tells how long one blocking read took, in milliseconds. */
  spend(ms: number): void;
  /** Resolves in the next turn of the event loop, when the state is not 'later' any more. */
  nextTurn(): Promise<void>;
}

/** Blocking reads in one turn of the event loop, in milliseconds. */
const turnMs = 2;
/** Above this average they come from a slow disk ... */
const slowMs = 0.5;
/** ... and so may the next ones: they go by the thread pool for a while. */
const pauseMs = 500;
/** Weight of the newest read in the average. */
const weight = 0.1;
/** The most that a read counts for: one alone may have met a busy processor or the garbage collector, two in a row not. */
const mostMs = 4;

/** For disks that may hang: nothing is read by blocking calls. */
export const closedBudget: InlineBudget = {
  state: () => 'closed',
  spend() {},
  async nextTurn() {},
};

/** @param now milliseconds, for tests */
export function createInlineBudget(now: () => number = () => performance.now()): InlineBudget {
  let spentMs = 0;
  let averageMs = 0;
  let closedUntil = 0;
  const waiting: (() => void)[] = [];
  let isTurnSet = false;

  function setTurn(): void {
    if (isTurnSet) return;
    isTurnSet = true;
    setImmediate(() => {
      isTurnSet = false;
      spentMs = 0;
      for (const resolve of waiting.splice(0)) resolve();
    });
  }

  return {
    state() {
      if (closedUntil !== 0 && now() < closedUntil) return 'closed';
      return spentMs < turnMs ? 'open' : 'later';
    },
    spend(ms) {
      setTurn();
      spentMs += ms;
      averageMs += (Math.min(ms, mostMs) - averageMs) * weight;
      if (averageMs <= slowMs) return;
      closedUntil = now() + pauseMs;
      averageMs = slowMs / 2;
    },
    nextTurn() {
      setTurn();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
