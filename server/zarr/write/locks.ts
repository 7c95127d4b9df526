/** Locks that all writers of this process share, by store: read-modify-write of one object is done by one at a time. */
import { createKeyLock, type KeyLock } from '../store/key-lock.js';
import type { KeyStore } from '../store/store.js';

const locks = new WeakMap<KeyStore, KeyLock>();

export function lockOf(store: KeyStore): KeyLock {
  const known = locks.get(store);
  if (known !== undefined) return known;
  const lock = createKeyLock();
  locks.set(store, lock);
  return lock;
}
