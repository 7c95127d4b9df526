/**
 * Locks shared by all writers of a store, so that a read-modify-write of one object is exclusive. Stores that
 * support it also exclude writers of other processes.
 */
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
