/** `getMany` of stores that read objects over HTTP: limits concurrency and time, and retries. */
import { LRUCache } from 'lru-cache';
import { StoreUnavailableError } from '../../core/errors.js';
import type { BufferPool } from '../../core/bytes/buffer-pool.js';
import { assertRequest } from '../checks.js';
import { type Effort, withinDeadline } from '../deadline.js';
import { type RetryHint, type RetryPolicy, runWithRetry } from '../retries.js';
import { runRequests } from '../run-requests.js';
import { createSemaphore } from '../semaphore.js';
import type { RequestPermits } from '../request-permits.js';
import type { ReadRequest, ReadResult, Store } from '../store.js';
import type { StoreOperation } from '../with-metrics.js';
import { TransientFailure } from './exchange.js';

/** Retries and time limits of a store. */
export interface NetworkPolicy extends RetryPolicy {
  /** Time limit of one operation including retries, in milliseconds; transferred bytes extend it. */
  readonly deadlineMs: number;
  /** Called for each failed attempt that is retried. */
  readonly onRetry?: ((operation: StoreOperation) => void) | undefined;
}

/** Resources of one attempt of a read. */
interface ReadEffort {
  readonly maxBytes: number | undefined;
  /** Memory for the bytes, if the receiver needs them only temporarily. */
  readonly pool: BufferPool | undefined;
  readonly signal: AbortSignal;
  readonly progress: (bytes: number) => void;
}

interface ObjectReader {
  readonly label: string;
  /** Makes one attempt. @throws TransientFailure if a retry may succeed */
  readonly readOnce: (request: ReadRequest, effort: ReadEffort) => Promise<ReadResult>;
  readonly policy: NetworkPolicy;
  readonly permits: RequestPermits;
  /** Memory for bytes that receivers need only temporarily. @default new memory */
  readonly bodies?: BufferPool;
  /** Maximum number of concurrent requests of one call. */
  readonly width: number;
}

/** Creates a pool that lends memory to the requests of one call. Bytes in other memory are not kept. */
function lender(bodies: BufferPool): BufferPool {
  const lent = new WeakSet<ArrayBufferLike>();
  return {
    acquire(length) {
      const bytes = bodies.acquire(length);
      lent.add(bytes.buffer);
      return bytes;
    },
    release(bytes) {
      if (lent.delete(bytes.buffer)) bodies.release(bytes);
    },
  };
}

export function createGetMany(reader: ObjectReader): Store['getMany'] {
  const { label, policy, permits, width, bodies, readOnce } = reader;
  // Each attempt acquires a separate permit, so that no permit is held while waiting for a retry.
  const unbounded = createSemaphore(Infinity);
  const sizes = new KnownSizes();
  return async (requests, each, options) => {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    const pool = options?.taken === undefined || bodies === undefined ? undefined : lender(bodies);
    const read = (request: ReadRequest, stop: AbortSignal | undefined): Promise<ReadResult> =>
      retryTransient(
        policy,
        (_, { signal, progress }) =>
          permits.use(signal, async (move) => {
            const arrived = (bytes: number): void => {
              move();
              progress(bytes);
            };
            const result = await readOnce(request, { maxBytes, pool, signal, progress: arrived });
            sizes.check(request.key, result);
            return result;
          }),
        { signal: stop, operation: 'read' },
      );
    await runRequests(requests, each, {
      permits: unbounded,
      width,
      signal: options?.signal,
      readOne: read,
      taken: options?.taken,
      release: (result) => {
        if (typeof result === 'object') pool?.release(result.bytes);
      },
      contextOf: (request) => ({ store: label, key: request.key }),
    });
  };
}

interface TransientOptions {
  readonly signal: AbortSignal | undefined;
  readonly operation: StoreOperation;
  /** Number of bytes sent, which extend the deadline. */
  readonly bytes?: number | undefined;
}

/**
 * Retries transient failures within the policy's limits.
 * @throws StoreUnavailableError if the last attempt that the policy allows fails; other errors of `attempt`
 */
export async function retryTransient<T>(
  policy: NetworkPolicy,
  attempt: (tried: number, effort: Effort) => Promise<T>,
  { signal, operation, bytes }: TransientOptions,
): Promise<T> {
  let tried = 0;
  let last: TransientFailure | undefined;
  const once = async (effort: Effort): Promise<T> => {
    try {
      return await attempt(tried++, effort);
    } catch (error) {
      if (error instanceof TransientFailure) last = error;
      throw error;
    }
  };
  try {
    return await withinDeadline({ deadlineMs: policy.deadlineMs, signal, bytes }, (effort) =>
      runWithRetry(policy, () => once(effort), hintOf, {
        signal: effort.signal,
        leftMs: effort.leftMs,
        onRetry: () => policy.onRetry?.(operation),
      }),
    );
  } catch (error) {
    throw describeFailure(error, last, tried);
  }
}

function describeFailure(error: unknown, last: TransientFailure | undefined, tried: number): unknown {
  const times = tried === 1 ? '' : `, ${tried} times`;
  if (error instanceof TransientFailure) {
    const { afterMs, isOutage, message } = error;
    const delay =
      afterMs === undefined || afterMs < 1000 ? '' : ` and requests a delay of ${afterMs / 1000} s`;
    return new StoreUnavailableError(`${message}${delay}${times}`, { cause: error, isOutage });
  }
  if (!(error instanceof StoreUnavailableError && error.isOutage) || last === undefined) return error;
  return new StoreUnavailableError(`${error.detail} (${last.message}${times})`, {
    cause: last,
    isOutage: true,
  });
}

function hintOf(error: unknown): RetryHint {
  return error instanceof TransientFailure
    ? { isWorthwhile: true, afterMs: error.afterMs }
    : { isWorthwhile: false };
}

const MAX_OBJECTS = 20_000;

/** Sizes of versions of objects, to detect an object that a server or proxy sends empty. */
class KnownSizes {
  readonly #known = new LRUCache<string, { readonly version: string; readonly bytes: number }>({
    max: MAX_OBJECTS,
  });

  /**
   * Compares the size of an empty object with the size of the same version, and remembers the others. Only ETags
   * count: a file that is restored with its date may have another size.
   * @throws TransientFailure if the version is not empty
   */
  check(key: string, result: ReadResult): void {
    if (typeof result !== 'object') return;
    const { version, total } = result;
    if (version?.endsWith('"') !== true || total === undefined) return;
    if (total > 0) {
      this.#known.set(key, { version, bytes: total });
      return;
    }
    const before = this.#known.get(key);
    if (before?.version === version)
      throw new TransientFailure(`the server sent an empty object; this version has ${before.bytes} bytes`, {
        isOutage: false,
      });
  }
}
