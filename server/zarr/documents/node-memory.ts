/**
 * The cache of metadata of all stores of the process: documents, and the nodes that were opened from them. Every entry
 * knows the versions that it was created from, and is used only after they have been compared with the store.
 */
import { LRUCache } from 'lru-cache';

/** Size of the cache in bytes. Consolidated metadata of more than 213 MiB is not cached. */
const MAX_BYTES = 320 * 2 ** 20;
/** Estimated memory of an entry, in bytes, in addition to its content. */
const ENTRY_BYTES = 320;

const entries = new LRUCache<string, { readonly bytes: number }>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ bytes }, key) => Math.ceil(ENTRY_BYTES + key.length + bytes),
});
let lastId = 0;

/** The part of the cache for one kind of value and one owner, such as a store. */
export interface NodeMemory<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  /** @param bytes approximate memory of the value */
  set(key: string, value: T, bytes: number): void;
  delete(key: string): void;
}

/** @returns a function that creates a new part of the cache */
export function memoryOfKind<T>(): () => NodeMemory<T> {
  /** Each kind has its class, so that an entry is known to hold this kind. */
  class Entry {
    constructor(
      readonly value: T,
      readonly bytes: number,
    ) {}
  }
  const isOfKind = (entry: unknown): entry is Entry => entry instanceof Entry;
  return () => {
    const id = String(++lastId);
    return {
      get(key) {
        const entry = entries.get(`${id} ${key}`);
        return isOfKind(entry) ? entry.value : undefined;
      },
      has: (key) => entries.has(`${id} ${key}`),
      set: (key, value, bytes) => void entries.set(`${id} ${key}`, new Entry(value, bytes)),
      delete: (key) => void entries.delete(`${id} ${key}`),
    };
  };
}
