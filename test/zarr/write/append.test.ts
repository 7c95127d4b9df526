/** Appending is atomic for readers, and leftovers of a failed append never become visible. */
import { describe, expect, test } from 'vitest';
import {
  ConflictError,
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type Hierarchy,
  type KeyStore,
  type StoredChange,
} from '../../../server/zarr/index.js';

async function valuesOf(hierarchy: Hierarchy): Promise<number[]> {
  const block = await (await hierarchy.array('/')).select({ kind: 'all' }).read();
  return Array.from(toTypedArray(block), Number);
}

/** A store that calls `before` before each write of an object. */
function watched(store: KeyStore, before: (key: string) => Promise<void> | void): KeyStore {
  return {
    ...store,
    async set(key, ...rest) {
      await before(key);
      return store.set(key, ...rest);
    },
  };
}

const isDocument = (key: string): boolean => /zarr\.json$|\.zarray$/.test(key);

describe.each([
  ['v3 chunks', { chunkShape: [4] }, 3],
  ['v3 shards', { chunkShape: [2], shardShape: [8] }, 3],
  ['v2 chunks', { chunkShape: [4] }, 2],
] as const)('%s', (_, chunks, zarrFormat) => {
  async function filled(): Promise<{ store: KeyStore; hierarchy: Hierarchy }> {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store);
    const array = await hierarchy.createArray('/', { shape: [6], dtype: 'int8', ...chunks }, { zarrFormat });
    await array.select({ kind: 'all' }).write(1);
    return { store, hierarchy };
  }
  const ones = new Array<number>(6).fill(1);

  test('readers see the old array until the shape is published last', async () => {
    const { store, hierarchy } = await filled();
    const keys: string[] = [];
    const watching = watched(store, async (key) => {
      keys.push(key);
      expect(await valuesOf(openHierarchy(store)), key).toEqual(ones);
    });
    const { appended } = await openHierarchy(watching).append('/', [7, 8, 9, 7, 8, 9, 7]);
    expect(appended).toMatchObject({ axis: 0, start: 6, stop: 13 });
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.map(isDocument)).toEqual(keys.map((__, i) => i === keys.length - 1));
    expect(await valuesOf(hierarchy)).toEqual([...ones, 7, 8, 9, 7, 8, 9, 7]);
  });

  test.each(['the last chunk', 'the shape'])('a failure at %s changes nothing visible', async (at) => {
    const { store, hierarchy } = await filled();
    const changes: StoredChange[] = [];
    let chunks = 0;
    const failing = watched(store, (key) => {
      if (at === 'the shape' ? isDocument(key) : ++chunks === 2) throw new Error('no room');
    });
    await expect(
      openHierarchy(failing, { changed: (change) => changes.push(change) }).append(
        '/',
        [7, 8, 9, 7, 8, 9, 7],
      ),
    ).rejects.toThrow('no room');
    expect(await valuesOf(hierarchy)).toEqual(ones);
    expect(changes).toEqual([]);
    // Leftovers beyond the end never become visible when the array grows.
    await hierarchy.append('/', [0, 5]);
    expect(await valuesOf(hierarchy)).toEqual([...ones, 0, 5]);
    await hierarchy.resize('/', [15]);
    expect(await valuesOf(hierarchy)).toEqual([...ones, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('a cancelled append leaves nothing visible and releases the lock', async () => {
    const { store, hierarchy } = await filled();
    const gone = new AbortController();
    const leaving = watched(store, () => gone.abort());
    await expect(
      openHierarchy(leaving).append('/', [7, 8, 9], 0, { signal: gone.signal }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await valuesOf(hierarchy)).toEqual(ones);
    await openHierarchy(store).append('/', [3]);
    expect(await valuesOf(hierarchy)).toEqual([...ones, 3]);
  });

  test('a write to the last chunk during an append preserves both', async () => {
    const { store, hierarchy } = await filled();
    let isDone = false;
    const meeting = watched(store, async (key) => {
      if (isDocument(key) || isDone) return;
      isDone = true;
      const { select } = await openHierarchy({ ...store }).array('/').then((array) => ({ select: array.select.bind(array) })); // prettier-ignore
      await select({ kind: 'dims', dims: [{ kind: 'slice', start: 5, stop: 6 }] }).write(4);
    });
    await openHierarchy(meeting).append('/', [7, 8, 9]);
    expect(await valuesOf(hierarchy)).toEqual([1, 1, 1, 1, 1, 4, 7, 8, 9]);
  });

  test('a writer that lost the lock publishes nothing and overwrites nothing of its successor', async () => {
    const { store, hierarchy } = await filled();
    let isLost = false;
    const paused: KeyStore = {
      ...watched(store, async () => {
        if (isLost) return;
        isLost = true;
        // Simulates that the process is suspended while another process appends.
        await openHierarchy({ ...store }).append('/', [7, 8, 9, 7, 8, 9, 7, 8, 9, 7]);
      }),
      withLock: (name, body) =>
        body(undefined, () => {
          if (isLost && name.startsWith('//shape')) throw new ConflictError('the lock was lost');
        }),
    };
    await expect(openHierarchy(paused).append('/', [1, 2, 3, 1, 2, 3, 1, 2, 3, 1])).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await valuesOf(hierarchy)).toEqual([...ones, 7, 8, 9, 7, 8, 9, 7, 8, 9, 7]);
  });
});

test('with the expected length, a retry does not append the values again', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  await hierarchy.createArray('/', { shape: [2, 3], dtype: 'int8' });
  await hierarchy.append('/', [[1, 2, 3]], 0, { offset: 2 });
  await expect(hierarchy.append('/', [[1, 2, 3]], 0, { offset: 2 })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('the length of axis 0 is 3'),
  });
  await hierarchy.append('/', [[1], [2], [3]], -1, { offset: 3 });
  expect((await hierarchy.array('/')).shape).toEqual([3, 4]);
  const both = await Promise.allSettled([1, 2].map((value) => hierarchy.append('/', [new Array(4).fill(value)], 0, { offset: 3 }))); // prettier-ignore
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a shape changed without the lock is a CONFLICT', async () => {
  const store = createMemoryStore({ label: 'm' });
  await openHierarchy(store).createArray('/', { shape: [4], dtype: 'int8', chunkShape: [2] });
  let isFirst = true;
  const interfering = watched(store, async () => {
    if (!isFirst) return;
    isFirst = false;
    await openHierarchy({ ...store }).resize('/', [9]);
  });
  await expect(openHierarchy(interfering).append('/', [7, 7, 7])).rejects.toMatchObject({ code: 'CONFLICT' });
});
