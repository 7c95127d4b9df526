/**
 * Batches requests made within two turns of the microtask queue. Each request keeps its own signal, time limit and
 * error.
 */
import { isZarrqlError, ZarrqlError } from '../errors.js';
import { untilAborted } from './deadline.js';

/** Loads one item. @param signal when it fires, its reason is thrown */
export type LoadOne<Q, R> = (request: Q, signal: AbortSignal) => Promise<R>;

/** Loads several items. @returns one outcome per request, in order. Rejects only if all of them failed. */
export type LoadMany<Q, R> = (
  requests: readonly Q[],
  signal: AbortSignal,
) => Promise<readonly (R | ZarrqlError)[]>;

interface Waiting<Q, R> {
  readonly request: Q;
  readonly signal: AbortSignal;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * @param groupOf only requests of the same group share a batch; a request without a group is sent
 * separately
 */
export function createBatcher<Q, R extends object>(
  loadMany: LoadMany<Q, R>,
  maxBatch: number,
  groupOf: (request: Q) => string | undefined,
): LoadOne<Q, R> {
  let queue: Waiting<Q, R>[] = [];
  const flush = () => {
    const waiting = queue.filter(({ signal }) => !signal.aborted);
    queue = [];
    for (const group of groupBy(waiting, ({ request }) => groupOf(request)))
      for (let from = 0; from < group.length; from += maxBatch) {
        const batch = group.slice(from, from + maxBatch);
        runBatch(batch, loadMany).catch((error: unknown) => rejectAll(batch, error));
      }
  };
  return (request, signal) => {
    const result = new Promise<R>((resolve, reject) => {
      // Waits for two turns of the microtask queue, so that requests made when a promise settles (Promise.all after an
      // earlier step) join the batch.
      if (queue.length === 0) queueMicrotask(() => queueMicrotask(flush));
      queue.push({ request, signal, resolve, reject });
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
