/** Writers with outdated shapes: accepted values are preserved. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type Hierarchy,
  type KeyStore,
  isZarrError,
} from '../../../server/zarr/index.js';
import { LOCKS_FOLDER } from '../../../server/store/keys.js';
import { createLease } from '../../../server/store/lease.js';
import { withCache } from '../../../server/store/with-cache.js';
import { all, create, keysOf, slice, values } from './naive-array.js';

const part = (start: number, stop = Infinity) => ({
  kind: 'dims' as const,
  dims: [{ kind: 'slice' as const, start, stop }],
});

/** The store of another process, with separate locks within the process. */
function otherProcess(store: KeyStore): KeyStore {
  const lease = createLease({ store });
  return {
    ...store,
    withLock: (name, body, options) =>
      options?.isGuarded === true ? body(options.signal) : lease.withLock(name, body, options?.signal),
    async *walk(prefix, options) {
      for await (const object of store.walk(prefix, options))
        if (!object.key.startsWith(LOCKS_FOLDER)) yield object;
    },
  };
}

/** @param waits called when the locks are read for the second time, because a writer waits for one */
function withWaits(store: KeyStore, waits: () => void): KeyStore {
  let reads = 0;
  return {
    ...store,
    getMany(requests, ...rest) {
      if (requests.some(({ key }) => key.startsWith(LOCKS_FOLDER)) && ++reads === 2) waits();
      return store.getMany(requests, ...rest);
    },
  };
}

async function valuesOf(hierarchy: Hierarchy): Promise<number[]> {
  const block = await (await hierarchy.array('/')).select({ kind: 'all' }).read();
  return Array.from(toTypedArray(block), Number);
}

describe.each([
  ['chunks', { chunkShape: [8] }],
  ['shards', { chunkShape: [2], shardShape: [8] }],
  ['chunks that are cut', { chunkShape: [4], shardShape: [8] }],
])('%s at the edge', (_, chunks) => {
  test.each([
    ['all of the edge', 8, 10],
    ['a part of it', 8, 9],
    ['everything', 0, 10],
  ])('a write of %s preserves values appended since', async (__, start, stop) => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(otherProcess(store));
    const array = await hierarchy.createArray('/', { shape: [10], dtype: 'int8', ...chunks });
    await array.select({ kind: 'all' }).write(1);
    await openHierarchy(otherProcess(store)).append('/', [7, 7, 7]);
    await array.select(part(start, stop)).write(2);
    const expected = Array.from({ length: 13 }, (___, i) => (i >= 10 ? 7 : i >= start && i < stop ? 2 : 1));
    expect(await valuesOf(openHierarchy(store))).toEqual(expected);
  });

  test('overwriting everything inside the array replaces corrupt chunks', async () => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store);
    const array = await hierarchy.createArray('/', { shape: [10], dtype: 'int8', ...chunks });
    await array.select({ kind: 'all' }).write(1);
    await store.set('c/1', Uint8Array.of(1, 2, 3));
    await expect(array.select(part(8, 9)).write(2)).rejects.toMatchObject({
      code: expect.stringMatching(/CODEC|CHECKSUM/),
    });
    await array.select(part(8)).write(2);
    expect(await valuesOf(hierarchy)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2]);
  });
});

test('writes to a newly grown region are preserved', async () => {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createArray('/', { shape: [10], dtype: 'int8', chunkShape: [8] });
  /** Writes as soon as the array is longer. */
  const watched: KeyStore = {
    ...store,
    async set(key, ...rest) {
      const done = await store.set(key, ...rest);
      if (key === 'zarr.json') await (await openHierarchy(store).array('/')).select(part(10)).write(5);
      return done;
    },
  };
  await openHierarchy(watched).resize('/', [20]);
  expect(await valuesOf(hierarchy)).toEqual([
    ...new Array<number>(10).fill(0),
    ...new Array<number>(10).fill(5),
  ]);
});

test('an append waits until a concurrent truncation has finished', async () => {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  const array = await hierarchy.createArray('/', { shape: [10], dtype: 'int8', chunkShape: [2] });
  await array.select({ kind: 'all' }).write(1);
  let appending: Promise<unknown> = Promise.resolve();
  const cutting = otherProcess({
    ...store,
    async delete(keys, ...rest) {
      if (keys.includes('c/4')) {
        const waiting = new Promise<void>((resolve) => {
          appending = openHierarchy(otherProcess(withWaits(store, resolve))).append('/', [7, 7]);
        });
        await Promise.race([waiting, appending]);
      }
      return store.delete(keys, ...rest);
    },
  });
  await openHierarchy(cutting).resize('/', [8]);
  await appending;
  expect(await valuesOf(hierarchy)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 7, 7]);
  expect(await store.list('')).toMatchObject({ folders: ['c'] });
});

