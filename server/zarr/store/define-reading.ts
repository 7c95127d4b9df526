/** Derives `getMany` from a method that reads one object. */
import { StoreUnavailableError, throwIfAborted } from '../errors.js';
import { assertRequest, assertVersion } from './conditions.js';
import { assertWithin, resolveRange } from './range.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { ByteRange, KeyStore, ReadAnswer, ReadOptions, ReadRequest, StoreValue } from './store.js';

export interface GetOptions extends Pick<ReadRequest, 'ifMatch' | 'ifNoneMatch'> {
  readonly signal: AbortSignal | undefined;
  /** A longer result is LIMIT_EXCEEDED; also checked afterwards. */
  readonly maxBytes: number | undefined;
  /** Bypasses the store's own cache, if it has one: a write depends on the result. */
  readonly fresh: boolean;
}

/** An object or a part of it; bare bytes if the store has no versions. `undefined`: there is no such object. */
export type GetResult = Uint8Array | StoreValue | 'unchanged' | undefined;

export interface ReadingMethods {
  /**
   * Reads a whole object. If results have a `version`, parts of two states of an object are never mixed. `ifMatch` and
   * `ifNoneMatch` are checked afterwards; a store that understands them saves a transfer. The bytes must not change
   * later.
   * @throws StoreUnavailableError, StoreDeniedError; any other error reaches clients as INTERNAL, without its message
   */
  get(key: string, options: GetOptions): Promise<GetResult> | GetResult;
  /**
   * Reads a part. Beyond the end of the object, the part is cut, down to no bytes.
   * @default reads the whole object and cuts it
   */
  getRange?(key: string, range: ByteRange, options: GetOptions): Promise<GetResult> | GetResult;
  /** Requests in flight at a time. @default 16 */
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
): Promise<ReadAnswer> {
  const { key, range, ifMatch, ifNoneMatch } = request;
  const hasRanges = range !== undefined && methods.getRange !== undefined;
  const maxBytes = options?.maxBytes;
  const given: GetOptions = {
    signal,
    fresh: options?.fresh === true,
    // For an object that is read whole, only the requested part counts.
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
  // Untyped programs may return anything, including null.
  if (typeof result === 'object' && result?.bytes instanceof Uint8Array)
    return { ...result, bytes: plainBytes(result.bytes) };
  throw new StoreUnavailableError('the store returned a value that is neither bytes nor { bytes }');
}

/** Not a Buffer, whose `slice` shares memory. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** A part of a whole object. */
function cut(value: StoreValue, range: ByteRange | undefined): StoreValue {
  const total = value.bytes.length;
  const { offset, length } = resolveRange(range, total);
  return { ...value, bytes: value.bytes.subarray(offset, offset + length), total };
}
