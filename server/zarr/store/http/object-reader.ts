/** `getMany` of the stores that read objects over HTTP: bounded, and tried again. */
import { StoreUnavailableError } from '../../errors.js';
import { assertRequest } from '../conditions.js';
import { runWithRetry } from '../retry.js';
import type { RetryHint, RetryPolicy } from '../retry.js';
import { runRequests } from '../run-requests.js';
import type { Semaphore } from '../semaphore.js';
import type { ReadAnswer, ReadRequest, Store } from '../store.js';
import { TransientFailure } from './exchange.js';

export interface ObjectReader {
  readonly label: string;
  /** One try. @throws TransientFailure where another one may succeed */
  readonly readOnce: (
    request: ReadRequest,
    maxBytes: number | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<ReadAnswer>;
  readonly policy: RetryPolicy;
  readonly places: Semaphore;
  /** Requests of one call under way at a time. */
  readonly width: number;
}

export function createGetMany(reader: ObjectReader): Store['getMany'] {
  const { label, policy, places, width, readOnce } = reader;
  return async (requests, each, options) => {
    for (const request of requests) assertRequest(request);
    const maxBytes = options?.maxBytes;
    await runRequests(requests, each, {
      places,
      width,
      signal: options?.signal,
      readOne: (request, stop) => retryTransient(policy, () => readOnce(request, maxBytes, stop), stop),
      placeOf: (request) => ({ store: label, key: request.key }),
    });
  };
}

/** Tries again what failed in passing. @throws StoreUnavailableError where it still does after the policy's attempts */
export async function retryTransient<T>(
  policy: RetryPolicy,
  attempt: (tried: number) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let tried = 0;
  try {
    return await runWithRetry(policy, () => attempt(tried++), hintOf, signal);
  } catch (error) {
    if (!(error instanceof TransientFailure)) throw error;
    const times = tried === 1 ? '' : `, ${tried} times`;
    throw new StoreUnavailableError(`${error.message}${times}`, { cause: error });
  }
}

function hintOf(error: unknown): RetryHint {
  return error instanceof TransientFailure
    ? { isWorthwhile: true, afterMs: error.afterMs }
    : { isWorthwhile: false };
}
