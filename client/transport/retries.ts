import { TransportError } from '../errors.js';
import { delay, reasonOf } from './deadline.js';

export interface RetryPolicy {
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
}

/** Statuses to retry: too many requests, bad gateway, unavailable, gateway timeout. */
const retryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function isRetryStatus(status: number): boolean {
  return retryStatuses.has(status);
}

/**
 * Wait before the next attempt in ms; undefined if the request must not be retried.
 * @param attempt number of the failed attempt, from 0
 * @param random random number from 0 to 1. Half of the wait is jitter, so that clients do not retry
 *   simultaneously
 */
export function planRetry(
  error: unknown,
  attempt: number,
  policy: RetryPolicy,
  random: number = Math.random(),
): number | undefined {
  if (attempt >= policy.retries || !(error instanceof TransportError)) return undefined;
  const passing =
    error.code === 'NETWORK' ||
    error.code === 'STALLED' ||
    (error.status !== undefined && isRetryStatus(error.status));
  if (!passing) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= policy.maxRetryDelayMs ? error.retryAfterMs : undefined;
  const backoff = Math.min(policy.retryDelayMs * 2 ** attempt, policy.maxRetryDelayMs);
  return backoff * (0.5 + random / 2);
}

/** Parses `Retry-After` (RFC 9110, 10.2.3): seconds or a date. @returns ms; undefined if absent or malformed */
export function parseRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Runs a read until it succeeds, fails permanently, or the signal fires. */
export async function withRetries<T>(
  run: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) throw reasonOf(signal);
    try {
      return await run();
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal);
      const waitMs = planRetry(error, attempt, policy);
      if (waitMs === undefined) throw error;
      await delay(waitMs, signal);
    }
  }
}
