/** Arrays with the filter shuffle and an elementsize of 0: libnetcdf means the size of the data type. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  type ZarrArray,
} from '../../../server/zarr/index.js';

const all = { kind: 'all' } as const;
const zarray = {
  ...{ zarr_format: 2, shape: [2], chunks: [2], dtype: '<i2', fill_value: 0, order: 'C', compressor: null },
  filters: [{ id: 'shuffle', elementsize: 0 }],
};
/** [1, 2], shuffled; numcodecs reads [513, 0]. */
const chunk = Uint8Array.of(1, 2, 0, 0);
const note = { _NCProperties: 'version=2,netcdf=4.10.1' };

interface Options {
  readonly root?: Readonly<Record<string, unknown>>;
  readonly own?: Readonly<Record<string, unknown>>;
  readonly array?: object;
  readonly consolidated?: boolean;
  /** Whether only the consolidated metadata has the documents of the nodes. */
  readonly described?: boolean;
}

/** Array /g/v as libnetcdf writes it in plain mode, with the attributes of the root and of the array. */
async function written({ root = note, own = {}, array = zarray, consolidated, described }: Options = {}) {
  const store = createMemoryStore({ label: 'm' });
  const documents: Record<string, unknown> = {
    ...{ '.zgroup': { zarr_format: 2 }, '.zattrs': root, 'g/.zgroup': { zarr_format: 2 } },
    ...{ 'g/v/.zarray': array, 'g/v/.zattrs': own, 'h/.zarray': array },
  };
  const set = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  for (const [key, json] of Object.entries(documents)) if (described !== true) await set(key, json);
  if (consolidated === true || described === true)
    await set('.zmetadata', { zarr_consolidated_format: 1, metadata: documents });
  await store.set('g/v/0', chunk);
  await store.set('h/0', chunk);
  return store;
}

async function valuesOf(array: ZarrArray): Promise<unknown> {
  const block = await array.select(all).read();
  return 'bytes' in block ? [...new Int16Array(block.bytes.slice().buffer)] : undefined;
}

async function opened(store: KeyStore, netcdfShuffle?: boolean): Promise<ZarrArray> {
  return openHierarchy(store, { netcdfShuffle }).array('/g/v');
}

async function listed(store: KeyStore): Promise<ZarrArray> {
  for await (const entry of openHierarchy(store).walk('/', { recursive: true }))
    if (entry.path === '/g/v') {
      const node = entry.open();
      if (node.kind === 'array') return node;
    }
  throw new Error('/g/v is not listed');
}

describe.each([
  ['from its documents', {}],
  ['from consolidated metadata', { consolidated: true }],
  ['that only consolidated metadata describes', { described: true }],
] as const)('an array %s', (_, kind) => {
  test.each([
    ['opened', opened],
    ['listed', listed],
  ])('is read as libnetcdf does if a group above it names libnetcdf: %s', async (_, open) => {
    const array = await open(await written(kind));
    expect(await valuesOf(array)).toEqual([1, 2]);
    expect(array.meta.warnings.join()).not.toContain('elementsize');
    expect(array.meta.codecs.at(-1)).toMatchObject({ configuration: { elementsize: 2 } });
  });

  test.each([
    ['opened', opened],
    ['listed', listed],
  ])('is read as numcodecs does without a sign of libnetcdf, with a warning: %s', async (_, open) => {
    const array = await open(await written({ ...kind, root: { title: 'x' } }));
    expect(await valuesOf(array)).toEqual([513, 0]);
    expect(array.meta.warnings).toContainEqual(expect.stringContaining('"elementsize": 0'));
  });
});

describe('the sign of libnetcdf', () => {
  test('the option of the store overrides it and removes the warning', async () => {
    const off = await opened(await written(), false);
    expect([await valuesOf(off), off.meta.warnings]).toEqual([[513, 0], []]);
    const on = await opened(await written({ root: {} }), true);
    expect([await valuesOf(on), on.meta.warnings]).toEqual([[1, 2], []]);
  });

  test('attributes of NCZarr on the array suffice', async () => {
    const array = await opened(await written({ root: {}, own: { _nczarr_array: {} } }));
    expect([await valuesOf(array), array.meta.warnings]).toEqual([[1, 2], []]);
  });

  test('types of one byte and stated sizes are unambiguous', async () => {
    for (const array of [
      { ...zarray, dtype: '|u1', chunks: [4], shape: [4] },
      { ...zarray, filters: [{ id: 'shuffle', elementsize: 1 }] },
    ])
      expect((await opened(await written({ root: {}, array }))).meta.warnings).toEqual([]);
  });

  test('a change of the sign changes the values of an open hierarchy', async () => {
    const store = await written();
    const hierarchy = openHierarchy(store);
    expect(await valuesOf(await hierarchy.array('/g/v'))).toEqual([1, 2]);
    await store.set('.zattrs', Buffer.from('{}'));
    expect(await valuesOf(await hierarchy.array('/g/v'))).toEqual([513, 0]);
  });

  test('an array above which attributes are invalid has no sign', async () => {
    const store = await written();
    await store.set('.zattrs', Buffer.from('{'));
    const array = await opened(store);
    expect(array.meta.warnings).toContainEqual(expect.stringContaining('"elementsize": 0'));
  });

  test('appended values are stored as libnetcdf reads them', async () => {
    const store = await written();
    const hierarchy = openHierarchy(store);
    const { array } = await hierarchy.append('/g/v', [3, 4]);
    expect(await valuesOf(array)).toEqual([1, 2, 3, 4]);
    expect(await valuesOf(await opened(store))).toEqual([1, 2, 3, 4]);
  });

  test('an array with the warning can be changed', async () => {
    const store = await written({ root: {} });
    const changed = await openHierarchy(store).setAttributes('/g/v', { set: { a: 1 } });
    expect(changed.meta.attributes).toEqual({ a: 1 });
  });
});
