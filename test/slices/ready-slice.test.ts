import { expect, test } from 'vitest';
import {
  createMemoryStore,
  type LazySlice,
  openHierarchy,
  pendingSlice,
  readySlice,
  reduceSlice,
  toNested,
} from '../../server/zarr/index.js';

/** A reduction whose blocks end where those of its chunks do. */
async function createReduced(): Promise<LazySlice> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'a' }));
  const array = await hierarchy.createArray('/x', {
    shape: [2, 1500, 2000],
    chunkShape: [1, 400, 700],
    dtype: 'float64',
    dimensionNames: ['t', 'y', 'x'],
  });
  await array.select('0,0:3,0:3').write([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]);
  return reduceSlice(array.select(), { by: 'SUM', over: ['t'] });
}

async function blocksOf(slice: LazySlice): Promise<(readonly [number, number])[]> {
  const blocks: (readonly [number, number])[] = [];
  for await (const { from, to } of slice.stream()) blocks.push([from, to]);
  return blocks;
}

test('values in memory are divided into the blocks of the slice, and selected like it', async () => {
  const reduced = await createReduced();
  const ready = readySlice(reduced, await reduced.read(), false);
  const blocks = await blocksOf(reduced);
  expect(blocks.length).toBeGreaterThan(1);
  expect(await blocksOf(ready)).toEqual(blocks);
  expect(ready.inputs).toEqual(reduced.inputs);
  expect(ready.dims).toEqual(reduced.dims);
  for (const selection of ['1:3,0:2', '-1,::500', '2,1'])
    expect(toNested(await ready.select(selection).read())).toEqual(
      toNested(await reduced.select(selection).read()),
    );
});

test('a slice that is free has no inputs; nobody can change its values', async () => {
  const reduced = await createReduced();
  const free = readySlice(reduced, await reduced.read(), true).select('0:2,0:2');
  expect([free.inputs, free.cost().reducedBytes, free.cost().outputBytes]).toEqual([[], 0, 32]);
  const first = await free.read();
  if ('bytes' in first) first.bytes.fill(1);
  expect(toNested(await free.read())).toEqual([
    [1, 2],
    [4, 5],
  ]);
});

test('a slice that is not ready can be described and selected, but not read', async () => {
  const pending = pendingSlice(await createReduced(), () => new Error('not yet'));
  const part = pending.select('0:2');
  expect([part.shape, part.inputs, part.cost().reducedBytes]).toEqual([[2, 2000], [], 0]);
  await expect(part.read()).rejects.toThrow('not yet');
  await expect(blocksOf(pending)).rejects.toThrow('not yet');
});
