/** Retries with delays that respect the caller's signal. */
import { allowManyListeners } from '#platform';
import { AbortedError, throwIfAborted } from '../core/errors.js';

export interface RetryPolicy {
  /** Maximum number of attempts, at least 1. */
  readonly attempts: number;
  /**
   * Delay after the first attempt, in milliseconds. Doubles with each attempt, and is randomly reduced by up
   * to half.
   */
  readonly baseMs: number;
  /** Upper bound of delays, in milliseconds, unless the server requests a longer one. */
  readonly maxMs: number;
}

interface RetryOptions {
  readonly signal: AbortSignal | undefined;
  /** Returns the remaining time. If the delay would use it up, there is no retry. @default unlimited */
  readonly leftMs?: () => number;
  /** Called for each failure that is retried. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

/** Whether and when to retry after a failure. */
export interface RetryHint {
  readonly isWorthwhile: boolean;
  /** Minimum delay that the server requested, in milliseconds. */
  readonly afterMs?: number | undefined;
}

/**
 * Runs `attempt` until it succeeds, attempts or time are used up, or its failure is not retryable.
 * @throws the last failure; AbortedError if the signal fires
 */
export async function runWithRetry<T>(
  policy: RetryPolicy,
  attempt: () => Promise<T>,
  hintOf: (error: unknown) => RetryHint,
  { signal, leftMs, onRetry }: RetryOptions,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    throwIfAborted(signal);
    try {
      return await attempt();
    } catch (error) {
      const hint = hintOf(error);
      if (!hint.isWorthwhile || tried >= policy.attempts) throw error;
      const pauseMs = waitMs(policy, tried, hint.afterMs);
      if (leftMs !== undefined && pauseMs >= leftMs()) throw error;
      onRetry?.(error);
      await wait(pauseMs, signal);
    }
  }
}

function waitMs(policy: RetryPolicy, tried: number, afterMs: number | undefined): number {
  const backoff = policy.baseMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
  return Math.max(Math.min(policy.maxMs, backoff), afterMs ?? 0);
}

/** Waits `ms` milliseconds. @throws AbortedError as soon as the signal fires */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = (): AbortedError =>
      new AbortedError('the request was cancelled', { cause: signal?.reason });
    // A signal that has fired never calls its listeners again.
    if (signal?.aborted === true) {
      reject(cancelled());
      return;
    }
    const cancel = (): void => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    if (signal !== undefined) allowManyListeners(signal);
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Waits for work that continues if this caller aborts. @throws AbortedError as soon as the caller aborts */
export async function untilAborted<T>(caller: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (caller === undefined) return work;
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(new AbortedError('the request was cancelled', { cause: caller.reason }));
    if (caller.aborted) giveUp();
    allowManyListeners(caller);
    caller.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    caller.removeEventListener('abort', giveUp);
  }
}
