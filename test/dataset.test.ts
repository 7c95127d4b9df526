import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { floatLabels, MadeLabels, textLabels } from '../server/dataset/grouping/made-labels.js';
import { meanTicks, averagedCoordinate } from '../server/dataset/grouping/mean-labels.js';
import { wrappedBlock } from '../server/dataset/labels/wrapped-slice.js';
import {
  NAT,
  toTypedArray,
  createMemoryStore,
  type LazySlice,
  openHierarchy,
  runToEnd,
} from '../server/zarr/index.js';
import { indexOf, type NumberTypeName, numbers, positions } from './dataset/labels/sample-index.js';

const all = (count: number) => Float64Array.from({ length: count }, (_, i) => i);

describe('means of blocks of labels', () => {
  test('cross the ends of a longitude coordinate, and skip missing labels', () => {
    const values = floatLabels(Float64Array.of(358, 0, NaN, 4, NaN));
    const means = (units: string) => {
      const made = new MadeLabels('x', { stored: values, units }).inBlocks(all(5), 2);
      return made === undefined ? undefined : [...toTypedArray(made.stored)];
    };
    expect(means('degrees_east')).toEqual([359, 4, NaN]);
    expect(means('m')).toEqual([179, 4, NaN]);
  });

  test('of dates are rounded down; the mean of no dates is missing', () => {
    expect([...meanTicks(BigInt64Array.of(-2n, -1n, NAT, 7n, NAT), 2)]).toEqual([-2n, 7n, NAT]);
  });

  test('do not exist for text', () => {
    expect(
      new MadeLabels('season', { stored: runToEnd(textLabels(['DJF'])) }).inBlocks(all(1), 1),
    ).toBeUndefined();
  });
});

// Coordinates of coarsened slices: the means of blocks.

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

test('a block has the mean of its labels; the last one may be shorter', async () => {
  expect(await meansOf([0, 1, 2, 3, 10], 2, false)).toEqual([0.5, 2.5, 10]);
  expect(await meansOf([358, 359, 0, 1], 4, false)).toEqual([179.5]);
});

test.each([
  ['from 360 to 0', [356, 358, 0, 4], 4, [359.5]],
  ['from 360 to 0, across the ends', [358, 2, 4, 6], 2, [0, 5]],
  ['from 180 to -180', [170, 175, -175, -160], 4, [-177.5]],
  ['that do not wrap', [0, 90, 180, 270], 4, [135]],
  ['up to 360', [350, 360], 1, [350, 360]],
])('longitudes %s are averaged on the circle', async (_, values, factor, expected) => {
  expect(await meansOf(values, factor, true)).toEqual(expected);
});

test('a part of the blocks has the means of these blocks only', async () => {
  const chosen = { kind: 'range', start: 2, step: -2, count: 2, dropped: false } as const;
  const means = averagedCoordinate(
    await coordinateOf([0, 2, 10, 12, 20, 22], 'int16'),
    [{ name: 'x', factor: 2, chosen }],
    false,
  );
  expect([...toTypedArray(await means.read())]).toEqual([21, 1]);
});

