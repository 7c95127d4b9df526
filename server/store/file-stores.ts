/**
 * Stores that need Node: folders, zip files and S3 buckets. `#file-stores` in package.json selects this file
 * or no-file-stores.ts.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../core/errors.js';
import { DEFAULT_DEADLINE_MS } from './deadline.js';
import { createAzureStore } from './azure.js';
import { splitBucketUrl } from './cloud/address.js';
import { createFilesystemStore } from './filesystem.js';
import { createGcsStore } from './gcs.js';
import { createIcechunkStore } from './icechunk.js';
import { parseRepositoryAddress } from './icechunk/address.js';
import { createReferencesStore } from './references.js';
import { parseReferencesAddress } from './references/address.js';
import { assertVirtualPrefix, type VirtualPrefix } from './virtual/virtual-chunks.js';
import {
  cached,
  isZipName,
  localDefaults,
  remoteDefaults,
  requestBounds,
  withLocalLayers,
  withMeasuring,
  withRemoteLayers,
  withStartAsFile,
  type OpenStoreOptions,
} from './layers.js';
import { createZipWriter } from './zip-writer.js';
import { createS3Store } from './s3.js';
import { splitS3Url } from './s3/address.js';
import type { KeyStore } from './store.js';
import { withCache } from './with-cache.js';
import { createZipStore } from './zip.js';

export { createFilesystemStore };

/** @throws InputError for a URL that is not local */
export function pathFromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new InputError('a file: URL must be local, such as file:///data/store.zarr', {
      cause,
    });
  }
}

/** Opens a folder or an archive. @throws InputError for an empty path */
export function openPath(name: string, configuredPath: string, options: OpenStoreOptions): KeyStore {
  if (configuredPath === '') throw new InputError('the path of the store is empty');
  const path = resolve(configuredPath);
  const readonly = options.readonly ?? true;
  if (!isZipName(path) || isFolder(path)) return openFolder(name, path, readonly, options);
  if (!readonly && !existsSync(path) && path.toLowerCase().endsWith('.zip'))
    return withMeasuring(createZipWriter({ label: name, path, ...fsyncOf(options) }), options);
  // The configured path of the archive may be a link.
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
  return withLocalLayers(store, options);
}

function fsyncOf({ filesystem }: OpenStoreOptions): { fsync?: boolean } {
  return filesystem?.fsync === undefined ? {} : { fsync: filesystem.fsync };
}

/**
 * Whether a path is a folder. False if the path cannot be examined; the first read then reports the error.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @throws InputError for an invalid URL */
export function openS3(name: string, url: string, options: OpenStoreOptions): KeyStore {
  const { folder, key = '' } = splitS3Url(url);
  const open = (address: string, readonly: boolean): KeyStore => {
    const bucket = createS3Store({
      label: name,
      url: address,
      readonly,
      ...options.s3,
      onHedge: () => options.metrics?.hedged?.({ store: name, operation: 'read' }),
      ...requestBounds(name, options),
    });
    return withRemoteLayers(bucket, options);
  };
  if (isZipName(key)) return createZipStore({ label: name, source: { store: open(folder, true), key } });
  return withStartAsFile(open(url, options.readonly ?? true), key, () => open(folder, true));
}

/** @throws InputError for an invalid URL */
export function openGcs(name: string, url: string, options: OpenStoreOptions): KeyStore {
  return openCloud(url, options, name, (address, readonly) =>
    createGcsStore({ label: name, url: address, readonly, ...options.gcs, ...requestBounds(name, options) }),
  );
}

/** @throws InputError for an invalid URL; StoreDeniedError for an invalid key */
export function openAzure(name: string, url: string, options: OpenStoreOptions): KeyStore {
  return openCloud(url, options, name, (address, readonly) =>
    createAzureStore({
      label: name,
      url: address,
      readonly,
      ...options.azure,
      ...requestBounds(name, options),
    }),
  );
}

function openCloud(
  url: string,
  options: OpenStoreOptions,
  label: string,
  create: (url: string, readonly: boolean) => KeyStore,
): KeyStore {
  const { folder, key = '' } = splitBucketUrl(url);
  const open = (address: string, readonly: boolean): KeyStore =>
    withRemoteLayers(create(address, readonly), options);
  if (isZipName(key)) return createZipStore({ label, source: { store: open(folder, true), key } });
  return withStartAsFile(open(url, options.readonly ?? true), key, () => open(folder, true));
}

/**
 * Opens an Icechunk repository.
 * @param open opens the store of its files
 * @throws InputError for an invalid address
 */
