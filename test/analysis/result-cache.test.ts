import { describe, expect, test, vi } from 'vitest';
import { type Computation, createResultStore } from '../../server/analysis/result-cache.js';
import { type ArraySlice, isZarrError } from '../../server/zarr/index.js';
import { changed } from '../setup/changed.js';
import { cacheOf, createArrayForEach, form, state, sumOf, whole, write } from './cached-sums.js';

createArrayForEach();

describe('the cache', () => {
  test('computes once while nothing changes', async () => {
    const cache = cacheOf();
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([10]);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([10]);
    expect(state.runs).toBe(1);
    expect(state.outcomes).toEqual(['miss', 'hit']);
  });

  test('detects every change of its inputs, including created and deleted chunks', async () => {
    const cache = cacheOf();
    const sum = async () => (await cache.get(sumOf(whole()), undefined))[0];
    expect(await sum()).toBe(10);
    await write([1, 2, 3, 5]);
    expect(await sum()).toBe(11);
    await write([0, 0, 3, 5]);
    expect(await sum()).toBe(8);
    await write([1, 2, 3, 5]);
    expect(await sum()).toBe(11);
    expect(state.outcomes).toEqual(['miss', 'miss', 'miss', 'miss']);
  });

  test('distinguishes keys and kinds', async () => {
    const results = createResultStore({ maxBytes: 2 ** 20 });
    const sums = results.cacheOf(form);
    const others = results.cacheOf({ ...form, kind: 'others' });
    await sums.get(sumOf(whole()), undefined);
    await others.get(sumOf(whole()), undefined);
    await sums.get(sumOf(whole(), 'b'), undefined);
    expect(state.runs).toBe(3);
  });

  test('returns copies', async () => {
    const cache = cacheOf();
    for (let i = 0; i < 3; i++) {
      const sums = await cache.get(sumOf(whole()), undefined);
      expect(sums).toEqual([10]);
      sums[0] = 99;
    }
  });

  test('returns the cached result itself to callers who only read it, and copies to others', async () => {
    const cache = cacheOf();
    const first = await cache.get({ ...sumOf(whole()), isReadOnly: true }, undefined);
    expect(await cache.get({ ...sumOf(whole()), isReadOnly: true }, undefined)).toBe(first);
    const own = await cache.get(sumOf(whole()), undefined);
    expect(own).toEqual(first);
    expect(own).not.toBe(first);
  });

  test('caches a cheap result when it is requested again', async () => {
    const cache = cacheOf();
    const cheap = { ...sumOf(whole()), isCheap: true };
    for (let i = 0; i < 3; i++) expect(await cache.get(cheap, undefined)).toEqual([10]);
    expect(state.runs).toBe(2);
    await write([1, 2, 3, 5]);
    expect(await cache.get(cheap, undefined)).toEqual([11]);
    expect(state.outcomes).toEqual(['miss', 'hit', 'miss']);
  });

  test('revalidates objects without reading bytes', async () => {
    const cache = cacheOf();
    await cache.get(sumOf(whole()), undefined);
    const getMany = vi.spyOn(state.store, 'getMany');
    await cache.get(sumOf(whole()), undefined);
    expect(state.runs).toBe(1);
    const requests = getMany.mock.calls.flatMap(([given]) => [...given]);
    expect(requests.map(({ ifNoneMatch }) => typeof ifNoneMatch)).toEqual(['string', 'string']);
  });

  test('caches no result computed while an object changed', async () => {
    const cache = cacheOf();
    const mixed = sumOf(whole(), 'a', () => write([7, 7, 7, 7]));
    expect(await cache.get(mixed, undefined)).toEqual([28]);
    await write([1, 2, 3, 4]);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([10]);
    expect(state.runs).toBe(2);
  });

  test('is disabled by size 0', async () => {
    const cache = cacheOf(0);
    await cache.get(sumOf(whole()), undefined);
    await cache.get(sumOf(whole()), undefined);
    expect(state.runs).toBe(2);
    expect(state.outcomes).toEqual([]);
  });

  test('is limited in bytes and evicts the least recently used', async () => {
    const results = createResultStore({ maxBytes: 10_000 });
    const cache = results.cacheOf({ ...form, sizeOf: () => 1000 });
    for (let i = 0; i < 10; i++) await cache.get(sumOf(whole(), String(i)), undefined);
    expect(results.heldBytes).toBeLessThanOrEqual(10_000);
    expect(results.heldBytes).toBeGreaterThan(4000);
    await cache.get(sumOf(whole(), '9'), undefined);
    expect(state.runs).toBe(10);
    await cache.get(sumOf(whole(), '0'), undefined);
    expect(state.runs).toBe(11);
  });

  test.each([
    ['large', 5000],
    ['unbounded', undefined],
  ])('does not cache %s results', async (_, bytes) => {
    const cache = createResultStore({ maxBytes: 10_000 }).cacheOf({ ...form, sizeOf: () => bytes });
    await cache.get(sumOf(whole()), undefined);
    await cache.get(sumOf(whole()), undefined);
    expect(state.runs).toBe(2);
  });

  test('computes without versions and reports it', async () => {
    const input: ArraySlice = changed(whole(), { objectVersions: async () => undefined });
    const cache = cacheOf();
    await cache.get(sumOf(input), undefined);
    await cache.get(sumOf(input), undefined);
    expect(state.runs).toBe(2);
    expect(state.outcomes).toEqual(['unversioned', 'unversioned']);
  });

  test('a failure is not cached', async () => {
    const cache = cacheOf();
    const failing = sumOf(whole(), 'a', () => Promise.reject(new Error('broken')));
    await expect(cache.get(failing, undefined)).rejects.toThrow('broken');
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([10]);
  });
});

