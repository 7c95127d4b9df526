/**
 * The cache of metadata of all stores of the process: documents, and the nodes that were opened from them. Every entry
 * knows the versions that it was created from, and is used only after they have been compared with the store.
 */
import { LRUCache } from 'lru-cache';

/** Default size of the cache in bytes. Consolidated metadata of more than two thirds of it is not cached. */
const DEFAULT_BYTES = 320 * 2 ** 20;
/** Estimated memory of an entry, in bytes, in addition to its content. */
const ENTRY_BYTES = 400;

interface Entry {
  readonly bytes: number;
  readonly key: string;
  /** The values of the owner. Weak, because nodes refer to their store: one that was removed, with its caches, is freed. */
  readonly values: WeakRef<Map<string, unknown>>;
}

/** The order of use and the size of all entries. Those of owners that no longer exist are the first to be evicted. */
let entries = createEntries(DEFAULT_BYTES);
let lastId = 0;

/** A cache of a size in bytes. */
export type NodeEntries = LRUCache<string, Entry>;

export function createEntries(maxBytes: number): NodeEntries {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => Math.ceil(ENTRY_BYTES + key.length + bytes),
    dispose({ key, values }, _, reason) {
      if (reason !== 'set') values.deref()?.delete(key);
    },
  });
}

/** Changes the size of the cache, and empties it. */
export function limitNodeMemory(maxBytes: number): void {
  entries.clear();
  entries = createEntries(maxBytes);
}

/** The part of the cache for one kind of value and one owner, such as a store. It lives as long as its owner. */
export type NodeMemory<T> = ReturnType<typeof createNodeMemory<T>>;

/** @param own a separate cache, for an owner that lives for one request. @default the cache of the process */
export function createNodeMemory<T>(own?: NodeEntries) {
  const id = String(++lastId);
  const all = (): NodeEntries => own ?? entries;
  const values = new Map<string, T>();
  const ref = new WeakRef(values);
  return {
    get(key: string): T | undefined {
      const value = values.get(key);
      if (value !== undefined) all().get(`${id} ${key}`);
      return value;
    },
    has: (key: string): boolean => values.has(key),
    /** @param bytes approximate memory of the value */
    set(key: string, value: T, bytes: number): void {
      const name = `${id} ${key}`;
      all().set(name, { bytes, key, values: ref });
      // A value that is larger than the cache is not kept.
      if (all().has(name)) values.set(key, value);
      else values.delete(key);
    },
    delete: (key: string): void => void all().delete(`${id} ${key}`),
  };
}
