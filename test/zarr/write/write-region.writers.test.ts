/** Several writers of one array. */
import { describe, expect, test } from 'vitest';
import { isZarrError, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { all, create, keysOf, slice, values } from './region-arrays.js';

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
    const raced3: KeyStore = {
      ...store,
      set: async (key, bytes, condition, options) => {
        if (key.endsWith('c/0') && raced++ < 3) await store.set(key, Uint8Array.of(raced, 0));
        return store.set(key, bytes, condition, options);
      },
    };
    const other = await openHierarchy(raced3).array('/a');
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

  test('a failure part-way reports its progress; a cancelled write is ABORTED', async () => {
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
