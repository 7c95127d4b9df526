import { describe, expect, test } from 'vitest';
import { createMemoryStore, get, openHierarchy, toTypedArray } from '../../../../server/zarr/index.js';
import { bindArray, chunkRep } from '../chunk-rep.js';

const shapeOf = (input: readonly number[], shape: unknown): readonly number[] =>
  bindArray('reshape', JSON.parse(JSON.stringify({ shape })), chunkRep('int16', input)).encodedRep.shape;

test.each([
  // The example of the specification.
  [
    [100, 50, 64, 3],
    [[0, 1], [2], 3],
    [5000, 64, 3],
  ],
  [
    [100, 50, 64, 3],
    [[0, 1], -1, [3]],
    [5000, 64, 3],
  ],
  [[4, 6], [24], [24]],
  [
    [4, 6],
    [2, -1],
    [2, 12],
  ],
  [
    [4, 6],
    [[0], 2, 3],
    [4, 2, 3],
  ],
  [[4, 6], [-1], [24]],
  [[], [], []],
  [[], [1, 1], [1, 1]],
  [[4], [[], [0]], [1, 4]],
])('%j by %j has the shape %j', (input, shape, expected) => {
  expect(shapeOf(input, shape)).toEqual(expected);
});

describe('rejected', () => {
  test.each([
    ['another number of elements', [4, 6], [5, 5]],
    ['a remainder', [4, 6], [5, -1]],
    ['two rests', [4, 6], [-1, -1]],
    ['a dimension that does not exist', [4, 6], [[0, 2]]],
    ['an order that suggests a transposition', [4, 6], [[1], [0]]],
    ['decreasing dimensions', [4, 6], [[1, 0]]],
    ['dimensions that are not consecutive', [2, 3, 2], [[0, 2], 3]],
    ['a dimension at another place', [2, 3, 2], [2, 2, [1]]],
    ['zero', [4, 6], [0, 24]],
    ['a fraction', [4, 6], [2.5, -1]],
    ['a negative size', [4, 6], [-2, -12]],
    ['no list', [4, 6], 24],
    ['an overflow', [4, 6], [2 ** 40, 2 ** 40, -1]],
    ['too many dimensions', [4, 6], Array.from({ length: 65 }, () => 1)],
  ])('%s', (_, input, shape) => {
    expect(() => shapeOf(input, shape)).toThrow(/reshape/);
  });
});

test('codecs after it see the new shape: a transposition of a chunk as an image', async () => {
  const store = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(store).createArray('/a', {
    shape: [3, 4, 5],
    chunkShape: [2, 2, 5],
    dtype: 'int16',
    codecs: [
      { name: 'reshape', configuration: { shape: [[0, 1], [2]] } },
      { name: 'transpose', configuration: { order: [1, 0] } },
      { name: 'bytes', configuration: { endian: 'little' } },
    ],
  });
  const values = Int16Array.from({ length: 60 }, (_, i) => i);
  await array.select('...').write({ shape: [3, 4, 5], data: values });
  expect([...toTypedArray(await array.select('...').read())]).toEqual([...values]);
  // Rows 0, 1, 4 and 5 of the values, column by column.
  const stored = await get(store, 'a/c/0/0/0');
  const rows = [0, 5, 20, 25];
  const transposed = Int16Array.from({ length: 20 }, (_, i) => (rows[i % 4] ?? 0) + Math.floor(i / 4));
  expect(stored?.bytes).toEqual(new Uint8Array(transposed.buffer));
});