export function openRepository(
  address: string,
  options: OpenStoreOptions,
  open: (url: string, options: OpenStoreOptions) => KeyStore,
  label: string,
): KeyStore {
  const { url, ref } = parseRepositoryAddress(address);
  if (isZipName(url.replace(/\/$/, '')))
    throw new InputError('a repository in a zip archive is not supported');
  const virtual = openPrefixes(options.virtualChunks ?? [], options, open);
  // Files that change are asked for each time; the repository remembers the snapshots of branches.
  const files = open(url, { ...options, maxAgeMs: 0, cacheBytes: 0 });
  const cacheBytes = options.cacheBytes ?? (files.isLocal ? 0 : remoteDefaults.cacheBytes);
  const maxAgeMs = options.maxAgeMs ?? (files.isLocal ? 0 : remoteDefaults.maxAgeMs);
  return createIcechunkStore({
    label,
    files,
    fixedFiles:
      cacheBytes === 0
        ? undefined
        : withCache(files, { maxAgeMs: Infinity, maxBytes: cacheBytes, parts: options.cachedParts }),
    virtual,
    ref,
    writable: options.readonly === false,
    maxAgeMs,
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
  });
}

/**
 * Opens references to parts of other files.
 * @param open opens the stores of the references, and of the files below each prefix
 * @throws InputError for an invalid address or prefix
 */
export function openReferences(
  address: string,
  options: OpenStoreOptions,
  open: (url: string, options: OpenStoreOptions) => KeyStore,
  label: string,
): KeyStore {
  const { url, key, base, prefixes, query } = parseReferencesAddress(address);
  const entries = [...(options.virtualChunks ?? []), ...prefixes.map((prefix) => ({ prefix }))];
  // Bytes are cached under the keys of the references.
  const files = open(url, { ...options, readonly: true, cacheBytes: 0 });
  const isOwn = ({ prefix }: { readonly prefix: string }): boolean => prefix.startsWith('./');
  const virtual = [
    ...openPrefixes(entries.filter((entry) => !isOwn(entry)), options, open), // prettier-ignore
    ...entries.filter(isOwn).map(({ prefix }) => openBeside(base + prefix.slice(2), query, options, open)),
  ];
  const isLocal = files.isLocal && virtual.every(({ store }) => store.isLocal);
  const defaults = isLocal ? localDefaults : remoteDefaults;
  const { maxAgeMs = defaults.maxAgeMs, maxVersionChecks } = options;
  const store = createReferencesStore({ label, files, key, base, virtual, maxAgeMs, maxVersionChecks });
  return cached(store, options, defaults);
}

/** Opens the files below a prefix in the store of the references, with its options. @throws InputError */
function openBeside(
  prefix: string,
  query: string,
  options: OpenStoreOptions,
  open: (url: string, options: OpenStoreOptions) => KeyStore,
): VirtualPrefix {
  assertVirtualPrefix(prefix);
  const uncached = { ...options, readonly: true, maxAgeMs: 0, cacheBytes: 0 };
  return { prefix, store: open(`${prefix}${query}`, uncached) };
}

/** Opens the stores of the files below prefixes, without a cache. @throws InputError for an invalid prefix */
function openPrefixes(
  entries: NonNullable<OpenStoreOptions['virtualChunks']>,
  options: OpenStoreOptions,
  open: (url: string, options: OpenStoreOptions) => KeyStore,
): VirtualPrefix[] {
  for (const { prefix } of entries) assertVirtualPrefix(prefix);
  const uncached = { ...options, readonly: true, maxAgeMs: 0, cacheBytes: 0 };
  return entries.map(({ prefix, filesystem, http = {}, s3, gcs, azure }) => ({
    prefix,
    store: open(prefix, {
      ...uncached,
      filesystem: { ...filesystem },
      http,
      s3: ofPrefix(s3),
      gcs: ofGcsPrefix(gcs),
      azure: ofAzurePrefix(azure),
    }),
  }));
}

function ofGcsPrefix(gcs: OpenStoreOptions['gcs']): NonNullable<OpenStoreOptions['gcs']> {
  return { anonymous: gcs?.credentials === undefined, ...gcs };
}

function ofAzurePrefix(azure: OpenStoreOptions['azure']): NonNullable<OpenStoreOptions['azure']> {
  const hasCredentials = [azure?.accountKey, azure?.sas, azure?.clientId].some((each) => each !== undefined);
  return { anonymous: !hasCredentials, ...azure };
}

/** The credentials of the repository are not those of other buckets. */
function ofPrefix(s3: OpenStoreOptions['s3']): NonNullable<OpenStoreOptions['s3']> {
  const hasCredentials = s3?.credentials !== undefined || s3?.profile !== undefined;
  return { anonymous: !hasCredentials, ...s3 };
}
