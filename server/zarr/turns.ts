/**
 * Time-slices work on the event loop for the whole process, so that other events are processed between two
 * turns, even if many chunks arrive at once.
 */

import { runInNextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

const TURN_MS = 4;

let spentMs = 0;
let isScheduled = false;
let waiting: (() => void)[] = [];

/**
 * Runs the work if the current turn has time left.
 * @returns whether it has run.
 * @throws its errors
 */
export function runNow(work: () => void): boolean {
  if (spentMs >= TURN_MS || waiting.length > 0) return false;
  schedule();
  runTimed(work);
  return true;
}

/** Queues the work for a later turn. It must not throw. */
export function runLater(work: () => void): void {
  waiting.push(work);
  schedule();
}

/** Maximum milliseconds of one caller of `runSteps` per turn. */
const STEP_MS = 1;

/**
 * Runs work that consists of short steps, without blocking the event loop.
 * @throws AbortedError; errors of the steps
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

/** Number of small steps between two checks of the clock. */
export const STEPS_BETWEEN_PAUSES = 256;

/**
 * For long loops whose steps take microseconds, and whose awaits may all resolve within one turn of the
 * event loop. The returned function returns a promise of a later turn when the current turn is used up,
 * otherwise undefined.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return takeTurn(() => {
      since = performance.now();
    });
  };
}

/** Call it between pieces of work. Yields to the event loop, and rejects if the work was cancelled. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Maximum duration of a piece, short compared with the tasks of worker threads, whose messages are
 * processed in between.
 */
const YIELD_MS = 2;

/** Returns a function that yields after a few milliseconds of work and throws AbortedError. */
export function createYieldToEventLoop(signal: AbortSignal | undefined): YieldToEventLoop {
  let since = performance.now();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < YIELD_MS) return;
    await takeTurn(() => {
      since = performance.now();
    });
  };
}

/**
 * Loops that are paused. Each turn of the event loop resumes one of them: they run after the promise has resolved, so that
 * several in one turn would block it for the sum of their times.
 */
const paused: (() => void)[] = [];

/** Resolves in a later turn. @param resumed called immediately before */
function takeTurn(resumed: () => void): Promise<void> {
  return new Promise((resolve) => {
    paused.push(() => {
      resumed();
      resolve();
    });
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  runInNextTurn(runTurn);
}

function runTimed(work: () => void): void {
  const start = performance.now();
  try {
    work();
  } finally {
    spentMs += performance.now() - start;
  }
}

function runTurn(): void {
  spentMs = 0;
  let done = 0;
  while (done < waiting.length && spentMs < TURN_MS) {
    const work = waiting[done++];
    if (work !== undefined) runTimed(work);
  }
  waiting = waiting.slice(done);
  paused.shift()?.();
  isScheduled = false;
  if (waiting.length > 0 || paused.length > 0 || spentMs > 0) schedule();
}
