/** Cache of documents of all stores of the process, limited by total size. */
import { LRUCache } from 'lru-cache';
import type { KeyStore } from '../store/store.js';
import type { StoredDocument } from './stored-document.js';

/** Size of the cache, which fits one document of maximum size. */
const MAX_BYTES = 320 * 2 ** 20;
/** Memory of an entry in addition to its content. */
const ENTRY_BYTES = 320;
const kept = new LRUCache<string, StoredDocument>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
const ids = new WeakMap<KeyStore, string>();
let lastId = 0;

/** The part of the cache for one store. */
export interface DocumentMemory {
  get(key: string): StoredDocument | undefined;
  has(key: string): boolean;
  set(key: string, document: StoredDocument): void;
  delete(key: string): void;
}

export function documentMemoryOf(store: KeyStore): DocumentMemory {
  const id = ids.get(store) ?? String(++lastId);
  ids.set(store, id);
  const nameOf = (key: string): string => `${id} ${key}`;
  return {
    get: (key) => kept.get(nameOf(key)),
    has: (key) => kept.has(nameOf(key)),
    set: (key, document) => void kept.set(nameOf(key), document),
    delete: (key) => void kept.delete(nameOf(key)),
  };
}

function sizeOf({ heldBytes }: StoredDocument, name: string): number {
  return Math.ceil(ENTRY_BYTES + name.length + heldBytes);
}
