/**
 * Runs long computations in short pieces. All pieces of the process wait in one queue, so that requests are
 * served between any two, however many computations are active.
 */
import { nextTurn } from '#platform';

/** Maximum duration of a piece in milliseconds. */
const PIECE_MS = 3;

let line: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` to its end.
 * @param work yields frequently, after some tenths of a millisecond each
 * @returns the work's result; rejects with its error
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

/**
 * For loops that never wait, such as listings from memory: yields to the event loop after each piece of work.
 */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < PIECE_MS) return undefined;
    line = line.then(() => nextTurn()).then(() => void (since = performance.now()));
    return line.then(() => undefined);
  };
}

/** Runs the work synchronously. For work that is known to be short. */
export function runNow<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
