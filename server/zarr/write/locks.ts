/**
 * Locks that all writers share, by store: read-modify-write of one object is done by one at a time. Writers of other
 * processes are kept out where the store can do that.
 */
import { createKeyLock } from '../store/key-lock.js';
import type { KeyStore } from '../store/store.js';

export interface StoreLock {
  /** Runs `body` when all that came earlier with this key is done, whether it failed or not. */
  hold<T>(key: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

const locks = new WeakMap<KeyStore, StoreLock>();

export function lockOf(store: KeyStore): StoreLock {
  const known = locks.get(store);
  if (known !== undefined) return known;
  const own = createKeyLock();
  const lock: StoreLock = {
    hold: (key, body, signal) =>
      own.hold(key, () => (store.hold === undefined ? body() : store.hold(key, body, { signal }))),
  };
  locks.set(store, lock);
  return lock;
}
