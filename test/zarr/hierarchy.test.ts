/** Creating, changing and deleting nodes. */
import { describe, expect, test } from 'vitest';
import {
  openHierarchy,
  toTypedArray,
  type JsonValue,
  type KeyStore,
  type ZarrFormat,
} from '../../server/zarr/index.js';
import { get } from '../../server/store/define-reading.js';
import { empty, put } from '../format/documents.js';

const all = { kind: 'all' } as const;

async function keysOf(store: KeyStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.walk('')) keys.push(key);
  return keys;
}

const int8 = { shape: [4], dtype: 'int8', chunkShape: [2] } as const;

describe('create', () => {
  test('missing parent groups are created in the format of the nearest group, and other formats are rejected', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createGroup('/', { zarrFormat: 2, attributes: { a: 1 } });
    const array = await hierarchy.createArray('x/y/z', {
      ...int8,
      dimensionNames: ['t'],
      attributes: { u: 'm' },
    });
    expect(array.meta.zarrFormat).toBe(2);
    expect(array.dimensionNames).toEqual(['t']);
    expect(await keysOf(store)).toEqual(['.zattrs', '.zgroup', 'x/.zgroup', 'x/y/.zgroup', 'x/y/z/.zarray', 'x/y/z/.zattrs']); // prettier-ignore
    await expect(hierarchy.createGroup('/x/w', { zarrFormat: 3 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
    await expect(hierarchy.createArray('/x/w', int8, { zarrFormat: 1 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  test('the default is v3; documents are indented ASCII', async () => {
    const { store, hierarchy } = empty();
    const group = await hierarchy.createGroup('/a/b', { attributes: { name: 'Ä', big: 2n ** 63n } });
    expect(group.meta.zarrFormat).toBe(3);
    expect(await keysOf(store)).toEqual(['a/b/zarr.json', 'a/zarr.json', 'zarr.json']);
    let text = '';
    await store.getMany([{ key: 'a/b/zarr.json' }], (_, result) => {
      if (result !== undefined && result !== 'unchanged') text = new TextDecoder().decode(result.bytes);
    });
    expect(text).toBe(
      '{\n  "zarr_format": 3,\n  "node_type": "group",\n  "attributes": {\n    "name": "\\u00c4",\n    "big": 9223372036854775808\n  }\n}',
    );
  });

  test('an existing node is an error, kept or replaced, as requested', async () => {
    const { store, hierarchy } = empty();
    const array = await hierarchy.createArray('/a', int8);
    await array.select(all).write(1);
    await expect(hierarchy.createArray('/a', int8)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(hierarchy.createGroup('/a', { ifExists: 'keep' })).rejects.toMatchObject({
      code: 'CONFLICT',
      detail: 'the existing node is an array, not a group',
    });
    const keep = { ifExists: 'keep' } as const;
    await expect(hierarchy.createArray('/a', { ...int8, shape: [5] }, keep)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(hierarchy.createArray('/a', { ...int8, dtype: 'int16' }, keep)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await hierarchy.createArray('/a', { ...int8, chunkShape: [3] }, keep)).chunkShape).toEqual([2]);
    await expect(hierarchy.createArray('/a', { ...int8, dtype: 'x' }, { ifExists: 'replace' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(await keysOf(store)).toContain('a/c/0');
    const group = await hierarchy.createGroup('/a', { ifExists: 'replace' });
    expect(group.kind).toBe('group');
    expect(await keysOf(store)).toEqual(['a/zarr.json', 'zarr.json']);
    expect((await hierarchy.createGroup('/a', keep)).path).toBe('/a');
  }); // prettier-ignore

  test('nodes below an array, and arrays over existing objects, are rejected', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createArray('/a', int8);
    await expect(hierarchy.createGroup('/a/b/c')).rejects.toMatchObject({ code: 'CONFLICT' });
    await store.set('lost/c/0', Uint8Array.of(1));
    await expect(hierarchy.createArray('/lost', int8)).rejects.toMatchObject({ code: 'CONFLICT' });
    await hierarchy.createArray('/lost', int8, { ifExists: 'replace' });
    expect(await keysOf(store)).not.toContain('lost/c/0');
    const { hierarchy: v1 } = empty();
    await v1.createArray('/one', { shape: [2], dtype: '<i4' }, { zarrFormat: 1 });
    await expect(v1.createGroup('/one/two')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a new array does not get the attributes of a stray document', async () => {
    const { store, hierarchy } = empty();
    await put(store, '.zgroup', { zarr_format: 2 });
    await put(store, 'a/.zattrs', { old: true });
    const array = await hierarchy.createArray('/a', int8);
    expect(array.meta.attributes).toEqual({});
  });

  test('one of several concurrent creators succeeds, and all of them with "keep"', async () => {
    const { store } = empty();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => openHierarchy(store).createGroup('/a/b', { attributes: { i } })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ALREADY_EXISTS' });
    const kept = await Promise.all(
      Array.from({ length: 5 }, () => openHierarchy(store).createGroup('/c/d', { ifExists: 'keep' })),
    );
    expect(kept).toHaveLength(5);
  });

  test('attributes with NaN or excessive depth are rejected', async () => {
    const { hierarchy } = empty();
    await expect(hierarchy.createGroup('/', { attributes: { a: [1, NaN] } })).rejects.toThrow(
      /"a" contains NaN/,
    );
    let deep: JsonValue = 1;
    for (let i = 0; i < 100; i++) deep = [deep];
    await expect(hierarchy.createGroup('/', { attributes: { deep } })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });
});

describe.each<ZarrFormat>([1, 2, 3])('a node of v%i', (zarrFormat) => {
  const path = zarrFormat === 1 ? '/' : '/g/a';

  test('attributes are merged, removed and replaced, only for the expected version', async () => {
    const { hierarchy } = empty();
    const array = await hierarchy.createArray(path, { ...int8, dtype: '|i1', attributes: { a: 1, b: 2 } }, { zarrFormat });
    const changed = await hierarchy.setAttributes(path, { set: { b: null, c: [1] }, remove: ['a', 'x'] });
    expect(changed.meta.attributes).toEqual({ b: null, c: [1] });
    expect(changed.version).not.toBe(array.version);
    await expect(hierarchy.setAttributes(path, { set: {} }, { ifVersion: array.version })).rejects.toMatchObject({ code: 'CONFLICT' });
    const replaced = await hierarchy.setAttributes(path, { set: { z: 0 }, replace: true }, { ifVersion: changed.version });
    expect(replaced.meta.attributes).toEqual({ z: 0 });
    expect(replaced.meta.kind === 'array' && replaced.meta.shape).toEqual([4]);
  }); // prettier-ignore

  test('concurrent attribute writers lose nothing', async () => {
    const { hierarchy } = empty();
    await hierarchy.createArray(path, { ...int8, dtype: '|i1' }, { zarrFormat });
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    await Promise.all(names.map((name) => hierarchy.setAttributes(path, { set: { [name]: 1 } })));
    expect(Object.keys((await hierarchy.array(path)).meta.attributes).toSorted()).toEqual(names.toSorted());
  });

  test('append and resize change the stored values, and reject invalid input', async () => {
    const { store, hierarchy } = empty();
    const array = await hierarchy.createArray(path, { ...int8, dtype: '|i1' }, { zarrFormat });
    await array.select(all).write([1, 2, 3, 4]);
    const { array: longer, appended } = await hierarchy.append(path, [5, 6, 7]);
    expect(appended).toMatchObject({ axis: 0, start: 4, stop: 7, chunksWritten: 2 });
    expect([...toTypedArray(await longer.select(all).read())]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await expect(hierarchy.append(path, 5)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(hierarchy.append(path, [5], 1)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(hierarchy.resize(path, [1, 2])).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(hierarchy.resize(path, [1.5])).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(hierarchy.resize(path, [3], { ifVersion: array.version })).rejects.toMatchObject({ code: 'CONFLICT' });
    await hierarchy.resize(path, [3]);
    expect((await keysOf(store)).filter((key) => /[01234]$/.test(key))).toHaveLength(2);
    const extended = await hierarchy.resize(path, [6]);
    expect([...toTypedArray(await extended.select(all).read())]).toEqual([1, 2, 3, 0, 0, 0]);
  }); // prettier-ignore

  test('concurrent appends get separate positions', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createArray(path, { ...int8, dtype: '|i1', shape: [0] }, { zarrFormat });
    const appends = await Promise.all(
      Array.from({ length: 10 }, (_, i) => openHierarchy(store).append(path, [i, i, i])),
    );
    expect(appends.map(({ appended }) => appended.start).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i * 3)); // prettier-ignore
    const read = toTypedArray(await (await hierarchy.array(path)).select(all).read());
    for (const [i, { appended }] of appends.entries())
      expect([...read].slice(appended.start, appended.stop)).toEqual([i, i, i]);
  });

  test('delete requires the expected version, and recursion for a group with members', async () => {
    const { store, hierarchy } = empty();
    const array = await hierarchy.createArray(path, { ...int8, dtype: '|i1' }, { zarrFormat });
    await array.select(all).write(1);
    await expect(hierarchy.deleteNode(path, { ifVersion: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
    if (path !== '/') await expect(hierarchy.deleteNode('/g')).rejects.toMatchObject({ code: 'CONFLICT' });
    await hierarchy.deleteNode(path, { ifVersion: array.version });
    expect(await hierarchy.node(path)).toBeUndefined();
    await expect(hierarchy.deleteNode(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    if (path === '/') return;
    await hierarchy.deleteNode('/g');
    await hierarchy.deleteNode('/', { recursive: true });
    expect(await keysOf(store)).toEqual([]);
  });
});

test('values of other writers beyond the edge are not visible when the array grows', async () => {
  const { store, hierarchy } = empty();
  await hierarchy.createArray('/a', { ...int8, shape: [3], codecs: ['bytes'], fillValue: 9 });
  await store.set('a/c/1', Uint8Array.of(1, 77));
  await store.set('a/c/2', Uint8Array.of(77, 77));
  const array = await hierarchy.resize('/a', [6]);
  expect([...toTypedArray(await array.select(all).read())]).toEqual([9, 9, 1, 9, 9, 9]);
});

test('a missing node is NOT_FOUND, and a message suggests similar names', async () => {
  const { hierarchy } = empty();
  await hierarchy.createGroup('/temperature');
  await expect(hierarchy.setAttributes('/temperatur', { set: {} })).rejects.toThrow(/"\/temperature"/);
  await expect(hierarchy.resize('/temperature', [1])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(hierarchy.consolidate('/nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('limits that are not given have their defaults', async () => {
  const { store, hierarchy } = empty();
  await hierarchy.createArray('/a', int8);
  const limited = await openHierarchy(store, { limits: { maxOutputBytes: 3 } }).array('/a');
  await expect(limited.select(all).read()).rejects.toThrow(/maxOutputBytes/);
  expect([
    ...toTypedArray(await limited.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] }).read()),
  ]).toEqual([0, 0]);
});

test('the codec `endian` of v3 drafts is `bytes`', async () => {
  const { store, hierarchy } = empty();
  const codecs = [{ name: 'endian', configuration: { endian: 'big' } }];
  await put(store, 'zarr.json', {
    ...{ zarr_format: 3, node_type: 'array', shape: [2], data_type: 'int16', fill_value: 0, codecs },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default' },
  });
  await store.set('c/0', Uint8Array.of(1, 0, 0, 2));
  expect([...toTypedArray(await (await hierarchy.array('/')).select(all).read())]).toEqual([256, 2]);
});

test.each(['int3', 'uint7', 'float8_e9m9'])('v2 arrays of %s open without values', async (dtype) => {
  const { store, hierarchy } = empty();
  const rest = { fill_value: null, order: 'C', compressor: null, filters: null };
  await put(store, '.zarray', { zarr_format: 2, shape: [2], chunks: [2], dtype, ...rest });
  const array = await hierarchy.array('/');
  expect(array.meta.dtypeName).toBe(dtype);
  await expect(array.select(all).read()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

test.each<ZarrFormat>([2, 3])(
  'v%i: an integer replaces a whole float, others keep their notation',
  async (format) => {
    const { store, hierarchy } = empty();
    await hierarchy.createGroup('/', { zarrFormat: format });
    const key = format === 2 ? '.zattrs' : 'zarr.json';
    const head = format === 2 ? '' : '"zarr_format": 3, "node_type": "group", "attributes": {';
    await store.set(key, Buffer.from(`{${head}"a": 2.0, "b": 3.0}${format === 2 ? '' : '}'}`));
    await hierarchy.setAttributes('/', { set: { a: 2 } });
    const stored = Buffer.from((await get(store, key))?.bytes ?? []).toString();
    expect(stored).toMatch(/"a": ?2[,\s}]/);
    expect(stored).toMatch(/"b": ?3\.0/);
  },
);
