import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runWithRetry, wait } from '../../server/store/retries.js';
import { withinDeadline } from '../../server/store/deadline.js';
import { createRequestPermits } from '../../server/store/request-permits.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = (): Promise<never> => new Promise(() => {});
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('withinDeadline', () => {
  test('aborts hanging work', async () => {
    let stopped = false;
    const outcome = outcomeOf(
      withinDeadline({ deadlineMs: 1000 }, ({ signal }) => {
        signal.addEventListener('abort', () => (stopped = true));
        return never();
      }),
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(stopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: 'STORE_UNAVAILABLE', isOutage: true });
    expect(stopped).toBe(true);
  });
  test('steady progress extends the deadline, single bytes do not', async () => {
    const flowing = (bytes: number, everyMs: number): Promise<unknown> =>
      outcomeOf(
        withinDeadline({ deadlineMs: 1000 }, async ({ progress }) => {
          for (let at = 0; at < 20; at++) {
            await new Promise((resolve) => setTimeout(resolve, everyMs));
            progress(bytes);
          }
          return 'whole';
        }),
      );
    const [fast, slow] = [flowing(2 ** 20, 500), flowing(1, 500)];
    await vi.advanceTimersByTimeAsync(1001);
    expect(await slow).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await fast).toBe('whole');
  });
  test('the caller can abort the work before the deadline', async () => {
    const cancel = new AbortController();
    const outcome = outcomeOf(withinDeadline({ deadlineMs: 1000, signal: cancel.signal }, never));
    cancel.abort();
    expect(await outcome).toMatchObject({ code: 'ABORTED' });
    const late = withinDeadline({ deadlineMs: 1000, signal: cancel.signal }, never);
    expect(await outcomeOf(late)).toMatchObject({ code: 'ABORTED' });
  });
});

test('a wait beyond the remaining time fails immediately, a shorter one is respected', async () => {
  let tried = 0;
  const retrying = (afterMs: number): Promise<unknown> =>
    outcomeOf(
      withinDeadline({ deadlineMs: 10_000 }, ({ signal, leftMs }) =>
        runWithRetry(
          { attempts: 2, baseMs: 1, maxMs: 1000 },
          () => {
            tried++;
            return Promise.reject(new Error('busy'));
          },
          () => ({ isWorthwhile: true, afterMs }),
          { signal, leftMs },
        ),
      ),
    );
  expect(await retrying(3_600_000)).toMatchObject({ message: 'busy' });
  expect(tried).toBe(1);
  const waiting = retrying(9000);
  await vi.advanceTimersByTimeAsync(8999);
  expect(tried).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(tried).toBe(3);
});

describe('request permits', () => {
  test('a request without progress releases its slot, one with progress keeps it', async () => {
    const permits = createRequestPermits(1);
    const started: string[] = [];
    let move = (): void => {};
    const use = (name: string): void => {
      permits
        .use(undefined, (progress) => {
          started.push(name);
          move = progress;
          return never();
        })
        .catch(() => {});
    };
    use('first');
    use('second');
    await vi.advanceTimersByTimeAsync(900);
    move();
    await vi.advanceTimersByTimeAsync(900);
    expect(started).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(100);
    expect(started).toEqual(['first', 'second']);
  });
  test('the number of hanging requests whose slots are released is limited', async () => {
    const permits = createRequestPermits(2);
    let started = 0;
    for (let at = 0; at < 100; at++)
      permits
        .use(undefined, () => {
          started++;
          return never();
        })
        .catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toBe(8);
  });
});

test('a wait with a signal that has fired fails immediately', async () => {
  await expect(wait(60_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
});

test('one signal can cancel many operations without a warning', async () => {
  const warned = vi.fn<(warning: Error) => void>();
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const { signal } = new AbortController();
  const waits = Array.from({ length: 20 }, () => wait(1, signal));
  const works = Array.from({ length: 20 }, () => withinDeadline({ deadlineMs: 9, signal }, async () => {}));
  await Promise.all([...waits, ...works, vi.runAllTimersAsync()]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).not.toHaveBeenCalled();
});
