/**
 * Reads the metadata documents of nodes, and keeps what it parsed: every call asks the store whether a document is
 * still of the version that was parsed, but only a document that changed is read and parsed again.
 */
import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../bytes/json.js';
import { parseJson } from '../bytes/parse-json.js';
import { atPlace } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { documentKeys, isDocumentKey, kindOf, type NodeDocuments } from '../metadata/resolve-node.js';
import { joinKey } from '../store/keys.js';
import type { KeyStore, ReadAnswer, StoreValue } from '../store/store.js';

/** Names of metadata documents. v1 documents have names that a v3 or v2 node below could have, so they come last. */
export const documentNames = ['zarr.json', '.zarray', '.zgroup', '.zattrs', '.zmetadata'] as const;
export const v1DocumentNames = ['meta', 'attrs'] as const;
export type DocumentName = (typeof documentNames)[number] | (typeof v1DocumentNames)[number];

export interface StoredDocument {
  /** The parsed text, or why it cannot be parsed: a broken document is the matter of whoever opens that node. */
  readonly content: { readonly json: JsonValue } | { readonly failure: unknown };
  readonly version: string | undefined;
  readonly bytes: number;
}

/** The documents of one node that exist. */
export type StoredDocuments = Partial<Record<DocumentName, StoredDocument>>;

/** Bytes of text whose parsed form is kept; parsed JSON takes several times as much. */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

export class DocumentReader {
  readonly #store: KeyStore;
  readonly #fresh: boolean;
  readonly #kept = new LRUCache<string, StoredDocument>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: (document) => document.bytes + 256,
  });

  /** @param options.fresh whether the store itself is asked, whatever a cache before it trusts: for writers */
  constructor(store: KeyStore, options: { readonly fresh?: boolean } = {}) {
    this.#store = store;
    this.#fresh = options.fresh ?? false;
  }

  /**
   * @param prefixes of nodes: "" for the root, else "a/b"
   * @returns one set of documents for each prefix. Readers get zarr.json alone where there is one, since no other counts
   *   then; where there was one the last time, only that is asked for.
   * @throws store errors
   */
  async read(
    prefixes: readonly string[],
    names: readonly DocumentName[],
    signal: AbortSignal | undefined,
  ): Promise<StoredDocuments[]> {
    const found: StoredDocuments[] = prefixes.map(() => ({}));
    const isKnown = (prefix: string): boolean =>
      !this.#fresh && names.includes('zarr.json') && this.#kept.has(joinKey(prefix, 'zarr.json'));
    const known = prefixes.map(isKnown);
    const wanted = (i: number): readonly DocumentName[] => (known[i] === true ? ['zarr.json'] : names);
    await this.#readInto(found, prefixes, wanted, signal);
    const others = names.filter((name) => name !== 'zarr.json');
    const isGone = (i: number): boolean => known[i] === true && found[i]?.['zarr.json'] === undefined;
    if (others.length > 0 && prefixes.some((_, i) => isGone(i)))
      await this.#readInto(found, prefixes, (i) => (isGone(i) ? others : []), signal);
    return this.#fresh ? found : found.map(countingOnly);
  }

  async #readInto(
    found: readonly StoredDocuments[],
    prefixes: readonly string[],
    namesAt: (i: number) => readonly DocumentName[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const wanted = prefixes.flatMap((prefix, i) =>
      namesAt(i).map((name) => {
        const key = joinKey(prefix, name);
        // Held until the answer is there, whatever the cache drops in the meantime.
        return { i, name, key, kept: this.#kept.get(key) };
      }),
    );
    const requests = wanted.map(({ key, kept }) =>
      kept?.version === undefined ? { key } : { key, ifNoneMatch: kept.version },
    );
    const each = (w: number, answer: ReadAnswer): void => {
      const place = wanted[w];
      const documents = place === undefined ? undefined : found[place.i];
      if (place === undefined || documents === undefined) return;
      const document = answer === 'unchanged' ? place.kept : this.#take(place.key, answer);
      if (document !== undefined) documents[place.name] = document;
    };
    await this.#store.getMany(requests, each, {
      signal,
      maxBytes: metadataBounds.maxDocumentBytes,
      fresh: this.#fresh,
    });
  }

  #take(key: string, answer: StoreValue | undefined): StoredDocument | undefined {
    if (answer === undefined) {
      this.#kept.delete(key);
      return undefined;
    }
    const document = {
      content: parseContent(key, answer.bytes),
      version: answer.version,
      bytes: answer.bytes.length,
    };
    this.#kept.set(key, document);
    return document;
  }
}

function parseContent(key: string, bytes: Uint8Array): StoredDocument['content'] {
  try {
    return { json: parseJson(bytes) };
  } catch (error) {
    return { failure: atPlace(error, { key }) };
  }
}

/** @throws the MetadataError of a document that could not be parsed */
export function jsonOf(document: StoredDocument | undefined): JsonValue | undefined {
  if (document === undefined) return undefined;
  if ('failure' in document.content) throw document.content.failure;
  return document.content.json;
}

/** The parsed documents of a node. @throws the MetadataError of one that could not be parsed */
export function nodeDocuments(stored: StoredDocuments): NodeDocuments {
  return Object.fromEntries(
    Object.entries(documentKeys).map(([key, name]) => [
      name,
      isDocumentKey(key) ? jsonOf(stored[key]) : undefined,
    ]),
  );
}

/** What kind of node the documents make, for listings. One that cannot be parsed counts as an array: nothing is below it. */
export function storedKind(stored: StoredDocuments): 'group' | 'array' | undefined {
  const broken = Object.values(stored).some((document) => 'failure' in document.content);
  return broken ? 'array' : kindOf(nodeDocuments(stored));
}

/** Where documents of several formats lie in one folder, format 3 wins. */
function countingOnly(stored: StoredDocuments): StoredDocuments {
  const v3 = stored['zarr.json'];
  return v3 === undefined ? stored : { 'zarr.json': v3 };
}

/** Changes when any of the documents that count does; undefined where the store has no versions. */
export function versionOf(stored: StoredDocuments): string | undefined {
  const counting = Object.entries(countingOnly(stored));
  if (counting.some(([, document]) => document.version === undefined)) return undefined;
  return counting.map(([name, document]) => `${name}:${document.version ?? ''}`).join(' ');
}
