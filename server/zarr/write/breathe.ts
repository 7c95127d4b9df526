/** Pauses between pieces of work that take the thread for themselves. */
import { nextTurn } from '#platform';
import { throwIfAborted } from '../errors.js';

/** Called between two pieces of work, which may take long each: lets others run, and ends what was cancelled. */
export type Breathe = () => Promise<void>;

/** Short beside what threads work on at a time: their results are only taken up, and new work given to them, in between. */
const WORK_MS = 2;

/** Lets others run after some milliseconds of work. @throws AbortedError, from the function that is returned */
export function createBreathe(signal: AbortSignal | undefined): Breathe {
  let since = performance.now();
  // Several that work at once wait one behind the other: each turn is one's alone.
  let line: Promise<unknown> = Promise.resolve();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < WORK_MS) return;
    line = line.then(() => nextTurn());
    await line;
    since = performance.now();
  };
}
