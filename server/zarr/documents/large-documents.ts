/**
 * Caches documents of all stores, and reads those too long to be read concurrently: few at a time in the whole
 * process, each by one reader.
 */
import { LRUCache } from 'lru-cache';
import type { MetadataLimits } from '../../core/limits.js';
import { createKeyLock } from '../../store/locks.js';
import { acquireUnlessAborted, createSemaphore } from '../../store/permits.js';
import type { KeyStore, ReadResult, ReadOptions } from '../../store/store.js';
import { requestFor, type DocumentName, type StoredDocument } from './stored-document.js';
import { inTurns } from '../../core/turns.js';

// Cache of documents of all stores of the process, limited by total size.

/** Size of the cache in bytes. Consolidated metadata of more than 213 MiB is not cached. */
const MAX_BYTES = 320 * 2 ** 20;
/** Estimated memory of an entry, in bytes, in addition to its content. */
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

/** Limits the number of long documents that are read and parsed at a time. */
const permits = createSemaphore(2);
const locks = new WeakMap<KeyStore, ReturnType<typeof createKeyLock>>();

interface LargeDocument {
  readonly key: string;
  readonly name: DocumentName;
}

/**
 * Creates a function that reads one long document. Of several concurrent callers, one reads and parses the
 * document; the others find it in the cache, unless it has changed or is too large to be cached.
 */
export function createLargeReader(
  store: KeyStore,
  kept: DocumentMemory,
  limits: MetadataLimits,
  parse: (bytes: Uint8Array, version: string | undefined) => Generator<void, StoredDocument, void>,
): (document: LargeDocument, options: ReadOptions) => Promise<StoredDocument | undefined> {
  const lock = locks.get(store) ?? createKeyLock();
  locks.set(store, lock);
  return ({ key, name }, options) =>
    lock.withLock(key, async () => {
      await acquireUnlessAborted(permits, options.signal);
      try {
        const before = kept.get(key);
        const mayHold = name === 'zarr.json' || name === '.zmetadata';
        const maxBytes = mayHold
          ? Math.max(limits.maxConsolidatedBytes, limits.maxDocumentBytes)
          : limits.maxDocumentBytes;
        let result: ReadResult;
        const request = requestFor({ key, kept: before });
        await store.getMany([request], (_, received) => void (result = received), { ...options, maxBytes });
        if (result === 'unchanged') return before;
        if (result === undefined) return undefined;
        const document = await inTurns(parse(result.bytes, result.version));
        kept.set(key, document);
        return document;
      } finally {
        permits.release();
      }
    });
}
