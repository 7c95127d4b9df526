/** Listings of stores that cannot be listed: nodes that attributes or the configuration name. */
import { expect, test } from 'vitest';
import { openDataset } from '../../../server/dataset/open-dataset.js';
import {
  createMemoryStore,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
} from '../../../server/zarr/index.js';

const unlisted = (store: KeyStore): KeyStore => ({
  ...store,
  can: { ...store.can, list: false },
  list: async () => Promise.reject(new Error('cannot list')),
});

const image = (path: unknown = '0') => ({ multiscales: [{ version: '0.4', datasets: [{ path }] }] });
const int8 = { shape: [1], dtype: '|i1', chunkShape: [1] };

async function pathsOf(hierarchy: Hierarchy, base = '/', recursive = true): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of hierarchy.walk(base, { recursive })) paths.push(path);
  return paths;
}

test.each([2, 3] as const)(
  'OME-Zarr v%i: levels, labels, wells and images are listed',
  async (zarrFormat) => {
    const store = createMemoryStore({ label: 'm' });
    const all = openHierarchy(store);
    const wrap = (attributes: object): { attributes: object } =>
      ({ attributes: zarrFormat === 3 ? { ome: attributes } : attributes }) as const;
    const group = (path: string, attributes: object) =>
      all.createGroup(path, { zarrFormat, ...(wrap(attributes) as { attributes: Record<string, never> }) });
    await group('/', { plate: { wells: [{ path: 'A/1' }, { path: 'B/2' }] } });
    await group('/A', {});
    await group('/A/1', { well: { images: [{ path: '0' }, { path: '7' }] } });
    await group('/A/1/0', image());
    await all.createArray('/A/1/0/0', int8);
    await group('/A/1/0/labels', { labels: ['cells'] });
    await group('/A/1/0/labels/cells', image(0));
    await all.createArray('/A/1/0/labels/cells/0', int8);
    await all.createArray('/A/1/0/unnamed', int8);
    const expected = (await pathsOf(all)).filter((path) => !path.endsWith('unnamed'));
    expect(expected).toHaveLength(7);
    expect(await pathsOf(openHierarchy(unlisted(store)))).toEqual(expected);
    expect(await pathsOf(openHierarchy(unlisted(store)), '/A', false)).toEqual(['/A/1']);
    const configured = openHierarchy(unlisted(store), { paths: ['/A/1/0/unnamed', 'absent'] });
    expect(await pathsOf(configured)).toEqual(await pathsOf(all));
  },
);

test('names that are not paths of nodes below the group are ignored', async () => {
  const store = createMemoryStore({ label: 'm' });
  const all = openHierarchy(store);
  const hostile = ['..', '../x', 'a//b', '', '/', 'a\\b', '\0', 'x/'.repeat(200), '.', null, {}, [[]], 'ok'];
  const datasets = hostile.map((path) => ({ path }));
  await all.createGroup('/g', { attributes: { multiscales: [{ datasets }, null], labels: { 0: 'a' }, plate: [], well: 'x' } }); // prettier-ignore
  await all.createArray('/g/ok', int8);
  await all.createArray('/x', int8);
  expect(await pathsOf(openHierarchy(unlisted(store)), '/g')).toEqual(['/g/ok']);
});

test('the number of names is bounded', async () => {
  const store = createMemoryStore({ label: 'm' });
  const labels = Array.from({ length: 10_001 }, (_, i) => String(i));
  await openHierarchy(store).createGroup('/', { attributes: { labels } });
  await expect(pathsOf(openHierarchy(unlisted(store)))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('a dataset is never only the arrays that attributes name', async () => {
  const store = createMemoryStore({ label: 'm' });
  const attributes = { multiscales: [{ datasets: [{ path: '0' }] }] };
  const group = await openHierarchy(store).createGroup('/', { attributes });
  for (const name of ['0', 'x'])
    await openHierarchy(store).createArray(`/${name}`, { ...int8, dimensionNames: ['x'] });
  const hierarchy = openHierarchy(unlisted(store));
  expect(await pathsOf(hierarchy)).toEqual(['/0']);
  await expect(openDataset(hierarchy, group, undefined, undefined)).rejects.toThrow('cannot list');
});

test('a group whose attributes name nothing cannot be listed', async () => {
  const store = createMemoryStore({ label: 'm' });
  await openHierarchy(store).createGroup('/');
  await expect(pathsOf(openHierarchy(unlisted(store)))).rejects.toThrow('cannot list');
});
