/** Derives `getMany` and the role listable from simpler methods. Reads single objects by `getMany`. */
import { StoreUnavailableError, throwIfAborted } from '../core/errors.js';
import { assertObjectSize, assertRequest, assertVersion, resolveRange } from './checks.js';
import { createSemaphore } from './semaphore.js';
import { runRequests } from './run-requests.js';
import type {
  ByteRange,
  KeyStore,
  ReadOptions,
  ReadRequest,
  ReadResult,
  Store,
  StoreValue,
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
