/** Derives the role listable from a method that walks all objects. */
import { throwIfAborted, withContext } from '../core/errors.js';
import { assertPrefix, isHiddenIn, sortByCodePoint } from './keys.js';
import type { ListableStore, Listing, ReadOptions, StoredObject, WalkOptions } from './store.js';

export interface ListingMethods {
  /** Yields every object below `prefix`, at any depth, in code point order of the keys. */
  walk(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject> | Iterable<StoredObject>;
  /**
   * Lists the objects and folders directly below `prefix`.
   * @default derived from `walk`, which then visits every object below the prefix
   */
  list?(prefix: string, options?: ReadOptions): Promise<Listing> | Listing;
}

export function defineListing(label: string, methods: ListingMethods): ListableStore {
  async function* walk(prefix: string, options?: WalkOptions): AsyncGenerator<StoredObject> {
    assertPrefix(prefix);
    throwIfAborted(options?.signal);
    try {
      for await (const object of methods.walk(prefix, options)) {
        throwIfAborted(options?.signal);
        if (!isHiddenIn(prefix, object.key)) yield object;
      }
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  async function list(prefix: string, options?: ReadOptions): Promise<Listing> {
    assertPrefix(prefix);
    throwIfAborted(options?.signal);
    try {
      const listing = await (methods.list?.(prefix, options) ?? collect(prefix, walk(prefix, options)));
      return { keys: listing.keys, folders: listing.folders.filter((name) => !isHiddenIn(prefix, name)) };
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  return { list, walk };
}

/** Reduces all objects below `prefix` to the objects and folders directly below it. */
async function collect(prefix: string, objects: AsyncIterable<StoredObject>): Promise<Listing> {
  const keys: string[] = [];
  const folders = new Set<string>();
  const start = prefix === '' ? 0 : prefix.length + 1;
  for await (const { key } of objects) {
    const slash = key.indexOf('/', start);
    if (slash === -1) keys.push(key);
    else folders.add(key.slice(start, slash));
  }
  return { keys: sortByCodePoint(keys), folders: sortByCodePoint([...folders]) };
}
