/** Lists of coordinates that are too long, and NCZarr metadata. */
import { expect, test } from 'vitest';
import { createCoordinateCache, createCoordinateReader } from '../../server/dataset/coordinate-reader.js';
import { isVariable } from '../../server/dataset/variable.js';
import { openDataset } from '../../server/dataset/open-dataset.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';

async function datasetOf(coordinates: readonly string[]) {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: object) => store.set(key, Buffer.from(JSON.stringify(json)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  for (const [i, text] of coordinates.entries())
    await put(`v${i}/zarr.json`, {
      zarr_format: 3, node_type: 'array', shape: [4], data_type: 'int8', fill_value: 0,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
      chunk_key_encoding: { name: 'default' }, codecs: ['bytes'], dimension_names: ['x'],
      attributes: { coordinates: text },
    }); // prettier-ignore
  const hierarchy = openHierarchy(store);
  const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
  return [...dataset.variables].map(([name, one]) => [name, one instanceof Error ? one.code : one.kind]);
}

test('a list of coordinates that is too long is an error of its variable', async () => {
  expect(await datasetOf(['v1', 'a '.repeat(70_000), 'v1 v2'])).toEqual([
    ['v0', 'DATA'], ['v1', 'INVALID_METADATA'], ['v2', 'COORDINATE'],
  ]); // prettier-ignore
});

test('lists of coordinates that are too long together are errors; a repeated list counts once', async () => {
  const long = (i: number): string => `${i} ${'a '.repeat(60_000)}`;
  const different = await datasetOf(Array.from({ length: 10 }, (_, i) => long(i)));
  expect(different.filter(([, kind]) => kind === 'INVALID_METADATA')).toHaveLength(2);
  const same = await datasetOf(Array.from({ length: 10 }, () => long(0)));
  expect(same.every(([, kind]) => kind === 'DATA')).toBe(true);
});

// NCZarr metadata at the locations of all its versions.

async function opened(documents: Record<string, unknown>) {
  const store = createMemoryStore({ label: 'm' });
  for (const [key, json] of Object.entries(documents))
    await store.set(key, Buffer.from(JSON.stringify(json)));
  const hierarchy = openHierarchy(store);
  return openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
}

const zarray = (shape: number[], more = {}) => ({
  zarr_format: 2,
  shape,
  chunks: shape,
  dtype: '<i4',
  compressor: null,
  fill_value: 0,
  order: 'C',
  filters: null,
  ...more,
});
const group = { zarr_format: 2 };

test.each<[string, object, object]>([
  ['.zarray, in capitals', { _NCZARR_ARRAY: { dimrefs: ['/y', '/g/x'], storage: 'chunked' } }, {}],
  ['.zarray', { _nczarr_array: { dimension_references: ['/y', '/g/x'] } }, {}],
  ['.zattrs, in capitals', {}, { _NCZARR_ARRAY: { dimrefs: ['/y', '/g/x'] } }],
  ['.zattrs', {}, { _nczarr_array: { dimension_references: ['/y', '/g/x'] }, _nczarr_attr: {} }],
])(
  'references to dimensions in %s are used, and removed from the attributes',
  async (_, array, attributes) => {
    const { variables, sizes } = await opened({
      '.zgroup': group,
      'v/.zarray': zarray([2, 3], array),
      'v/.zattrs': { ...attributes, title: 'seen' },
    });
    const variable = variables.get('v');
    expect(isVariable(variable) && variable.dimensions).toEqual(['y', 'x']);
    expect(isVariable(variable) && variable.attributes).toEqual({ title: 'seen' });
    expect([...sizes]).toEqual([
      ['y', 2],
      ['x', 3],
    ]);
  },
);

test.each<[string, object]>([
  ['without references', { dimrefs: [], storage: 'contiguous' }],
  ['declared by itself', { dimension_references: ['/_scalar_'], scalar: 1 }],
])('a scalar %s has no dimensions', async (_, note) => {
  const { variables, sizes } = await opened({
    '.zgroup': group,
    'v/.zarray': zarray([1], { _NCZARR_ARRAY: note }),
  });
  const variable = variables.get('v');
  expect(isVariable(variable) && [variable.dimensions, variable.shape, variable.stored.shape]).toEqual([
    [],
    [],
    [],
  ]);
  expect([...sizes]).toEqual([]);
});

test.each<[string, object, object]>([
  ['.zgroup, in capitals', { _NCZARR_GROUP: { dims: { x: 3 } } }, {}],
  [
    '.zattrs, for an unlimited dimension',
    {},
    { _nczarr_group: { dimensions: { x: { size: 3, unlimited: 1 } } } },
  ],
])('the size declared by %s is used', async (_, zgroup, zattrs) => {
  const names = { _ARRAY_DIMENSIONS: ['x'] };
  const { variables, attributes } = await opened({
    '.zgroup': { ...group, ...zgroup },
    '.zattrs': { ...zattrs, title: 'seen' },
    'a/.zarray': zarray([4]),
    'a/.zattrs': names,
    'b/.zarray': zarray([4]),
    'b/.zattrs': names,
    'c/.zarray': zarray([3]),
    'c/.zattrs': names,
  });
  expect([...variables].map(([name, entry]) => [name, isVariable(entry)])).toEqual([
    ['a', false],
    ['b', false],
    ['c', true],
  ]);
  expect(attributes).toEqual({ title: 'seen' });
});

test('a cached coordinate is replaced if the same characters form other texts', async () => {
  const cache = createCoordinateCache();
  const labelsOf = async (shape: readonly [number, number]): Promise<string[]> => {
    const store = createMemoryStore({ label: 'm' });
    const written = openHierarchy(store);
    await written.createGroup('/');
    const array = await written.createArray('/name', {
      shape: [...shape],
      chunkShape: [...shape],
      dtype: { name: 'null_terminated_bytes', configuration: { length_bytes: 1 } },
      dimensionNames: ['name', 'character'],
    });
    const characters = 'abcdefghijkl'.split('');
    const rows = Array.from({ length: shape[0] }, (_, row) =>
      characters.slice(row * shape[1], (row + 1) * shape[1]),
    );
    await array.select({ kind: 'all' }).write(rows);
    const hierarchy = openHierarchy(store);
    const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
    const variable = dataset.variables.get('name');
    if (!isVariable(variable)) throw variable ?? new Error('no variable');
    const index = await createCoordinateReader(cache, (slice) => slice.read()).index(variable);
    return Array.from({ length: index.size }, (_, i) => index.keys.show(i));
  };
  expect(await labelsOf([2, 6])).toEqual(['"abcdef"', '"ghijkl"']);
  expect(await labelsOf([3, 4])).toEqual(['"abcd"', '"efgh"', '"ijkl"']);
});
