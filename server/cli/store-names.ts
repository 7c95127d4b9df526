/** Names for stores without a configured name: `zarrql serve data/sst.zarr`. */
import { archiveName } from './address.js';

/**
 * Creates `--store` values for addresses. Each store is named after the last part of its address, without
 * `.zarr` and `.zip`; names that are taken get a number.
 * @param configured other values of `--store`, whose names are taken
 */
export function namedStores(addresses: readonly string[], configured: readonly string[] = []): string[] {
  const taken = new Set(configured.map((text) => text.slice(0, text.indexOf('='))));
  return addresses.map((address) => {
    const base = storeNameOf(address);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return `${name}=${address}`;
  });
}

/** The last part of an address as a store name. Characters that are not allowed become underscores. */
export function storeNameOf(address: string): string {
  if (/^memory:/i.test(address)) return 'memory';
  const path = /^[a-z][a-z0-9+.-]+:/i.test(address) ? address.replace(/[?#].*$/s, '') : address;
  const last = path.split(/[/\\]/).findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '';
  const name = last
    .replace(archiveName, '')
    .replace(/\.zarr$/i, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^\.+/, '');
  return name === '' || /^_+$/.test(name) ? 'store' : name;
}
