/**
 * Reads and caches the metadata documents of nodes. Every call revalidates cached documents by version; only
 * changed ones are read again. A document that cannot be read or parsed is an error only
 * for callers that open that node.
 */
import { isZarrError } from '../../core/errors.js';
import { defaultMetadataLimits, type MetadataLimits } from '../../core/limits.js';
import { joinKey } from '../../store/keys.js';
import type { KeyStore, ReadRequest, ReadResult } from '../../store/store.js';
import { failureOf, isOfObject } from './failure.js';
import { createLargeReader, sharedDocumentsOf } from './large-documents.js';
import type { NodeMemory } from './node-memory.js';
import { SHORT_BYTES } from './document-length.js';
import { parseDocument } from './parse-document.js';
import {
  brokenDocument,
  compactDocument,
  documentsOfGroups,
  applicableDocuments,
  inapplicableNames,
  requestFor,
  type DocumentName,
  type StoredDocument,
  type StoredDocuments,
} from './stored-document.js';
import { inTurns, runToEnd } from '../../core/turns.js';

/** Documents that a node depends on. The node is unchanged while they are. */
export interface KnownDocuments {
  readonly requests: readonly ReadRequest<string>[];
  /** Whether each document existed. */
  readonly exists: readonly boolean[];
}

/** Collects the documents that a node depends on while it is opened. */
export class DocumentStates {
  readonly #requests: ReadRequest<string>[] = [];
  readonly #exists: boolean[] = [];
  #haveVersions = true;

  /** @param names the names that were looked up */
  add(prefix: string, names: readonly DocumentName[], found: StoredDocuments): void {
    const inapplicable = inapplicableNames(found);
    for (const name of names) {
      if (inapplicable.includes(name)) continue;
      const document = found[name];
      const version = document?.version;
      const key = joinKey(prefix, name);
      if (document !== undefined && version === undefined) this.#haveVersions = false;
      this.#requests.push(version === undefined ? { key } : { key, ifNoneMatch: version });
      this.#exists.push(document !== undefined);
    }
  }

  /** Undefined if a document has no version. */
  get known(): KnownDocuments | undefined {
    return this.#haveVersions ? { requests: this.#requests, exists: this.#exists } : undefined;
  }
}

interface DocumentReaderOptions {
  /** Whether to bypass caches in front of the store, for writers. @default false */
  readonly fresh?: boolean;
  /** @default defaultMetadataLimits */
  readonly limits?: MetadataLimits | undefined;
}

/** Maximum total size, in bytes, of the documents of one read that are parsed without yielding. */
const PARSED_AT_ONCE = 128 * 1024;
/**
 * Maximum size, in bytes, of documents that are read concurrently. Of longer documents, `large-documents.ts`
 * reads only few at a time.
 */
const READ_TOGETHER = 2 ** 20;

interface Wanted {
  /** Index of the node's prefix in the list of prefixes. */
  readonly i: number;
  readonly name: DocumentName;
  readonly key: string;
  /** The cached document, kept until the response arrives, even if the cache evicts it. */
  readonly kept: StoredDocument | undefined;
}

export class DocumentReader {
  readonly #store: KeyStore;
  readonly #fresh: boolean;
  readonly #limits: MetadataLimits;
  readonly #kept: NodeMemory<StoredDocument>;
  readonly #likely = new LikelyDocuments();

  constructor(store: KeyStore, options: DocumentReaderOptions = {}) {
    this.#store = store;
    this.#fresh = options.fresh ?? false;
    this.#limits = options.limits ?? defaultMetadataLimits;
    this.#kept = sharedDocumentsOf(store).memory;
  }

