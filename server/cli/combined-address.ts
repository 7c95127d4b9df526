/** Addresses of combined stores on the command line: `concat+/data/*.zarr/t2m?along=time`, `merge+/data/*.zarr`. */
import { resolve } from 'node:path';
import { createCombinedStore } from '../combined/combined-store.js';
import { InputError, type KeyStore, openStoreFromUrl } from '../zarr/index.js';
import { createMemberPaths } from './member-paths.js';

const scheme = /^(concat|merge)\+/i;

/** Time until requests to a member that disappeared have ended. */
const REQUEST_MS = 1000;
const MAX_STORES = 10_000;

/**
 * Opens the store at an address of the command line, which may be that of several stores.
 * @throws InputError for an address without a wildcard, or without the dimension of `concat`
 */
export function openAddress(label: string, url: string): KeyStore {
  return scheme.test(url) ? openCombinedAddress(label, url) : openStoreFromUrl(label, url);
}

function openCombinedAddress(label: string, url: string): KeyStore {
  const [, kind = ''] = scheme.exec(url) ?? [];
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url.slice(kind.length + 1)) ?? [];
  if (!path.includes('*'))
    throw new InputError(`"${label}" requires a wildcard, such as ${kind}+/data/*.zarr`);
  const options = new URLSearchParams(query);
  const along = options.get('along') ?? undefined;
  options.delete('along');
  if ((along === undefined) === (kind.toLowerCase() === 'concat'))
    throw new InputError(
      `"${label}" ${along === undefined ? 'requires the dimension, such as ?along=time' : 'accepts no dimension'}`,
    );
  const isRemote = /^[a-z][a-z0-9+.-]+:/i.test(path);
  const pattern = isRemote ? `${path}${options.size > 0 ? `?${options.toString()}` : ''}` : resolve(path);
  const members = createMemberPaths({ name: label, patterns: [pattern], maxStores: MAX_STORES, options: {}, requestTimeoutMs: REQUEST_MS }); // prettier-ignore
  return createCombinedStore({ label, along, members: () => members.list(), close: () => members.close() });
}
