/** Trying again where somebody else was faster, a few times. */
import { ConflictError, isZarrError, throwIfAborted } from '../errors.js';

/** A conflict that is no race: whoever tries again finds the same. */
export class SettledConflictError extends ConflictError {}

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 4;

/**
 * Runs `body` anew, from its reading on, as long as it fails with CONFLICT.
 * @throws ConflictError where it still does after six attempts, and at once for a SettledConflictError
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
      const isRace = isZarrError(error, 'CONFLICT') && !(error instanceof SettledConflictError);
      if (attempt >= ATTEMPTS || !isRace) throw error;
    }
    // Writers that met must not meet again at the same moment.
    const pauseMs = FIRST_PAUSE_MS * 2 ** attempt * Math.random();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
