import { expect, test } from 'vitest';
import { parseMultiscales } from '../../../server/dataset/multiscales.js';
import { toNested } from '../../../server/zarr/index.js';
import { createCounted, run, testStores } from '../memory-stores.js';

function job(options: Record<string, unknown>): Record<string, unknown> {
  return {
    kind: 'pyramid',
    source: { store: 'a', path: '/x', steps: [] },
    destination: { store: 'b', path: '/p' },
    options,
  };
}

test('GeoZarr: each level is a dataset with half the resolution of the one before', async () => {
  const { stores, source, destination } = testStores();
  await source.createGroup('/', { zarrFormat: 3 });
  await createCounted(source, '/x', {
    shape: [2, 5, 4],
    chunkShape: [1, 2, 2],
    dtype: 'float32',
    dimensionNames: ['t', 'lat', 'lon'],
  });
  const lat = await source.createArray('/lat', {
    shape: [5],
    dtype: 'float64',
    dimensionNames: ['lat'],
    attributes: { units: 'degrees_north' },
  });
  await lat.select().write([10, 20, 30, 40, 50]);
  const outcome = await run(stores, job({ levels: 3 }));
  expect(outcome).toMatchObject({ failed: [], isChecked: true });
  const [image] = parseMultiscales(await destination.group('/p'));
  expect(image).toMatchObject({ convention: 'ZARR_LAYOUT', type: 'average', version: '1' });
  expect(image?.axes.map(({ name }) => name)).toEqual(['t', 'lat', 'lon']);
  expect(image?.levels).toEqual([
    { path: '/p/0', scale: [1, 1, 1], translation: [0, 0, 0] },
    { path: '/p/1', scale: [1, 2, 2], translation: [0, 0.5, 0.5] },
    { path: '/p/2', scale: [1, 4, 4], translation: [0, 1.5, 1.5] },
  ]);
  const read = async (path: string): Promise<unknown> =>
    toNested(await (await destination.array(path)).select().read());
  expect(await read('/p/1/lat')).toEqual([15, 35, 50]);
  // Means of 2 x 2 values; the last row has only one row below it.
  expect(await read('/p/1/x')).toEqual([
    [[3.5, 5.5], [11.5, 13.5], [17.5, 19.5]],
    [[23.5, 25.5], [31.5, 33.5], [37.5, 39.5]],
  ]); // prettier-ignore
  expect((await destination.array('/p/1/x')).chunkShape).toEqual([1, 2, 2]);
  expect((await destination.array('/p/2/x')).shape).toEqual([2, 2, 1]);
});

test('OME-Zarr: levels are arrays, and integers stay integers', async () => {
  const { stores, source, destination } = testStores();
  await createCounted(source, '/x', { shape: [3, 4, 6], chunkShape: [1, 4, 4], dtype: 'uint16' });
  await run(stores, job({ convention: 'ome', levels: 2 }));
  const group = await destination.group('/p');
  const [image] = parseMultiscales(group);
  expect(image).toMatchObject({ convention: 'OME_NGFF', version: '0.5', name: 'x', type: 'mean' });
  expect(image?.axes).toEqual(['z', 'y', 'x'].map((name) => ({ name, type: 'space', unit: undefined })));
  expect(image?.levels[1]).toEqual({ path: '/p/1', scale: [1, 2, 2], translation: [0, 0.5, 0.5] });
  const level = await destination.array('/p/1');
  expect(level.meta).toMatchObject({
    shape: [3, 2, 3],
    dtypeName: 'uint16',
    dimensionNames: ['z', 'y', 'x'],
  });
  // The mean of 1, 2, 7 and 8 is 4.5.
  expect(toNested(await level.select({ kind: 'dims', dims: [{ kind: 'index', index: 0 }] }).read())).toEqual([
    [5, 7, 9],
    [17, 19, 21],
  ]);
});

test('dimensions that do not exist, and groups, are rejected', async () => {
  const { stores, source } = testStores();
  await createCounted(source, '/g/x', { shape: [4, 4], chunkShape: [2, 2], dtype: 'int8' });
  const other = (path: string, options: Record<string, unknown>) => ({
    ...job(options),
    source: { store: 'a', path, steps: [] },
  });
  await expect(run(stores, other('/g/x', { dimensions: ['lat'] }))).rejects.toMatchObject({
    code: 'BAD_SELECTION',
  });
  await expect(run(stores, other('/g', {}))).rejects.toThrow('must be an array');
  await expect(run(stores, other('/g/x', { convention: 'ome', format: 2 }))).rejects.toThrow(
    'requires Zarr format 3',
  );
});
