/**
 * Locks that all writers share, by store: read-modify-write of one object is done by one at a time. Writers of other
 * processes are kept out where the store can do that.
 */
import { createKeyLock } from '../store/key-lock.js';
import type { HeldBody, HoldOptions, KeyStore } from '../store/store.js';

export interface StoreLock {
  /**
   * Runs `body` when all that came earlier with this key is done, whether it failed or not.
   * @param body its signal fires also when the lock is lost
   */
  hold<T>(key: string, body: HeldBody<T>, options: HoldOptions): Promise<T>;
}

const locks = new WeakMap<KeyStore, StoreLock>();

export function lockOf(store: KeyStore): StoreLock {
  const known = locks.get(store);
  if (known !== undefined) return known;
  const own = createKeyLock();
  const lock: StoreLock = {
    hold: (key, body, options) =>
      own.hold(key, () => (store.hold === undefined ? body(options.signal) : store.hold(key, body, options))),
  };
  locks.set(store, lock);
  return lock;
}
