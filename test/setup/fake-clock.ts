/** A fake clock for code that waits. It advances only as far as a test requires. */
import { vi } from 'vitest';

/** Replaces timers and `performance.now` until `vi.useRealTimers()`. */
export function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
}

/** Moves the fake clock forward, millisecond by millisecond, until the promise is settled. */
export async function afterTimers<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  while (!isSettled) await vi.advanceTimersByTimeAsync(1);
  return promise;
}
