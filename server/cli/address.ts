/**
 * Addresses of nodes: a store's path or URL, optionally followed by the path of a node in it. These functions
 * look up the types of local files, but open no store.
 */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The beginning of the address of several stores as one. */
const combinedScheme = /^(?:concat|merge)\+/i;

/** The ending of the name of an archive, as `openStoreFromUrl` recognises it. */
export const archiveName = /\.(?:zip|ozx)$/i;

/** The beginning of an address in a bucket, whose store can be listed. */
export const bucketScheme = /^(?:s3|gs|az|abfss?):/i;
/** The beginning of the address of a remote store, whose bytes are cached by default. */
export const remoteScheme = /^(?:(?:icechunk|references|n5)\+)?(?:s3|gs|az|abfss?|https?):/i;

/** One interpretation of an address: the first part as a store, the rest as a path in it. */
export interface AddressLevel {
  /** An address that `openStoreFromUrl` accepts. */
  readonly url: string;
  /** The address in messages, without the query, which may contain a signature. */
  readonly label: string;
  /** "/" for the store's root, otherwise a path such as "/a/b". */
  readonly path: string;
}

/**
 * All interpretations, from the whole address as a store up to the topmost folder. A path into an archive
 * has only one.
 */
export function addressLevels(address: string): AddressLevel[] {
  if (combinedScheme.test(address)) return [combinedLevel(address)];
  const repository = /^icechunk\+file:(?!\/\/)([^?]*)(.*)$/is.exec(address);
  if (repository !== null) return [repositoryLevel(repository[1] ?? '', repository[2] ?? '')];
  const references = /^references\+file:(?:\/\/(?=\/))?([^?]*)(.*)$/is.exec(address);
  if (references !== null) return referencesLevels(references[1] ?? '', references[2] ?? '');
  const container = /^n5\+file:(?:\/\/(?=\/))?(.*)$/is.exec(address);
  if (container !== null)
    return localLevels(container[1] ?? '').map((level) => ({ ...level, url: `n5+file:${level.url}` }));
  const remote = /^([a-z][a-z0-9+.-]+):/i.exec(address);
  if (remote === null) return localLevels(address);
  if (remote[1]?.toLowerCase() !== 'file') return remoteLevels(address);
  try {
    return localLevels(fileURLToPath(address));
  } catch {
    return [{ url: address, label: address, path: '/' }];
  }
}

/** Whether the store is a local folder or file. */
export function isLocal(url: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(url) && !combinedScheme.test(url);
}

/** The stores of a combined store end with the last part that has a wildcard; the rest is the path of a node. */
function combinedLevel(address: string): AddressLevel {
  const [, whole = '', query = ''] = /^([^?]*)(.*)$/s.exec(address) ?? [];
  const parts = whole.split('/');
  const last = parts.findLastIndex((part) => part.includes('*'));
  const end = last < 0 ? parts.length : last + 1;
  const label = parts.slice(0, end).join('/');
  return { url: `${label}${query}`, label, path: `/${parts.slice(end).filter(Boolean).join('/')}` };
}

function localLevels(address: string): AddressLevel[] {
  if (address === '') return [{ url: '', label: '', path: '/' }];
  const whole = resolve(address);
  const levels: AddressLevel[] = [];
  for (let at = whole; ; at = dirname(at)) {
    const level = {
      url: at,
      label: localLabel(at),
      path: `/${whole.slice(at.length).split(sep).filter(Boolean).join('/')}`,
    };
    if (archiveName.test(at) && statSync(at, { throwIfNoEntry: false })?.isFile() === true) return [level];
    levels.push(level);
    if (at === parse(at).root) return levels;
  }
}

/** The nearest folder that looks like a repository is the store, else the whole address. */
function repositoryLevel(path: string, query: string): AddressLevel {
  const whole = resolve(path);
  const has = (folder: string, name: string): boolean =>
    statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  let at = whole;
  while (!has(at, 'repo') && !has(at, 'refs') && at !== parse(at).root) at = dirname(at);
  const root = at === parse(at).root ? whole : at;
  return {
    url: `icechunk+file:${root}${query}`,
    label: localLabel(root),
    path: `/${whole.slice(root.length).split(sep).filter(Boolean).join('/')}`,
  };
}

/**
 * The store is the nearest file, or folder of parquet files. In an archive, whose entries are not looked up, each part of
 * the path may be that of the references.
 */
function referencesLevels(path: string, query: string): AddressLevel[] {
  const whole = resolve(path);
  const exists = (name: string): boolean => statSync(name, { throwIfNoEntry: false }) !== undefined;
  let at = whole;
  while (!(exists(at) && !isFolder(at)) && !exists(join(at, '.zmetadata')) && at !== parse(at).root)
    at = dirname(at);
  const root = at === parse(at).root ? whole : at;
  const parts = whole.slice(root.length).split(sep).filter(Boolean);
  const lengths =
    archiveName.test(root) && !isFolder(root) ? parts.map((_, i) => parts.length - i).concat(0) : [0];
  return lengths.map((length) => {
    const store = join(root, ...parts.slice(0, length));
    return {
      url: `references+file:${store}${query}`,
      label: localLabel(store),
      path: `/${parts.slice(length).join('/')}`,
    };
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The label of a local store: a relative path if it is below the working directory. */
function localLabel(path: string): string {
  const short = relative('.', path);
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short;
}

function remoteLevels(address: string): AddressLevel[] {
  const [, origin, folders = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(.*)$/i.exec(address) ?? [];
  if (origin === undefined) return [{ url: address, label: address, path: '/' }];
  const parts = folders.split('/').filter(Boolean);
  const inWeb = /^(?:[a-z]+\+)?https?:/i.test(origin);
  // References may be an entry of the archive.
  const zip = /^references\+/i.test(origin) ? -1 : parts.findIndex((part) => archiveName.test(part));
  const lengths = zip < 0 ? parts.map((_, i) => parts.length - i).concat(0) : [zip + 1];
  return lengths.map((length) => {
    const label = [origin, ...parts.slice(0, length)].join('/');
    const path = parts.slice(length).map((part) => (inWeb ? decodePart(part) : part));
    return { url: `${label}${rest}`, label, path: `/${path.join('/')}` };
  });
}

/** Keeps a "%" that is not a percent-encoding, because opening the store reports it as an error. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
