/**
 * Decides when small files may be read by blocking calls. A cached file of a few kilobytes takes about 20 us
 * that way, and three times as long through the thread pool; a cold disk or a network file system takes
 * milliseconds, which would block all other requests. So blocking reads are used only while they are fast,
 * and only for a short time per turn of the event loop.
 */
export interface InlineBudget {
  /** 'later': the budget of this turn is used up; 'closed': blocking reads were recently slow. */
  state(): 'open' | 'later' | 'closed';
  /** Reports the duration of a blocking read, in milliseconds. */
  spend(ms: number): void;
  /** Whether most reads were recently slow. A busy processor delays only single reads. */
  isSlow(): boolean;
  /** Resolves in the next turn of the event loop, when the state is no longer 'later'. */
  nextTurn(): Promise<void>;
}

/** Maximum time of blocking reads per turn of the event loop, in milliseconds. */
const TURN_MS = 2;
/** Average time above which the disk counts as slow, in milliseconds. */
const SLOW_MS = 0.5;
/** Time for which blocking reads are then disabled, in milliseconds. */
const PAUSE_MS = 500;
/** Weight of the last read in the average. */
const WEIGHT = 0.1;
/**
 * Upper bound of one sample, in milliseconds: a single slow read may be due to a busy processor or garbage
 * collection, two in a row are not.
 */
const MOST_MS = 4;
/** Share of slow reads, averaged with the same weight, above which the disk counts as slow. */
const SLOW_SHARE = 0.5;

/** A budget without blocking reads, for disks that may hang. */
export const closedBudget: InlineBudget = {
  state: () => 'closed',
  isSlow: () => true,
  spend() {},
  async nextTurn() {},
};

/** @param now clock in milliseconds, for tests */
export function createInlineBudget(now: () => number = () => performance.now()): InlineBudget {
  let spentMs = 0;
  let averageMs = 0;
  let closedUntil = 0;
  let slowShare = 0;
  let slowUntil = 0;
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
      return spentMs < TURN_MS ? 'open' : 'later';
    },
    isSlow: () => slowUntil !== 0 && now() < slowUntil,
    spend(ms) {
      setTurn();
      spentMs += ms;
      slowShare += ((ms > SLOW_MS ? 1 : 0) - slowShare) * WEIGHT;
      if (slowShare > SLOW_SHARE) {
        slowUntil = now() + PAUSE_MS;
        slowShare = SLOW_SHARE / 2;
      }
      averageMs += (Math.min(ms, MOST_MS) - averageMs) * WEIGHT;
      if (averageMs <= SLOW_MS) return;
      closedUntil = now() + PAUSE_MS;
      averageMs = SLOW_MS / 2;
    },
    nextTurn() {
      setTurn();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
