/** Locks of operations: by key within this process, and locks that must be kept alive. */
import { deferred } from '../core/deferred.js';
import { ConflictError, ZarrError } from '../core/errors.js';

interface HeldLock {
  /** Time without renewal after which other processes may take over the lock, in milliseconds. */
  readonly staleMs: number;
  /** Time when the lock was acquired or last renewed: the start of the attempt, from `performance.now`. */
  renewedAt: number;
  /**
   * Renews the lock. Retried after an error while there is time.
   * @returns false if another process has the lock
   */
  readonly renew: () => Promise<boolean>;
}

/**
 * Runs `body`. The lock counts as lost some time before others may take it over.
 * @param body `lost` fires when the lock is lost; `assertHeld` detects the loss even if no timer has run since,
 * because the process was suspended
 * @param isAborted whether the caller has aborted, so that the error of `body` is thrown
 * @throws ConflictError if the lock was lost; errors from `body`
 */
export async function keepHeld<T>(
  lock: HeldLock,
  body: (lost: AbortSignal, assertHeld: () => void) => Promise<T>,
  isAborted: () => boolean,
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
      // The renewal is retried at the next interval.
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
    if (!lost.signal.aborted || isAborted()) throw error;
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
    'the write lock expired, because this process was suspended or the store did not respond, and another process may have written the object; read it again',
    { cause },
  );
}

/** Serialises operations by key within this process. */
export function createKeyLock() {
  const last = new Map<string, Promise<void>>();
  return {
    /** Runs `body` after all earlier calls with this key have ended, even if they failed. */
    async withLock<T>(key: string, body: () => Promise<T>): Promise<T> {
      const before = last.get(key);
      const mine = deferred();
      last.set(key, mine.promise);
      try {
        await before;
        return await body();
      } finally {
        mine.resolve();
        if (last.get(key) === mine.promise) last.delete(key);
      }
    },
  };
}
