/** Coordinates of coarsened slices: the means of blocks. */
import { expect, test } from 'vitest';
import { averagedCoordinate } from '../../server/dataset/averaged-coordinate.js';
import { createMemoryStore, type LazySlice, openHierarchy, toTypedArray } from '../../server/zarr/index.js';

async function coordinateOf(values: readonly number[], dtype = 'float64'): Promise<LazySlice> {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape: [values.length],
    dtype,
  });
  await array.select({ kind: 'all' }).write(values);
  return array.select({ kind: 'all' });
}

async function meansOf(values: readonly number[], factor: number, isLongitude: boolean): Promise<unknown[]> {
  const along = [{ name: 'x', factor, chosen: undefined }];
  const means = averagedCoordinate(await coordinateOf(values), along, isLongitude);
  return [...toTypedArray(await means.read())];
}

test('a block has the mean of its positions; the last one may be shorter', async () => {
  expect(await meansOf([0, 1, 2, 3, 10], 2, false)).toEqual([0.5, 2.5, 10]);
  expect(await meansOf([358, 359, 0, 1], 4, false)).toEqual([179.5]);
});

test.each([
  ['from 360 to 0', [356, 358, 0, 4], 4, [359.5]],
  ['from 360 to 0, past the seam', [358, 2, 4, 6], 2, [0, 5]],
  ['from 180 to -180', [170, 175, -175, -160], 4, [-177.5]],
  ['that do not wrap', [0, 90, 180, 270], 4, [135]],
  ['up to 360', [350, 360], 1, [350, 360]],
])('longitudes %s are averaged on the circle', async (_, values, factor, expected) => {
  expect(await meansOf(values, factor, true)).toEqual(expected);
});

test('of some blocks only their means are given', async () => {
  const chosen = { kind: 'range', start: 2, step: -2, count: 2, dropped: false } as const;
  const means = averagedCoordinate(
    await coordinateOf([0, 2, 10, 12, 20, 22], 'int16'),
    [{ name: 'x', factor: 2, chosen }],
    false,
  );
  expect([...toTypedArray(await means.read())]).toEqual([21, 1]);
});
