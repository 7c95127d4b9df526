/** Retries changes that lost a race with another writer. */
import { ConflictError, isZarrError, throwIfAborted } from '../../core/errors.js';

/** A conflict that retrying does not resolve. */
export class SettledConflictError extends ConflictError {}

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 4;

/**
 * Runs `body` again, including its reads, as long as it fails with CONFLICT.
 * @throws ConflictError after six attempts, and immediately for a SettledConflictError
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
    // The delay is random, so that two writers do not collide again.
    const pauseMs = FIRST_PAUSE_MS * 2 ** attempt * Math.random();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
