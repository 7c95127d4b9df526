import type { Metrics } from '../http/metrics.js';
import type { KeyStore } from '../zarr/index.js';

/** The same store, with its requests and bytes counted under its configured name. */
export function withMetrics(store: KeyStore, metrics: Pick<Metrics, 'storeRequests'>): KeyStore {
  const { label } = store;
  return {
    label,
    can: store.can,
    kind: store.kind,
    describe: (key) => store.describe(key),
    async getMany(requests, each, options) {
      let bytes = 0;
      try {
        await store.getMany(
          requests,
          (index, answer) => {
            if (typeof answer === 'object') bytes += answer.bytes.byteLength;
            each(index, answer);
          },
          options,
        );
      } finally {
        metrics.storeRequests(label, 'read', requests.length, bytes);
      }
    },
    list(prefix, options) {
      metrics.storeRequests(label, 'list', 1, 0);
      return store.list(prefix, options);
    },
    walk(prefix, options) {
      metrics.storeRequests(label, 'list', 1, 0);
      return store.walk(prefix, options);
    },
    async set(key, bytes, condition, options) {
      metrics.storeRequests(label, 'write', 1, bytes.byteLength);
      return store.set(key, bytes, condition, options);
    },
    async delete(keys, condition, options) {
      metrics.storeRequests(label, 'write', keys.length, 0);
      return store.delete(keys, condition, options);
    },
    async deletePrefix(prefix, options) {
      metrics.storeRequests(label, 'write', 1, 0);
      return store.deletePrefix(prefix, options);
    },
    close: () => store.close(),
  };
}
