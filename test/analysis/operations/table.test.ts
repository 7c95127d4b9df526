import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationScope } from '../../../server/analysis/operations/operation.js';
import type { SliceStep } from '../../../server/analysis/operations/table.js';
import {
  applySteps,
  MAX_OPERATIONS,
  takeStep,
  withoutSteps,
} from '../../../server/analysis/operations/apply-steps.js';
import { smallDataset } from '../small-dataset.js';
import { recipeKey } from '../../../server/analysis/recipe.js';
import {
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type Selection,
  type ZarrArray,
} from '../../../server/zarr/index.js';

const scope: OperationScope = {
  dataset: async () => undefined,
  coordinates: {
    index: async () => expect.fail('no coordinate is read'),
    decoding: async () => expect.fail('no coordinate is read'),
    labels: async () => expect.fail('no coordinate is read'),
    labelsInOrder: async () => expect.fail('no coordinate is read'),
    read: async () => expect.fail('no coordinate is read'),
    remembered: async () => expect.fail('no coordinate is read'),
    reserve: () => expect.fail('no memory is reserved'),
    chargeLookUps: () => expect.fail('no label is looked up'),
  },
};

let array: ZarrArray;
let structs: ZarrArray;

beforeAll(async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  array = await hierarchy.createArray('/a', { shape: [6, 8], dtype: 'int16', chunkShape: [2, 4], dimensionNames: ['y', 'x'] }); // prettier-ignore
  await array.select({ kind: 'all' }).write([0, 1, 2, 3, 4, 5].map((y) => Array.from({ length: 8 }, (_, x) => 10 * y + x)));
  structs = await openHierarchy(createMemoryStore({ label: 's' })).createArray(
    '/',
    { shape: [4], dtype: '[["p", "<i2"], ["q", "<i2", [3]]]' },
    { zarrFormat: 2 },
  );
}); // prettier-ignore

const source = { store: 'm', path: '/a' };

async function keyOf(from: ZarrArray, ...steps: SliceStep[]): Promise<string> {
  const made = await applySteps(withoutSteps(from.select({ kind: 'all' })), steps, scope);
  return recipeKey(source, made.canonical());
}

const range = (start: number, stop: number, step = 1): Selection => ({
  kind: 'dims',
  dims: [{ kind: 'slice', start, stop, step }],
});

