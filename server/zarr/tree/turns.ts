/**
 * Long work in short pieces. All of the process's pieces wait in one line, so that however many requests have such work
 * at a time, others are served between any two pieces.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What one piece may take, in milliseconds. */
const PIECE_MS = 3;

let line: Promise<unknown> = Promise.resolve();

/**
 * Drives work to its end.
 * @param work yields often, after some tenths of a millisecond each
 * @returns what the work returns; rejects with what it throws
 */
export async function runInTurns<T>(work: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const since = performance.now();
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() - since < PIECE_MS);
    line = line.then(() => nextTurn());
    await line;
  }
}

/** For loops that wait for nothing, such as listings from memory: lets others run after each piece of work. */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < PIECE_MS) return undefined;
    line = line.then(() => nextTurn()).then(() => void (since = performance.now()));
    return line.then(() => undefined);
  };
}

/** The same at once, for work that is known to be short. */
export function runNow<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
