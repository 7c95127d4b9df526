/** Derives `getMany` from a method that reads one object. */
import { StoreUnavailableError, throwIfAborted } from '../errors.js';
import { assertRequest, assertVersion } from './conditions.js';
import { assertWithin, resolveRange } from './range.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { ByteRange, KeyStore, ReadResult, ReadOptions, ReadRequest, StoreValue } from './store.js';

export interface GetOptions extends Pick<ReadRequest, 'ifMatch' | 'ifNoneMatch'> {
  readonly signal: AbortSignal | undefined;
  /** Maximum size; a longer result is LIMIT_EXCEEDED. The result is checked too. */
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
   * @throws StoreUnavailableError, StoreDeniedError; any other error reaches clients as INTERNAL, without
   * its message
   */
  get(key: string, options: GetOptions): Promise<GetResult> | GetResult;
  /**
   * Reads a part. A range beyond the end of the object is clipped, possibly to no bytes.
   * @default reads the whole object and extracts the part
   */
  getRange?(key: string, range: ByteRange, options: GetOptions): Promise<GetResult> | GetResult;
  /** Maximum requests in flight. @default 16 */
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
  const given: GetOptions = {
    signal,
    fresh: options?.fresh === true,
    // If the whole object is read, only the requested part counts.
    maxBytes: range === undefined || hasRanges ? maxBytes : undefined,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
  let result: GetResult;
  try {
    result = await (hasRanges ? methods.getRange?.(key, range, given) : methods.get(key, given));
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
  if (result === 'unchanged' && ifNoneMatch !== undefined) return result;
  const value = valueOf(result);
  assertVersion(value?.version, ifMatch);
  if (value === undefined) return undefined;
  if (ifNoneMatch !== undefined && value.version === ifNoneMatch) return 'unchanged';
  const answer = hasRanges ? value : cut(value, range);
  assertWithin(answer.bytes.length, maxBytes);
  return answer;
}

function valueOf(result: GetResult): StoreValue | undefined {
  if (result === undefined) return undefined;
  if (result instanceof Uint8Array) return { bytes: plainBytes(result) };
  // Programs without types may return anything, including null.
  if (typeof result === 'object' && result?.bytes instanceof Uint8Array)
    return { ...result, bytes: plainBytes(result.bytes) };
  throw new StoreUnavailableError('the store returned a value that is neither bytes nor { bytes }');
}

/** Converts a Buffer to a Uint8Array, because `Buffer.slice` shares memory. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Extracts a part of a whole object. */
function cut(value: StoreValue, range: ByteRange | undefined): StoreValue {
  const total = value.bytes.length;
  const { offset, length } = resolveRange(range, total);
  return { ...value, bytes: value.bytes.subarray(offset, offset + length), total };
}
