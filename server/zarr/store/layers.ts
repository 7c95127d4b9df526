/** The wrappers around a store that `openStoreFromUrl` opens: metrics, circuit breaker, coalescing, cache. */
import type { OpenStoreOptions } from './open-options.js';
import type { KeyStore } from './store.js';
import { withBreaker } from './with-breaker.js';
import { withCache } from './with-cache.js';
import { remoteBounds, withCoalescing } from './with-coalescing.js';
import { withMetrics, type StoreOperation } from './with-metrics.js';

const remoteDefaults = { maxAgeMs: 10_000, cacheBytes: 64 * 2 ** 20 };
const localDefaults = { maxAgeMs: 0, cacheBytes: 0 };

/** For remote stores: coalesces nearby ranges, caches and revalidates bytes. */
export function withRemoteLayers(store: KeyStore, options: OpenStoreOptions): KeyStore {
  const guarded = withMeasuring(withBreaker(store), options);
  return cached(withCoalescing(guarded, remoteBounds), options, remoteDefaults);
}

/** For folders, which coalesce reads themselves. Cached only if the options enable it. */
export function withLocalLayers(store: KeyStore, options: OpenStoreOptions): KeyStore {
  return cached(withMeasuring(withBreaker(store), options), options, localDefaults);
}

/** Counts requests to the store, excluding cached results; coalesced ranges count as one. */
export function withMeasuring(store: KeyStore, { metrics }: OpenStoreOptions): KeyStore {
  return metrics === undefined ? store : withMetrics(store, metrics);
}

function cached(store: KeyStore, options: OpenStoreOptions, defaults: typeof remoteDefaults): KeyStore {
  const { maxAgeMs = defaults.maxAgeMs, cacheBytes = defaults.cacheBytes } = options;
  return maxAgeMs === 0 && cacheBytes === 0 ? store : withCache(store, { maxAgeMs, maxBytes: cacheBytes });
}

interface RequestBounds {
  readonly concurrency?: number;
  readonly maxVersionChecks?: number;
  readonly attempts?: number;
  readonly deadlineMs?: number;
  readonly onRetry: (operation: StoreOperation) => void;
}

/** Options shared by all kinds of remote stores. */
export function requestBounds(store: string, options: OpenStoreOptions): RequestBounds {
  const { concurrency, maxVersionChecks, retries, deadlineMs, metrics } = options;
  return {
    onRetry: (operation) => metrics?.retried?.({ store, operation }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxVersionChecks === undefined ? {} : { maxVersionChecks }),
    ...(retries === undefined ? {} : { attempts: retries + 1 }),
  };
}

/** Whether a path or key names a zip archive. */
export function isZipName(path: string): boolean {
  return path.toLowerCase().endsWith('.zip');
}
