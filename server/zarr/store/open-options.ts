/** The options of `openStoreFromUrl`. */
import type { FilesystemStoreOptions } from './filesystem/options.js';
import type { HttpStoreOptions } from './http.js';
import type { S3StoreOptions } from './s3.js';
import type { StoreMetrics } from './with-metrics.js';

export interface OpenStoreOptions {
  /** Whether writing is refused where the store could do it. @default true */
  readonly readonly?: boolean;
  /**
   * How long an answer is trusted without asking whether it still holds, in milliseconds.
   * @default 10000 for stores behind a network, 0 for folders
   */
  readonly maxAgeMs?: number | undefined;
  /** Memory for stored bytes that were read, in bytes. @default 64 MiB for stores behind a network, 0 for folders */
  readonly cacheBytes?: number | undefined;
  /** Requests (or files) under way at a time. @default as the kind of store has it */
  readonly concurrency?: number | undefined;
  /** How often a request over the network is repeated that failed in passing. @default 3 */
  readonly retries?: number | undefined;
  /**
   * Time that one request to the store may take over all its tries, in milliseconds; each MiB that flows adds a second.
   * @default 15000
   */
  readonly deadlineMs?: number | undefined;
  /** Told what is asked of the store; what is answered from memory is not. */
  readonly metrics?: StoreMetrics | undefined;
  /** See `FilesystemStoreOptions`. */
  readonly onForeignWrite?: FilesystemStoreOptions['onForeignWrite'];
  readonly filesystem?: Pick<FilesystemStoreOptions, 'fsync' | 'followLinks' | 'lock'> & {
    /** Whether a missing folder is made now. @default the first write makes it; false: it must exist */
    readonly create?: boolean;
  };
  readonly http?: Omit<
    HttpStoreOptions,
    'label' | 'url' | 'concurrency' | 'attempts' | 'deadlineMs' | 'onRetry'
  >;
  readonly s3?: Omit<
    S3StoreOptions,
    'label' | 'url' | 'readonly' | 'concurrency' | 'attempts' | 'deadlineMs' | 'onRetry'
  >;
}
