/** `getMany` of the stores that read objects over HTTP: bounded in number and time, and tried again. */
import { StoreUnavailableError } from '../../errors.js';
import { assertRequest } from '../conditions.js';
import { withinDeadline } from '../deadline.js';
import type { Effort } from '../deadline.js';
import type { Places } from '../places.js';
import { runWithRetry } from '../retry.js';
import type { RetryHint, RetryPolicy } from '../retry.js';
import { runRequests } from '../run-requests.js';
import { createSemaphore } from '../semaphore.js';
import type { ReadAnswer, ReadRequest, Store } from '../store.js';
import type { StoreOperation } from '../with-metrics.js';
import { TransientFailure } from './exchange.js';

/** How hard a store tries. */
export interface NetworkPolicy extends RetryPolicy {
  /** Time of one operation over all its tries, in milliseconds; bytes that flow extend it. */
  readonly deadlineMs: number;
  /** Called for each try that failed and is followed by another one. */
  readonly onRetry?: ((operation: StoreOperation) => void) | undefined;
}

/** What one try of a read may use. */
export interface ReadEffort {
  readonly maxBytes: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (bytes: number) => void;
}

export interface ObjectReader {
  readonly label: string;
  /** One try. @throws TransientFailure where another one may succeed */
  readonly readOnce: (request: ReadRequest, effort: ReadEffort) => Promise<ReadAnswer>;
  readonly policy: NetworkPolicy;
  readonly places: Places;
  /** Requests of one call in flight at a time. */
  readonly width: number;
}

export function createGetMany(reader: ObjectReader): Store['getMany'] {
  const { label, policy, places, width, readOnce } = reader;
  // Each try takes a place of its own: nobody holds one while waiting for the next try.
  const unbounded = createSemaphore(Infinity);
  return async (requests, each, options) => {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    const read = (request: ReadRequest, stop: AbortSignal | undefined): Promise<ReadAnswer> =>
      retryTransient(
        policy,
        (_, { signal, progress }) =>
          places.use(signal, (move) => {
            const arrived = (bytes: number): void => {
              move();
              progress(bytes);
            };
            return readOnce(request, { maxBytes, signal, progress: arrived });
          }),
        { signal: stop, operation: 'read' },
      );
    await runRequests(requests, each, {
      places: unbounded,
      width,
      signal: options?.signal,
      readOne: read,
      placeOf: (request) => ({ store: label, key: request.key }),
    });
  };
}

export interface TransientOptions {
  readonly signal: AbortSignal | undefined;
  readonly operation: StoreOperation;
  /** Bytes that are sent, which extend the deadline. */
  readonly bytes?: number | undefined;
}

/**
 * Repeats what failed in passing, within the policy's deadline.
 * @throws StoreUnavailableError where it still fails after the policy's attempts, or its time
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
    const asks = afterMs === undefined || afterMs < 1000 ? '' : ` and asks to wait ${afterMs / 1000} s`;
    return new StoreUnavailableError(`${message}${asks}${times}`, { cause: error, isOutage });
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
