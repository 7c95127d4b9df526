/** A list of coordinates that is too long causes an error for its variable only. */
import { expect, test } from 'vitest';
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

test('one list that is too long', async () => {
  expect(await datasetOf(['v1', 'a '.repeat(70_000), 'v1 v2'])).toEqual([
    ['v0', 'DATA'], ['v1', 'INVALID_METADATA'], ['v2', 'COORDINATE'],
  ]); // prettier-ignore
});

test('lists that are too long together; a repeated list counts once', async () => {
  const long = (i: number): string => `${i} ${'a '.repeat(60_000)}`;
  const different = await datasetOf(Array.from({ length: 10 }, (_, i) => long(i)));
  expect(different.filter(([, kind]) => kind === 'INVALID_METADATA')).toHaveLength(2);
  const same = await datasetOf(Array.from({ length: 10 }, () => long(0)));
  expect(same.every(([, kind]) => kind === 'DATA')).toBe(true);
});
