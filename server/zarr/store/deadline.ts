/** A bound on the time that one operation of a store takes, over all its tries and waits. */
import { AbortedError, StoreUnavailableError } from '../errors.js';

/** What an operation may still use. */
export interface Effort {
  /** Fires when the caller gives up or the time is up. */
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  /** So many bytes have arrived: a large object may take longer than a small one. */
  readonly progress: (bytes: number) => void;
}

export interface DeadlineOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the operation sends, which extend its time. @default 0 */
  readonly bytes?: number | undefined;
}

/** Well below the time that a gateway has for a whole request (60 s by default). */
export const defaultDeadlineMs = 15_000;
/** Transfers slower than this use up the deadline. */
const bytesPerMs = 2 ** 20 / 1000;
/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs `work`, but waits for it only until the deadline; what it does after that is lost.
 * @throws StoreUnavailableError when the time is up; AbortedError at once when the caller gives up; what `work` throws
 */
export async function withinDeadline<T>(
  { deadlineMs, signal: caller, bytes = 0 }: DeadlineOptions,
  work: (effort: Effort) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let endsAt = performance.now() + deadlineMs + bytes / bytesPerMs;
  const leftMs = (): number => endsAt - performance.now();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (error: Error, reason: unknown): void => {
      reject(error);
      controller.abort(reason);
    };
    const check = (): void => {
      const left = leftMs();
      if (left > 0) timer = setTimeout(check, Math.min(maxTimerMs, Math.ceil(left)));
      else {
        const error = new StoreUnavailableError(`the store did not answer within ${deadlineMs} ms`, {
          isOutage: true,
        });
        end(error, error);
      }
    };
    onAbort = () =>
      end(new AbortedError('the request was cancelled', { cause: caller?.reason }), caller?.reason);
    if (caller?.aborted === true) onAbort();
    else check();
  });
  caller?.addEventListener('abort', onAbort, { once: true });
  const progress = (more: number): void => {
    endsAt += more / bytesPerMs;
  };
  try {
    return await Promise.race([work({ signal: controller.signal, leftMs, progress }), ended]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}
