/**
 * Divides bursts of requests into turns of the event loop. A thousand requests that arrive together, or wait for the same
 * chunk, would otherwise be executed, or sent, in one turn.
 */
import { turnMs } from '../zarr/index.js';

/** Wait for a turn that has time left. @returns undefined to continue immediately */
export interface TurnGate {
  /** Before a request is executed. */
  start(): Promise<void> | undefined;
  /** Before a response is sent. Precedes those that have not started. */
  end(): Promise<void> | undefined;
}

/** @param now clock in milliseconds, for tests */
export function createTurnGate(now: () => number = () => performance.now()): TurnGate {
  const starting: (() => void)[] = [];
  const ending: (() => void)[] = [];
  /** When the first caller of this turn continued. */
  let beganMs: number | undefined;

  function begin(): void {
    beganMs = now();
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    beganMs = undefined;
    const next = ending.shift() ?? starting.shift();
    if (next === undefined) return;
    begin();
    resume(next);
  }

  /** Resumes callers one after the other, each after the microtasks of the one before, while the turn has time left. */
  function resume(caller: () => void): void {
    caller();
    queueMicrotask(() =>
      process.nextTick(() => {
        const next = hasTime() ? (ending.shift() ?? starting.shift()) : undefined;
        if (next !== undefined) resume(next);
      }),
    );
  }

  const hasTime = (): boolean => beganMs !== undefined && now() - beganMs < turnMs.shared;

  function pass(waiting: (() => void)[]): Promise<void> | undefined {
    if (beganMs === undefined) begin();
    else if (!hasTime())
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    return undefined;
  }

  return { start: () => pass(starting), end: () => pass(ending) };
}
