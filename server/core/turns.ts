/**
 * Time-slices work on the event loop for the whole process, so that other events are processed between two
 * turns, even if many chunks arrive at once.
 */

import { runInNextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

/**
 * How long a piece of work may hold the event loop before other events are processed, in milliseconds. No other module
 * defines such a duration.
 */
export const turnMs = {
  /** All work that this module starts in one turn, and a loop that pauses. */
  shared: 4,
  /** One computation that shares turns with others. */
  step: 1,
  /** Work between two messages of decoding threads, which are short compared with their tasks. */
  feeding: 2,
  /** Reading and decoding of local files for one read, on this thread. */
  reading: 8,
  /** One chunk in a direct read on this thread. The pipeline decodes slower chunks. */
  chunk: 5,
  /** One chunk on a thread that serves requests, if all decoding threads are lost. Slower chunks are errors. */
  longestChunk: 20,
} as const;

let spentMs = 0;
let isScheduled = false;
let waiting: (() => void)[] = [];

/**
 * Runs the work if the current turn has time left and no other work is queued.
 * @returns whether the work has run
 * @throws errors from the work
 */
export function runNow(work: () => void): boolean {
  if (spentMs >= turnMs.shared || waiting.length > 0) return false;
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

/**
 * Runs a computation that consists of short steps, without blocking the event loop. Begins in the current turn if it has
 * time left.
 * @param work yields every few tenths of a millisecond
 * @returns the result of the work; rejects with its error
 * @throws AbortedError if the signal fires
 */
export function inTurns<T>(work: Iterator<void, T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      try {
        throwIfAborted(signal);
        const ends = performance.now() + turnMs.step;
        do {
          const step = work.next();
          if (step.done === true) return resolve(step.value);
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
 * Yields to the event loop if it is time: a promise for a later turn, otherwise undefined. Call it between the steps of
 * a loop, and await the result.
 * @throws AbortedError if the work was cancelled
 */
export type Pause = () => Promise<void> | undefined;

/**
 * Creates a pause for a loop whose steps take microseconds, and whose awaits may all resolve within one turn of the event
 * loop.
 * @param afterMs duration of work after which to pause
 */
export function createPause(signal?: AbortSignal, afterMs: number = turnMs.shared): Pause {
  let since = performance.now();
  return () => {
    throwIfAborted(signal);
    if (performance.now() - since < afterMs) return undefined;
    return takeTurn(() => {
      since = performance.now();
    });
  };
}

/** Resolves in a later turn of the event loop, in which no other loop is resumed. */
export function nextTurn(): Promise<void> {
  return takeTurn(() => {});
}

/** Whether the work counted in this turn has used it up. */
export function isTurnOver(): boolean {
  return spentMs >= turnMs.shared;
}

/** Counts work that was not started by this module, such as blocking calls, in the current turn. */
export function countInTurn(ms: number): void {
  spentMs += ms;
  schedule();
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
    while (done < waiting.length && spentMs < turnMs.shared) {
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
