/** From the address in a configuration to a store. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, ZarrError } from '../errors.js';
import { createFilesystemStore } from './filesystem.js';
import type { FilesystemStoreOptions } from './filesystem.js';
import { createHttpStore } from './http.js';
import type { HttpStoreOptions } from './http.js';
import { parseBaseUrl } from './http/address.js';
import { createMemoryStore } from './memory.js';
import { createNewZipStore } from './new-zip.js';
import { createS3Store } from './s3.js';
import type { S3StoreOptions } from './s3.js';
import { splitS3Url } from './s3/address.js';
import type { KeyStore } from './store.js';
import { withBreaker } from './with-breaker.js';
import { withCache } from './with-cache.js';
import { remoteBounds, withCoalescing } from './with-coalescing.js';
import { withMetrics } from './with-metrics.js';
import type { StoreMetrics, StoreOperation } from './with-metrics.js';
import { createZipStore } from './zip.js';

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

const remoteDefaults = { maxAgeMs: 10_000, cacheBytes: 64 * 2 ** 20 };
const localDefaults = { maxAgeMs: 0, cacheBytes: 0 };

/**
 * The store at an address: a path, `file:`, `http:`, `https:`, `s3:`, any of these ending in `.zip`, or `memory:`. Near
 * ranges of one object are read together. Nothing is read yet: whether there is something at the address shows with the first read.
 * A path ending in `.zip` where nothing is yet is a new archive, if writing is allowed; an archive that is there is
 * read-only.
 * @param name the configured name, safe to show; the address is not shown
 * @throws InputError for an address that is none, or of another kind
 */
export function openStoreFromUrl(name: string, url: string, options: OpenStoreOptions = {}): KeyStore {
  try {
    return openStore(name, url, options);
  } catch (error) {
    throw error instanceof ZarrError ? error.at({ store: name }) : error;
  }
}

function openStore(name: string, url: string, options: OpenStoreOptions): KeyStore {
  switch (schemeOf(url)) {
    case undefined:
      return openPath(name, url, options);
    case 'file':
      return openPath(name, pathOfUrl(url), options);
    case 'http':
    case 'https':
      return openHttp(name, url, options);
    case 'memory':
      if (url !== 'memory:' && url !== 'memory://')
        throw new InputError('the address of a store in memory is "memory:", without more');
      return measured(createMemoryStore({ label: name }), options);
    case 's3':
      return openS3(name, url, options);
    default:
      throw new InputError(
        'the address is of no known kind; use a path, file:, http:, https:, s3: (any of these may end in .zip) or memory:',
      );
  }
}

/** A letter alone is a drive on Windows. */
function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new InputError('the file: address must be of this machine, like file:///data/store.zarr', {
      cause,
    });
  }
}

const isZip = (path: string): boolean => path.toLowerCase().endsWith('.zip');

/** False where that cannot be told now: then the first read says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function openPath(name: string, given: string, options: OpenStoreOptions): KeyStore {
  if (given === '') throw new InputError('the path of the store is empty');
  const path = resolve(given);
  const readonly = options.readonly ?? true;
  if (!isZip(path) || isFolder(path)) return openFolder(name, path, readonly, options);
  if (!readonly && !existsSync(path))
    return measured(createNewZipStore({ label: name, path, ...fsyncOf(options) }), options);
  // Who configured the archive may have given a link to it.
  const store = openFolder(name, dirname(path), true, { ...options, filesystem: { followLinks: true } });
  return createZipStore({
    label: name,
    source: { store, key: basename(path) },
  });
}

function openFolder(name: string, root: string, readonly: boolean, options: OpenStoreOptions): KeyStore {
  const { concurrency, deadlineMs, filesystem, onForeignWrite } = options;
  const bounds = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(onForeignWrite === undefined ? {} : { onForeignWrite }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  };
  if (filesystem?.create === true && !readonly) mkdirSync(root, { recursive: true });
  const store = createFilesystemStore({ label: name, root, readonly, ...filesystem, ...bounds });
  return cached(measured(withBreaker(store), options), options, localDefaults);
}

function fsyncOf({ filesystem }: OpenStoreOptions): { fsync?: boolean } {
  return filesystem?.fsync === undefined ? {} : { fsync: filesystem.fsync };
}

function cached(store: KeyStore, options: OpenStoreOptions, defaults: typeof remoteDefaults): KeyStore {
  const { maxAgeMs = defaults.maxAgeMs, cacheBytes = defaults.cacheBytes } = options;
  return maxAgeMs === 0 && cacheBytes === 0 ? store : withCache(store, { maxAgeMs, maxBytes: cacheBytes });
}

function openHttp(name: string, url: string, options: OpenStoreOptions): KeyStore {
  const address = parseBaseUrl(url);
  if (!isZip(address.pathname)) return openWeb(name, url, options);
  const slash = address.pathname.lastIndexOf('/');
  const key = decodePart(address.pathname.slice(slash + 1));
  address.pathname = address.pathname.slice(0, slash + 1);
  const store = openWeb(name, address.href, options);
  return createZipStore({ label: name, source: { store, key } });
}

function openWeb(name: string, url: string, options: OpenStoreOptions): KeyStore {
  return near(createHttpStore({ label: name, url, ...options.http, ...effortOf(name, options) }), options);
}

function openS3(name: string, url: string, options: OpenStoreOptions): KeyStore {
  const { folder, key } = splitS3Url(url);
  const isArchive = key !== undefined && isZip(key);
  const bucket = createS3Store({
    label: name,
    url: isArchive ? folder : url,
    readonly: isArchive || (options.readonly ?? true),
    ...options.s3,
    ...effortOf(name, options),
  });
  const store = near(bucket, options);
  return isArchive ? createZipStore({ label: name, source: { store, key } }) : store;
}

/** What makes a store behind a network bearable. */
function near(store: KeyStore, options: OpenStoreOptions): KeyStore {
  const guarded = measured(withBreaker(store), options);
  return cached(withCoalescing(guarded, remoteBounds), options, remoteDefaults);
}

/** Counts what is asked of the store itself: not what is answered from memory, and near ranges as the one they become. */
function measured(store: KeyStore, { metrics }: OpenStoreOptions): KeyStore {
  return metrics === undefined ? store : withMetrics(store, metrics);
}

interface StoreEffort {
  readonly concurrency?: number;
  readonly attempts?: number;
  readonly deadlineMs?: number;
  readonly onRetry: (operation: StoreOperation) => void;
}

function effortOf(store: string, options: OpenStoreOptions): StoreEffort {
  const { concurrency, retries, deadlineMs, metrics } = options;
  return {
    onRetry: (operation) => metrics?.retried?.({ store, operation }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(retries === undefined ? {} : { attempts: retries + 1 }),
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new InputError('the address holds a "%" that is no percent-encoding', { cause });
  }
}
