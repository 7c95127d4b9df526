/** Plain selections: each form, its meaning, and errors. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  openHierarchy,
  toNested,
  toSelection,
  type SelectionInput,
} from '../../../server/zarr/index.js';
import { toSelectionInput } from '../../../client/selection/selection.js';

describe('the canonical form', () => {
  test.each<[SelectionInput, unknown]>([
    [undefined, { kind: 'all' }],
    [
      '3, ::-1',
      {
        kind: 'dims',
        dims: [
          { kind: 'index', index: 3 },
          { kind: 'slice', step: -1 },
        ],
      },
    ],
    [[], { kind: 'dims', dims: [] }],
    [
      [5, -1n, null, [null, 3], [1, null, 2], { indices: [4, 0n] }, { mask: [true, false] }, { chunk: 2 }],
      {
        kind: 'dims',
        dims: [
          { kind: 'index', index: 5 },
          { kind: 'index', index: -1 },
          { kind: 'slice' },
          { kind: 'slice', stop: 3 },
          { kind: 'slice', start: 1, step: 2 },
          { kind: 'indices', indices: [4, 0] },
          { kind: 'mask', mask: [true, false] },
          { kind: 'chunk', chunk: 2 },
        ],
      },
    ],
    [
      { lat: [0, 10], time: 3, lon: undefined },
      {
        kind: 'named',
        named: [
          { dim: 'lat', by: { kind: 'slice', start: 0, stop: 10 } },
          { dim: 'time', by: { kind: 'index', index: 3 } },
        ],
      },
    ],
    [{ points: [[0, 1n]] }, { kind: 'points', points: [[0, 1]] }],
    [{ points: 2 }, { kind: 'named', named: [{ dim: 'points', by: { kind: 'index', index: 2 } }] }],
    [{ kind: 2 }, { kind: 'named', named: [{ dim: 'kind', by: { kind: 'index', index: 2 } }] }],
    [{ kind: 'all' }, { kind: 'all' }],
    [[2n ** 64n], { kind: 'dims', dims: [{ kind: 'index', index: Number.MAX_SAFE_INTEGER }] }],
  ])('form %#', (input, expected) => expect(toSelection(input)).toEqual(expected));

  test.each<[unknown, string]>([
    [[1.5], 'dimension 0 is 1.5'],
    [[NaN], 'dimension 0 is NaN'],
    [[[0.5, 2]], 'dimension 0 is 0.5'],
    [[[1]], 'dimension 0 is [1]'],
    [[{}], 'dimension 0 is {}'],
    [[{ indices: [1], mask: [true] }], 'dimension 0'],
    [[{ mask: [1] }], 'dimension 0'],
    [['3'], 'dimension 0 is 3'],
    [{ lat: { at: 52 } }, 'dimension "lat" is {"at":52}'],
    [{ points: [[0.5]] }, 'point 0 is 0.5'],
    [7, 'the selection is 7'],
    [null, 'the selection is null'],
    ['1:2:0', 'step'],
  ])('invalid form %# is rejected', (input, message) => {
    const run = () => toSelection(input as SelectionInput);
    expect(run).toThrow(expect.objectContaining({ code: 'BAD_SELECTION' }));
    expect(run).toThrow(message);
  });

  test('messages quote long text only in part', () => {
    const index = '7'.repeat(3000);
    for (const text of [`${index}x`, `a=${index}x`, `a,b=${index}`, `...,...,${index}`, `::0,${index}`])
      expect(() => toSelection(text)).toThrow(/^.{1,400}$/);
  });
});

test('selections by position mean the same in the client', () => {
  const index = fc.integer({ min: -9, max: 9 });
  const dim = fc.oneof(
    index,
    fc.tuple(fc.option(index), fc.option(index)),
    fc.tuple(fc.option(index), fc.option(index), index),
    fc.record({ indices: fc.array(index) }),
    fc.record({ mask: fc.array(fc.boolean()) }),
    fc.record({ chunk: index }),
  );
  /** Converts the canonical form to the gateway's input. */
  const inputOf = (by: Record<string, unknown>): unknown => {
    const { kind, ...rest } = by;
    return kind === 'slice' ? { slice: rest } : rest;
  };
  fc.assert(
    fc.property(fc.array(dim), (dims) => {
      const selection = toSelection(dims);
      const ours = selection.kind === 'dims' ? selection.dims.map((by) => inputOf({ ...by })) : [];
      expect(ours).toEqual(toSelectionInput(dims)?.dims);
    }),
  );
});

test('arrays and slices accept plain selections', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'test' }));
  const array = await hierarchy.createArray('/x', {
    shape: [3, 4],
    dtype: 'int16',
    chunkShape: [2, 2],
    dimensionNames: ['y', 'x'],
  });
  const data = Int16Array.from({ length: 12 }, (_, i) => i);
  await array.select().write({ shape: [3, 4], data });
  const read = async (selection: SelectionInput): Promise<unknown> =>
    toNested(await array.select(selection).read());
  expect(await read('1, ::2')).toEqual([4, 6]);
  expect(await read([null, { indices: [3, 0] }])).toEqual([[3, 0], [7, 4], [11, 8]]); // prettier-ignore
  expect(await read({ x: -1 })).toEqual([3, 7, 11]);
  expect(await read({ points: [[0, 0], [2, 3]] })).toEqual([0, 11]); // prettier-ignore
  expect(
    toNested(
      await array
        .select({ y: { chunk: 1 } })
        .select('0, 1:3')
        .read(),
    ),
  ).toEqual([9, 10]);
  await array.select({ x: [0, 2], y: 0 }).write([70, 71]);
  expect(await read('0')).toEqual([70, 71, 2, 3]);
});
