/** From the address in a configuration to a store. */
import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, UnsupportedError, ZarrError } from '../errors.js';
import { createFilesystemStore } from './filesystem.js';
import type { FilesystemStoreOptions } from './filesystem.js';
import { createHttpStore } from './http.js';
import type { HttpStoreOptions } from './http.js';
import { parseBaseUrl } from './http/address.js';
import { createMemoryStore } from './memory.js';
import type { KeyStore } from './store.js';
import { remoteBounds, withCoalescing } from './with-coalescing.js';
import { createZipStore } from './zip.js';

export interface OpenStoreOptions {
  /** Whether writing is refused where the store could do it. @default true */
  readonly readonly?: boolean;
  readonly filesystem?: Pick<FilesystemStoreOptions, 'concurrency' | 'fsync' | 'followLinks'>;
  readonly http?: Omit<HttpStoreOptions, 'label' | 'url'>;
}

/**
 * The store at an address: a path, `file:`, `http:`, `https:`, any of these ending in `.zip`, or `memory:`. Near ranges of
 * one object are read together. Nothing is read yet: whether there is something at the address shows with the first read.
 * @param name the configured name, safe to show; the address is not shown
 * @throws InputError for an address that is none, UnsupportedError for other kinds of stores
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
      return createMemoryStore({ label: name });
    case 's3':
      throw new UnsupportedError('stores on S3 are not supported yet; use the https: address of the bucket');
    default:
      throw new InputError(
        'the address is of no known kind; use a path, file:, http:, https: (any of these may end in .zip) or memory:',
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

function openPath(name: string, given: string, options: OpenStoreOptions): KeyStore {
  if (given === '') throw new InputError('the path of the store is empty');
  const path = resolve(given);
  const readonly = options.readonly ?? true;
  if (!isZip(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return createFilesystemStore({ label: name, root: path, readonly, ...options.filesystem });
  // Who configured the archive may have given a link to it.
  const store = createFilesystemStore({
    label: name,
    root: dirname(path),
    ...options.filesystem,
    readonly: true,
    followLinks: true,
  });
  return createZipStore({
    label: name,
    source: { store, key: basename(path) },
  });
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
  return withCoalescing(createHttpStore({ label: name, url, ...options.http }), remoteBounds);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new InputError('the address holds a "%" that is no percent-encoding', { cause });
  }
}
