/** Runs the requests of `getMany` with bounded concurrency, for all stores. */
import { allowManyListeners } from '#platform';
import { withContext, throwIfAborted, type ErrorContext } from '../core/errors.js';
import { acquireUnlessAborted, type Semaphore } from './semaphore.js';
import { completedInline, type ReadResult } from './store.js';

interface RunOptions<R> {
  /** Shared by all reads of a store. */
  readonly permits: Semaphore;
  /**
   * Maximum number of requests of one call that are in flight or waiting for a permit, so that a large call
   * leaves permits for other calls.
   */
  readonly width: number;
  readonly signal?: AbortSignal | undefined;
  /** Called for every request before the first is read. @throws InputError for an invalid request */
  readonly check?: (request: R) => void;
  readonly readOne: (request: R, signal: AbortSignal | undefined) => ReadResult | Promise<ReadResult>;
  /** Reads an object if that is possible immediately, without a permit or a turn of the event loop. */
  readonly readNow?: (request: R) => ReadResult | 'elsewhere';
  /** Called after the results of `readNow`, before the read succeeds. @throws if one of them must not be used */
  readonly confirm?: () => void;
  /** Option of the read; see `ReadOptions.taken`. */
  readonly taken?: (() => Promise<void> | undefined) | undefined;
  /** Called when the receiver no longer uses the bytes of a response. */
  readonly release?: ((result: ReadResult) => void) | undefined;
  /** The location of a request, for errors. */
  readonly contextOf: (request: R) => ErrorContext;
}

/**
 * Reads all requests and passes on each result. After the first failure, no further request starts,
 * requests in flight are aborted, and `each` is not called again.
 */
export function runRequests<R>(
  requests: readonly R[],
  each: (index: number, result: ReadResult) => void,
  options: RunOptions<R>,
): Promise<void> {
  let now: Immediate<R>;
  try {
    throwIfAborted(options.signal);
    if (options.check !== undefined) for (const request of requests) options.check(request);
    now = runImmediate(requests, each, options);
  } catch (error) {
    return rejected(error);
  }
  return now.left.length === 0 ? (now.taken ?? completedInline) : runLeft(now, each, options);
}

async function runLeft<R>(
  { left, taken }: Immediate<R>,
  each: (index: number, result: ReadResult) => void,
  options: RunOptions<R>,
): Promise<void> {
  await Promise.all([taken, runWorkers(left, each, options)]);
}

async function runWorkers<R>(
  left: readonly [number, R][],
  each: (index: number, result: ReadResult) => void,
  options: RunOptions<R>,
): Promise<void> {
  // Raises the limit of listeners, because each request in flight may add one, and Node warns about more
  // than ten.
  if (options.signal !== undefined) allowManyListeners(options.signal);
  // A single request needs no separate signal, because there is nothing else to stop.
  if (left.length === 1) return runWorker(left.values(), each, options, options.signal);
  const stop = new AbortController();
  const forward = (): void => stop.abort(options.signal?.reason);
  allowManyListeners(stop.signal);
  options.signal?.addEventListener('abort', forward, { once: true });
  const queue = left.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = (): Promise<void> =>
    runWorker(queue, each, options, stop.signal, (error) => {
      failure ??= { error };
      stop.abort(error);
    });
  try {
    await Promise.all(Array.from({ length: Math.min(options.width, left.length) }, worker));
  } catch (error) {
    // Any failure after the caller's signal has fired becomes an AbortedError.
    throwIfAborted(options.signal);
    throw failure === undefined ? error : failure.error;
  } finally {
    options.signal?.removeEventListener('abort', forward);
  }
}

async function rejected(error: unknown): Promise<never> {
  throw error;
}

interface Immediate<R> {
  /** The remaining requests, with their indices in `requests`. */
  readonly left: readonly [number, R][];
  /** Resolves when the receiver is done with the last result. */
  readonly taken: Promise<void> | undefined;
}

/** Passes on immediately available results until the receiver is busy. */
function runImmediate<R>(
  requests: readonly R[],
  each: (index: number, result: ReadResult) => void,
  options: RunOptions<R>,
): Immediate<R> {
  const { readNow, contextOf, signal } = options;
  const left: [number, R][] = [];
  let taken: Promise<void> | undefined;
  for (const [index, request] of requests.entries()) {
    let result: ReadResult | 'elsewhere';
    try {
      result = readNow === undefined || taken !== undefined ? 'elsewhere' : readNow(request);
    } catch (error) {
      throw withContext(error, contextOf(request));
    }
    if (result === 'elsewhere') {
      left.push([index, request]);
      continue;
    }
    each(index, result);
    taken = whenTaken(result, options);
    throwIfAborted(signal);
  }
  options.confirm?.();
  return { left, taken };
}

/** Returns a promise to await before reading more, if any. */
function whenTaken<R>(result: ReadResult, { taken, release }: RunOptions<R>): Promise<void> | undefined {
  const taking = taken?.();
  if (taking !== undefined) return taking.then(() => release?.(result));
  release?.(result);
  return undefined;
}

async function runWorker<R>(
  queue: IterableIterator<[number, R]>,
  each: (index: number, result: ReadResult) => void,
  options: RunOptions<R>,
  signal: AbortSignal | undefined,
  fail?: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    const waiting = acquireUnlessAborted(options.permits, signal);
    if (waiting !== undefined) await waiting;
    let taken: Promise<void> | undefined;
    try {
      throwIfAborted(signal);
      const next = queue.next();
      if (next.done === true) return;
      const [index, request] = next.value;
      const result = await readAt(request, signal, options);
      throwIfAborted(signal);
      each(index, result);
      taken = whenTaken(result, options);
    } catch (error) {
      // Aborts immediately, because other requests would continue until the rejection has propagated.
      fail?.(error);
      throw error;
    } finally {
      options.permits.release();
    }
    // Waits without a permit, so that other calls may read while this receiver is busy.
    if (taken !== undefined) await taken;
  }
}

async function readAt<R>(
  request: R,
  signal: AbortSignal | undefined,
  options: RunOptions<R>,
): Promise<ReadResult> {
  try {
    return await options.readOne(request, signal);
  } catch (error) {
    throw withContext(error, options.contextOf(request));
  }
}
