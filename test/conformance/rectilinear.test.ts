/** Arrays with the chunk grid `rectilinear` (fixtures/rectilinear/make_rectilinear.py). */
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
import { fixtures } from '../setup/fixtures.js';
import { expectCase, openCase, readCases } from './cases.js';
import { toLayout, type Case } from './expected-layout.js';

const root = `${fixtures}rectilinear`;
const cases = readCases<Case & { readonly by: string }>('rectilinear').filter(
  ({ by }) => by === 'zarr-python',
);

describe('arrays of zarr-python', () => {
  test('the fixtures contain the expected cases', () => expect(cases.length).toBeGreaterThan(11));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(root, c));
});

describe('a repository of Icechunk', () => {
  test('has the values that zarr-python reads', async () => {
    const [repository] = readCases<Case & { readonly by: string }>('rectilinear').filter(
      ({ by }) => by === 'icechunk',
    );
    if (repository === undefined) return expect.unreachable();
    const store = openStoreFromUrl('repo', `icechunk+${pathToFileURL(`${root}/${repository.path}`).href}`);
    onTestFinished(() => store.close?.());
    const array = await openHierarchy(store).array(repository.node);
    expect(array.chunkLengths(0)).toEqual([[4, 3], 7, 1, 10]);
    const block = await array.select().read();
    expect(toLayout(block, repository.layout).toString('base64')).toBe(repository.expected);
  });
});

test('arrays that differ along a dimension are described', async () => {
  const [first] = cases;
  if (first === undefined) return expect.unreachable();
  const array = await openCase(root, first);
  expect(array.chunkCounts).toEqual([6, 3]);
  expect([array.chunkLengths(0), array.chunkLengths(1)]).toEqual([
    [[4, 3], 7, 1, 10],
    [9, 3, 14],
  ]);
});
