/**
 * Locks shared by all writers of a store, so that a read-modify-write of one object is exclusive. Stores that
 * support it also exclude writers of other processes. Changes that still lose a race are repeated.
 */
import { ConflictError, isZarrError, throwIfAborted } from '../../core/errors.js';
import { createKeyLock } from '../../store/locks.js';
import type { LockedBody, LockOptions, KeyStore } from '../../store/store.js';

interface StoreLock {
  /**
   * Runs `body` after all earlier calls with this key have ended, even if they failed.
   * @param body receives a signal that also fires when the lock is lost
   */
  withLock<T>(key: string, body: LockedBody<T>, options: LockOptions): Promise<T>;
}

const locks = new WeakMap<KeyStore, StoreLock>();

export function lockOf(store: KeyStore): StoreLock {
  const known = locks.get(store);
  if (known !== undefined) return known;
  const own = createKeyLock();
  const lock: StoreLock = {
    withLock: (key, body, options) =>
      own.withLock(key, () =>
        store.withLock === undefined ? body(options.signal) : store.withLock(key, body, options),
      ),
  };
  locks.set(store, lock);
  return lock;
}

// Retries changes that lost a race with another writer.

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