  /**
   * @param prefixes prefixes of nodes: "" for the root, otherwise, for example, "a/b"
   * @returns one set of documents per prefix. Unless `fresh` is set, the likely documents are requested first,
   * and a set contains only documents that apply.
   * @param states receives the versions of the documents
   * @throws store errors, unless they affect only single documents
   */
  async read(
    prefixes: readonly string[],
    names: readonly DocumentName[],
    signal: AbortSignal | undefined,
    states?: DocumentStates,
  ): Promise<StoredDocuments[]> {
    const found: StoredDocuments[] = prefixes.map(() => ({}));
    if (this.#fresh) {
      await this.#readInto(found, prefixes, () => names, signal);
      return found;
    }
    const first = prefixes.map((prefix) => {
      const had = (name: DocumentName): boolean => this.#kept.has(joinKey(prefix, name));
      return this.#likely.first(names, had('zarr.json') ? 3 : had('.zarray') ? 'array' : undefined);
    });
    await this.#readInto(found, prefixes, (i) => first[i] ?? [], signal);
    const rest = found.map((documents, i) => this.#likely.rest(names, first[i] ?? [], documents));
    if (rest.some((restNames) => restNames.length > 0))
      await this.#readInto(found, prefixes, (i) => rest[i] ?? [], signal);
    for (const documents of found) this.#likely.record(documents);
    if (states !== undefined)
      for (const [i, prefix] of prefixes.entries())
        states.add(prefix, [...(first[i] ?? []), ...(rest[i] ?? [])], found[i] ?? {});
    return found.map(applicableDocuments);
  }

  async #readInto(
    found: readonly StoredDocuments[],
    prefixes: readonly string[],
    namesAt: (i: number) => readonly DocumentName[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const wanted = prefixes.flatMap((prefix, i) =>
      namesAt(i).map((name): Wanted => {
        const key = joinKey(prefix, name);
        return { i, name, key, kept: this.#kept.get(key) };
      }),
    );
    const put = ({ i, name }: Wanted, document: StoredDocument): void => {
      const documents = found[i];
      if (documents !== undefined) documents[name] = document;
    };
    const late: {
      readonly target: Wanted;
      readonly bytes: Uint8Array;
      readonly version: string | undefined;
    }[] = [];
    let parsed = 0;
    const take = (target: Wanted, result: ReadResult): void => {
      if (result === undefined) this.#kept.delete(target.key);
      else if (result === 'unchanged') {
        if (target.kept !== undefined) put(target, target.kept);
      } else {
        const { bytes, version } = result;
        parsed += bytes.length;
        if (bytes.length > SHORT_BYTES || parsed > PARSED_AT_ONCE) late.push({ target, bytes, version });
        else put(target, this.#keep(target.key, runToEnd(this.#parse(target, bytes, version)), bytes));
      }
    };
    const alone = await this.#readTogether(wanted, take, signal);
    for (const { target, bytes, version } of late)
      put(target, this.#keep(target.key, await inTurns(this.#parse(target, bytes, version)), bytes));
    await Promise.all(
      alone.map(async (target) => {
        const document = await this.#readAlone(target, take, signal);
        if (document !== undefined) put(target, document);
      }),
    );
  }

  /**
   * Reads documents concurrently.
   * @returns the documents to read separately, because the store stops at the first failure
   */
  async #readTogether(
    wanted: readonly Wanted[],
    take: (target: Wanted, result: ReadResult) => void,
    signal: AbortSignal | undefined,
  ): Promise<Wanted[]> {
    const left = new Set(wanted);
    const each = (at: number, result: ReadResult): void => {
      const target = wanted[at];
      if (target === undefined) return;
      left.delete(target);
      take(target, result);
    };
    const options = { signal, maxBytes: READ_TOGETHER, fresh: this.#fresh };
    try {
      await this.#store.getMany(wanted.map(requestFor), each, options);
      return [];
    } catch (error) {
      if (!isOfObject(error)) throw error;
      return [...left];
    }
  }

  /** Reads one document. @returns undefined if `take` has received it, or it does not exist */
  async #readAlone(
    target: Wanted,
    take: (target: Wanted, result: ReadResult) => void,
    signal: AbortSignal | undefined,
  ): Promise<StoredDocument | undefined> {
    const options = { signal, fresh: this.#fresh };
    try {
      let result: ReadResult;
      await this.#store.getMany([requestFor(target)], (_, received) => void (result = received), {
        ...options,
        maxBytes: READ_TOGETHER,
      });
      if (typeof result !== 'object') take(target, result);
      else {
        const { bytes, version } = result;
        return this.#keep(target.key, await inTurns(this.#parse(target, bytes, version)), bytes);
      }
      return undefined;
    } catch (error) {
      if (!isZarrError(error, 'LIMIT_EXCEEDED')) return this.#failed(target, error);
    }
    const read = createLargeReader(
      this.#store,
      sharedDocumentsOf(this.#store),
      this.#limits,
      (bytes, version) => this.#parse(target, bytes, version),
    );
    try {
      return await read(target, options);
    } catch (error) {
      return this.#failed(target, error);
    }
  }

  #failed({ key }: Wanted, error: unknown): StoredDocument {
    const failure = isOfObject(error) ? failureOf(error, key) : undefined;
    if (failure === undefined) throw error;
    return brokenDocument(failure, undefined);
  }

  #parse(
    { key, name }: Wanted,
    bytes: Uint8Array,
    version: string | undefined,
  ): Generator<void, StoredDocument, void> {
    return parseDocument({ key, name, bytes, version, limits: this.#limits });
  }

  #keep(key: string, document: StoredDocument, bytes: Uint8Array): StoredDocument {
    // An empty document is never valid. A server may have sent it empty by mistake, so it is read again.
    if (bytes.length === 0) this.#kept.delete(key);
    else {
      const kept = compactDocument(document, bytes);
      this.#kept.set(key, kept, kept.heldBytes);
    }
    return document;
  }
}

/**
 * Chooses the documents of a node to request first. A node has one to three of the five documents, and each
 * takes a request to a remote store. A store rarely has several formats, so the documents of the last node
 * predict those of the next. Performs no I/O.
 */
class LikelyDocuments {
  #lastFormat: 2 | 3 | undefined;

  /**
   * Returns all names if nothing is known about the store, only zarr.json in a store of format 3, and all
   * except .zmetadata in format 2 (if .zgroup is wanted: an array has none). zarr.json takes
   * precedence over all other documents, and the version of a node includes all applicable documents, so
   * these are never omitted.
   * @param had what the node was at the last lookup: a node of format 3, or an array of format 2
   */
  first(names: readonly DocumentName[], had: 3 | 'array' | undefined): readonly DocumentName[] {
    if (!names.includes('zarr.json')) return names;
    if (had === 'array') return names.filter((name) => !documentsOfGroups.includes(name));
    if (had === 3 || this.#lastFormat === 3) return ['zarr.json'];
    return this.#lastFormat === 2 && names.includes('.zgroup')
      ? names.filter((name) => name !== '.zmetadata')
      : names;
  }

  /** Returns the remaining documents that may apply after the first request. */
  rest(
    names: readonly DocumentName[],
    first: readonly DocumentName[],
    found: StoredDocuments,
  ): readonly DocumentName[] {
    // A root may have nothing but .zmetadata.
    const inapplicable = inapplicableNames(found);
    return names.filter((name) => !first.includes(name) && !inapplicable.includes(name));
  }

  record(found: StoredDocuments): void {
    if (found['zarr.json'] !== undefined) this.#lastFormat = 3;
    else if (found['.zarray'] !== undefined || found['.zgroup'] !== undefined) this.#lastFormat = 2;
  }
}
