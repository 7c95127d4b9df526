/** Known implementation errors in writing: compares stored bytes, not only values read back. */
import { describe, expect, test } from 'vitest';
import {
  get,
  openHierarchy,
  parseJson,
  type CreateArrayRequest,
  type KeyStore,
  type ZarrFormat,
} from '../../server/zarr/index.js';
import { bytes, matrixObjects, hex, storeOf, v2, v3, valuesOf, type SmallStore } from './small-store.js';

const all = { kind: 'all' } as const;

async function bytesAt(store: KeyStore, key: string): Promise<string | undefined> {
  const value = await get(store, key);
  return value === undefined ? undefined : Buffer.from(value.bytes).toString('hex');
}

async function documentAt(store: KeyStore, key: string): Promise<unknown> {
  const value = await get(store, key);
  return value === undefined ? undefined : parseJson(value.bytes);
}

/** Creates an array with these values in an empty store. */
async function written(zarrFormat: ZarrFormat, request: CreateArrayRequest, values?: unknown) {
  const store = await storeOf({});
  const hierarchy = openHierarchy(store);
  const array = await hierarchy.createArray('/', request, { zarrFormat });
  if (values !== undefined) await array.select(all).write(values);
  return { store, hierarchy, array };
}

async function opened(objects: SmallStore) {
  const store = await storeOf(objects);
  return { store, hierarchy: openHierarchy(store) };
}

const plain = { compressor: null, filters: null };

test('trap 1, writing: v1 readers expect a bare NaN, not a string', async () => {
  const { store } = await written(1, { shape: [1], dtype: 'float32', fillValue: 'NaN' });
  expect(await documentAt(store, 'meta')).toMatchObject({ fill_value: NaN });
});

test('trap 1, writing: v1 readers accept only ASCII metadata', async () => {
  const { store } = await written(1, {
    shape: [1],
    dtype: '<U2',
    fillValue: 'ö\u{1f600}',
    attributes: { ä: 'é' },
  });
  for (const key of ['meta', 'attrs']) expect(await bytesAt(store, key)).toMatch(/^([0-7].)+$/);
  expect(await documentAt(store, 'meta')).toMatchObject({ fill_value: 'ö\u{1f600}' });
  expect(await documentAt(store, 'attrs')).toEqual({ ä: 'é' });
});

describe('trap 3, writing: null as fill value', () => {
  test("v3 gets the type's default", async () => {
    const { store } = await written(3, { shape: [1], dtype: 'int32', fillValue: null });
    expect(await documentAt(store, 'zarr.json')).toMatchObject({ fill_value: 0 });
  });
  test('v2 stores null', async () => {
    const { store } = await written(2, { shape: [1], dtype: 'int32', fillValue: null });
    expect(await documentAt(store, '.zarray')).toMatchObject({ fill_value: null });
  });
});

describe('trap 6, writing: chunks that contain only the fill value', () => {
  test('-0.0 is stored if the fill value is 0.0', async () => {
    const { store } = await written(2, { shape: [1], dtype: 'float64', fillValue: 0, codecs: plain }, [-0]);
    expect(await bytesAt(store, '0')).toBe('0000000000000080');
  });
  test('NaN is omitted if the fill value is NaN', async () => {
    const { store } = await written(2, { shape: [2], dtype: 'float64', fillValue: 'NaN', codecs: plain }, [
      NaN,
      NaN,
    ]);
    expect(await bytesAt(store, '0')).toBeUndefined();
  });
});

describe('trap 8, writing: keys of 0-d arrays', () => {
  test.each([[3, 'c'], [2, '0'], [1, '0']] as const)('v%i: %s', async (format, key) => {
    const { store } = await written(format, { shape: [], dtype: 'uint8' }, 5);
    expect(await bytesAt(store, key)).toBeDefined();
  }); // prettier-ignore
});

test('trap 9, writing: a 0-d sharded array', async () => {
  const { array } = await written(3, { shape: [], dtype: 'int32', chunkShape: [], shardShape: [] }, 7);
  expect(array.shardShape).toEqual([]);
  expect(await valuesOf(array)).toEqual([7]);
});

