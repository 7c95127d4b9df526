import { beforeAll, expect, test } from 'vitest';
import { csvIndexes } from '../../../server/transport/csv/indexes.js';
import { csvHead, csvRows } from '../../../server/transport/csv/rows.js';
import {
  type ArraySlice,
  createMemoryStore,
  openHierarchy,
  type ZarrArray,
} from '../../../server/zarr/index.js';

let array: ZarrArray;
let struct: ZarrArray;

beforeAll(async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'memory' }));
  array = await hierarchy.createArray('/a', { shape: [3, 4], dtype: 'int8', dimensionNames: ['y', null] });
  await array.select({ kind: 'all' }).write([0, 1, 2].map((y) => [0, 1, 2, 3].map((x) => 10 * y + x)));
  struct = await openHierarchy(createMemoryStore({ label: 'structs' })).createArray(
    '/',
    { shape: [2], dtype: '[["d", "|i1", [3]]]' },
    { zarrFormat: 2 },
  );
});

async function rows(slice: ArraySlice): Promise<string[]> {
  const block = await slice.read();
  const options = { indexes: csvIndexes(slice), valueName: 'value', newline: '\n' } as const;
  const text = [csvHead(block.dtype, options), ...csvRows(block, options)].join('');
  return text.trimEnd().split('\n');
} // prettier-ignore

test('positions are those in the array, after any steps; dropped dimensions have no column', async () => {
  const slice = array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 2, step: -2 }, { kind: 'slice', start: 1, step: 2 }] }); // prettier-ignore
  expect(await rows(slice)).toEqual(['y,dim_1,value', '2,1,21', '2,3,23', '0,1,1', '0,3,3']);
  expect(await rows(array.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }] }))).toEqual(
    ['dim_1,value', '0,10', '1,11', '2,12', '3,13'],
  ); // prettier-ignore
});

test('lists and nested slices', async () => {
  const listed = array.select({ kind: 'named', named: [{ dim: 'y', by: { kind: 'indices', indices: [2, 0, 2] } }] }); // prettier-ignore
  const part = listed.select({ kind: 'dims', dims: [{ kind: 'slice', start: 1 }, { kind: 'index', index: -1 }] }); // prettier-ignore
  expect(await rows(part)).toEqual(['y,value', '0,3', '2,23']);
});

test('points have a column per dimension of the array', async () => {
  const slice = array.select({ kind: 'points', points: [[2, 3], [0, 1]] }); // prettier-ignore
  expect(await rows(slice)).toEqual(['y,dim_1,value', '2,3,23', '0,1,1']);
});

test("a sub-array field's own dimensions follow", async () => {
  const slice = struct.select({ kind: 'all' }).field('d');
  const part = slice.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice', start: 1 }] }); // prettier-ignore
  expect(csvIndexes(slice).map(({ name, dim }) => [name, dim])).toEqual([['dim_0', 0], ['dim_1', 1]]); // prettier-ignore
  expect(await rows(part)).toEqual(['dim_1,value', '1,0', '2,0']);
});
