import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConflictError, StoreDeniedError } from '../../server/core/errors.js';
import { createLease } from '../../server/store/lease.js';
import { thisProcess } from '../../server/store/process-identity.js';
import { createMemoryStore } from '../../server/store/memory.js';
import type { KeyStore } from '../../server/store/store.js';
import { afterTimers, useFakeClock } from '../setup/fake-clock.js';

beforeEach(useFakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const memory = (): KeyStore => createMemoryStore({ label: 'm' });
const quick = { staleMs: 120, waitMs: 5000 };

async function objectsOf(store: KeyStore): Promise<number> {
  let count = 0;
  for await (const _ of store.walk('')) count++;
  return count;
}

test('a name has one lock holder at a time', async () => {
  const store = memory();
  const leases = [createLease({ store }), createLease({ store }), createLease({ store })];
  let inside = 0;
  const runs = leases.flatMap((lease) =>
    [1, 2, 3].map(() =>
      lease.withLock('a', async () => {
        inside++;
        expect(inside).toBe(1);
        await pause(2);
        inside--;
      }),
    ),
  );
  await leases[0]?.withLock('b', async () => undefined);
  await afterTimers(Promise.all(runs));
  expect(await objectsOf(store)).toBe(0);
});

test('a body that takes longer than the lock timeout keeps the lock', async () => {
  const store = memory();
  let isDone = false;
  const first = createLease({ store, ...quick }).withLock('a', async () => {
    await pause(quick.staleMs * 4);
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(5);
  await afterTimers(createLease({ store, ...quick }).withLock('a', async () => expect(isDone).toBe(true)));
  await first;
});

test('the lock of a dead process is taken over', async () => {
  const store = memory();
  const dead = createLease({ store: { ...store, delete: async () => {}, set: store.set } });
  await dead.withLock('a', async () => undefined);
  expect(await objectsOf(store)).toBe(1);
  expect(await afterTimers(createLease({ store, ...quick }).withLock('a', async () => 'mine'))).toBe('mine');
});

test('the lock of a dead process on this machine is taken over before it is stale', async () => {
  const store = memory();
  const lease = createLease({ store, waitMs: 5000, staleMs: 60_000 });
  await lease
    .withLock('a', async () => {
      for await (const { key } of store.walk(''))
        await store.set(key, Buffer.from(`${thisProcess().machine} 4194999-1 x`));
      await createLease({ store }).withLock('a', async () => undefined);
    })
    .catch(() => undefined);
  expect(await objectsOf(store)).toBe(0);
});

test('closing waits until locks are released, including abandoned ones', async () => {
  const store = memory();
  const slow: KeyStore = { ...store, delete: (...args) => pause(20).then(() => store.delete(...args)) };
  const lease = createLease({ store: slow });
  const gone = new AbortController();
  const holding = lease.withLock(
    'a',
    async (signal) => {
      gone.abort();
      signal?.throwIfAborted();
    },
    gone.signal,
  );
  const cut = lease.withLock('b', async () => undefined, AbortSignal.abort());
  await expect(cut).rejects.toMatchObject({ code: 'ABORTED' });
  await afterTimers(lease.close());
  expect(await objectsOf(store)).toBe(0);
  await expect(holding).rejects.toThrow('aborted');
});

test('a suspended process detects the lost lock before it writes', async () => {
  vi.useRealTimers();
  const store = memory();
  const standing = createLease({ store, ...quick }).withLock('a', async (_, assertHeld) => {
    const until = performance.now() + quick.staleMs;
    while (performance.now() < until);
    assertHeld?.();
  });
  await expect(standing).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a holder that lost its lease is notified and does not release the lease of its successor', async () => {
  const store = memory();
  const lease = createLease({ store, ...quick });
  let taken: readonly string[] = [];
  const losing = lease.withLock('a', async (signal) => {
    const keys: string[] = [];
    for await (const { key } of store.walk('')) keys.push(key);
    taken = keys;
    for (const key of keys) await store.set(key, Uint8Array.of(1));
    await new Promise((_, reject) => {
      signal?.addEventListener('abort', () =>
        reject(
          new ConflictError('cut off').afterWriting({ chunksWritten: 2, chunksDeleted: 0, bytesWritten: 9 }),
        ),
      );
    });
  });
  await expect(afterTimers(losing)).rejects.toMatchObject({
    code: 'CONFLICT',
    written: { chunksWritten: 2 },
  });
  expect(taken).toHaveLength(1);
  expect(await objectsOf(store)).toBe(1);
});

test('a lock that is not released is a CONFLICT, and a cancelled caller is ABORTED', async () => {
  const store = memory();
  let end = (): void => {};
  const first = createLease({ store }).withLock('a', () => new Promise<void>((resolve) => (end = resolve)));
  await vi.advanceTimersByTimeAsync(5);
  const waiting = createLease({ store, waitMs: 20 }).withLock('a', async () => undefined);
  await expect(afterTimers(waiting)).rejects.toMatchObject({ code: 'CONFLICT' });
  const cancel = new AbortController();
  const cancelled = createLease({ store }).withLock('a', async () => undefined, cancel.signal);
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
  end();
  await first;
});

test('the lock is released even if nothing can be deleted', async () => {
  const store: KeyStore = { ...memory(), delete: () => Promise.reject(new StoreDeniedError('no')) };
  for (let i = 0; i < 3; i++) expect(await createLease({ store }).withLock('a', async () => i)).toBe(i);
  expect(await objectsOf(store)).toBe(1);
});

test('errors of the locked function are thrown unchanged', async () => {
  const store = memory();
  const failure = new Error('of the body');
  await expect(createLease({ store }).withLock('a', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await objectsOf(store)).toBe(0);
});
