/** Contents of a cache, and their lookup. Performs no I/O. */
import { LRUCache } from 'lru-cache';
import { parentOf } from '../keys.js';
import { resolveRange } from '../checks.js';
import type { ByteRange, ReadRequest, ReadResult, StoreValue } from '../store.js';
import { createFreshnessFloors, metadataNames, isMetadataKey } from './freshness-floors.js';

interface ObjectMemoryOptions {
  /** Maximum size, in bytes, of cached objects and ranges; 0 caches only versions and absence. */
  readonly maxBytes: number;
  /** Maximum age of a result that is used without revalidation, in milliseconds since its request. */
  readonly maxAgeMs: number;
  /** A clock in milliseconds, for tests. */
  readonly now: () => number;
  /** Memory that several stores share; `store` distinguishes their objects. @default memory for this store alone */
  readonly shared?: { readonly parts: CachedParts; readonly store: string } | undefined;
}

/** Cached objects and ranges, with the version in their keys. */
export type CachedParts = LRUCache<string, StoreValue>;

/** @param maxBytes of all objects and ranges together */
export function createCachedParts(maxBytes: number): CachedParts {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (part) => part.bytes.length + OVERHEAD_BYTES,
  });
}

/** A request that has been sent to the store. */
export interface PendingRead {
  /** The caller's request. */
  readonly request: ReadRequest;
  /** The request sent to the store. */
  readonly sent: ReadRequest;
  /** The result to return if the store responds 'unchanged' to a revalidation by the cache. */
  readonly kept: StoreValue | undefined;
  /** Time of the request in milliseconds, to compute the age. */
  readonly startedAt: number;
  /** Position in the order of the cache's events, which is unique, unlike the time. */
  readonly order: number;
  readonly epoch: number;
  /** Results of requests with a lower `order` are too old for the key. */
  readonly floor: number;
}

type Lookup = { readonly result: ReadResult } | PendingRead;

interface Known {
  /** Version of the object; undefined if the object did not exist. */
  readonly version: string | undefined;
  readonly requestedAt: number;
  /**
   * Position to compare with floors: the position of the request or, for a document that raised a floor, that
   * of the response.
   */
  readonly order: number;
}

const MAX_OBJECTS = 50_000;
/** A part larger than 1/MAX_SHARE of the cache is not cached, because it would evict too many others. */
const MAX_SHARE = 8;
/** Floors belong to the folder of a document. */
const ANY_DOCUMENT = 'zarr.json';
/** Approximate memory of an entry, in bytes, in addition to its contents. */
const OVERHEAD_BYTES = 300;

export class ObjectMemory {
  readonly #options: ObjectMemoryOptions;
  readonly #known = new LRUCache<string, Known>({ max: MAX_OBJECTS });
  /** Keys include the version, so parts of older versions are never found, and are eventually evicted. */
  readonly #parts: CachedParts;
  readonly #prefix: string;
  readonly #floors = createFreshnessFloors();
  #epoch = 0;
  #events = 0;

  constructor(options: ObjectMemoryOptions) {
    this.#options = options;
    this.#parts = options.shared?.parts ?? createCachedParts(options.maxBytes);
    // NUL is a safe separator, because neither names nor keys can contain it.
    this.#prefix = options.shared === undefined ? '' : `${options.shared.store}\0`;
  }

  /** Number of changes through this cache. Results of requests before a change may be out of date. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Returns, for each request, the cached result or the request to send. Metadata documents of a node are
   * revalidated together or not at all, so that a new document is never combined with an older one.
   * @param fresh whether every result must be revalidated
   */
  lookup(requests: readonly ReadRequest[], fresh: boolean): readonly Lookup[] {
    const time = this.#options.now();
    const order = ++this.#events;
    const revalidated = fresh ? undefined : this.#nodesToRevalidate(requests, time);
    return requests.map((request): Lookup => {
      const { key, range, ifMatch, ifNoneMatch } = request;
      const at = this.#known.get(key);
      const isGrouped = revalidated?.has(parentOf(key)) === true && isMetadataKey(key);
      const mayTrust = !fresh && !isGrouped && this.#isTrusted(key, time);
      const floor = this.#floors.of(key);
      const pending = {
        request,
        sent: request,
        kept: undefined,
        startedAt: time,
        order,
        epoch: this.#epoch,
        floor,
      };
      if (at === undefined || (ifMatch !== undefined && ifMatch !== at.version)) return pending;
      if (at.version === undefined) return mayTrust ? { result: undefined } : pending;
      if (mayTrust && ifNoneMatch === at.version) return { result: 'unchanged' };
      const kept = this.#keptPart(key, at.version, range);
      if (kept === undefined) return pending;
      // Bytes of the requested version can be used regardless of their age.
      const isDemanded = ifMatch !== undefined && ifNoneMatch === undefined && !fresh;
      if (mayTrust || isDemanded) return { result: kept };
      return { ...pending, sent: { ...request, ifNoneMatch: at.version }, kept };
    });
  }

