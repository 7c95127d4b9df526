import { expect, test, vi } from 'vitest';
import { BusyError } from '../../server/memory/busy-error.js';
import { MemoryBudget } from '../../server/memory/budget.js';

const MiB = 2 ** 20;

/** 100 MiB, including a reserve of 40. One client may reserve 45, all large requests together 47.5. */
function memory(waitMs = 60_000) {
  return new MemoryBudget({ maxBytes: 100 * MiB, maxRequestBytes: 40 * MiB, waitMs });
}

/** Records reservations in the order in which they are granted or fail. */
function watch(): { readonly granted: string[]; wait(name: string, taken: Promise<void> | undefined): void } {
  const granted: string[] = [];
  return {
    granted,
    wait(name, taken) {
      if (taken === undefined) granted.push(name);
      else
        taken.then(
          () => granted.push(name),
          (error: unknown) => granted.push(`${name}: ${error instanceof Error ? error.name : 'failed'}`),
        );
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('free memory is granted immediately and released at the end', () => {
  const all = memory();
  const lease = all.open('a');
  expect(lease.take(30 * MiB)).toBeUndefined();
  expect(all.stats().heldBytes).toBe(30 * MiB);
  lease.give(10 * MiB);
  expect(all.stats().heldBytes).toBe(20 * MiB);
  lease.end();
  lease.give(MiB);
  lease.add(MiB);
  expect(all.stats()).toMatchObject({ heldBytes: 0, waiting: 0, refused: 0 });
});

test('a reservation beyond the maximum is rejected immediately', () => {
  const lease = memory().open('a');
  expect(() => lease.take(41 * MiB)).toThrow('requestMemoryBytes');
});

test('no sequence of requests exceeds the budget', async () => {
  const all = memory();
  let most = 0;
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const lease = all.open(`client ${i % 7}`);
      for (const share of [0.1, 0.4, 0.5]) {
        await lease.take(share * 40 * MiB);
        most = Math.max(most, all.stats().heldBytes);
        await settled();
      }
      lease.end();
    }),
  );
  // All requests completed, although each waited for more memory while it had some reserved.
  expect(all.stats()).toMatchObject({ heldBytes: 0, waiting: 0, refused: 0 });
  expect(most).toBeGreaterThan(60 * MiB);
  expect(most).toBeLessThanOrEqual(100 * MiB);
});

test('requests that hold memory and need more do not deadlock', async () => {
  const all = memory();
  const { granted, wait } = watch();
  const [a, b] = [all.open('a'), all.open('b')];
  expect([a.take(22 * MiB), b.take(22 * MiB)]).toEqual([undefined, undefined]);
  wait('a', a.take(18 * MiB));
  wait('b', b.take(18 * MiB));
  await settled();
  expect(granted).toEqual(['a']);
  a.end();
  await settled();
  expect(granted).toEqual(['a', 'b']);
});

test('clients are served in turn, regardless of their number of requests', async () => {
  const all = memory();
  const { granted, wait } = watch();
  const first = all.open('flood');
  await first.take(40 * MiB);
  const flood = Array.from({ length: 5 }, () => all.open('flood'));
  for (const [i, lease] of flood.entries()) wait(`flood ${i}`, lease.take(40 * MiB));
  const other = all.open('other');
  wait('other', other.take(40 * MiB));
  await settled();
  expect(granted).toEqual(['flood 0']);
  first.end();
  await settled();
  flood[0]?.end();
  await settled();
  expect(granted.slice(0, 3)).toContain('other');
});

test('one client cannot hold all memory', async () => {
  const all = memory();
  const flood = Array.from({ length: 20 }, () => all.open('flood'));
  for (const lease of flood) lease.take(5 * MiB)?.catch(() => undefined);
  expect(all.stats().waiting).toBeGreaterThan(0);
  expect(all.open('other').take(2 * MiB)).toBeUndefined();
  for (const lease of flood) lease.end();
});

test('small requests pass large ones that wait', async () => {
  const all = memory();
  const holders = ['a', 'b'].map((client) => all.open(client));
  for (const lease of holders) await lease.take(20 * MiB);
  for (const client of ['c', 'd', 'e'])
    all
      .open(client)
      .take(30 * MiB)
      ?.catch(() => undefined);
  expect(all.stats().waiting).toBe(2);
  expect(all.open('f').take(MiB)).toBeUndefined();
  expect(all.stats().waiting).toBe(2);
});

test('a request that waits too long is rejected, including its further reservations', async () => {
  vi.useFakeTimers();
  try {
    const all = memory(5000);
    const first = all.open('a');
    const second = all.open('b');
    const third = all.open('c');
    await first.take(40 * MiB);
    await second.take(40 * MiB);
    const taking = third.take(20 * MiB)?.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await taking).toBeInstanceOf(BusyError);
    await expect(third.take(1)).rejects.toThrow(BusyError);
    expect(all.stats()).toMatchObject({ waiting: 0, refused: 1 });
  } finally {
    vi.useRealTimers();
  }
});

test('a request that ends, or is aborted, no longer waits', async () => {
  const all = memory();
  const { granted, wait } = watch();
  await all.open('a').take(40 * MiB);
  await all.open('b').take(40 * MiB);
  const [ended, aborted] = [all.open('c'), all.open('d')];
  const controller = new AbortController();
  wait('ended', ended.take(20 * MiB));
  wait('aborted', aborted.take(20 * MiB, { signal: controller.signal }));
  ended.end();
  controller.abort();
  await settled();
  expect(granted).toEqual(['ended: AbortError', 'aborted: AbortError']);
  expect(all.stats().waiting).toBe(0);
});

test('requests that wait for their client cannot use the reserve', async () => {
  const all = memory();
  const { granted, wait } = watch();
  await all.open('a').take(40 * MiB);
  wait('body', all.open('b').take(40 * MiB, { reserve: false }));
  await settled();
  expect(granted).toEqual([]);
  wait('read', all.open('c').take(40 * MiB));
  await settled();
  expect(granted).toEqual(['read']);
});