describe('trap 10, writing: shrinking and growing', () => {
  test('values truncated within a chunk do not reappear', async () => {
    const { hierarchy } = await opened({
      '.zarray': v2({ shape: [4], dtype: '|u1' }),
      '0': bytes(1, 2, 3, 4),
    });
    await hierarchy.resize('/', [2]);
    await hierarchy.resize('/', [4]);
    expect(await valuesOf(await hierarchy.array('/'))).toEqual([1, 2, 0, 0]);
  });
  test('padding left by other writers is not visible when the array grows', async () => {
    const { hierarchy } = await opened({
      '.zarray': v2({ shape: [3], chunks: [4], dtype: '|u1' }),
      '0': bytes(1, 2, 3, 99),
    });
    await hierarchy.resize('/', [4]);
    expect(await valuesOf(await hierarchy.array('/'))).toEqual([1, 2, 3, 0]);
  });
  test('chunks outside the new shape are deleted', async () => {
    const { hierarchy, store } = await opened({
      '.zarray': v2({ shape: [4], chunks: [2], dtype: '|u1' }),
      '0': bytes(1, 2),
      '1': bytes(3, 4),
    });
    await hierarchy.resize('/', [2]);
    expect(await bytesAt(store, '1')).toBeUndefined();
    await hierarchy.resize('/', [4]);
    expect(await valuesOf(await hierarchy.array('/'))).toEqual([1, 2, 0, 0]);
  });
});

describe('trap 11, writing: order F', () => {
  const request = { shape: [2, 2], order: 'F', codecs: plain } as const;
  test("a struct's fields stay contiguous", async () => {
    const dtype = [['r', '|u1'], ['g', '|u1']]; // prettier-ignore
    const values = { r: [[1, 3], [5, 7]], g: [[2, 4], [6, 8]] }; // prettier-ignore
    const { store } = await written(2, { ...request, dtype }, values);
    expect(await bytesAt(store, '0.0')).toBe('0102050603040708');
  });
  test('filters process data in order F: delta', async () => {
    const codecs = { compressor: null, filters: [{ id: 'delta', dtype: '|i1' }] };
    const { store } = await written(2, { ...request, dtype: '|i1', codecs }, [[1, 2], [3, 4]]); // prettier-ignore
    expect(await bytesAt(store, '0.0')).toBe('0102ff02');
  });
  test('filters process data in order F: vlen-utf8', async () => {
    const { store } = await written(2, { ...request, dtype: 'string' }, [['a', 'b'], ['c', 'd']]); // prettier-ignore
    expect(await bytesAt(store, '0.0')).toBe('04000000010000006101000000630100000062'.concat('0100000064'));
  });
});

test('trap 12, writing: an order of transpose that is not its own inverse', async () => {
  const codecs = [{ name: 'transpose', configuration: { order: [1, 2, 0] } }, { name: 'bytes' }];
  // Array (2, 1, 3): [[[1, 2, 3]], [[4, 5, 6]]]; stored as (1, 3, 2).
  const { store } = await written(3, { shape: [2, 1, 3], dtype: 'uint8', codecs }, [
    [[1, 2, 3]],
    [[4, 5, 6]],
  ]);
  expect(await bytesAt(store, 'c/0/0/0')).toBe('010402050306');
});

