/**
 * Arrays that were opened before. An array's own documents say all of it, so one look at whether they are still the same
 * opens it again; only groups need those above them, which may have consolidated metadata.
 */
import { LRUCache } from 'lru-cache';
import type { ZarrArray } from '../array.js';
import { metadataBounds } from '../limits.js';
import { joinKey } from '../store/keys.js';
import type { KeyStore, ReadAnswer, ReadRequest } from '../store/store.js';
import type { DocumentName, StoredDocuments } from './documents.js';

/** What an array is made of, while the documents asked for are answered as expected. */
interface KnownArray {
  readonly node: ZarrArray;
  readonly requests: readonly ReadRequest<string>[];
  /** Whether each of them was there, and should be unchanged, or not. */
  readonly exists: readonly boolean[];
}

/** Documents that make an array: of format 3 there is one, and for format 2 that one must be missing. */
const v3Names: readonly DocumentName[] = ['zarr.json'];
const v2Names: readonly DocumentName[] = ['zarr.json', '.zarray', '.zattrs'];

const maxKept = 10_000;

export class KnownArrays {
  readonly #store: KeyStore;
  readonly #known = new LRUCache<string, KnownArray>({ max: maxKept });

  constructor(store: KeyStore) {
    this.#store = store;
  }

  /** @param documents that made the array, all that exist of formats 2 and 3 */
  remember(prefix: string, node: ZarrArray, documents: StoredDocuments): void {
    const names = documents['zarr.json'] === undefined ? v2Names : v3Names;
    const versions = names.map((name) => documents[name]?.version);
    const isWhole = Object.entries(documents).every(([name, { version }]) => {
      return version !== undefined && names.some((asked) => asked === name);
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
    this.#known.set(prefix, { node, requests, exists: versions.map((version) => version !== undefined) });
  }

  /**
   * The array as it was opened before, if it is still the same.
   * @throws store errors
   */
  async unchanged(prefix: string, signal: AbortSignal | undefined): Promise<ZarrArray | undefined> {
    const known = this.#known.get(prefix);
    if (known === undefined) return undefined;
    let same = 0;
    const each = (i: number, answer: ReadAnswer): void => {
      if (answer === (known.exists[i] === true ? 'unchanged' : undefined)) same += 1;
    };
    await this.#store.getMany(known.requests, each, { signal, maxBytes: metadataBounds.maxDocumentBytes });
    if (same === known.requests.length) return known.node;
    this.#known.delete(prefix);
    return undefined;
  }
}
