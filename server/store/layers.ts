/** The wrappers around a store that `openStoreFromUrl` opens: metrics, circuit breaker, coalescing, cache. */
import type { CachedParts } from './cache/object-memory.js';
import type { FilesystemStoreOptions } from './filesystem/options.js';
import type { HttpStoreOptions } from './http.js';
import type { AzureStoreOptions } from './azure.js';
import type { CloudStoreOptions } from './cloud/create-cloud-store.js';
import type { GcsStoreOptions } from './gcs.js';
import type { S3StoreOptions } from './s3.js';
import type { KeyStore } from './store.js';
import { readStart } from './foreign-format.js';
import { isKey } from './keys.js';
import { withBreaker } from './with-breaker.js';
import { withCache } from './with-cache.js';
import { remoteBounds, withCoalescing } from './with-coalescing.js';
import { withMetrics, type StoreOperation, type StoreMetrics } from './with-metrics.js';

/** The options of `openStoreFromUrl`. */
export interface OpenStoreOptions {
  /**
   * Icechunk repositories and references: the files outside of the store that virtual chunks may be in. A prefix is the
   * beginning of their addresses and ends with a slash, such as `s3://bucket/archive/`; `./` is the folder of the references.
   * Requests to S3 are anonymous by default.
   * @default none
   */
  readonly virtualChunks?: readonly VirtualChunkOptions[] | undefined;
  /** Whether the store rejects writes, even if it supports them. @default true */
  readonly readonly?: boolean;
  /**
   * Time for which cached results are used without revalidation, in milliseconds.
   * @default 10000 for remote stores, 0 for folders
   */
  readonly maxAgeMs?: number | undefined;
  /** Maximum size of the cache of stored bytes. @default 64 MiB for remote stores, 0 for folders */
  readonly cacheBytes?: number | undefined;
  /** The cache of stored bytes, of `cacheBytes`, shared with other stores; see `createCachedParts`. */
  readonly cachedParts?: CachedParts | undefined;
  /** Maximum number of concurrent requests, or of open files. @default depends on the kind of store */
  readonly concurrency?: number | undefined;
  /**
   * Remote stores: maximum number of objects whose versions are requested to check whether a result has changed, one
   * request each. Results of more objects are computed again.
   * @default 256
   */
  readonly maxVersionChecks?: number | undefined;
  /** Maximum number of retries of a request after transient failures. @default 3 for HTTP, 4 for S3 */
  readonly retries?: number | undefined;
  /**
   * Time limit of one request to the store including retries, in milliseconds; each MiB transferred adds a
   * second.
   * @default 15000
   */
  readonly deadlineMs?: number | undefined;
  /** Receives the requests to the store, excluding those served from the cache. */
  readonly metrics?: StoreMetrics | undefined;
  /** Options of folders; see `FilesystemStoreOptions`. */
  readonly onForeignWrite?: FilesystemStoreOptions['onForeignWrite'];
  readonly filesystem?: Pick<FilesystemStoreOptions, 'fsync' | 'followLinks' | 'lock'> & {
    /**
     * Whether a missing folder is created immediately. If false, the folder must exist.
     * @default the first write creates it
     */
    readonly create?: boolean;
  };
  readonly http?: Omit<
    HttpStoreOptions,
    'label' | 'url' | 'concurrency' | 'maxVersionChecks' | 'attempts' | 'deadlineMs' | 'onRetry'
  >;
  readonly s3?: Omit<
    S3StoreOptions,
    | 'label'
    | 'url'
    | 'readonly'
    | 'concurrency'
    | 'maxVersionChecks'
    | 'attempts'
    | 'deadlineMs'
    | 'onRetry'
    | 'onHedge'
  >;
  readonly gcs?: Omit<GcsStoreOptions, 'url' | Exclude<keyof CloudStoreOptions, 'firstByteMs' | 'stallMs'>>;
  readonly azure?: Omit<
    AzureStoreOptions,
    'url' | Exclude<keyof CloudStoreOptions, 'firstByteMs' | 'stallMs'>
  >;
}

/** The files below a prefix, with the options of their store. */
interface VirtualChunkOptions extends Pick<OpenStoreOptions, 'filesystem' | 'http' | 's3' | 'gcs' | 'azure'> {
  readonly prefix: string;
}

/** Defaults of remote stores. */
export const remoteDefaults = { maxAgeMs: 10_000, cacheBytes: 64 * 2 ** 20 };
export const localDefaults = { maxAgeMs: 0, cacheBytes: 0 };

/** Layers of remote stores: circuit breaker, metrics, coalescing of nearby ranges, cache. */
export function withRemoteLayers(store: KeyStore, options: OpenStoreOptions): KeyStore {
  const guarded = withMeasuring(withBreaker(store), options);
  return cached(withCoalescing(guarded, remoteBounds), options, remoteDefaults);
}

/** Layers of folders, which coalesce reads themselves. Bytes are cached only if the options enable it. */
export function withLocalLayers(store: KeyStore, options: OpenStoreOptions): KeyStore {
  return cached(withMeasuring(withBreaker(store), options), options, localDefaults);
}

/** Counts requests to the store, excluding cached results; coalesced ranges count as one. */
export function withMeasuring(store: KeyStore, { metrics }: OpenStoreOptions): KeyStore {
  return metrics === undefined ? store : withMetrics(store, metrics);
}

/** The cache that the options enable. */
export function cached(
  store: KeyStore,
  options: OpenStoreOptions,
  defaults: typeof remoteDefaults,
): KeyStore {
  const { maxAgeMs = defaults.maxAgeMs, cacheBytes = defaults.cacheBytes } = options;
  return maxAgeMs === 0 && cacheBytes === 0
    ? store
    : withCache(store, { maxAgeMs, maxBytes: cacheBytes, parts: options.cachedParts });
}

interface RequestBounds {
  readonly concurrency?: number;
  readonly maxVersionChecks?: number;
  readonly attempts?: number;
  readonly deadlineMs?: number;
  readonly onRetry: (operation: StoreOperation) => void;
}

/** The options shared by all kinds of remote stores. */
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

/**
 * Adds `startAsFile`.
 * @param open opens the folder above the address; `key` is the last part of the address, "" for none
 */
export function withStartAsFile(store: KeyStore, key: string, open: () => KeyStore): KeyStore {
  if (!isKey(key)) return store;
  return {
    ...store,
    async startAsFile(signal) {
      const above = open();
      try {
        return await readStart(above, key, signal);
      } finally {
        await above.close();
      }
    },
  };
}

/** Whether a path or key names a zip archive. */
export function isZipName(path: string): boolean {
  return /\.(?:zip|ozx)$/i.test(path);
}
