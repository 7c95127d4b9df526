/** Results of several requests, in the order in which they arrive. */
import { ZarrqlError } from '../errors.js';
import type { RequestOptions } from '../transport/document.js';

/** A request of a batch: an object with `read`, such as a lazy slice, or a function that passes the options on. */
export type BatchRequest = BatchReader | ((options: RequestOptions) => Promise<unknown>);

export interface BatchReader {
  read(options: RequestOptions): Promise<unknown>;
}

/** The result of a request of a batch, by its key. */
export type BatchResult<Q> = {
  readonly [K in keyof Q & string]: { readonly key: K; readonly result: BatchOutcome<ResultOf<Q[K]>> };
}[keyof Q & string];

/** The outcome of one request, independent of the others. */
export type BatchOutcome<T> =
  | { readonly status: 'fulfilled'; readonly value: T }
  | { readonly status: 'rejected'; readonly reason: ZarrqlError };

type ResultOf<R> = R extends { read(options: RequestOptions): Promise<infer T> }
  ? T
  : R extends (options: RequestOptions) => Promise<infer T>
    ? T
    : never;

interface Arrived {
  readonly key: string;
  readonly result: BatchOutcome<unknown>;
}

/**
 * Starts all requests and yields their results as they arrive. Aborts the others when the consumer stops.
 * @throws errors other than those of the SDK
 */
export async function* batchResults(
  requests: Readonly<Record<string, BatchRequest>>,
  { signal, timeoutMs }: Pick<RequestOptions, 'signal' | 'timeoutMs'> = {},
): AsyncGenerator<Arrived, void> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const options = { signal: stop.signal, timeoutMs, inParts: true };
  const left = new Map(
    Object.entries(requests).map(([key, request]) => [key, outcomeOf(key, request, options)] as const),
  );
  // An error other than the SDK's is thrown when the consumer reaches it.
  for (const outcome of left.values()) outcome.catch(() => undefined);
  try {
    while (left.size > 0) {
      const arrived = await Promise.race(left.values());
      left.delete(arrived.key);
      yield arrived;
    }
  } finally {
    stop.abort();
    signal?.removeEventListener('abort', abort);
  }
}

async function outcomeOf(key: string, request: BatchRequest, options: RequestOptions): Promise<Arrived> {
  try {
    const value = await (typeof request === 'function' ? request(options) : request.read(options));
    return { key, result: { status: 'fulfilled', value } };
  } catch (error) {
    if (error instanceof ZarrqlError) return { key, result: { status: 'rejected', reason: error } };
    throw error;
  }
}