test('a shape changed without the lock is a CONFLICT', async () => {
  const store = createMemoryStore({ label: 'm' });
  await openHierarchy(store).createArray('/', { shape: [4], dtype: 'int8', chunkShape: [2] });
  let hasInterfered = false;
  const interfering: KeyStore = {
    ...store,
    async *walk(prefix, options) {
      if (!hasInterfered) await openHierarchy(otherProcess(store)).append('/', [7]);
      hasInterfered = true;
      yield* store.walk(prefix, options);
    },
  };
  await expect(openHierarchy(interfering).resize('/', [9])).rejects.toMatchObject({ code: 'CONFLICT' });
});

test.each([
  ['of another type', { shape: [8], dtype: 'uint8', chunkShape: [4] }],
  ['in other chunks', { shape: [8], dtype: 'int8', chunkShape: [2] }],
  ['with other codecs', { shape: [8], dtype: 'int8', chunkShape: [4], codecs: ['bytes'] }],
])('a writer with an outdated handle of an array recreated %s writes nothing to it', async (_, request) => {
  const store = createMemoryStore({ label: 'm' });
  const remembering = openHierarchy(withCache(store, { maxBytes: 0, maxAgeMs: 60_000 }));
  await remembering.createArray('/', { shape: [8], dtype: 'int8', chunkShape: [4] });
  const old = await remembering.array('/');
  const other = openHierarchy(store);
  await (await other.createArray('/', request, { ifExists: 'replace' })).select({ kind: 'all' }).write(1);
  const remembered = await remembering.array('/');
  expect(remembered.version).toBe(old.version);
  const ifVersion = { ifVersion: old.version ?? '' };
  for (const options of [{}, ifVersion])
    await expect(remembered.select(part(0, 4)).write(2, options)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await valuesOf(other)).toEqual(new Array(8).fill(1));
});

test('a handle from before an attribute change can still write', async () => {
  const store = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(store).createArray('/', { shape: [4], dtype: 'int8', chunkShape: [4] });
  await openHierarchy(store).setAttributes('/', { set: { x: 1 } });
  await array.select({ kind: 'all' }).write(3);
  expect(await valuesOf(openHierarchy(store))).toEqual([3, 3, 3, 3]);
});

test('a write to a deleted array is a CONFLICT', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/', { shape: [4], dtype: 'int8', chunkShape: [4] });
  await hierarchy.deleteNode('/');
  await expect(array.select({ kind: 'all' }).write(3)).rejects.toMatchObject({ code: 'CONFLICT' });
});

describe('many writers', () => {
  test('concurrent writers of one chunk lose no values', async () => {
    const { array } = await create({ shape: [64], dtype: 'int32', chunkShape: [64] });
    await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        array.select({ kind: 'dims', dims: [{ kind: 'index', index: i }] }).write(i + 1),
      ),
    );
    expect(await values(array)).toEqual(Array.from({ length: 64 }, (_, i) => i + 1));
  });

  test('concurrent writes by another process are read again', async () => {
    const { store, array } = await create({ shape: [2], dtype: 'int8', chunkShape: [2], codecs: ['bytes'] });
    let raced = 0;
    const racing: KeyStore = {
      ...store,
      set: async (key, bytes, condition, options) => {
        if (key.endsWith('c/0') && raced++ < 3) await store.set(key, Uint8Array.of(raced, 0));
        return store.set(key, bytes, condition, options);
      },
    };
    const other = await openHierarchy(racing).array('/a');
    await other.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }] }).write(9);
    expect(await values(array)).toEqual([3, 9]);
  });

  test('persistent concurrent writes are a conflict that reports what was written', async () => {
    const { store } = await create({ shape: [4], dtype: 'int8', chunkShape: [2], codecs: ['bytes'] });
    const busy: KeyStore = {
      ...store,
      set: async (key, bytes, condition, options) => {
        if (key.endsWith('c/1')) await store.set(key, Uint8Array.of(1, 1));
        return store.set(key, bytes, condition, options);
      },
    };
    const array = await openHierarchy(busy).array('/a');
    const failure: unknown = await array
      .select({ kind: 'dims', dims: [slice(0, 3)] })
      .write(5)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'CONFLICT',
      where: { store: 's', path: '/a', key: 'a/c/1' },
      written: { chunksWritten: 1, chunksDeleted: 0, bytesWritten: 2 },
    });
  });

  test('a cancelled write is ABORTED and reports its progress', async () => {
    const { store, array } = await create({ shape: [40], dtype: 'int8', chunkShape: [1] });
    let sets = 0;
    const stop = new AbortController();
    const slow: KeyStore = {
      ...store,
      set: async (key, bytes, condition, options) => {
        if (++sets === 20) stop.abort();
        return store.set(key, bytes, condition, options);
      },
    };
    const other = await openHierarchy(slow).array('/a');
    const failure: unknown = await other
      .select(all)
      .write(1, { signal: stop.signal })
      .catch((error: unknown) => error);
    expect(isZarrError(failure, 'ABORTED')).toBe(true);
    const written = isZarrError(failure) ? (failure.written?.chunksWritten ?? 0) : 0;
    expect(written).toBeGreaterThan(0);
    expect((await values(array)).filter((value) => value === 1).length).toBeGreaterThanOrEqual(written);
    expect((await keysOf(store)).length).toBeLessThan(40);
  });
});
