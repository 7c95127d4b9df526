/** The loop below every store's `getMany`: how requests are spread over a bounded number of places. */
import { setMaxListeners } from 'node:events';
import { atPlace, throwIfAborted } from '../errors.js';
import type { Place } from '../errors.js';
import { acquireUnlessAborted } from './semaphore.js';
import type { Semaphore } from './semaphore.js';
import type { ReadAnswer } from './store.js';

export interface RunOptions<R> {
  /** Shared by all reads of a store. */
  readonly places: Semaphore;
  /** Requests of one call that are under way (or wait for a place) at a time: a large call leaves room for others. */
  readonly width: number;
  readonly signal?: AbortSignal | undefined;
  readonly readOne: (request: R, signal: AbortSignal | undefined) => ReadAnswer | Promise<ReadAnswer>;
  /** Called after `each`: nobody looks at the answer's bytes any more. For transient reads. */
  readonly done?: ((answer: ReadAnswer) => void) | undefined;
  /** Where an error of this request happened. */
  readonly placeOf: (request: R) => Place;
}

/**
 * Reads all requests and hands each answer on. The first failure stops the rest: no request starts after it, those
 * under way are aborted, and `each` is not called again.
 */
export async function runRequests<R>(
  requests: readonly R[],
  each: (index: number, answer: ReadAnswer) => void,
  options: RunOptions<R>,
): Promise<void> {
  throwIfAborted(options.signal);
  // Each request under way may listen to it; Node takes more than ten listeners for a leak.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  // One request needs no signal of its own: there is nothing else to stop.
  if (requests.length <= 1) return runWorker(requests.entries(), each, options, options.signal);
  const stop = new AbortController();
  const forward = (): void => stop.abort(options.signal?.reason);
  setMaxListeners(0, stop.signal);
  options.signal?.addEventListener('abort', forward, { once: true });
  const queue = requests.entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = (): Promise<void> =>
    runWorker(queue, each, options, stop.signal, (error) => {
      failure ??= { error };
      stop.abort(error);
    });
  try {
    await Promise.all(Array.from({ length: Math.min(options.width, requests.length) }, worker));
  } catch (error) {
    // What the caller's own signal cut off is ABORTED, whichever way the cut showed.
    throwIfAborted(options.signal);
    throw failure === undefined ? error : failure.error;
  } finally {
    options.signal?.removeEventListener('abort', forward);
  }
}

async function runWorker<R>(
  queue: IterableIterator<[number, R]>,
  each: (index: number, answer: ReadAnswer) => void,
  options: RunOptions<R>,
  signal: AbortSignal | undefined,
  fail?: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    const waiting = acquireUnlessAborted(options.places, signal);
    if (waiting !== undefined) await waiting;
    try {
      throwIfAborted(signal);
      const next = queue.next();
      if (next.done === true) return;
      const [index, request] = next.value;
      const answer = await readAt(request, signal, options);
      throwIfAborted(signal);
      each(index, answer);
      options.done?.(answer);
    } catch (error) {
      // At once: until the rejection has made its way up, others would go on.
      fail?.(error);
      throw error;
    } finally {
      options.places.release();
    }
  }
}

async function readAt<R>(
  request: R,
  signal: AbortSignal | undefined,
  options: RunOptions<R>,
): Promise<ReadAnswer> {
  try {
    return await options.readOne(request, signal);
  } catch (error) {
    throw atPlace(error, options.placeOf(request));
  }
}
