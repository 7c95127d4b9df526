/**
 * Work on the event loop in turns of a few milliseconds for the whole process: however many chunks arrive at the same
 * time, everything else goes on between two turns.
 */

import { runInNextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

const TURN_MS = 4;

let spentMs = 0;
let isScheduled = false;
let waiting: (() => void)[] = [];

/**
 * Runs the work if this turn of the event loop has time left.
 * @returns whether it has run. @throws what it throws
 */
export function runNow(work: () => void): boolean {
  if (spentMs >= TURN_MS || waiting.length > 0) return false;
  schedule();
  runTimed(work);
  return true;
}

/** Runs the work in a later turn, after what waits already. It must not throw. */
export function runLater(work: () => void): void {
  waiting.push(work);
  schedule();
}

/** How long one caller of `runSteps` works before another has its turn. */
const STEP_MS = 1;

/**
 * Runs work that is made of short steps, without blocking the event loop.
 * @throws AbortedError; what the steps throw
 */
export function runSteps(steps: Iterator<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      try {
        throwIfAborted(signal);
        const ends = performance.now() + STEP_MS;
        do {
          if (steps.next().done === true) return resolve();
        } while (performance.now() < ends);
        runLater(turn);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    if (!runNow(turn)) runLater(turn);
  });
}

/** How many small steps may be taken between two looks at the clock. */
export const STEPS_BETWEEN_PAUSES = 256;

/**
 * For long loops whose steps take microseconds each, and whose awaits may all resolve within one turn of the event loop:
 * the function that is returned gives a promise of a later turn once this one is used up, else undefined.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return new Promise((resolve) =>
      runLater(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  runInNextTurn(nextTurn);
}

function runTimed(work: () => void): void {
  const start = performance.now();
  try {
    work();
  } finally {
    spentMs += performance.now() - start;
  }
}

function nextTurn(): void {
  spentMs = 0;
  let done = 0;
  while (done < waiting.length && spentMs < TURN_MS) {
    const work = waiting[done++];
    if (work !== undefined) runTimed(work);
  }
  waiting = waiting.slice(done);
  isScheduled = false;
  if (waiting.length > 0 || spentMs > 0) schedule();
}
