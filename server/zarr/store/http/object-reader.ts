/** `getMany` of stores that read objects over HTTP: limits concurrency and time, and retries. */
import { StoreUnavailableError } from '../../errors.js';
import { assertRequest } from '../conditions.js';
import { withinDeadline } from '../deadline.js';
import type { Effort } from '../deadline.js';
import type { RequestPermits } from '../request-permits.js';
import { runWithRetry } from '../retry.js';
import type { RetryHint, RetryPolicy } from '../retry.js';
import { runRequests } from '../run-requests.js';
import { createSemaphore } from '../semaphore.js';
import type { ReadResult, ReadRequest, Store } from '../store.js';
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
export interface ReadEffort {
  readonly maxBytes: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (bytes: number) => void;
}

export interface ObjectReader {
  readonly label: string;
  /** One attempt. @throws TransientFailure if a retry may succeed */
  readonly readOnce: (request: ReadRequest, effort: ReadEffort) => Promise<ReadResult>;
  readonly policy: NetworkPolicy;
  readonly permits: RequestPermits;
  /** Maximum concurrent requests of one call. */
  readonly width: number;
}

export function createGetMany(reader: ObjectReader): Store['getMany'] {
  const { label, policy, permits, width, readOnce } = reader;
  // Each attempt acquires its own permit, so that none is held while waiting for a retry.
  const unbounded = createSemaphore(Infinity);
  return async (requests, each, options) => {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    const read = (request: ReadRequest, stop: AbortSignal | undefined): Promise<ReadResult> =>
      retryTransient(
        policy,
        (_, { signal, progress }) =>
          permits.use(signal, (move) => {
            const arrived = (bytes: number): void => {
              move();
              progress(bytes);
            };
            return readOnce(request, { maxBytes, signal, progress: arrived });
          }),
        { signal: stop, operation: 'read' },
      );
    await runRequests(requests, each, {
      permits: unbounded,
      width,
      signal: options?.signal,
      readOne: read,
      contextOf: (request) => ({ store: label, key: request.key }),
    });
  };
}

export interface TransientOptions {
  readonly signal: AbortSignal | undefined;
  readonly operation: StoreOperation;
  /** Bytes sent, which extend the deadline. */
  readonly bytes?: number | undefined;
}

/**
 * Retries transient failures within the policy's limits.
 * @throws StoreUnavailableError if it still fails after the policy's attempts or time
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
    const asks =
      afterMs === undefined || afterMs < 1000 ? '' : ` and requests a delay of ${afterMs / 1000} s`;
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
