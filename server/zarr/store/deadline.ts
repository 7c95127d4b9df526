/** Limits the duration of one operation of a store, including retries and waiting. */
import { AbortedError, StoreUnavailableError } from '../errors.js';

/** The remaining resources of an operation. */
export interface Effort {
  /** Fires when the caller aborts or the deadline passes. */
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  /** Reports received bytes, which extend the deadline. */
  readonly progress: (bytes: number) => void;
}

export interface DeadlineOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the operation sends, which extend the deadline. @default 0 */
  readonly bytes?: number | undefined;
}

/** Default deadline, well below a gateway's limit for a whole request (60 s by default). */
export const DEFAULT_DEADLINE_MS = 15_000;
/** Transfer rate below which an operation uses up its deadline. */
const BYTES_PER_MS = 2 ** 20 / 1000;
/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` and waits until the deadline. A later result is discarded.
 * @throws StoreUnavailableError after the deadline; AbortedError as soon as the caller aborts; errors of
 * `work`
 */
export async function withinDeadline<T>(
  { deadlineMs, signal: caller, bytes = 0 }: DeadlineOptions,
  work: (effort: Effort) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let endsAt = performance.now() + deadlineMs + bytes / BYTES_PER_MS;
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
      if (left > 0) timer = setTimeout(check, Math.min(MAX_TIMER_MS, Math.ceil(left)));
      else {
        const error = new StoreUnavailableError(`the store did not respond within ${deadlineMs} ms`, {
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
    endsAt += more / BYTES_PER_MS;
  };
  try {
    return await Promise.race([work({ signal: controller.signal, leftMs, progress }), ended]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}
