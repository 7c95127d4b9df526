/** Trying again: how often, how long to wait in between, and never past the caller's signal. */
import { AbortedError, throwIfAborted } from '../errors.js';

export interface RetryPolicy {
  /** Tries in all, at least 1. */
  readonly attempts: number;
  /** The wait after the first try; each later one is twice as long, and each is cut at random to between half and all. */
  readonly baseMs: number;
  /** No wait is longer, unless the server asks for it. */
  readonly maxMs: number;
}

export interface RetryOptions {
  readonly signal: AbortSignal | undefined;
  /** Time that is left for all of it: a wait that does not fit fails at once. @default no bound */
  readonly leftMs?: () => number;
  /** Called for each failure that is followed by another try. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

/** What a failed try tells about the next one. */
export interface RetryHint {
  readonly isWorthwhile: boolean;
  /** The least wait that the server asked for. */
  readonly afterMs?: number | undefined;
}

/**
 * Runs `attempt` until it succeeds, the tries or the time are used up, or its failure is not worth another try.
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

/** Waits so many milliseconds. @throws AbortedError at once when the signal fires */
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
