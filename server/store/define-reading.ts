/** Derives `getMany` and the role listable from simpler methods. Reads single objects by `getMany`. */
import { firstIndexWhere } from '../core/bytes/search.js';
import { StoreUnavailableError, throwIfAborted, withContext } from '../core/errors.js';
import { assertRequest, assertVersion, assertObjectSize, resolveRange } from './checks.js';
import { assertPrefix, isHiddenIn, sortByCodePoint, compareCodePoints, joinKey } from './keys.js';
import { createSemaphore } from './permits.js';
import { runRequests } from './run-requests.js';
import type {
  ByteRange,
  KeyStore,
  ReadResult,
  ReadOptions,
  ReadRequest,
  StoreValue,
  Store,
  ListableStore,
  Listing,
  StoredObject,
  WalkOptions,
} from './store.js';

export interface GetOptions extends Pick<ReadRequest, 'ifMatch' | 'ifNoneMatch'> {
  readonly signal: AbortSignal | undefined;
  /**
   * Maximum size of the result, in bytes. A longer result is LIMIT_EXCEEDED. The engine also checks the
   * result.
   */
  readonly maxBytes: number | undefined;
  /** Whether to bypass a cache of the store, because a write depends on the result. */
  readonly fresh: boolean;
}

/**
 * An object or a part of it: plain bytes if the store has no versions, `undefined` if the object is absent.
 */
export type GetResult = Uint8Array | StoreValue | 'unchanged' | undefined;

export interface ReadingMethods {
  /**
   * Reads a whole object. If results have a `version`, parts of two states of an object are never mixed.
   * `ifMatch` and `ifNoneMatch` are also checked after the read, so a store may ignore them. The store must
   * not modify the returned bytes later.
   * @throws errors of the engine, such as StoreUnavailableError; any other error reaches clients as INTERNAL,
   * without its message
   */
  get(key: string, options: GetOptions): Promise<GetResult> | GetResult;
  /**
   * Reads a part. A range beyond the end of the object is clipped, possibly to no bytes.
   * @default reads the whole object and extracts the part
   */
  getRange?(key: string, range: ByteRange, options: GetOptions): Promise<GetResult> | GetResult;
  /** Maximum number of requests in flight. @default 16 */
  readonly concurrency?: number;
}

const DEFAULT_CONCURRENCY = 16;

export function defineReading(label: string, methods: ReadingMethods): KeyStore['getMany'] {
  const width = Math.max(1, methods.concurrency ?? DEFAULT_CONCURRENCY);
  const permits = createSemaphore(width);
  return (requests, each, options) =>
    runRequests(requests, each, {
      check: assertRequest,
      permits,
      width,
      signal: options?.signal,
      readOne: (request, signal) => readOne(methods, request, signal, options),
      taken: options?.taken,
      contextOf: ({ key }) => ({ store: label, key }),
    });
}

async function readOne(
  methods: ReadingMethods,
  request: ReadRequest,
  signal: AbortSignal | undefined,
  options: ReadOptions | undefined,
): Promise<ReadResult> {
  const { key, range, ifMatch, ifNoneMatch } = request;
  const hasRanges = range !== undefined && methods.getRange !== undefined;
  const maxBytes = options?.maxBytes;
  const getOptions: GetOptions = {
    signal,
    fresh: options?.fresh === true,
    // The limit applies to the requested part, even if the whole object is read.
    maxBytes: range === undefined || hasRanges ? maxBytes : undefined,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
  let result: GetResult;
  try {
    result = await (hasRanges ? methods.getRange?.(key, range, getOptions) : methods.get(key, getOptions));
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
  if (result === 'unchanged' && ifNoneMatch !== undefined) return result;
  const value = valueOf(result);
  assertVersion(value?.version, ifMatch);
  if (value === undefined) return undefined;
  if (ifNoneMatch !== undefined && value.version === ifNoneMatch) return 'unchanged';
  const part = hasRanges ? value : cut(value, range);
  assertObjectSize(part.bytes.length, maxBytes);
  return part;
}

function valueOf(result: GetResult): StoreValue | undefined {
  if (result === undefined) return undefined;
  if (result instanceof Uint8Array) return { bytes: plainBytes(result) };
  // Programs without types may return anything, including null.
  if (typeof result === 'object' && result?.bytes instanceof Uint8Array)
    return { ...result, bytes: plainBytes(result.bytes) };
  throw new StoreUnavailableError('the store returned a value that is neither bytes nor { bytes }');
}

/** Converts a Buffer, whose `slice` returns a view, to a Uint8Array, whose `slice` copies. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Extracts a part of an object. */
function cut(value: StoreValue, range: ByteRange | undefined): StoreValue {
  const total = value.bytes.length;
  const { offset, length } = resolveRange(range, total);
  return { ...value, bytes: value.bytes.subarray(offset, offset + length), total };
}

// Reads one object, or a part of it, by `getMany`.

/** Reads a whole object; undefined if it is absent. */
export async function get<K>(
  store: Store<K>,
  key: K,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key }, options);
}

