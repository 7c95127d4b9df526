/** Names for stores without a configured name: `zarrql serve data/sst.zarr`. */

/**
 * `--store` values for the addresses. Each store is named after the last part of its address, without `.zarr` and `.zip`; names
 * that are taken get a number.
 */
export function namedStores(addresses: readonly string[], given: readonly string[] = []): string[] {
  const taken = new Set(given.map((text) => text.slice(0, text.indexOf('='))));
  return addresses.map((address) => {
    const base = storeNameOf(address);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return `${name}=${address}`;
  });
}

/** A store name from which all characters that are not allowed have been removed. */
export function storeNameOf(address: string): string {
  if (/^memory:/i.test(address)) return 'memory';
  const path = /^[a-z][a-z0-9+.-]+:/i.test(address) ? address.replace(/[?#].*$/s, '') : address;
  const last = path.split(/[/\\]/).findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '';
  const name = last
    .replace(/\.zip$/i, '')
    .replace(/\.zarr$/i, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^\.+/, '');
  return name === '' || /^_+$/.test(name) ? 'store' : name;
}