// Periodic labels compared with a model that examines every label.
describe('labels that wrap', () => {
  const wrapped = fc.record({
    name: fc.constantFrom<NumberTypeName>('int32', 'float32', 'float64'),
    labels: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 12 }),
    from: fc.integer({ min: -20, max: 5 }),
    order: fc.constantFrom('ascending', 'descending', 'any'),
  });
  const created = ({
    name,
    labels,
    from,
    order,
  }: typeof wrapped extends fc.Arbitrary<infer T> ? T : never) => {
    const sorted =
      order === 'any' ? labels : labels.toSorted((a, b) => (order === 'ascending' ? a - b : b - a));
    const values = sorted.map((one) => one + from);
    return { values, index: indexOf(numbers(name, values)) };
  };
  const mod = (value: number): number => ((value % 12) + 12) % 12;
  const any = fc.integer({ min: -40, max: 40 });

  test('are found by EXACT, NEAREST, PAD and BACKFILL', () =>
    fc.assert(
      fc.property(wrapped, any, fc.option(fc.integer({ min: 0, max: 7 })), (given, value, limit) => {
        const { values, index } = created(given);
        const tolerance = limit ?? undefined;
        const exact = positions(index, { kind: 'at', value, method: 'EXACT', tolerance: undefined, wrap: 12 });
        const same = values.findIndex((one) => mod(one - value) === 0);
        expect(exact).toEqual(same < 0 ? 'BAD_SELECTION' : [same]);
        const found = positions(index, { kind: 'at', value, method: 'NEAREST', tolerance, wrap: 12 });
        const apart = (one: number): number => Math.min(mod(one - value), mod(value - one));
        const least = Math.min(...values.map(apart));
        if (!(least <= (tolerance ?? 12))) expect(found).toBe('BAD_SELECTION');
        else expect(apart(values[Number(found[0])] ?? NaN)).toBe(least);
        const isFalling = index.order === 'descending';
        for (const method of ['PAD', 'BACKFILL'] as const) {
          const before = (method === 'PAD') !== isFalling;
          const next = positions(index, { kind: 'at', value, method, tolerance: undefined, wrap: 12 });
          const steps = (one: number): number => (before ? mod(value - one) : mod(one - value));
          if (values.length === 0) expect(next).toBe('BAD_SELECTION');
          else expect(steps(values[Number(next[0])] ?? NaN)).toBe(Math.min(...values.map(steps)));
        }
      }),
    )); // prettier-ignore

  test('are selected from one to another, across the ends', () =>
    fc.assert(
      fc.property(wrapped, any, fc.integer({ min: -11, max: 11 }), fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0), (given, from, length, step) => {
        const { values, index } = created(given);
        const found = positions(index, { kind: 'between', from, to: from + length, step, wrap: 12 });
        const width = length < 0 ? length + 12 : length;
        const within = [...values.keys()]
          .filter((i) => mod((values[i] ?? 0) - from) <= width)
          .toSorted((a, b) => mod((values[a] ?? 0) - from) - mod((values[b] ?? 0) - from));
        const along = index.order === 'descending' ? within.toReversed() : within;
        const turned = step > 0 ? along : along.toReversed();
        expect(found).toEqual(turned.filter((_, i) => i % Math.abs(step) === 0));
        const by = runToEnd(index.find({ kind: 'between', from, to: from + length, step, wrap: 12 }));
        const selected = along.length === 0 ? [] : turned.filter((_, i) => i % Math.abs(step) === 0).map((i) => values[i] ?? NaN);
        const stored = numbers(given.name, selected);
        const moved = 'wrap' in by && by.wrap !== undefined ? wrappedBlock(stored, by.wrap) : stored;
        const labels = Array.from(toTypedArray(moved), Number);
        expect(labels.map(mod)).toEqual(selected.map(mod));
        for (const label of labels) expect(label - from).toBeGreaterThanOrEqual(0);
        for (const label of labels) expect(label - from).toBeLessThanOrEqual(width);
        const isRising = (index.order !== 'descending') === (step > 0);
        expect(labels).toEqual(labels.toSorted((a, b) => (isRising ? a - b : b - a)));
      }),
    )); // prettier-ignore

  test('keep the precision of the coordinate, and accept ends of any size', () => {
    const index = indexOf(numbers('float32', [0.1, 90.1, 180.1, 350.1]));
    const at = (value: unknown, wrap: number) =>
      positions(index, { kind: 'at', value, method: 'EXACT', tolerance: undefined, wrap });
    expect(at(-9.9, 360)).toEqual([3]);
    expect(at(360.1, 360)).toEqual([0]);
    expect(at('0.1', 360)).toBe('BAD_SELECTION');
    expect(at(0.1, 0)).toBe('BAD_SELECTION');
    expect(at(0.1, 200)).toBe('BAD_SELECTION');
    expect(at(1e300, 360)).toBe('BAD_SELECTION');
    const between = (from: unknown, to: unknown, wrap: number) =>
      positions(index, { kind: 'between', from, to, step: 1, wrap });
    expect(between(-9.9, 0.1, 360)).toEqual([3, 0]);
    expect(between(0, 1000, 360)).toEqual([0, 1, 2, 3]);
    expect(between(100, 1e9, 360)).toEqual([2, 3, 0, 1]);
    expect(between(0, undefined, 360)).toBe('BAD_SELECTION');
    const one = indexOf(numbers('float64', [5]));
    expect(positions(one, { kind: 'between', from: 0, to: 1e9, step: 1, wrap: 1e-9 })).toHaveLength(1);
  });

  test('that are durations remain durations', () => {
    const dtype = { name: 'numpy.timedelta64', itemSize: 8, unit: 'h', scale: 1 } as const;
    const block = (...counts: bigint[]) =>
      ({ dtype, shape: [counts.length], bytes: new Uint8Array(BigInt64Array.from(counts).buffer) }) as const;
    expect(wrappedBlock(block(0n, 20n, NAT), { from: -6, period: 24 })).toEqual(block(0n, -4n, NAT));
    expect(() => wrappedBlock(block(20n), { from: -6, period: 23.5 })).toThrow(/require an integer/);
    expect(() => wrappedBlock(block(2n ** 62n), { from: 1e30, period: 24 })).toThrow(
      /does not fit in 64 bits/,
    );
  });

  test('are moved as labels are, if they are bounds', () => {
    const labels = numbers('float64', [0, 350]);
    const bounds = { ...numbers('float64', [-5, 5, 345, 355]), shape: [2, 2] };
    const moved = wrappedBlock(bounds, { from: -50, period: 360 }, labels);
    expect([...toTypedArray(moved)]).toEqual([-5, 5, -15, -5]);
  });

  test('are only numbers', () => {
    expect(() => wrappedBlock(runToEnd(textLabels(['a'])), { from: 0, period: 360 })).toThrow(
      /have no period/,
    );
  });
});

test('long lists of text labels are made in steps', () => {
  const steps = textLabels(Array.from({ length: 10_000 }, (_, i) => `station ${i}`));
  expect([...steps]).toHaveLength(2);
});
