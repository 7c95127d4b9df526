/** Trying again where somebody else was faster, a few times. */
import { isZarrError, throwIfAborted } from '../errors.js';

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 4;

/**
 * Runs `body` anew, from its reading on, as long as it fails with CONFLICT.
 * @throws ConflictError where it still does after six attempts
 */
export async function retryConflicts<T>(
  signal: AbortSignal | undefined,
  body: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal);
    try {
      return await body(attempt);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isZarrError(error, 'CONFLICT')) throw error;
    }
    // Writers that met must not meet again at the same moment.
    const pauseMs = FIRST_PAUSE_MS * 2 ** attempt * Math.random();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
