/** Pauses between pieces of work that take the thread for themselves. */
import { throwIfAborted } from '../errors.js';

/** Called between two pieces of work, which may take long each: lets others run, and ends what was cancelled. */
export type Breathe = () => Promise<void>;

const WORK_MS = 10;

/** Lets others run after some milliseconds of work. @throws AbortedError, from the function that is returned */
export function createBreathe(signal: AbortSignal | undefined): Breathe {
  let since = performance.now();
  return async () => {
    throwIfAborted(signal);
    if (performance.now() - since < WORK_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  };
}
