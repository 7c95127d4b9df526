/** Retries with delays that respect the caller's signal. */
import { AbortedError, throwIfAborted } from '../errors.js';

export interface RetryPolicy {
  /** Maximum attempts, at least 1. */
  readonly attempts: number;
  /** Delay after the first attempt; doubles with each attempt, and is randomly reduced by up to half. */
  readonly baseMs: number;
  /** Upper bound of delays, unless the server requests more. */
  readonly maxMs: number;
}

export interface RetryOptions {
  readonly signal: AbortSignal | undefined;
  /** Remaining time. A delay beyond it fails immediately. @default unlimited */
  readonly leftMs?: () => number;
  /** Called for each failure that is retried. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

/** What a failed attempt implies for the next one. */
export interface RetryHint {
  readonly isWorthwhile: boolean;
  /** Minimum delay requested by the server. */
  readonly afterMs?: number | undefined;
}

/**
 * Runs `attempt` until it succeeds, attempts or time are used up, or its failure is not retryable.
 * @throws the last failure; AbortedError
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
    const cancel = (): void => {
      clearTimeout(timer);
      reject(new AbortedError('the request was cancelled', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    signal?.addEventListener('abort', cancel, { once: true });
  });
}
