/** Datasets of groups with consolidated metadata are remembered until the metadata changes. */
import { expect, test } from 'vitest';
import { openDataset } from '../../server/dataset/open-dataset.js';
import { createMemoryStore, type Hierarchy, openHierarchy } from '../../server/zarr/index.js';

async function stored(): Promise<Hierarchy> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  await hierarchy.createGroup('/');
  for (const name of ['a', 'b']) await hierarchy.createArray(name, { shape: [2], dtype: 'float32', dimensionNames: ['x'] }); // prettier-ignore
  await hierarchy.consolidate('/');
  return hierarchy;
}

const opened = async (hierarchy: Hierarchy) =>
  openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
const names = ({ variables }: Awaited<ReturnType<typeof opened>>): string[] =>
  [...variables.keys()].toSorted();

test('an unchanged group is the same dataset', async () => {
  const hierarchy = await stored();
  expect(await opened(hierarchy)).toBe(await opened(hierarchy));
});

test('changes of other writers and of attributes give another one', async () => {
  const hierarchy = await stored();
  const first = await opened(hierarchy);
  const other = openHierarchy(hierarchy.store);
  await other.createArray('c', { shape: [2], dtype: 'float32', dimensionNames: ['x'] });
  const second = await opened(hierarchy);
  expect(names(second)).toEqual(['a', 'b', 'c']);
  await other.setAttributes('a', { set: { units: 'K' } });
  const third = await opened(hierarchy);
  expect(third).not.toBe(second);
  expect(names(first)).toEqual(['a', 'b']);
  await other.deleteNode('b', { recursive: true });
  expect(names(await opened(hierarchy))).toEqual(['a', 'c']);
});

test('a restricted view has its own dataset, even if its rights change', async () => {
  const hierarchy = await stored();
  await opened(hierarchy);
  const hidden = new Set(['/b']);
  const restricted = hierarchy.restrictTo({ canRead: (path) => !hidden.has(path), canTraverse: () => true });
  expect(names(await opened(restricted))).toEqual(['a']);
  hidden.add('/a').delete('/b');
  expect(names(await opened(restricted))).toEqual(['b']);
  expect(names(await opened(hierarchy))).toEqual(['a', 'b']);
});

test('views that show the same members share a dataset, and many views displace the oldest', async () => {
  const hierarchy = await stored();
  const view = (hidden: string) => hierarchy.restrictTo({ canRead: (path) => path !== hidden, canTraverse: () => true }); // prettier-ignore
  const first = await opened(view('/b'));
  expect(await opened(view('/b'))).toBe(first);
  expect(names(first)).toEqual(['a']);
  expect(await opened(view('/a'))).not.toBe(first);
  for (let i = 0; i < 10; i++) await hierarchy.createArray(`c${i}`, { shape: [2], dtype: 'int8' });
  await hierarchy.consolidate('/');
  const kept = await opened(view('/b'));
  for (let i = 0; i < 10; i++) expect(names(await opened(view(`/c${i}`)))).not.toContain(`c${i}`);
  const again = await opened(view('/b'));
  expect(again).not.toBe(kept);
  expect(names(again)).toEqual(names(kept));
});

test('another store with the same paths has its own dataset', async () => {
  const [one, two] = [await stored(), await stored()];
  await two.createArray('d', { shape: [2], dtype: 'float32', dimensionNames: ['x'] });
  expect(names(await opened(one))).toEqual(['a', 'b']);
  expect(names(await opened(two))).toEqual(['a', 'b', 'd']);
});
