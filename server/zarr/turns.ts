/**
 * Time-slices work on the event loop for the whole process, so that other events are processed between two
 * turns, even if many chunks arrive at once.
 */

import { runInNextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

/** Duration of the work in one turn of the event loop after which no more is started, in milliseconds. */
const TURN_MS = 4;

let spentMs = 0;
let isScheduled = false;
let waiting: (() => void)[] = [];

/**
 * Runs the work if the current turn has time left and no other work is queued.
 * @returns whether the work has run
 * @throws errors from the work
 */
export function runNow(work: () => void): boolean {
  if (spentMs >= TURN_MS || waiting.length > 0) return false;
  schedule();
  runTimed(work);
  return true;
}

/** Queues the work for a later turn of the event loop. The work must not throw. */
export function runLater(work: () => void): void {
  waiting.push(work);
  schedule();
}

/**
 * Runs the work in the current turn if it has time left, otherwise in a later one, so that many callers of one turn do
 * not block the event loop for the sum of their times.
 * @throws errors from the work
 */
export function inTurn<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = (): void => {
      try {
        resolve(work());
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    if (!runNow(run)) runLater(run);
  });
}

/** Time after which a caller of `runSteps` starts no further step in a turn, in milliseconds. */
const STEP_MS = 1;

/**
 * Runs work that consists of short steps, without blocking the event loop.
 * @throws AbortedError if the signal fires; errors from the steps
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

/** Runs the work to its end, without pauses. Use it only for short work. */
export function runToEnd<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Number of short steps between two checks of the clock. */
export const STEPS_BETWEEN_PAUSES = 256;

/**
 * Creates a pause for long loops whose steps take microseconds, and whose awaits may all resolve within one
 * turn of the event loop.
 * @param turnMs duration of work after which to pause, in milliseconds
 * @returns a function that returns a promise for a later turn if `turnMs` have passed since the last pause,
 * otherwise undefined
 */
export function createPause(turnMs = TURN_MS): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return takeTurn(() => {
      since = performance.now();
    });
  };
}

/**
 * Yields to the event loop if it is time, and rejects if the work was cancelled. Call it between pieces of
 * work.
 */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Time between two yields in milliseconds. It is short compared with the tasks of decoding threads, whose
 * messages are processed in between.
 */
const YIELD_MS = 2;

/**
 * Creates a function that yields after a few milliseconds of work, and rejects with AbortedError if the
 * signal has fired.
 */
export function createYieldToEventLoop(signal: AbortSignal | undefined): YieldToEventLoop {
  const pause = createPause(YIELD_MS);
  return async () => {
    throwIfAborted(signal);
    return pause();
  };
}

/**
 * Loops that are paused. Each turn of the event loop resumes only one, because loops run after the promise
 * has resolved: several in one turn would block the event loop for the sum of their times.
 */
const paused: (() => void)[] = [];

/** Resolves in a later turn of the event loop. @param resumed called immediately before the promise resolves */
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
  try {
    while (done < waiting.length && spentMs < TURN_MS) {
      const work = waiting[done++];
      if (work !== undefined) runTimed(work);
    }
  } finally {
    // Runs even after an error, because a program that survives the error must not lose the work of all other
    // reads.
    waiting = waiting.slice(done);
    paused.shift()?.();
    isScheduled = false;
    if (waiting.length > 0 || paused.length > 0 || spentMs > 0) schedule();
  }
}
