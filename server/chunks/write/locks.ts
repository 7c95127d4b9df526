import { createKeyLock } from '../../store/locks.js';
import type { LockedBody, LockOptions, KeyStore } from '../../store/store.js';

const locks = new WeakMap<KeyStore, ReturnType<typeof createKeyLock>>();

/**
 * Runs `body` after all earlier calls with this store and key have ended, even if they failed, so that a
 * read-modify-write of one object is exclusive among all writers of the store. Stores that support it also exclude
 * writers of other processes.
 * @param body receives a signal that also fires when the lock is lost
 */
export function withLock<T>(
  store: KeyStore,
  key: string,
  body: LockedBody<T>,
  options: LockOptions,
): Promise<T> {
  const lock = locks.get(store) ?? createKeyLock();
  locks.set(store, lock);
  return lock.withLock(key, () =>
    store.withLock === undefined ? body(options.signal) : store.withLock(key, body, options),
  );
}
