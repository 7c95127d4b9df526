/**
 * Slices that are asked for together travel together: everything up to the end of the current run of microtasks goes
 * out as one request. Each slice keeps its own signal, time limit and error.
 */
import { isZarrqlError, ZarrqlError } from '../errors.js';
import type { SliceRequest } from '../generated/operations.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { untilAborted } from './deadline.js';
import type { FetchSlices } from './slices.js';

/** @param signal its reason is thrown when it fires */
export type LoadSlice = (request: SliceRequest, signal: AbortSignal) => Promise<AnyNDArray>;

interface Waiting {
  readonly request: SliceRequest;
  readonly signal: AbortSignal;
  readonly resolve: (array: AnyNDArray) => void;
  readonly reject: (reason: unknown) => void;
}

export function createBatcher(fetchSlices: FetchSlices, maxBatch: number): LoadSlice {
  let queue: Waiting[] = [];
  const flush = () => {
    const waiting = queue.filter(({ signal }) => !signal.aborted);
    queue = [];
    for (let from = 0; from < waiting.length; from += maxBatch) {
      const batch = waiting.slice(from, from + maxBatch);
      runBatch(batch, fetchSlices).catch((error: unknown) => rejectAll(batch, error));
    }
  };
  return (request, signal) => {
    const answered = new Promise<AnyNDArray>((resolve, reject) => {
      // Two turns: what a settled promise asks for next (Promise.all over a step before) still comes along.
      if (queue.length === 0) queueMicrotask(() => queueMicrotask(flush));
      queue.push({ request, signal, resolve, reject });
    });
    return untilAborted(answered, signal);
  };
}

/** What fails, fails its slices. */
async function runBatch(batch: readonly Waiting[], fetchSlices: FetchSlices): Promise<void> {
  const group = abortTogether(batch.map(({ signal }) => signal));
  try {
    const requests = batch.map(({ request }) => request);
    const outcomes = await fetchSlices(requests, group.signal);
    await Promise.all(
      batch.map(async (waiting, i) => {
        const outcome = outcomes[i];
        if (!(outcome instanceof ZarrqlError) && outcome !== undefined) return waiting.resolve(outcome);
        if (batch.length > 1 && isZarrqlError(outcome, 'LIMIT_EXCEEDED'))
          return runBatch([waiting], fetchSlices);
        return waiting.reject(outcome);
      }),
    );
  } catch (error) {
    const alone = batch.length > 1 && isZarrqlError(error, 'LIMIT_EXCEEDED', 'BAD_INPUT', 'BAD_SELECTION');
    if (alone) for (const waiting of batch) await runBatch([waiting], fetchSlices);
    else rejectAll(batch, error);
  } finally {
    group.close();
  }
}

function rejectAll(batch: readonly Waiting[], reason: unknown): void {
  for (const waiting of batch) waiting.reject(reason);
}

/** Fires when the last of the signals has: as long as one slice is wanted, the request goes on. */
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
