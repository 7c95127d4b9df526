/** Nodes that exist only in consolidated metadata: read-only, and distinguished from deleted nodes. */
import { describe, expect, test } from 'vitest';
import { openDataset } from '../../../server/dataset/open-dataset.js';
import { get } from '../../../server/store/define-reading.js';
import {
  createMemoryStore,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
  type ZarrFormat,
} from '../../../server/zarr/index.js';

const int8 = { shape: [4], dtype: '|i1', chunkShape: [2], fillValue: 7, dimensionNames: ['x'] };
const all = { kind: 'all' } as const;
const firstTwo = { kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] } as const;
const documentNames = ['zarr.json', '.zarray', '.zgroup', '.zattrs'];

/** Arrays /g/a (its second chunk is absent), /g/b and /c (without chunks). */
async function written(zarrFormat: ZarrFormat): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/', { zarrFormat });
  await hierarchy.createGroup('/g', { attributes: { title: 'described' } });
  for (const path of ['/g/a', '/g/b', '/c']) await hierarchy.createArray(path, int8);
  await (await hierarchy.array('/g/a')).select(firstTwo).write([1, 2]);
  await hierarchy.consolidate('/');
  return store;
}

async function without(store: KeyStore, isDropped: (key: string) => boolean): Promise<KeyStore> {
  for await (const { key } of store.walk('')) if (isDropped(key)) await store.delete([key]);
  return store;
}

/** A store in which only the root has documents. */
const bare = async (format: ZarrFormat): Promise<KeyStore> =>
  without(
    await written(format),
    (key) => key.includes('/') && documentNames.some((name) => key.endsWith(name)),
  );

const unlisted = (store: KeyStore): KeyStore => ({ ...store, can: { ...store.can, list: false } });

async function valuesOf(hierarchy: Hierarchy, path: string): Promise<number[]> {
  const block = await (await hierarchy.array(path)).select(all).read();
  return 'bytes' in block ? [...block.bytes] : [];
}

async function listed(hierarchy: Hierarchy, path: string) {
  for await (const entry of hierarchy.walk('/', { recursive: true }))
    if (entry.path === path) return entry.open();
  throw new Error(`${path} is not listed`);
}

