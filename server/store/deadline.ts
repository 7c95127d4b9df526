/**
 * Limits the duration of one operation of a store, including retries and waiting. Links signals, and retries.
 */
import { allowManyListeners } from '#platform';
import { AbortedError, StoreUnavailableError } from '../core/errors.js';

/** The remaining resources of an operation. */
export interface Effort {
  /** Fires when the caller aborts or the deadline expires. */
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  /** Reports received bytes, which extend the deadline. */
  readonly progress: (bytes: number) => void;
}

interface DeadlineOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Number of bytes that the operation sends, which extend the deadline. @default 0 */
  readonly bytes?: number | undefined;
}

/** Default deadline in milliseconds, well below a gateway's limit for a whole request (60 s by default). */
export const DEFAULT_DEADLINE_MS = 15_000;
/** Transfer rate, in bytes per millisecond, below which an operation uses up its deadline. */
const BYTES_PER_MS = 2 ** 20 / 1000;
/** Maximum delay of a timer in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` and waits until the deadline. A later result is discarded.
 * @throws StoreUnavailableError after the deadline; AbortedError as soon as the caller aborts; errors from
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
  if (caller !== undefined) allowManyListeners(caller);
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

/**
 * A signal for work that several other signals may cancel. Does not use `AbortSignal.any`, because its signals
 * and their listeners leak memory as long as a listener for "abort" remains (Node 24).
 */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(): void;
  /** Detaches from the other signals. Call this when the work has ended. */
  unlink(): void;
}

/** @param others signals that fire the linked signal, with their reason */
export function linkSignals(...others: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links: { readonly other: AbortSignal; readonly forward: () => void }[] = [];
  for (const other of others) {
    if (other === undefined) continue;
    // Many reads may share a signal, so many listeners are expected.
    allowManyListeners(other);
    const forward = (): void => controller.abort(other.reason);
    if (other.aborted) forward();
    else other.addEventListener('abort', forward, { once: true });
    links.push({ other, forward });
  }
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    unlink() {
      for (const { other, forward } of links) other.removeEventListener('abort', forward);
    },
  };
}
