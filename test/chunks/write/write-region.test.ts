/** Writes of regions: stored data, reports and errors, including pitfalls of the format. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  get,
  openHierarchy,
  toTypedArray,
  type CreateArrayRequest,
  type KeyStore,
} from '../../../server/zarr/index.js';
import { all, create, keysOf, slice, values } from '../../zarr/write/naive-array.js';

/** A store that records its requests, except those for metadata. */
function spied(store: KeyStore) {
  const log: string[] = [];
  const spy: KeyStore = {
    ...store,
    getMany: (requests, each, options) => {
      for (const { key } of requests) if (!key.endsWith('zarr.json')) log.push(`get ${key}`);
      return store.getMany(requests, each, options);
    },
    set: (key, bytes, condition, options) => {
      log.push(`set ${key}`);
      return store.set(key, bytes, condition, options);
    },
  };
  return { spy, log };
}

describe('chunks', () => {
  test('chunks that codecs leave unchanged have their own memory', async () => {
    const codecs = [{ name: 'bytes' }, { name: 'numcodecs.shuffle', configuration: { elementsize: 1 } }];
    const { array } = await create({ shape: [9], dtype: 'uint8', chunkShape: [3], codecs });
    const data = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    await array.select(all).write({ shape: [9], data });
    expect(await values(array)).toEqual(data);
  });

  test.each([
    ['stored as they are', []],
    ['that a codec leaves unchanged', [{ name: 'numcodecs.shuffle', configuration: { elementsize: 1 } }]],
    ['compressed', [{ name: 'zstd', configuration: { level: 1, checksum: false } }]],
  ])('a store may keep the bytes of chunks %s, because their memory is not reused', async (_, more) => {
    const store = createMemoryStore({ label: 's' });
    const kept = new Map<string, Uint8Array>();
    const keeping: KeyStore = {
      ...store,
      set: (key, bytes, condition, options) => {
        kept.set(key, bytes);
        return store.set(key, bytes, condition, options);
      },
    };
    const length = 20_000;
    const shape = [12 * length];
    const codecs = [{ name: 'bytes' }, ...more];
    const { array } = await create({ shape, dtype: 'uint8', chunkShape: [length], codecs }, 3, keeping);
    const data = Uint8Array.from({ length: 12 * length }, (_, i) => 1 + (i % 251) + Math.floor(i / length));
    await array.select(all).write({ shape, data });
    for (let chunk = 0; chunk < 12; chunk++) {
      const key = `a/c/${chunk}`;
      const stored = (await get(store, key))?.bytes;
      expect(Buffer.compare(kept.get(key) ?? new Uint8Array(0), stored ?? new Uint8Array(0))).toBe(0);
    }
    expect(await values(array)).toEqual([...data]);
  });

  test('completely overwritten chunks are not read; others are read first', async () => {
    const { spy, log } = spied(createMemoryStore({ label: 's' }));
    const { array } = await create({ shape: [10], dtype: 'int32', chunkShape: [4] }, 3, spy);
    log.length = 0;
    const report = await array.select({ kind: 'dims', dims: [slice(4)] }).write([1, 2, 3, 4, 5, 6]);
    expect(log.toSorted()).toEqual(['get a/c/2', 'set a/c/1', 'set a/c/2']);
    expect(report).toMatchObject({ chunksWritten: 2, chunksDeleted: 0 });
    log.length = 0;
    await array.select({ kind: 'dims', dims: [slice(3, 5)] }).write(9);
    expect(log.toSorted()).toEqual(['get a/c/0', 'get a/c/1', 'set a/c/0', 'set a/c/1']);
    expect(await values(array)).toEqual([0, 0, 0, 9, 9, 2, 3, 4, 5, 6]);
  });

  test('edge chunks are stored at full size, padded with the fill value', async () => {
    const { store, array } = await create({
      shape: [3], dtype: 'uint8', chunkShape: [5], fillValue: 7, codecs: ['bytes'],
    }); // prettier-ignore
    const report = await array.select(all).write([1, 2, 3]);
    expect(report.bytesWritten).toBe(5);
    let stored: Uint8Array | undefined;
    await store.getMany([{ key: 'a/c/0' }], (_, result) => {
      if (result !== undefined && result !== 'unchanged') stored = result.bytes;
    });
    expect([...stored!]).toEqual([1, 2, 3, 7, 7]);
  });

  test('chunks that contain only the fill value are omitted or deleted, and counted', async () => {
    const { store, array } = await create({
      shape: [8],
      dtype: 'float64',
      chunkShape: [2],
      fillValue: 'NaN',
    });
    expect(await array.select(all).write(1)).toMatchObject({ chunksWritten: 4, chunksDeleted: 0 });
    const half = array.select({ kind: 'dims', dims: [slice(0, 5)] });
    expect(await half.write(NaN)).toMatchObject({ chunksWritten: 1, chunksDeleted: 2 });
    expect(await keysOf(store)).toEqual(['a/c/2', 'a/c/3']);
    expect(await half.write(NaN)).toMatchObject({ chunksWritten: 1, chunksDeleted: 0 });
    expect(await half.write(NaN, { writeEmptyChunks: true })).toMatchObject({
      chunksWritten: 3,
      chunksDeleted: 0,
    });
    expect(await keysOf(store)).toHaveLength(4);
  });

  test.each([1, 2] as const)(
    'without a fill value (v%i: null), zeros are stored, because other readers may not read absent chunks as zeros',
    async (format) => {
      const store = createMemoryStore({ label: 's' });
      const hierarchy = openHierarchy(store);
      const request = { shape: [4], dtype: '<i2', chunkShape: [2], fillValue: null };
      const array = await hierarchy.createArray('/', request, { zarrFormat: format });
      const chunks = async () => (await keysOf(store)).filter((key) => /^\d+$/.test(key));
      expect(await array.select(all).write([0, 0, 0, 7])).toMatchObject({ chunksWritten: 2 });
      expect(await chunks()).toEqual(['0', '1']);
      await hierarchy.resize('/', [3]);
      expect(await chunks()).toEqual(['0', '1']);
      expect(await values(await hierarchy.array('/'))).toEqual([0, 0, 0]);
    },
  );

  test('-0.0 is not the fill value 0.0', async () => {
    const { store, array } = await create({ shape: [2], dtype: 'float32', chunkShape: [2], fillValue: 0 });
    await array.select(all).write([-0, -0]);
    expect(await keysOf(store)).toEqual(['a/c/0']);
    expect(Object.is((await values(array))[0], -0)).toBe(true);
    await array.select(all).write([0, 0]);
    expect(await keysOf(store)).toEqual([]);
  });

  test('the last value of a repeated index is kept', async () => {
    const { array } = await create({ shape: [4], dtype: 'int8', chunkShape: [3] });
    await array
      .select({ kind: 'dims', dims: [{ kind: 'indices', indices: [1, 3, 1, -1] }] })
      .write([1, 2, 3, 4]);
    expect(await values(array)).toEqual([0, 3, 0, 4]);
    await array.select({ kind: 'points', points: [[0], [2], [0]] }).write([5, 6, 7]);
    expect(await values(array)).toEqual([7, 3, 6, 4]);
  });

  test('writes to a slice of a slice, backwards, and to a field with sub-arrays', async () => {
    const { array } = await create({ shape: [6], dtype: [['x', '<i2'], ['y', '|u1', [3]]], chunkShape: [4] }, 2); // prettier-ignore
    const part = array.select({ kind: 'dims', dims: [slice(undefined, undefined, -1)] });
    await part
      .select({ kind: 'dims', dims: [slice(0, 2)] })
      .field('x')
      .write([50, 40]);
    const ys = array.select({ kind: 'dims', dims: [{ kind: 'index', index: 4 }] }).field('y');
    await ys.write([7, 8, 9]);
    await ys.select({ kind: 'dims', dims: [{ kind: 'index', index: -1 }] }).write(255);
    expect(toTypedArray(await array.select(all).field('x').read())).toEqual(
      Int16Array.of(0, 0, 0, 0, 40, 50),
    );
    expect(toTypedArray(await ys.read())).toEqual(Uint8Array.of(7, 8, 255));
  });

  test('writes v1 arrays at the root, zero-dimensional and of zero length', async () => {
    const store = createMemoryStore({ label: 's' });
    const hierarchy = openHierarchy(store);
    const array = await hierarchy.createArray('/', { shape: [], dtype: '<f8' }, { zarrFormat: 1 });
    await array.select(all).write(2.5);
    expect(await values(array)).toEqual([2.5]);
    expect(await keysOf(store)).toContain('0');
    const { array: empty } = await create({ shape: [3, 0], dtype: 'int8', chunkShape: [2, 2] });
    expect(await empty.select(all).write([])).toEqual({
      chunksWritten: 0,
      chunksDeleted: 0,
      bytesWritten: 0,
    });
    await expect(empty.select(all).write([1, 2])).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('shards', () => {
  const sharded: CreateArrayRequest = { shape: [8], dtype: 'int16', chunkShape: [2], shardShape: [6] };

  test('unchanged inner chunks keep their bytes, even if they cannot be decoded', async () => {
    const { store, array } = await create({ ...sharded, codecs: ['bytes', 'crc32c'].map((name) => (name === 'bytes' ? { name, configuration: { endian: 'little' } } : name)) }); // prettier-ignore
    await array.select(all).write([1, 2, 3, 4, 5, 6, 7, 8]);
    let shard = new Uint8Array(0);
    await store.getMany([{ key: 'a/c/0' }], (_, result) => {
      if (result !== undefined && result !== 'unchanged') shard = result.bytes.slice();
    });
    shard[0]! ^= 255; // in the first inner chunk, whose checksum is then wrong
    await store.set('a/c/0', shard);
    await array.select({ kind: 'dims', dims: [slice(3, 4)] }).write(40);
    expect([...toTypedArray(await array.select({ kind: 'dims', dims: [slice(2)] }).read())]).toEqual([
      3, 40, 5, 6, 7, 8,
    ]);
    await expect(array.select({ kind: 'dims', dims: [slice(0, 1)] }).write(1)).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
      where: { store: 's', path: '/a', key: 'a/c/0' },
    });
  });

  test('an empty shard is deleted, inner chunks are counted', async () => {
    const { store, array } = await create(sharded);
    expect(await array.select(all).write([1, 1, 1, 1, 1, 1, 1, 1])).toMatchObject({ chunksWritten: 4 });
    expect(await keysOf(store)).toEqual(['a/c/0', 'a/c/1']);
    const most = array.select({ kind: 'dims', dims: [slice(0, 5)] });
    expect(await most.write(0)).toMatchObject({ chunksWritten: 1, chunksDeleted: 2 });
    expect(await array.select({ kind: 'dims', dims: [slice(0, 6)] }).write([0, 0, 0, 0, 0, 0])).toMatchObject({ chunksWritten: 0, chunksDeleted: 1 }); // prettier-ignore
    expect(await keysOf(store)).toEqual(['a/c/1']);
  });

  test('zero-dimensional arrays are written and deleted', async () => {
    const { store, array } = await create({ shape: [], dtype: 'int32', chunkShape: [], shardShape: [] });
    await array.select(all).write(5);
    expect(await keysOf(store)).toEqual(['a/c']);
    expect(await values(array)).toEqual([5]);
    await array.select(all).write(0);
    expect(await keysOf(store)).toEqual([]);
  });

  test('a completely overwritten shard inside the array is not read', async () => {
    const { spy, log } = spied(createMemoryStore({ label: 's' }));
    const { array } = await create(sharded, 3, spy);
    log.length = 0;
    await array.select(all).write([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(log.toSorted()).toEqual(['get a/c/1', 'set a/c/0', 'set a/c/1']);
  });
});

describe('errors precede any write', () => {
  test('a read-only store rejects writes', async () => {
    const { store } = await create({ shape: [2], dtype: 'int8' });
    const readonly: KeyStore = { ...store, can: { ...store.can, write: false } };
    const array = await openHierarchy(readonly).array('/a');
    await expect(array.select(all).write(1)).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(openHierarchy(readonly).createGroup('/b')).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(openHierarchy(readonly).deleteNode('/a')).rejects.toMatchObject({ code: 'READ_ONLY' });
  });

  test('limits, shapes, values and versions are checked first', async () => {
    const { store, array } = await create({ shape: [4, 4], dtype: 'int8', chunkShape: [1, 1] });
    const limits = {
      maxChunks: 15,
      maxDecodedBytes: 1000,
      maxOutputBytes: 0,
      maxReducedBytes: 2 ** 40,
      maxWork: 1e15,
    };
    await expect(array.select(all).write(1, { limits })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(array.select(all).write([1, 2])).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(array.select(all).write(300)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(array.select(all).write(1, { ifVersion: 'other' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await keysOf(store)).toEqual([]);
    await array.select(all).write([[1], [2], [3], [4]], { ifVersion: array.version });
    expect(await keysOf(store)).toHaveLength(16);
  });
});
