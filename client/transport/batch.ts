/**
 * Batches requests made within two turns of the microtask queue. Each request keeps its own signal, time limit and
 * error.
 */
import { isZarrqlError, ZarrqlError } from '../errors.js';
import { untilAborted } from './deadline.js';

/**
 * Loads one item.
 * @param signal when it fires, its reason is thrown
 * @param inParts whether the item settles as soon as it has arrived. @default false
 */
export type LoadOne<Q, R> = (request: Q, signal: AbortSignal, inParts?: boolean) => Promise<R>;

/** Loads several items. @returns one outcome per request, in order. Rejects only if all of them failed. */
export type LoadMany<Q, R> = (
  requests: readonly Q[],
  signal: AbortSignal,
) => Promise<readonly (R | ZarrqlError)[]>;

/** Like `LoadMany`, but passes on each outcome as soon as it has arrived. May omit some, which are then loaded again. */
export type LoadParts<Q, R> = (
  requests: readonly Q[],
  signal: AbortSignal,
  receive: (i: number, outcome: R | ZarrqlError) => void,
) => Promise<void>;

interface Waiting<Q, R> {
  readonly request: Q;
  readonly signal: AbortSignal;
  readonly inParts: boolean;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * @param groupOf only requests of the same group share a batch; a request without a group is sent
 * separately
 * @param loadParts loads batches whose items settle one by one; without it, each is sent separately
 */
export function createBatcher<Q, R extends object>(
  loadMany: LoadMany<Q, R>,
  maxBatch: number,
  groupOf: (request: Q) => string | undefined,
  loadParts?: LoadParts<Q, R>,
): LoadOne<Q, R> {
  let queue: Waiting<Q, R>[] = [];
  const flush = () => {
    const waiting = queue.filter(({ signal }) => !signal.aborted);
    queue = [];
    for (const group of groupBy(waiting, ({ request }) => groupOf(request)))
      for (let from = 0; from < group.length; from += maxBatch) {
        const batch = group.slice(from, from + maxBatch);
        runAny(batch, loadMany, loadParts).catch((error: unknown) => rejectAll(batch, error));
      }
  };
  return (request, signal, inParts = false) => {
    const result = new Promise<R>((resolve, reject) => {
      // Waits for two turns of the microtask queue, so that requests made when a promise settles (Promise.all after an
      // earlier step) join the batch.
      if (queue.length === 0) queueMicrotask(() => queueMicrotask(flush));
      queue.push({ request, signal, inParts, resolve, reject });
    });
    return untilAborted(result, signal);
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Iterable<T[]> {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const key = keyOf(item) ?? item;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups.values();
}

async function runAny<Q, R extends object>(
  batch: readonly Waiting<Q, R>[],
  loadMany: LoadMany<Q, R>,
  loadParts: LoadParts<Q, R> | undefined,
): Promise<void> {
  if (batch.length > 1 && batch.some(({ inParts }) => inParts)) {
    const left = loadParts === undefined ? batch : await runInParts(batch, loadParts);
    if (loadParts === undefined || left.length === 0) {
      await Promise.all(left.map((waiting) => runBatch([waiting], loadMany)));
      return;
    }
    await runBatch(left, loadMany);
    return;
  }
  await runBatch(batch, loadMany);
}

/** @returns the requests without an outcome, which are sent again: after an error, and those that exceeded a limit */
async function runInParts<Q, R extends object>(
  batch: readonly Waiting<Q, R>[],
  loadParts: LoadParts<Q, R>,
): Promise<Waiting<Q, R>[]> {
  const left = new Set(batch);
  const group = abortTogether(batch.map(({ signal }) => signal));
  try {
    const requests = batch.map(({ request }) => request);
    await loadParts(requests, group.signal, (i, outcome) => {
      const waiting = batch[i];
      if (waiting === undefined || isZarrqlError(outcome, 'LIMIT_EXCEEDED')) return;
      left.delete(waiting);
      if (outcome instanceof ZarrqlError) waiting.reject(outcome);
      else waiting.resolve(outcome);
    });
  } catch (error) {
    // The requests are sent again with retries, whose errors are reported.
    if (!(error instanceof ZarrqlError)) throw error;
  } finally {
    group.close();
  }
  return [...left].filter(({ signal }) => !signal.aborted);
}

/** If a batch fails, all its requests fail. After a limit or input error, they are retried one by one. */
async function runBatch<Q, R extends object>(
  batch: readonly Waiting<Q, R>[],
  loadMany: LoadMany<Q, R>,
): Promise<void> {
  const group = abortTogether(batch.map(({ signal }) => signal));
  try {
    const requests = batch.map(({ request }) => request);
    const outcomes = await loadMany(requests, group.signal);
    await Promise.all(
      batch.map(async (waiting, i) => {
        const outcome = outcomes[i];
        if (!(outcome instanceof ZarrqlError) && outcome !== undefined) return waiting.resolve(outcome);
        if (batch.length > 1 && isZarrqlError(outcome, 'LIMIT_EXCEEDED'))
          return runBatch([waiting], loadMany);
        return waiting.reject(outcome);
      }),
    );
  } catch (error) {
    const alone = batch.length > 1 && isZarrqlError(error, 'LIMIT_EXCEEDED', 'BAD_INPUT', 'BAD_SELECTION');
    if (alone) for (const waiting of batch) await runBatch([waiting], loadMany);
    else rejectAll(batch, error);
  } finally {
    group.close();
  }
}

function rejectAll<Q, R>(batch: readonly Waiting<Q, R>[], reason: unknown): void {
  for (const waiting of batch) waiting.reject(reason);
}

/**
 * A signal that fires when all signals have fired, so that the batch continues while any caller is waiting.
 */
function abortTogether(signals: readonly AbortSignal[]): { signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const check = () => {
    if (signals.every((signal) => signal.aborted)) controller.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', check, { once: true });
  check();
  return {
    signal: controller.signal,
    close() {
      for (const signal of signals) signal.removeEventListener('abort', check);
    },
  };
}