describe('concurrent equal computations', () => {
  /** Creates a promise that resolves when `open` is called. */
  function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
    let open = (): void => {};
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, passed };
  }

  test('run once, and each caller gets its own result', async () => {
    const cache = cacheOf();
    const { open, passed } = gate();
    const all = [1, 2, 3].map(() =>
      cache.get(
        sumOf(whole(), 'a', () => passed),
        undefined,
      ),
    );
    open();
    const [first, second, third] = await Promise.all(all);
    expect([first, second, third]).toEqual([[10], [10], [10]]);
    expect(first).not.toBe(second);
    expect(second).not.toBe(third);
    expect(state.runs).toBe(1);
    expect(state.outcomes.toSorted()).toEqual(['hit', 'hit', 'miss']);
  });

  test('one that is aborted does not stop the others', async () => {
    const cache = cacheOf();
    const { open, passed } = gate();
    const stop = new AbortController();
    const aborted = cache.get(
      sumOf(whole(), 'a', () => passed),
      stop.signal,
    );
    const other = cache.get(
      sumOf(whole(), 'a', () => passed),
      undefined,
    );
    const caught = aborted.catch((error: unknown) => error);
    while (state.runs === 0) await new Promise(setImmediate);
    stop.abort();
    expect(isZarrError(await caught, 'ABORTED')).toBe(true);
    open();
    expect(await other).toEqual([10]);
    expect(state.runs).toBe(1);
  });

  test('are aborted when all callers are, and computed again afterwards', async () => {
    const cache = cacheOf();
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const endless: Computation<number[]> = {
      ...sumOf(whole()),
      run: (signal) =>
        new Promise((_, reject) => {
          seen = signal;
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    };
    const caught = cache.get(endless, stop.signal).catch((error: unknown) => error);
    while (seen === undefined) await new Promise(setImmediate);
    stop.abort();
    expect(isZarrError(await caught, 'ABORTED')).toBe(true);
    expect(seen.aborted).toBe(true);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([10]);
  });
});