  /** Stores a response, and returns the result for the caller. */
  update(pending: PendingRead, response: ReadResult): ReadResult {
    const { request, sent, kept, startedAt } = pending;
    const version = response === 'unchanged' ? sent.ifNoneMatch : response?.version;
    const isUnversioned = response !== undefined && version === undefined;
    const before = this.#known.get(request.key);
    const isNews = isMetadataKey(request.key) && (isUnversioned || version !== before?.version);
    const order = isNews ? this.#raiseFloor(pending, before) : pending.order;
    // A response to an earlier request may be older, even if it arrives later.
    if (pending.epoch === this.#epoch && (before === undefined || before.requestedAt <= startedAt)) {
      if (isUnversioned) this.#known.delete(request.key);
      else this.#known.set(request.key, { version, requestedAt: startedAt, order });
    }
    if (response === undefined) return undefined;
    if (version !== undefined && version === request.ifNoneMatch) return 'unchanged';
    if (response === 'unchanged') return kept ?? 'unchanged';
    return version === undefined ? response : this.#keep(pending, version, response);
  }

  /** Invalidates an object that has changed or may have changed; without a key, all objects. */
  invalidate(key?: string): void {
    this.#epoch++;
    if (key === undefined) this.#known.clear();
    else this.#known.delete(key);
    if (key !== undefined && isMetadataKey(key))
      this.#floors.raise(key, { data: ++this.#events, metadata: this.#events });
  }

  /**
   * Requires that everything in a folder, and the documents of the folders above it, are compared with the store,
   * because another process has changed the node.
   * @param folder "" for all objects
   */
  outdate(folder: string): void {
    this.#epoch++;
    const position = ++this.#events;
    this.#floors.raise(folder === '' ? ANY_DOCUMENT : `${folder}/${ANY_DOCUMENT}`, {
      data: position,
      metadata: position,
    });
    for (let above = folder; above !== '';) {
      above = parentOf(above);
      for (const name of metadataNames) this.#known.delete(above === '' ? name : `${above}/${name}`);
    }
  }

  #isTrusted(key: string, time: number): boolean {
    const at = this.#known.get(key);
    return (
      at !== undefined && time < at.requestedAt + this.#options.maxAgeMs && at.order >= this.#floors.of(key)
    );
  }

  /**
   * Finds the nodes whose documents must all be revalidated, because one of them must. Nodes are identified
   * by their folder.
   */
  #nodesToRevalidate(requests: readonly ReadRequest[], time: number): ReadonlySet<string> {
    const documents = requests.filter(({ key }) => isMetadataKey(key) && !this.#isTrusted(key, time));
    return new Set(documents.map(({ key }) => parentOf(key)));
  }

  /**
   * Raises the floors of a new document's node. The first read of a document raises only the floor of data,
   * which may have been read with other metadata (consolidated or evicted).
   * @returns the position of the document's current state
   */
  #raiseFloor({ request: { key }, order }: PendingRead, before: Known | undefined): number {
    const isOld = order < this.#floors.of(key);
    const position = ++this.#events;
    this.#floors.raise(key, { data: position, metadata: before === undefined ? -Infinity : position });
    return isOld ? order : position;
  }

  #keptPart(key: string, version: string, range: ByteRange | undefined): StoreValue | undefined {
    const exact = this.#parts.get(this.#prefix + partId(key, version, range));
    if (exact !== undefined || range === undefined) return exact;
    const whole = this.#parts.get(this.#prefix + partId(key, version, undefined));
    if (whole === undefined) return undefined;
    const { offset, length } = resolveRange(range, whole.bytes.length);
    return { ...whole, bytes: whole.bytes.subarray(offset, offset + length) };
  }

  #keep({ request: { key, range } }: PendingRead, version: string, value: StoreValue): StoreValue {
    // A server may have sent an object empty by mistake, which would last until its version changes.
    if (isEmptyObject(value, range)) return value;
    if (value.bytes.length + OVERHEAD_BYTES > this.#options.maxBytes / MAX_SHARE) return value;
    // Copies the bytes, because a view would keep the whole buffer of a coalesced read alive.
    const isPart = value.bytes.length < value.bytes.buffer.byteLength;
    const kept = isPart ? { ...value, bytes: value.bytes.slice() } : value;
    this.#parts.set(this.#prefix + partId(key, version, range), kept);
    return kept;
  }
}

/** Whether the object itself is empty, rather than only the part. */
function isEmptyObject({ bytes, total }: StoreValue, range: ByteRange | undefined): boolean {
  return bytes.length === 0 && (range === undefined || total === 0);
}

function partId(key: string, version: string, range: ByteRange | undefined): string {
  // NUL is a safe separator, because keys cannot contain it.
  const part =
    range === undefined ? '' : 'suffix' in range ? `-${range.suffix}` : `${range.offset}+${range.length}`;
  return `${key}\0${part}\0${version}`;
}
