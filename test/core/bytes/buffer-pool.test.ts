import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBufferPool } from '../../../server/core/bytes/buffer-pool.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mib = 2 ** 20;

test('a released buffer is reused, the last one first, and never by two users', () => {
  const pool = createBufferPool();
  const [a, b] = [pool.acquire(mib), pool.acquire(mib)];
  expect(a.buffer).not.toBe(b.buffer);
  pool.release(a);
  pool.release(b);
  pool.release(b);
  expect([pool.acquire(mib), pool.acquire(mib)].map(({ buffer }) => buffer)).toEqual([b.buffer, a.buffer]);
  expect([a.buffer, b.buffer]).not.toContain(pool.acquire(mib).buffer);
});

test('an exact pool reuses a buffer for its length only, another pool for slightly shorter ones too', () => {
  const exact = createBufferPool({ isExact: true });
  const first = exact.acquire(mib);
  expect(first.buffer.byteLength).toBe(mib);
  exact.release(first);
  expect(exact.acquire(mib - 1).buffer).not.toBe(first.buffer);
  expect(exact.acquire(mib).buffer).toBe(first.buffer);
  const pool = createBufferPool();
  const other = pool.acquire(mib);
  pool.release(other);
  expect(pool.acquire(mib / 4).buffer).not.toBe(other.buffer);
  expect(pool.acquire(mib - 1).buffer).toBe(other.buffer);
});

test('the oldest buffers are dropped beyond the limit', () => {
  const pool = createBufferPool({ maxKeptBytes: 2 * mib, isExact: true });
  const all = [mib, mib, mib].map((length) => pool.acquire(length));
  for (const bytes of all) pool.release(bytes);
  const reacquired = all.map(({ length }) => pool.acquire(length).buffer);
  expect(reacquired.slice(0, 2)).toEqual([all[2]?.buffer, all[1]?.buffer]);
  expect(reacquired[2]).not.toBe(all[0]?.buffer);
});

test('memory is freed within six seconds of its last use, and kept while it is used', () => {
  const pool = createBufferPool({ isExact: true });
  const bytes = pool.acquire(mib);
  for (let i = 0; i < 5; i++) {
    pool.release(bytes);
    vi.advanceTimersByTime(2500);
    expect(pool.acquire(mib).buffer).toBe(bytes.buffer);
  }
  pool.release(bytes);
  vi.advanceTimersByTime(6000);
  expect(vi.getTimerCount()).toBe(0);
  expect(pool.acquire(mib).buffer).not.toBe(bytes.buffer);
});
