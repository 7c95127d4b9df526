/**
 * Runs long computations in short pieces. All pieces of the process share one queue, so that requests are
 * served between two pieces, even if many computations are active.
 */
import { nextTurn } from '#platform';

/** Duration after which a piece takes no further step, in milliseconds. */
const PIECE_MS = 3;

/** Resolves when the last computation in the queue may continue. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` to its end.
 * @param work yields every few tenths of a millisecond
 * @returns the work's result; rejects with its error
 */
export async function runInTurns<T>(work: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const since = performance.now();
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() - since < PIECE_MS);
    queue = queue.then(() => nextTurn());
    await queue;
  }
}