describe.each<ZarrFormat>([2, 3])('v%i, of which only the root has documents', (format) => {
  test.each([true, false])('described nodes open (the store can list: %s)', async (canList) => {
    const store = await bare(format);
    const hierarchy = openHierarchy(canList ? store : unlisted(store));
    const group = await hierarchy.group('/g');
    expect(group.meta.attributes).toEqual({ title: 'described' });
    expect(group.consolidated).toBe(true);
    const array = await hierarchy.array('/g/a');
    expect(array.shape).toEqual([4]);
    expect(array.meta.warnings).toEqual([expect.stringContaining('consolidated metadata of "/"')]);
    expect(await valuesOf(hierarchy, '/g/a')).toEqual([1, 2, 7, 7]);
    expect(await valuesOf(hierarchy, '/c')).toEqual([7, 7, 7, 7]);
    expect(await hierarchy.node('/g/other')).toBeUndefined();
  });

  test('a node has the version of the document that describes it', async () => {
    const store = await bare(format);
    const hierarchy = openHierarchy(store);
    const { version } = await hierarchy.array('/g/a');
    expect(version).toBeTruthy();
    expect(await hierarchy.array('/g/a')).toBe(await hierarchy.array('/g/a'));
    expect(await hierarchy.versionOf('/g/a')).toBe(version);
    const key = format === 2 ? '.zmetadata' : 'zarr.json';
    const text = Buffer.from((await get(store, key))?.bytes ?? []).toString();
    await store.set(key, Buffer.from(text.replaceAll('described', 'changed')));
    expect((await hierarchy.group('/g')).meta.attributes).toEqual({ title: 'changed' });
    expect((await hierarchy.array('/g/a')).version).not.toBe(version);
  });

  test('documents of a node take precedence', async () => {
    const full = await written(format);
    await openHierarchy(full).setAttributes('/g', { set: { title: 'own' } });
    const store = await bare(format);
    for (const name of documentNames) {
      const value = await get(full, `g/${name}`);
      if (value !== undefined) await store.set(`g/${name}`, value.bytes);
    }
    const group = await openHierarchy(store).group('/g');
    expect(group.meta.attributes).toEqual({ title: 'own' });
  });

  test('nothing is written: no document, no chunk', async () => {
    const store = await bare(format);
    const keys = async (): Promise<string[]> => {
      const stored: string[] = [];
      for await (const { key } of store.walk('')) stored.push(key);
      return stored;
    };
    const before = await keys();
    const hierarchy = openHierarchy(store);
    const array = await hierarchy.array('/g/a');
    const { version } = array;
    const writes: (() => Promise<unknown>)[] = [
      () => hierarchy.setAttributes('/g', { set: { x: 1 } }),
      () => hierarchy.setAttributes('/g/a', { set: { x: 1 } }),
      () => hierarchy.setAttributes('/g/a', { set: { x: 1 } }, { ifVersion: version }),
      () => hierarchy.resize('/g/a', [6]),
      () => hierarchy.append('/g/a', [1]),
      () => hierarchy.deleteNode('/g/a'),
      () => hierarchy.createArray('/g/a', int8),
      () => hierarchy.createGroup('/g', { ifExists: 'keep' }),
      () => hierarchy.createArray('/g/new', int8),
      () => hierarchy.consolidate('/'),
      () => array.select(all).write([1, 2, 3, 4]),
      () => array.select(all).write([1, 2, 3, 4], { ifVersion: version }),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await keys()).toEqual(before);
  });
});

