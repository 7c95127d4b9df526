/** Yields to the event loop between pieces of long computations. */
import { nextTurn } from '#platform';
import { throwIfAborted } from './errors.js';

/** Called between pieces of work: yields to the event loop, and rejects if the work was cancelled. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Short compared with the tasks of worker threads, whose results are received and whose next tasks are sent
 * in between.
 */
const WORK_MS = 2;

/** Yields after some milliseconds of work. @throws AbortedError, from the returned function */
export function createYieldToEventLoop(signal: AbortSignal | undefined): YieldToEventLoop {
  let since = performance.now();
  // Concurrent computations wait for each other, so that each turn of the event loop runs only one.
  let line: Promise<unknown> = Promise.resolve();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < WORK_MS) return;
    line = line.then(() => nextTurn());
    await line;
    since = performance.now();
  };
}