describe('the key of a slice', () => {
  test.each<[string, SliceStep[], SliceStep[]]>([
    ['nothing and everything', [], [{ select: { kind: 'all' } }, { select: { kind: 'dims', dims: [] } }]],
    ['a part of a part', [{ select: range(1, 5) }, { select: range(1, 3) }], [{ select: range(2, 4) }]],
    ['negative bounds', [{ select: range(-2, 99) }], [{ select: range(4, 6) }]],
    [
      'names and positions',
      [{ select: { kind: 'named', named: [{ dim: 'x', by: { kind: 'index', index: 3 } }] } }],
      [{ select: { kind: 'dims', dims: [{ kind: 'ellipsis' }, { kind: 'index', index: -5 }] } }],
    ],
    [
      'chunks and ranges',
      [{ select: { kind: 'dims', dims: [{ kind: 'chunk', chunk: 1 }] } }],
      [{ select: range(2, 4) }],
    ],
    [
      'a mask and a list',
      [{ select: { kind: 'dims', dims: [{ kind: 'mask', mask: [true, false, false, true, true, false] }] } }],
      [{ select: { kind: 'dims', dims: [{ kind: 'indices', indices: [0, -3, 4] }] } }],
    ],
  ])('is equal for %s', async (_, one, other) => {
    expect(await keyOf(array, ...one)).toBe(await keyOf(array, ...other));
  });

  test('differs for other positions, points, sources, decodings and fields', async () => {
    const points = (...list: number[][]): SliceStep => ({ select: { kind: 'points', points: list } });
    const keys = [
      await keyOf(array),
      await keyOf(array, { select: range(0, 5) }),
      await keyOf(array, { select: range(0, 5, 2) }),
      await keyOf(array, { select: { kind: 'dims', dims: [{ kind: 'indices', indices: [0, 2] }] } }),
      await keyOf(array, { select: { kind: 'dims', dims: [{ kind: 'indices', indices: [2, 0] }] } }),
      await keyOf(array, { select: { kind: 'dims', dims: [{ kind: 'index', index: 0 }] } }),
      await keyOf(array, { select: range(0, 1) }),
      await keyOf(array, points([0, 1])),
      await keyOf(array, points([1, 0])),
      await keyOf(structs, { field: 'p' }),
      await keyOf(structs, { field: 'q' }),
      await keyOf(structs, { field: 'q' }, { select: range(0, 1) }),
      recipeKey({ ...source, store: 'n' }, []),
      recipeKey({ ...source, path: '/b' }, []),
      recipeKey({ ...source, decode: { maskOutOfRange: false } }, []),
      recipeKey({ ...source, decode: { maskOutOfRange: true } }, []),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('equal keys mean equal values', async () => {
    const bound = fc.integer({ min: -9, max: 9 });
    const by = fc.oneof(
      fc.record({ kind: fc.constant('slice' as const), start: bound, stop: bound, step: fc.constantFrom(-2, -1, 1, 2) }),
      fc.record({ kind: fc.constant('indices' as const), indices: fc.array(fc.integer({ min: -2, max: 1 }), { maxLength: 3 }) }),
    ); // prettier-ignore
    const step = fc.record({
      select: fc.record({ kind: fc.constant('dims' as const), dims: fc.array(by, { maxLength: 2 }) }),
    });
    const seen = new Map<string, unknown>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 3 }), async (steps) => {
        const start = withoutSteps(array.select({ kind: 'all' }));
        const made = await applySteps(start, steps, scope).catch(() => undefined);
        if (made === undefined) return;
        const key = recipeKey(source, made.canonical());
        const { shape, ...block } = await made.slice.read();
        const values = { shape, text: 'bytes' in block ? Buffer.from(block.bytes).toString('hex') : '' };
        expect(values).toEqual(seen.get(key) ?? values);
        seen.set(key, values);
      }),
    );
    expect(seen.size).toBeGreaterThan(5);
  });
});

test('operations are counted, consecutive selections as one', async () => {
  let made = withoutSteps(array.select({ kind: 'all' }));
  for (let i = 0; i < 40; i++) made = await takeStep(made, { select: range(0, 5) }, scope);
  expect(made.canonical().length).toBe(1);
  const full = { ...made, canonical: () => Array.from({ length: MAX_OPERATIONS }, () => ({ field: 'p' })) };
  await expect(takeStep(full, { select: range(0, 4) }, scope)).rejects.toThrow('at most 8 operations');
  for (let i = 40; i < 64; i++) made = await takeStep(made, { select: range(0, 5) }, scope);
  await expect(takeStep(made, { select: range(0, 5) }, scope)).rejects.toThrow('in 64 steps');
});

test('a step prepares its slice in turns, after the memory for that has been reserved', async () => {
  const { scope: own, slice } = await smallDataset({
    x: { dims: ['x'], dtype: 'int32', shape: [6], chunks: [6], values: [0, 1, 0, 1, 0, 2] },
    v: { dims: ['x'], dtype: 'float64', shape: [6], chunks: [6], values: [1, 2, 3, 4, 5, 6] },
  });
  const reserved: number[] = [];
  const counting = {
    ...own,
    coordinates: { ...own.coordinates, reserve: (bytes: number) => void reserved.push(bytes) },
  };
  const anomaly = { anomaly: { values: { dim: 'x' } } } as const;
  const anomalies = await applySteps(withoutSteps(slice('v')), [anomaly], counting);
  reserved.length = 0;
  const part = await takeStep(anomalies, { select: range(1, 5) }, counting);
  // The group of each position of the part; the position and the group of each member of these groups.
  expect(reserved).toEqual([4 * 4 + 6 * 12]);
  expect(part.slice.preparation).toBeUndefined();
  expect([...toTypedArray(await part.slice.read())]).toEqual([-1, 0, 1, 2]);
});