describe('trap 15, writing: shards', () => {
  const index = {
    index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'crc32c' }],
  };
  const sharded = v3({
    shape: [4],
    data_type: 'uint8',
    codecs: [{ name: 'sharding_indexed', configuration: { chunk_shape: [2], codecs: ['bytes'], ...index } }],
  });
  test('an empty inner chunk is 2^64-1 twice in an index of full size', async () => {
    const { hierarchy, store } = await opened({ 'zarr.json': sharded });
    await (await hierarchy.array('/')).select(all).write([0, 0, 3, 4]);
    const shard = await bytesAt(store, 'c/0');
    expect(shard?.slice(0, -8)).toBe(`0304${'ff'.repeat(16)}${'00'.repeat(8)}02${'00'.repeat(7)}`);
  });
  test('a shard whose inner chunks are all empty is deleted', async () => {
    const { hierarchy, store } = await opened({ 'zarr.json': sharded });
    const array = await hierarchy.array('/');
    await array.select(all).write([1, 2, 3, 4]);
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] }).write(0);
    expect(await bytesAt(store, 'c/0')).toBeDefined();
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 2 }] }).write(0);
    expect(await bytesAt(store, 'c/0')).toBeUndefined();
  });
  test.each([
    'v3-shard-index-start-shuffled-gaps',
    'v3-shard-index-end-reverse-gaps',
    'v3-shard-nested-3',
    'v3-shard-gzip-after',
  ])('writing one value in a shard preserves the rest: %s', async (name) => {
    const { hierarchy } = await opened(matrixObjects(name));
    const array = await hierarchy.array('/');
    const wanted = await valuesOf(array);
    wanted[1] = 4242;
    const dims = array.shape.map(
      (_, d) => ({ kind: 'index', index: d === array.shape.length - 1 ? 1 : 0 }) as const,
    );
    await array.select({ kind: 'dims', dims }).write(4242);
    expect(await valuesOf(array)).toEqual(wanted);
  });
});

test('trap 16, writing: crc32c is a little-endian suffix', async () => {
  const { store } = await written(3, { shape: [9], dtype: 'uint8', codecs: ['bytes', 'crc32c'] }, [
    ...Buffer.from('123456789'),
  ]);
  expect((await bytesAt(store, 'c/0'))?.slice(-8)).toBe('839206e3');
});

test('trap 17, writing: packbits', async () => {
  const codecs = { compressor: null, filters: [{ id: 'packbits' }] };
  const values = [1, 0, 1, 1, 0, 0, 0, 1, 1, 0].map(Boolean);
  const { store } = await written(2, { shape: [10], dtype: 'bool', codecs }, values);
  expect(await bytesAt(store, '0')).toBe('06b180');
});

describe('trap 20, writing: changes of nodes update consolidated metadata', () => {
  async function listed(hierarchy: ReturnType<typeof openHierarchy>, refresh: boolean): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const entry of hierarchy.walk('/', { recursive: true, refresh }))
      found.push([entry.path, entry.kind, entry.open().meta.attributes]);
    return found;
  }
  test.each([
    'groups-consolidated-tree',
    'v3-groups-consolidated-tree',
    'v3-groups-consolidated-nested-tree',
  ])('%s', async (name) => {
    const { hierarchy } = await opened(matrixObjects(name));
    await hierarchy.createArray('/a/new', { shape: [1], dtype: 'uint8' });
    await hierarchy.setAttributes('/a/x', { set: { changed: true } });
    await hierarchy.deleteNode('/top');
    expect((await hierarchy.group('/')).consolidated).toBe(true);
    const paths = await listed(hierarchy, false);
    expect(paths.map((entry) => (Array.isArray(entry) ? entry[0] : ''))).toEqual([
      '/a',
      '/a/b',
      '/a/b/scalar',
      '/a/new',
      '/a/x',
    ]);
    expect(paths.at(-1)).toMatchObject(['/a/x', 'array', { changed: true }]);
    expect(paths).toEqual(await listed(hierarchy, true));
  });
});

test('trap 4, writing: 64-bit fill values are bare and exact', async () => {
  const { store } = await written(3, { shape: [1], dtype: 'uint64', fillValue: 2n ** 64n - 1n });
  const value = await get(store, 'zarr.json');
  expect(Buffer.from(value?.bytes ?? []).toString()).toMatch(/"fill_value": ?18446744073709551615\b/);
});

test('trap 13, writing: types in big-endian order are stored in it', async () => {
  const { store } = await written(2, { shape: [1], dtype: '>i4', codecs: plain }, [1]);
  expect(await bytesAt(store, '0')).toBe('00000001');
  const text = await written(2, { shape: [1], dtype: '>U2', codecs: plain }, ['😀a']);
  expect(await bytesAt(text.store, '0')).toBe(Buffer.from(hex('0001f600 00000061')).toString('hex'));
});