describe.each<ZarrFormat>([2, 3])('v%i, if other nodes have documents', (format) => {
  const deleted = async (): Promise<KeyStore> =>
    without(await written(format), (key) => key.startsWith('c/'));

  test('a node deleted by another program opens as in listings, is not changed, and can be created', async () => {
    const store = await deleted();
    const hierarchy = openHierarchy(store);
    expect((await hierarchy.array('/c')).shape).toEqual([4]);
    await expect(hierarchy.resize('/c', [6])).rejects.toMatchObject({ code: 'CONFLICT' });
    const array = await hierarchy.createArray('/c', { ...int8, fillValue: 1 });
    expect(array.meta.warnings).toEqual([]);
    expect(await valuesOf(hierarchy, '/c')).toEqual([1, 1, 1, 1]);
  });

  test.each([true, false])(
    'absent chunks are the same error wherever the array is opened (the store can list: %s)',
    async (canList) => {
      const store = await deleted();
      const hierarchy = openHierarchy(canList ? store : unlisted(store));
      const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
      const variable = dataset.variables.get('c');
      const arrays = [
        await hierarchy.array('/c'),
        await listed(hierarchy, '/c'),
        variable instanceof Error ? undefined : variable?.array,
      ];
      for (const array of arrays) {
        if (array?.kind !== 'array') throw new Error('expected an array');
        await expect(array.select(all).read()).rejects.toMatchObject({
          code: 'INVALID_METADATA',
          detail: expect.stringMatching(/no metadata document.*trustConsolidated/),
        });
      }
    },
  );

  test.each([true, false])(
    'trustConsolidated reads absent chunks as the fill value (the store can list: %s)',
    async (canList) => {
      const store = await deleted();
      const hierarchy = openHierarchy(canList ? store : unlisted(store), { trustConsolidated: true });
      expect(await valuesOf(hierarchy, '/c')).toEqual([7, 7, 7, 7]);
      const array = await listed(hierarchy, '/c');
      expect(array.kind === 'array' && (await array.select(all).read())).toMatchObject({ shape: [4] });
    },
  );

  test.each([true, false])(
    'an array that loses its document after it was opened is a CONFLICT (trustConsolidated: %s)',
    async (trustConsolidated) => {
      const store = await written(format);
      const options = { checksArrays: true, trustConsolidated };
      const array = await openHierarchy(unlisted(store), options).array('/c');
      await without(store, (key) => key.startsWith('c/'));
      await expect(array.select(all).read()).rejects.toMatchObject({ code: 'CONFLICT' });
    },
  );

  test('stored chunks are read, and absent ones of a listed array with documents read as the fill value', async () => {
    const half = await without(await written(format), (key) =>
      documentNames.some((name) => key === `g/a/${name}`),
    );
    const hierarchy = openHierarchy(half);
    const array = await hierarchy.array('/g/a');
    expect(await array.select(firstTwo).read()).toMatchObject({ shape: [2] });
    await expect(array.select(all).read()).rejects.toMatchObject({ code: 'INVALID_METADATA' });
    const whole = await listed(openHierarchy(await written(format)), '/c');
    if (whole.kind !== 'array') throw new Error('expected an array');
    expect(await whole.select(all).read()).toMatchObject({ shape: [4] });
  });

  test('rebuilding consolidated metadata drops deleted nodes', async () => {
    const hierarchy = openHierarchy(await deleted());
    await hierarchy.consolidate('/');
    await expect(listed(hierarchy, '/c')).rejects.toThrow('not listed');
  });

  test('a deleted single array does not read as the fill value', async () => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/', { zarrFormat: format });
    await hierarchy.createArray('/c', int8);
    await hierarchy.consolidate('/');
    await without(store, (key) => key.startsWith('c/'));
    for (const opened of [hierarchy, openHierarchy(unlisted(store))])
      await expect(valuesOf(opened, '/c')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });

  test('an array does not read as the fill value if its group was deleted with all neighbouring arrays', async () => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/', { zarrFormat: format });
    for (let i = 0; i < 40; i++) await hierarchy.createArray(`/g/many/a${i}`, int8);
    await hierarchy.createArray('/z', int8);
    await hierarchy.consolidate('/');
    await without(store, (key) => key.startsWith('g/'));
    for (const opened of [hierarchy, openHierarchy(unlisted(store))])
      await expect(valuesOf(opened, '/g/many/a20')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
    await without(store, (key) => key.startsWith('z/'));
    await expect(valuesOf(hierarchy, '/g/many/a20')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });
});

test('a root without its own documents opens from consolidated metadata and is not changed', async () => {
  const store = await without(await written(2), (key) => /\.z(?:group|array|attrs)$/.test(key));
  const hierarchy = openHierarchy(store);
  expect(await hierarchy.group('/')).toMatchObject({ path: '/', consolidated: true });
  expect(await valuesOf(hierarchy, '/g/a')).toEqual([1, 2, 7, 7]);
  for (const write of [
    () => hierarchy.createArray('/new', int8),
    () => hierarchy.setAttributes('/', { set: { x: 1 } }),
    () => hierarchy.consolidate('/'),
  ])
    await expect(write()).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('such a root opens after an array of format 2', async () => {
  const store = await without(await written(2), (key) => /^\.z(?:group|array|attrs)$/.test(key));
  const hierarchy = openHierarchy(store);
  expect((await hierarchy.array('/g/a')).shape).toEqual([4]);
  expect(await hierarchy.group('/')).toMatchObject({ path: '/', consolidated: true });
});

test('consolidated metadata without node documents is not removed when it grows too large', async () => {
  const store = await bare(2);
  const hierarchy = openHierarchy(store, { metadataLimits: { maxConsolidatedBytes: 3000 } });
  await hierarchy.createArray('/new', { ...int8, attributes: { long: 'x'.repeat(3000) } });
  expect(await valuesOf(openHierarchy(store), '/new')).toEqual([7, 7, 7, 7]);
  expect((await openHierarchy(store).array('/g/a')).shape).toEqual([4]);
});
