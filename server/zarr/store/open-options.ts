/** The options of `openStoreFromUrl`. */
import type { FilesystemStoreOptions } from './filesystem/options.js';
import type { HttpStoreOptions } from './http.js';
import type { S3StoreOptions } from './s3.js';
import type { StoreMetrics } from './with-metrics.js';

export interface OpenStoreOptions {
  /** Whether writes are refused even if the store supports them. @default true */
  readonly readonly?: boolean;
  /**
   * Time for which cached results are used without revalidation, in milliseconds.
   * @default 10000 for remote stores, 0 for folders
   */
  readonly maxAgeMs?: number | undefined;
  /** Size of the cache of stored bytes. @default 64 MiB for remote stores, 0 for folders */
  readonly cacheBytes?: number | undefined;
  /** Concurrent requests, or open files. @default depends on the kind of store */
  readonly concurrency?: number | undefined;
  /**
   * Remote stores: maximum number of objects whose versions are requested to check whether a result has changed, one
   * request each. Results of more objects are computed again.
   * @default 256
   */
  readonly maxVersionChecks?: number | undefined;
  /** Maximum retries of a request after transient failures. @default 3 */
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
     * Whether a missing folder is created immediately. If false, it must exist.
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
    'label' | 'url' | 'readonly' | 'concurrency' | 'maxVersionChecks' | 'attempts' | 'deadlineMs' | 'onRetry'
  >;
}
