/** Keeps a lock alive while something runs under it, and notices when it is lost. */
import { ConflictError, ZarrError } from '../errors.js';

export interface HeldLock {
  /** Others take the lock over when it was not renewed for so long, in milliseconds. */
  readonly staleMs: number;
  /** When the lock was taken or last renewed: the time of the attempt, by `performance.now`. */
  renewedAt: number;
  /** @returns false where another process has the lock. What it throws is tried again, as long as there is time */
  readonly renew: () => Promise<boolean>;
}

/**
 * Runs `body`. The lock counts as lost some time before others may take it over.
 * @param body `lost` fires when the lock is lost; `assertHeld` also notices where no timer has run since, because the
 *   process stood still
 * @param isCut whether the caller has given up, so that its own error counts
 * @throws ConflictError where the lock was lost; what `body` throws
 */
export async function keepHeld<T>(
  lock: HeldLock,
  body: (lost: AbortSignal, assertHeld: () => void) => Promise<T>,
  isCut: () => boolean,
): Promise<T> {
  const lost = new AbortController();
  const loseIfLate = (): void => {
    if (performance.now() - lock.renewedAt > (lock.staleMs * 2) / 3) lost.abort();
  };
  const assertHeld = (): void => {
    loseIfLate();
    if (lost.signal.aborted) throw lostLock();
  };
  const renew = async (): Promise<void> => {
    const renewedAt = performance.now();
    try {
      if (await lock.renew()) lock.renewedAt = renewedAt;
      else lost.abort();
    } catch {
      // The next beat tries again.
    }
  };
  let renewing: Promise<void> | undefined;
  const beat = setInterval(() => {
    loseIfLate();
    if (lost.signal.aborted) return;
    renewing ??= renew().finally(() => (renewing = undefined));
  }, lock.staleMs / 6).unref();
  try {
    const result = await body(lost.signal, assertHeld);
    assertHeld();
    return result;
  } catch (error) {
    if (!lost.signal.aborted || isCut()) throw error;
    const conflict = lostLock(error);
    const written = error instanceof ZarrError ? error.written : undefined;
    throw written === undefined ? conflict : conflict.afterWriting(written);
  } finally {
    clearInterval(beat);
    await renewing;
  }
}

function lostLock(cause?: unknown): ConflictError {
  return new ConflictError(
    'the lock was lost, since this process stood still or the store did not respond; another process may have written here: read it again',
    { cause },
  );
}
