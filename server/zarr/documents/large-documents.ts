/** Reads documents that are too long to be read concurrently: few at a time in the whole process, each by one reader. */
import type { MetadataLimits } from '../../core/limits.js';
import { createKeyLock } from '../../store/locks.js';
import { acquireUnlessAborted, createSemaphore } from '../../store/semaphore.js';
import type { KeyStore, ReadResult, ReadOptions } from '../../store/store.js';
import { createNodeMemory, type NodeMemory } from './node-memory.js';
import { requestFor, type DocumentName, type StoredDocument } from './stored-document.js';
import { inTurns } from '../../core/turns.js';

/** Limits the number of long documents that are read and parsed at a time. */
const permits = createSemaphore(2);

/** What all readers of one store share. */
interface SharedDocuments {
  readonly memory: NodeMemory<StoredDocument>;
  readonly lock: ReturnType<typeof createKeyLock>;
}

const shared = new WeakMap<KeyStore, SharedDocuments>();

export function sharedDocumentsOf(store: KeyStore): SharedDocuments {
  const known = shared.get(store) ?? { memory: createNodeMemory<StoredDocument>(), lock: createKeyLock() };
  shared.set(store, known);
  return known;
}

/** Lets the readers of a store use the documents of another one, which has the same objects. Every use compares versions. */
export function shareDocuments(store: KeyStore, other: KeyStore): void {
  shared.set(store, sharedDocumentsOf(other));
}

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
  { memory, lock }: SharedDocuments,
  limits: MetadataLimits,
  parse: (bytes: Uint8Array, version: string | undefined) => Generator<void, StoredDocument, void>,
): (document: LargeDocument, options: ReadOptions) => Promise<StoredDocument | undefined> {
  return ({ key, name }, options) =>
    lock.withLock(key, async () => {
      await acquireUnlessAborted(permits, options.signal);
      try {
        const before = memory.get(key);
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
        memory.set(key, document, document.heldBytes);
        return document;
      } finally {
        permits.release();
      }
    });
}
