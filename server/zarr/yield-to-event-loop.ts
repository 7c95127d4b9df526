/** Yields to the event loop between pieces of long computations. */
import { nextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

/** Call it between pieces of work. Yields to the event loop, and rejects if the work was cancelled. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Maximum duration of a piece, short compared with the tasks of worker threads, whose messages are
 * processed in between.
 */
const WORK_MS = 2;

/** Returns a function that yields after a few milliseconds of work and throws AbortedError. */
export function createYieldToEventLoop(signal: AbortSignal | undefined): YieldToEventLoop {
  let since = performance.now();
  // Concurrent computations take turns, so that each turn of the event loop runs only one.
  let line: Promise<unknown> = Promise.resolve();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < WORK_MS) return;
    line = line.then(() => nextTurn());
    await line;
    since = performance.now();
  };
}
