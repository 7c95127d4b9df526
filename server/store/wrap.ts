/** The base of all wrappers: a store that delegates to another one, except for the given methods. */
import type { KeyStore } from './store.js';

/**
 * `locate` and `stage` are not delegated by default, because reads and writes of threads would bypass the
 * wrapper.
 */
type StoreMethods = Pick<
  KeyStore,
  'getMany' | 'list' | 'walk' | 'set' | 'delete' | 'deletePrefix' | 'close' | 'locate' | 'stage' | 'outdate'
>;

export function wrapStore(store: KeyStore, methods: Partial<StoreMethods>): KeyStore {
  return {
    kind: store.kind,
    isLocal: store.isLocal,
    isDurable: store.isDurable,
    maxVersionChecks: store.maxVersionChecks,
    readOnlyReason: store.readOnlyReason,
    label: store.label,
    can: store.can,
    describe: (key) => store.describe(key),
    getMany: (requests, each, options) => store.getMany(requests, each, options),
    list: (prefix, options) => store.list(prefix, options),
    walk: (prefix, options) => store.walk(prefix, options),
    set: (key, bytes, condition, options) => store.set(key, bytes, condition, options),
    delete: (keys, condition, options) => store.delete(keys, condition, options),
    deletePrefix: (prefix, options) => store.deletePrefix(prefix, options),
    close: () => store.close(),
    ...(store.outdate === undefined ? {} : { outdate: store.outdate }),
    ...(store.withLock === undefined ? {} : { withLock: store.withLock }),
    ...methods,
  };
}
