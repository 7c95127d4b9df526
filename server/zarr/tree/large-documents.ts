/**
 * Reads documents that are too long to be read concurrently: few at a time in the whole process, each by one
 * reader.
 */
import type { MetadataLimits } from '../limits.js';
import { createKeyLock } from '../store/key-lock.js';
import { acquireUnlessAborted, createSemaphore } from '../store/semaphore.js';
import type { KeyStore, ReadResult, ReadOptions } from '../store/store.js';
import type { DocumentMemory } from './document-memory.js';
import { requestFor, type DocumentName, type StoredDocument } from './stored-document.js';
import { runInTurns } from './turns.js';

/** Limits the total size of uncached texts in memory. */
const permits = createSemaphore(2);
const locks = new WeakMap<KeyStore, ReturnType<typeof createKeyLock>>();

export interface LargeDocument {
  readonly key: string;
  readonly name: DocumentName;
}

/**
 * Reads one long document. Of several concurrent callers, one reads and parses; the others find it in the
 * cache, unless it has changed.
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
        let answer: ReadResult;
        const request = requestFor({ key, kept: before });
        await store.getMany([request], (_, said) => void (answer = said), { ...options, maxBytes });
        if (answer === 'unchanged') return before;
        if (answer === undefined) return undefined;
        const document = await runInTurns(parse(answer.bytes, answer.version));
        kept.set(key, document);
        return document;
      } finally {
        permits.release();
      }
    });
}
