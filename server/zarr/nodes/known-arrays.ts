/**
 * Cache of opened arrays. An array depends only on its documents, so revalidating them is sufficient to
 * open it again. Groups also depend on parent groups, which may have consolidated metadata. Figures:
 * docs/benchmarks.md, "Reads: attempts".
 */
import { LRUCache } from 'lru-cache';
import type { ZarrArray } from './array.js';
import { joinKey } from '../../store/keys.js';
import type { KeyStore, ReadResult, ReadRequest } from '../../store/store.js';
import { isOfObject } from '../documents/failure.js';
import { keptNodes } from './open-node.js';
import { SHORT_BYTES } from '../documents/document-length.js';
import { documentBytes, type DocumentName, type StoredDocuments } from '../documents/stored-document.js';

/** The documents of a cached array and their expected state. */
interface KnownArray {
  readonly node: ZarrArray;
  readonly requests: readonly ReadRequest<string>[];
  /** Whether each document existed. The documents must be unchanged. */
  readonly exists: readonly boolean[];
  /** Total size of the documents' texts in bytes. */
  readonly bytes: number;
}

/** The documents that determine an array: one in format 3; in format 2, also the absence of zarr.json. */
const v3Names: readonly DocumentName[] = ['zarr.json'];
const v2Names: readonly DocumentName[] = ['zarr.json', '.zarray', '.zattrs'];

export class KnownArrays {
  readonly #store: KeyStore;
  readonly #known = new LRUCache<string, KnownArray>({
    maxSize: keptNodes.maxSize,
    sizeCalculation: ({ bytes }) => keptNodes.sizeOf(bytes),
  });

  constructor(store: KeyStore) {
    this.#store = store;
  }

  /** @param documents all existing documents of the array in formats 2 and 3 */
  remember(prefix: string, node: ZarrArray, documents: StoredDocuments): void {
    const names = documents['zarr.json'] === undefined ? v2Names : v3Names;
    const versions = names.map((name) => documents[name]?.version);
    const isWhole = Object.entries(documents).every(([name, { version }]) => {
      return version !== undefined && names.some((expected) => expected === name);
    });
    if (!isWhole) {
      this.#known.delete(prefix);
      return;
    }
    const requests = names.map((name, i) => {
      const key = joinKey(prefix, name);
      const version = versions[i];
      return version === undefined ? { key } : { key, ifNoneMatch: version };
    });
    this.#known.set(prefix, {
      ...{ node, requests, bytes: documentBytes(documents) },
      exists: versions.map((version) => version !== undefined),
    });
  }

  /**
   * Returns the cached array if its documents are unchanged.
   * @throws store errors, unless they affect only single documents
   */
  async unchanged(prefix: string, signal: AbortSignal | undefined): Promise<ZarrArray | undefined> {
    const known = this.#known.get(prefix);
    if (known === undefined) return undefined;
    let same = 0;
    const each = (i: number, result: ReadResult): void => {
      if (result === (known.exists[i] === true ? 'unchanged' : undefined)) same += 1;
    };
    try {
      await this.#store.getMany(known.requests, each, { signal, maxBytes: SHORT_BYTES });
    } catch (error) {
      // If a document has become unreadable or too long for this check, opening the node reports the error.
      if (!isOfObject(error)) throw error;
    }
    if (same === known.requests.length) return known.node;
    this.#known.delete(prefix);
    return undefined;
  }
}