/** Reads a part of an object; undefined if it is absent. */
export async function getRange<K>(
  store: Store<K>,
  key: K,
  range: ByteRange,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key, range }, options);
}

async function getOne<K>(
  store: Store<K>,
  request: ReadRequest<K>,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  let value: StoreValue | undefined;
  await store.getMany(
    [request],
    (_, result) => {
      if (result !== 'unchanged') value = result;
    },
    options,
  );
  return value;
}

// Derives the role listable from a method that walks all objects.

export interface ListingMethods {
  /** Yields every object below `prefix`, at any depth, in code point order of the keys. */
  walk(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject> | Iterable<StoredObject>;
  /**
   * Lists the objects and folders directly below `prefix`.
   * @default derived from `walk`, which then visits every object below the prefix
   */
  list?(prefix: string, options?: ReadOptions): Promise<Listing> | Listing;
}

export function defineListing(label: string, methods: ListingMethods): ListableStore {
  async function* walk(prefix: string, options?: WalkOptions): AsyncGenerator<StoredObject> {
    assertPrefix(prefix);
    throwIfAborted(options?.signal);
    try {
      for await (const object of methods.walk(prefix, options)) {
        throwIfAborted(options?.signal);
        if (!isHiddenIn(prefix, object.key)) yield object;
      }
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  async function list(prefix: string, options?: ReadOptions): Promise<Listing> {
    assertPrefix(prefix);
    throwIfAborted(options?.signal);
    try {
      const listing = await (methods.list?.(prefix, options) ?? collect(prefix, walk(prefix, options)));
      return { keys: listing.keys, folders: listing.folders.filter((name) => !isHiddenIn(prefix, name)) };
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  return { list, walk };
}

/** Reduces all objects below `prefix` to the objects and folders directly below it. */
async function collect(prefix: string, objects: AsyncIterable<StoredObject>): Promise<Listing> {
  const keys: string[] = [];
  const folders = new Set<string>();
  const start = prefix === '' ? 0 : prefix.length + 1;
  for await (const { key } of objects) {
    const slash = key.indexOf('/', start);
    if (slash === -1) keys.push(key);
    else folders.add(key.slice(start, slash));
  }
  return { keys: sortByCodePoint(keys), folders: sortByCodePoint([...folders]) };
}

// Lists objects from a sorted list of keys, for stores without folders.

interface KeyIndex {
  /** Keys in code point order, without duplicates. */
  readonly keys: readonly string[];
  /** Size of an object in bytes; undefined if it has been deleted since. */
  sizeOf(key: string): number | undefined;
}

/** Creates the role listable for a store that has all keys in memory or loads them for each listing. */
export function listIndex(
  load: (options?: Pick<ReadOptions, 'signal'>) => Promise<KeyIndex> | KeyIndex,
): Required<ListingMethods> {
  return {
    async list(prefix, options) {
      return listKeys((await load(options)).keys, prefix);
    },
    async *walk(prefix, options): AsyncGenerator<StoredObject> {
      const index = await load(options);
      const { keys } = index;
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (let at = first; at < end; at++) {
        const key = keys[at] ?? '';
        const bytes = index.sizeOf(key);
        if (bytes !== undefined) yield { key, bytes };
      }
    },
  };
}

/**
 * Lists the direct members of `prefix`. Uses binary search to step from folder to folder, so that a top level
 * with few folders and a million keys below them is listed quickly.
 * @param keys keys in code point order, without duplicates
 */
function listKeys(keys: readonly string[], prefix: string): Listing {
  const listing: { keys: string[]; folders: string[] } = { keys: [], folders: [] };
  const start = prefix === '' ? '' : `${prefix}/`;
  let at = firstNotBelow(keys, start);
  for (let key = keys[at]; key?.startsWith(start) === true; key = keys[at]) {
    const slash = key.indexOf('/', start.length);
    if (slash === -1) {
      listing.keys.push(key);
      at++;
      continue;
    }
    const name = key.slice(start.length, slash);
    listing.folders.push(name);
    at = firstNotBelow(keys, `${joinKey(prefix, name)}0`); // "0" directly follows "/" in code point order.
  }
  // By key, "a.b/x" comes before "a/x"; by name, "a" comes before "a.b".
  sortByCodePoint(listing.folders);
  return listing;
}

/**
 * The keys below `prefix`, at any depth, as indices in `keys`: from `first` (inclusive) to `end` (exclusive).
 */
export function rangeOfPrefix(keys: readonly string[], prefix: string): { first: number; end: number } {
  if (prefix === '') return { first: 0, end: keys.length };
  return { first: firstNotBelow(keys, `${prefix}/`), end: firstNotBelow(keys, `${prefix}0`) };
}

/** Index of the first key that is not less than `key`. */
function firstNotBelow(keys: readonly string[], key: string): number {
  return firstIndexWhere(0, keys.length, (i) => compareCodePoints(keys[i] ?? '', key) >= 0);
}
