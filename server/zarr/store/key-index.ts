/** Listings from a sorted list of keys, for stores without folders. */
import type { ListingMethods } from './define-listing.js';
import { compareCodePoints, joinKey, sortByCodePoint } from './keys.js';
import type { Listing, ReadOptions, StoredObject } from './store.js';

export interface KeyIndex {
  /** In code point order, without duplicates. */
  readonly keys: readonly string[];
  /** Size in bytes; undefined if the object has been deleted since. */
  sizeOf(key: string): number | undefined;
}

/** The role listable for a store that has all keys in memory or loads them for each listing. */
export function listIndex(
  load: (options?: Pick<ReadOptions, 'signal'>) => Promise<KeyIndex> | KeyIndex,
): Required<ListingMethods> {
  return {
    async list(prefix, options) {
      return listKeys((await load(options)).keys, prefix);
    },
    async *walk(prefix, options): AsyncGenerator<StoredObject> {
      const index = await load(options);
      const { keys } = index;
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (let at = first; at < end; at++) {
        const key = keys[at] ?? '';
        const bytes = index.sizeOf(key);
        if (bytes !== undefined) yield { key, bytes };
      }
    },
  };
}

/**
 * The direct members of `prefix`. Uses binary search to step from folder to folder, so that a top level with
 * few folders and a million keys below them is listed quickly.
 * @param keys in code point order, without duplicates
 */
export function listKeys(keys: readonly string[], prefix: string): Listing {
  const found: { keys: string[]; folders: string[] } = { keys: [], folders: [] };
  const start = prefix === '' ? '' : `${prefix}/`;
  let at = firstNotBelow(keys, start);
  for (let key = keys[at]; key?.startsWith(start) === true; key = keys[at]) {
    const slash = key.indexOf('/', start.length);
    if (slash === -1) {
      found.keys.push(key);
      at++;
      continue;
    }
    const name = key.slice(start.length, slash);
    found.folders.push(name);
    at = firstNotBelow(keys, `${joinKey(prefix, name)}0`); // "0" directly follows "/" in code point order.
  }
  // By key, "a.b/x" comes before "a/x"; by name, "a" comes before "a.b".
  sortByCodePoint(found.folders);
  return found;
}

/**
 * The keys below `prefix`, at any depth, as indices in `keys`: from `first` (inclusive) to `end` (exclusive).
 */
export function rangeOfPrefix(keys: readonly string[], prefix: string): { first: number; end: number } {
  if (prefix === '') return { first: 0, end: keys.length };
  return { first: firstNotBelow(keys, `${prefix}/`), end: firstNotBelow(keys, `${prefix}0`) };
}

/** Index of the first key that is not less than `key`. */
function firstNotBelow(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCodePoints(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
