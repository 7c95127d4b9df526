import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createResultStore, type EncodedForm, type ResultCache } from '../../server/analysis/result-cache.js';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../server/zarr/index.js';
import { cacheOf, createArrayForEach, form, state, sumOf, whole, write } from './cached-sums.js';

createArrayForEach();

describe('a remote store with many chunks', () => {
  let requests: number;
  /** Requests to the store wait for this promise. */
  let opened: Promise<void> | undefined;

  async function useRemoteArray(maxVersionChecks: number): Promise<void> {
    const inMemory = createMemoryStore({ label: 'far' });
    const request = { shape: [100], dtype: 'int16', chunkShape: [1] };
    const created = await openHierarchy(inMemory).createArray('/', request);
    await created.select({ kind: 'all' }).write(Array.from({ length: 100 }, () => 1));
    const counting: KeyStore = {
      ...inMemory,
      maxVersionChecks,
      async getMany(batch, each, options) {
        requests += batch.length;
        await opened;
        return inMemory.getMany(batch, each, options);
      },
    };
    state.array = await openHierarchy(counting).array('/');
    requests = 0;
  }

  test('is cached by its second request: a single one does not wait for versions', async () => {
    await useRemoteArray(100);
    const cache = cacheOf();
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([100]);
    expect([state.runs, requests]).toEqual([1, 100]);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([100]);
    expect([state.runs, requests]).toEqual([2, 300]);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([100]);
    expect([state.runs, requests]).toEqual([2, 400]);
    await state.array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 7, stop: 8 }] }).write([5]);
    expect(await cache.get(sumOf(whole()), undefined)).toEqual([104]);
    expect(state.outcomes).toEqual(['miss', 'miss', 'hit', 'miss']);
  });

  test('lookups of one turn of the event loop share one check, later ones do not', async () => {
    await useRemoteArray(100);
    const cache = cacheOf();
    for (let k = 0; k < 2; k++) await cache.get(sumOf(whole()), undefined);
    requests = 0;
    const together = Array.from({ length: 3 }, () => cache.get(sumOf(whole()), undefined));
    expect(await Promise.all(together)).toEqual([[100], [100], [100]]);
    expect(requests).toBe(100);
    let open: () => void = () => undefined;
    opened = new Promise((resolve) => (open = resolve));
    const first = cache.get(sumOf(whole()), undefined);
    while (requests === 100) await new Promise(setImmediate);
    // The check of the first lookup has begun, but not ended.
    const second = cache.get(sumOf(whole()), undefined);
    open();
    expect(await Promise.all([first, second])).toEqual([[100], [100]]);
    expect(requests).toBe(300);
  });

  test('results of the same inputs share a check, so that they begin together', async () => {
    await useRemoteArray(100);
    const cache = cacheOf();
    const request = async (joinKey: string | undefined): Promise<number> => {
      const names = ['sum', 'other'].map((name) => `${name} ${joinKey}`);
      const all = (): Promise<unknown> =>
        Promise.all(names.map((key) => cache.get({ ...sumOf(whole()), key, joinKey }, undefined)));
      await all();
      requests = 0;
      expect(await all()).toEqual([[100], [100]]);
      return requests;
    };
    // Both results are computed again, because the first request did not cache them.
    expect(await request(undefined)).toBe(2 * 100 + 2 * 100);
    expect(await request('inputs')).toBe(100 + 2 * 100);
  });

  test('a check continues for other lookups if one is cancelled', async () => {
    await useRemoteArray(100);
    const cache = cacheOf();
    for (let k = 0; k < 2; k++) await cache.get(sumOf(whole()), undefined);
    requests = 0;
    const stop = new AbortController();
    const cancelled = cache.get(sumOf(whole()), stop.signal);
    const other = cache.get(sumOf(whole()), undefined);
    stop.abort();
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(await other).toEqual([100]);
    expect(requests).toBe(100);
  });

  test('is never cached with more objects than may be checked', async () => {
    await useRemoteArray(99);
    const cache = cacheOf();
    for (let k = 0; k < 3; k++) expect(await cache.get(sumOf(whole()), undefined)).toEqual([100]);
    expect(state.runs).toBe(3);
    expect(state.outcomes).toEqual(['miss', 'unversioned', 'unversioned']);
  });
});

describe('an encoded form', () => {
  const shared = { isReadOnly: true };

  async function encoded(cache: ResultCache<number[]>, length = 10): Promise<EncodedForm | undefined> {
    return cache.encoded(await cache.get({ ...sumOf(whole()), ...shared }, undefined), length);
  }

  test('is kept until the values change', async () => {
    const cache = cacheOf();
    const first = await encoded(cache);
    expect(first).toEqual({ bytes: new Uint8Array(10), filled: 0 });
    expect(await encoded(cache)).toBe(first);
    await write([5, 2, 3, 4]);
    const second = await encoded(cache);
    expect(second).not.toBe(first);
    expect(await encoded(cache)).toBe(second);
  });

  test('counts towards the memory of the cache, and is not kept if it is too large', async () => {
    const store = createResultStore({ maxBytes: 8000 });
    const cache = store.cacheOf(form);
    await encoded(cache, 0);
    const before = store.heldBytes;
    await write([5, 2, 3, 4]);
    await encoded(cache, 400);
    expect(store.heldBytes).toBe(before + 400);
    await write([6, 2, 3, 4]);
    expect(await encoded(cache, 2000)).toBeUndefined();
  });

  test('is not kept for results that are not in the cache', async () => {
    const cache = cacheOf();
    expect(cache.encoded([1], 10)).toBeUndefined();
    const copy = await cache.get(sumOf(whole()), undefined);
    expect(cache.encoded(copy, 10)).toBeUndefined();
    expect(await encoded(cacheOf(0))).toBeUndefined();
  });

  test('does not keep a replaced result in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new TypeError('the garbage collector is not available');
    const cache = cacheOf();
    const read = async (): Promise<WeakRef<number[]>> => {
      const sums = await cache.get({ ...sumOf(whole()), ...shared }, undefined);
      cache.encoded(sums, 10);
      return new WeakRef(sums);
    };
    const first = await read();
    await write([5, 2, 3, 4]);
    // The new result replaces the old one, but not its encoded form.
    await cache.get({ ...sumOf(whole()), ...shared }, undefined);
    await expect
      .poll(() => {
        collect();
        return first.deref() === undefined;
      })
      .toBe(true);
  });
});
