/** Lists objects from a sorted list of keys, for stores without folders. */
import { firstIndexWhere } from '../core/bytes/search.js';
import { compareCodePoints, joinKey, sortByCodePoint } from './keys.js';
import type { Listing, ReadOptions, StoredObject } from './store.js';
import type { ListingMethods } from './define-listing.js';

interface KeyIndex {
  /** Keys in code point order, without duplicates. */
  readonly keys: readonly string[];
  /** Size of an object in bytes; undefined if it has been deleted since. */
  sizeOf(key: string): number | undefined;
}

/** Creates the role listable for a store that has all keys in memory or loads them for each listing. */
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
 * Lists the direct members of `prefix`. Uses binary search to step from folder to folder, so that a top level
 * with few folders and a million keys below them is listed quickly.
 * @param keys keys in code point order, without duplicates
 */
function listKeys(keys: readonly string[], prefix: string): Listing {
  const listing: { keys: string[]; folders: string[] } = { keys: [], folders: [] };
  const start = prefix === '' ? '' : `${prefix}/`;
  let at = firstNotBelow(keys, start);
  for (let key = keys[at]; key?.startsWith(start) === true; key = keys[at]) {
    const slash = key.indexOf('/', start.length);
    if (slash === -1) {
      listing.keys.push(key);
      at++;
      continue;
    }
    const name = key.slice(start.length, slash);
    listing.folders.push(name);
    at = firstNotBelow(keys, `${joinKey(prefix, name)}0`); // "0" directly follows "/" in code point order.
  }
  // By key, "a.b/x" comes before "a/x"; by name, "a" comes before "a.b".
  sortByCodePoint(listing.folders);
  return listing;
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
  return firstIndexWhere(0, keys.length, (i) => compareCodePoints(keys[i] ?? '', key) >= 0);
}
