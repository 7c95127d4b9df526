/** N5 containers of tensorstore and zarr-python as Zarr, also in an archive. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createN5Store } from '../../server/store/n5.js';
import {
  createMemoryStore,
  get,
  isZarrError,
  type KeyStore,
  openHierarchy,
  openStoreFromUrl,
} from '../../server/zarr/index.js';
import { fixtures } from '../setup/fixtures.js';

const folder = `${fixtures}n5/container`;
const expected: Readonly<
  Record<string, { readonly dtype: string; readonly shape: readonly number[]; readonly values: string }>
> = JSON.parse(readFileSync(`${fixtures}n5/container.json`, 'utf8'));

const open = (): KeyStore => openStoreFromUrl('n', `n5+file:${folder}`);

test.each(Object.keys(expected))('the values of %s', async (path) => {
  const { dtype, shape, values } = expected[path] ?? { dtype: '', shape: [], values: '' };
  const array = await openHierarchy(open()).array(`/${path}`);
  expect(array.meta.dtype.name).toBe(dtype);
  expect(array.meta.shape).toEqual(shape);
  const block = await array.select('...').read();
  expect('bytes' in block && Buffer.from(block.bytes).toString('base64')).toBe(values);
});

test('nodes, names of dimensions and attributes', async () => {
  const nodes = openHierarchy(open());
  const root = await nodes.group('/');
  const names: string[] = [];
  for await (const { path, kind } of nodes.walk('/', { recursive: true })) names.push(`${kind} ${path}`);
  expect(names.toSorted()).toEqual([
    'array /blosc',
    'array /bzip2',
    'array /labels',
    'array /python/array',
    'array /raw/s0',
    'array /raw/s1',
    'array /short',
    'array /sparse',
    'array /xz',
    'group /python',
    // It has no attributes.json.
    'group /raw',
  ]);
  expect(root.meta.attributes).toMatchObject({ description: 'a container' });
  const array = await nodes.array('/raw/s0');
  expect(array.meta.dimensionNames).toEqual(['x', 'y', 'z']);
  expect(array.meta.attributes).toMatchObject({ axes: ['x', 'y', 'z'], units: ['nm', 'nm', 'nm'] });
});

test('the folders of blocks are no nodes, and documents of Zarr within the container are not shown', async () => {
  const nodes = openHierarchy(open());
  await expect(nodes.group('/labels/0')).rejects.toThrow(/no group at this path/);
  await expect(nodes.group('/raw/s0/0')).rejects.toThrow(/no group at this path/);
  const files = createMemoryStore({ label: 'f' });
  await files.set('a/zarr.json', Buffer.from('{"zarr_format":3,"node_type":"group"}'));
  await files.set('a/.zgroup', Buffer.from('{"zarr_format":2}'));
  const store = createN5Store(files);
  expect(await get(store, 'a/.zgroup')).toBeUndefined();
  expect((await store.list('a')).keys).toEqual(['a/zarr.json']);
  expect(Buffer.from((await get(store, 'a/zarr.json'))?.bytes ?? []).toString()).toContain('"attributes"');
});

test('a walk yields documents and blocks in the order of keys, with their sizes', async () => {
  const store = open();
  const keys: string[] = [];
  for await (const { key, bytes } of store.walk('')) {
    keys.push(key);
    expect(bytes).toBe((await get(store, key))?.bytes.length);
  }
  expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(keys.filter((key) => key.endsWith('zarr.json'))).toHaveLength(12);
  expect(keys).toContain('raw/s0/0/0/0');
  const below: string[] = [];
  for await (const { key } of store.walk('raw/s1')) below.push(key);
  expect(below).toEqual([
    ...['0/0/0', '0/0/1', '1/0/0', '1/0/1'].map((key) => `raw/s1/${key}`),
    'raw/s1/zarr.json',
  ]);
});

test('documents come before the folders whose names follow theirs', async () => {
  const files = createMemoryStore({ label: 'f' });
  for (const key of ['attributes.json', 'g/attributes.json', 'g/zz/0', 'zz/attributes.json', 'zz/b/x'])
    await files.set(key, Buffer.from('{}'));
  const keys: string[] = [];
  for await (const { key } of createN5Store(files).walk('')) keys.push(key);
  expect(keys).toEqual([
    ...['g/zarr.json', 'g/zz/0', 'g/zz/zarr.json', 'zarr.json'],
    ...['zz/b/x', 'zz/b/zarr.json', 'zz/zarr.json'],
  ]);
});

test('documents are revalidated by the version of attributes.json', async () => {
  const files = createMemoryStore({ label: 'f' });
  await files.set('attributes.json', Buffer.from('{"a":1}'));
  await files.set('g/x', Buffer.from('1'));
  const store = createN5Store(files);
  const read = async (key: string, ifNoneMatch?: string): Promise<unknown> => {
    let found: unknown;
    const request = ifNoneMatch === undefined ? { key } : { key, ifNoneMatch };
    await store.getMany([request], (_, result) => (found = result));
    return found;
  };
  const version = (await get(store, 'zarr.json'))?.version ?? '';
  expect(await read('zarr.json', version)).toBe('unchanged');
  const implicit = (await get(store, 'g/zarr.json'))?.version ?? '';
  expect(await read('g/zarr.json', implicit)).toBe('unchanged');
  await files.set('attributes.json', Buffer.from('{"a":2}'));
  await files.set('g/attributes.json', Buffer.from('{"b":1}'));
  expect(await read('zarr.json', version)).toMatchObject({ total: 58 });
  expect(await read('g/zarr.json', implicit)).toHaveProperty('version');
  await files.delete(['g/x', 'g/attributes.json']);
  expect(await read('g/zarr.json')).toBeUndefined();
});

describe('invalid metadata', () => {
  test.each([
    ['no object', '[]', 'INVALID_METADATA'],
    ['damaged', '{"dimensions"', 'INVALID_METADATA'],
    ['no dimensions', '{"dataType":"int8"}', 'INVALID_METADATA'],
    ['no data type', '{"dimensions":[1]}', 'INVALID_METADATA'],
    ['no block size', '{"dimensions":[1],"dataType":"int8"}', 'INVALID_METADATA'],
    ['negative', '{"dimensions":[-1],"dataType":"int8","blockSize":[1]}', 'INVALID_METADATA'],
    ['another rank', '{"dimensions":[1,2],"dataType":"int8","blockSize":[1]}', 'INVALID_METADATA'],
    [
      'a block of 2^60',
      '{"dimensions":[1],"dataType":"int8","blockSize":[1152921504606846976]}',
      'INVALID_METADATA',
    ],
    [
      '65 dimensions',
      `{"dimensions":[${Array.from({ length: 65 }, () => 1).join()}],"dataType":"int8"}`,
      'INVALID_METADATA',
    ],
  ])('%s', async (_, attributes, code) => {
    const files = createMemoryStore({ label: 'f' });
    await files.set('a/attributes.json', Buffer.from(attributes));
    const error: unknown = await openHierarchy(createN5Store(files))
      .array('/a')
      .catch((caught: unknown) => caught);
    expect(isZarrError(error) && error.code, String(error)).toBe(code);
  });

  test('damaged attributes do not end a walk', async () => {
    const files = createMemoryStore({ label: 'f' });
    await files.set('a/0/0', Buffer.from('1'));
    await files.set('a/attributes.json', Buffer.from('{"dimensions"'));
    await files.set('b/attributes.json', Buffer.from('{}'));
    const keys: string[] = [];
    for await (const { key } of createN5Store(files).walk('')) keys.push(key);
    expect(keys).toEqual(['a/0/0', 'a/zarr.json', 'b/zarr.json', 'zarr.json']);
  });

  test('attributes of more than 1 MiB are refused before they are parsed', async () => {
    const files = createMemoryStore({ label: 'f' });
    await files.set('attributes.json', Buffer.from(`{"a":"${'x'.repeat(2 ** 20)}"}`));
    await expect(openHierarchy(createN5Store(files)).group('/')).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  test.each([
    ['an unknown compressor', '{"type":"lz4"}', 'uint8'],
    ['text', '"raw"', 'string'],
  ])('%s opens, and cannot be read', async (_, compression, dataType) => {
    const files = createMemoryStore({ label: 'f' });
    const attributes = `{"dimensions":[2],"blockSize":[2],"dataType":"${dataType}","compression":${compression}}`;
    await files.set('a/attributes.json', Buffer.from(attributes));
    const array = await openHierarchy(createN5Store(files))
      .array('/a')
      .catch((error: unknown) => error);
    if (isZarrError(array)) expect(['UNSUPPORTED', 'INVALID_METADATA']).toContain(array.code);
    else
      await expect(
        (await openHierarchy(createN5Store(files)).array('/a')).select('...').read(),
      ).rejects.toThrow(/n5.lz4|N5 has no|unsupported/i);
  });
});

test('it is read-only, and says what to do', async () => {
  const store = createN5Store(createMemoryStore({ label: 'f' }));
  await expect(store.set('a', new Uint8Array(1))).rejects.toThrow(/copy it to Zarr/);
  expect(store.can.write).toBe(false);
});
