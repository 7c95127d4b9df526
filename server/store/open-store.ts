/** Opens a store by its URL. */
import {
  openAzure,
  openGcs,
  openPath,
  openReferences,
  openRepository,
  openS3,
  pathFromFileUrl,
} from '#file-stores';
import { InputError, ZarrError } from '../core/errors.js';
import { createHttpStore } from './http.js';
import { parseBaseUrl } from './http/address.js';
import {
  isZipName,
  requestBounds,
  withMeasuring,
  withRemoteLayers,
  withStartAsFile,
  type OpenStoreOptions,
} from './layers.js';
import { createMemoryStore } from './memory.js';
import { createN5Store } from './n5.js';
import type { KeyStore } from './store.js';
import { createZipStore } from './zip.js';

/**
 * Opens the store at a path, `file:`, `http:`, `https:`, `s3:`, `gs:`, `az:` or `abfs:` URL, any of these ending in `.zip`, the Icechunk
 * repository at such an address after `icechunk+` (`icechunk+s3://bucket/repo?tag=v1`), the references at one after
 * `references+` (`references+s3://bucket/refs.json?prefix=s3://archive/`), the N5 container at one after `n5+`, or `memory:`.
 * Reads no objects, so the first read reports a wrong URL. Paths and addresses of buckets require Node.
 * A path ending in `.zip` that does not exist is a new archive, if writing is allowed; an existing archive is
 * read-only.
 * @param name the configured name, which may be shown; the URL is not shown
 * @throws InputError for an invalid or unsupported URL
 */
export function openStoreFromUrl(name: string, url: string, options: OpenStoreOptions = {}): KeyStore {
  try {
    return openStore(name, url, options);
  } catch (error) {
    throw error instanceof ZarrError ? error.withContext({ store: name }) : error;
  }
}

function openStore(name: string, url: string, options: OpenStoreOptions): KeyStore {
  switch (schemeOf(url)) {
    case undefined:
      return openPath(name, url, options);
    case 'file':
      return openPath(name, pathFromFileUrl(url), options);
    case 'http':
    case 'https':
      return openHttp(name, url, options);
    case 'memory':
      if (url !== 'memory:' && url !== 'memory://')
        throw new InputError('the URL of a store in memory must be "memory:"');
      return withMeasuring(createMemoryStore({ label: name }), options);
    case 's3':
      return openS3(name, url, options);
    case 'gs':
      return openGcs(name, url, options);
    case 'az':
    case 'abfs':
    case 'abfss':
      return openAzure(name, url, options);
    case 'icechunk+file':
    case 'icechunk+s3':
    case 'icechunk+gs':
    case 'icechunk+az':
    case 'icechunk+http':
    case 'icechunk+https':
      return openRepository(url, options, (address, own) => openStore(name, address, own), name);
    case 'references+file':
    case 'references+s3':
    case 'references+gs':
    case 'references+az':
    case 'references+http':
    case 'references+https':
      return openReferences(url, options, (address, own) => openStore(name, address, own), name);
    case 'n5+file':
    case 'n5+s3':
    case 'n5+gs':
    case 'n5+az':
    case 'n5+http':
    case 'n5+https':
      return createN5Store(openStore(name, containerAddress(url), { ...options, readonly: true }));
    default:
      throw new InputError(
        'unsupported URL scheme; use a path, file:, http:, https:, s3:, gs:, az: or abfs: (any of these may end in .zip), icechunk+, references+ or n5+ before one of them, or memory:',
      );
  }
}

/** The address of the files of an N5 container: a path after `n5+file:`. */
function containerAddress(url: string): string {
  const address = url.slice('n5+'.length);
  return /^file:(?!\/\/)/i.test(address) ? address.slice('file:'.length) : address;
}

/** The scheme of a URL. A single letter before the colon is a drive on Windows. */
function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
}

function openHttp(name: string, url: string, options: OpenStoreOptions): KeyStore {
  const address = parseBaseUrl(url);
  const slash = address.pathname.lastIndexOf('/');
  const isArchive = isZipName(address.pathname);
  const key = decodePart(address.pathname.slice(slash + 1));
  address.pathname = address.pathname.slice(0, slash + 1);
  const openAbove = (): KeyStore => openWeb(name, address.href, options);
  if (isArchive) return createZipStore({ label: name, source: { store: openAbove(), key } });
  return withStartAsFile(openWeb(name, url, options), key, openAbove);
}

function openWeb(name: string, url: string, options: OpenStoreOptions): KeyStore {
  const store = createHttpStore({ label: name, url, ...options.http, ...requestBounds(name, options) });
  return withRemoteLayers(store, options);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new InputError('the URL has a "%" that is not a percent-encoding; write it as %25', { cause });
  }
}
