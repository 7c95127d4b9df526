/** Complete lines: labels and values along a coordinate, compared with their definition. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf, type LineRequest } from '../../server/analysis/line.js';
import {
  type Block,
  dataOf,
  elementAt,
  formatDatetimes,
  sizeOf,
  toTypedArray,
} from '../../server/zarr/index.js';
import { naiveExtremes, naiveMeans, type Value } from '../compute/line/naive-line.js';
import { smallDataset, type SmallDataset } from './small-dataset.js';

interface Scenario {
  readonly y: readonly (number | null)[];
  /** Distances between labels. */
  readonly steps: readonly number[];
  readonly isDescending: boolean;
  readonly chunk: number;
  readonly width: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly method: LineRequest['method'];
}

const scenario: fc.Arbitrary<Scenario> = fc.integer({ min: 0, max: 60 }).chain((size) =>
  fc.record({
    y: fc.array(fc.option(fc.integer({ min: -5, max: 5 }), { freq: 4 }), {
      minLength: size,
      maxLength: size,
    }),
    steps: fc.array(fc.constantFrom(0, 1, 2, 7), { minLength: size, maxLength: size }),
    isDescending: fc.boolean(),
    chunk: fc.integer({ min: 1, max: 20 }),
    width: fc.integer({ min: 1, max: 6 }),
    from: fc.option(fc.integer({ min: -20, max: 120 }), { nil: undefined }),
    to: fc.option(fc.integer({ min: -20, max: 120 }), { nil: undefined }),
    method: fc.constantFrom('M4' as const, 'MINMAX' as const, 'MEAN' as const),
  }),
);

/** [label, value] of each point. */
function naiveLine({
  y,
  steps,
  isDescending,
  width,
  from,
  to,
  method,
}: Scenario): (readonly [number, number])[] {
  let sum = 0;
  const ascending = steps.map((step) => (sum += step));
  const x = isDescending ? ascending.map((label) => 100 - label) : ascending;
  const values = y.map((value): Value => value ?? undefined);
  if (x.length === 0) return [];
  const ends = [Math.min(...x), Math.max(...x)] as const;
  const [one, other] = [from ?? ends[0], to ?? ends[1]];
  const [low, high] =
    from !== undefined && to !== undefined ? [Math.min(one, other), Math.max(one, other)] : [one, other];
  const isWithin = (label: number): boolean => label >= low && label <= high;
  const inside = x.flatMap((label, i) => (isWithin(label) ? [i] : []));
  // Position of the first label that is not before the range.
  const descends = isDescending && x[0] !== x.at(-1);
  const begin = x.findIndex((label) => (descends ? label <= high : label >= low));
  const first = inside[0] ?? (begin < 0 ? x.length : begin);
  const end = first + inside.length;
  const [start, stop] = [Math.max(0, first - 1), Math.min(x.length, end + 1)];
  const show = (at: number, value: Value): readonly [number, number] => [x[at] ?? NaN, Number(value ?? NaN)];
  if (inside.length <= 4 * width) return x.map((_, i) => show(i, values[i])).slice(start, stop);
  const binOf = (label: number): number =>
    high === low ? 0 : Math.min(width - 1, Math.floor(((label - low) * width) / (high - low)));
  const starts = [
    start,
    ...inside.filter((i, k) => k === 0 || binOf(x[i] ?? 0) !== binOf(x[i - 1] ?? 0)),
    end,
    stop,
  ];
  if (method !== 'MEAN')
    return naiveExtremes(values, starts, method === 'MINMAX').map(({ at, value }) => show(at, value));
  return naiveMeans(values, starts).map(({ at, to: last, value }) => [
    ((x[at] ?? 0) + (x[last] ?? 0)) / 2,
    Number(value ?? NaN),
  ]);
}

function datasetOf({ y, steps, isDescending, chunk }: Scenario): Promise<SmallDataset> {
  let sum = 0;
  const labels = steps.map((step) => (sum += step)).map((label) => (isDescending ? 100 - label : label));
  const size = y.length;
  return smallDataset({
    x: { dims: ['x'], dtype: 'float64', shape: [size], chunks: [9], values: size === 0 ? undefined : labels },
    y: {
      dims: ['x'],
      dtype: 'int16',
      shape: [size],
      chunks: [chunk],
      values: size === 0 ? undefined : y.map((value) => value ?? -99),
      attributes: { _FillValue: -99, scale_factor: 1 },
    },
  });
}

function pairs({ x, y }: { readonly x: Block; readonly y: Block }): (readonly [number, number])[] {
  expect(y.shape).toEqual(x.shape);
  const [labels, values] = [toTypedArray(x), toTypedArray(y)];
  return Array.from(labels, (label, i) => [Number(label), Number(values[i])]);
}

test('equals the definition, and its cost includes the decoded bytes', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (one) => {
      const { slice, scope } = await datasetOf(one);
      const { width, from, to, method } = one;
      const line = await lineOf(slice('y'), { width, from, to, method }, scope);
      const found = await line.read();
      expect(pairs(found)).toEqual(naiveLine(one));
      expect([found.x.dtype.name, found.y.dtype.name]).toEqual([line.x.dtype.name, line.y.dtype.name]);
      const { outputBytes = 0, reducedBytes } = line.cost();
      if ('bytes' in found.x && 'bytes' in found.y)
        expect(found.x.bytes.length + found.y.bytes.length).toBeLessThanOrEqual(outputBytes);
      expect(reducedBytes).toBeGreaterThanOrEqual(slice('y').cost().decodedBytes);
    }),
    { numRuns: 300 },
  );
});

describe('a slice of two dimensions', () => {
  const y = [[0, 9, 1, 2, 8, 3, 3, 3], [5, 5, 5, 5, 5, 5, 5, 5], [7, 6, 5, 4, 3, 2, 1, 0]]; // prettier-ignore
  const transposed = y[0]?.map((_, i) => y.map((line) => line[i]));
  const dataset = smallDataset({
    t: {
      dims: ['t'],
      dtype: 'int32',
      shape: [8],
      chunks: [3],
      values: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => 10 * i),
    },
    a: { dims: ['s', 't'], dtype: 'int8', shape: [3, 8], chunks: [2, 3], values: y },
    b: { dims: ['t', 's'], dtype: 'int8', shape: [8, 3], chunks: [3, 2], values: transposed },
  });

  test.each([
    ['a', 't'],
    ['b', undefined],
    ['b', '0'],
  ])('%s along %s results in lines of one length', async (name, along) => {
    const { slice, scope } = await dataset;
    const { x, y: values } = await (
      await lineOf(slice(name), { width: 1, along, method: 'M4' }, scope)
    ).read();
    expect([x.shape, x.dtype.name, values.dtype.name]).toEqual([[3, 3], 'float64', 'float32']);
    expect([...toTypedArray(x)]).toEqual([0, 10, 70, 0, 70, NaN, 0, 70, NaN]);
    expect([...toTypedArray(values)]).toEqual([0, 9, 3, 5, 5, NaN, 7, 0, NaN]);
  });

  test('few points are returned unchanged', async () => {
    const { slice, scope } = await dataset;
    const { x, y: values } = await (await lineOf(slice('b'), { width: 2, method: 'M4' }, scope)).read();
    expect([x.shape, [...toTypedArray(values)]]).toEqual([[3, 8], y.flat()]);
    expect([...toTypedArray(x)].slice(8, 11)).toEqual([0, 10, 20]);
  });

  test('without a coordinate, positions are the labels', async () => {
    const { slice, scope } = await dataset;
    const along = { width: 1, along: 's', method: 'MINMAX' } as const;
    const one = slice('a', {
      kind: 'dims',
      dims: [
        { kind: 'slice', step: -1 },
        { kind: 'index', index: 1 },
      ],
    });
    const { x, y: values } = await (await lineOf(one, along, scope)).read();
    expect([x.dtype.name, [...toTypedArray(x)], [...toTypedArray(values)]]).toEqual([
      'int64',
      [0n, 1n, 2n],
      [6, 5, 9],
    ]);
    const part = await (await lineOf(one, { ...along, from: 0.5, to: 1 }, scope)).read();
    expect([...toTypedArray(part.x)]).toEqual([0n, 1n, 2n]);
  });

  test('along listed positions that are not sorted, a line is rejected; along points, positions are the labels', async () => {
    const { slice, scope } = await dataset;
    const indices = [7, 0, 3, 1, 6, 2];
    const one = slice('a', {
      kind: 'dims',
      dims: [
        { kind: 'index', index: 0 },
        { kind: 'indices', indices },
      ],
    });
    await expect(
      lineOf(one, { width: 1, method: 'M4' }, scope).then((line) => line.read()),
    ).rejects.toMatchObject({
      code: 'BAD_SELECTION',
      message: expect.stringContaining('not sorted'),
    });
    const points = slice('a', { kind: 'points', points: indices.map((i) => [0, i]) });
    const { x, y: values } = await (await lineOf(points, { width: 1, method: 'M4' }, scope)).read();
    expect([...toTypedArray(x)]).toEqual([0n, 1n, 3n, 5n]);
    expect([...toTypedArray(values)]).toEqual([3, 0, 9, 1]);
  });
});

describe('dates', () => {
  const size = 400;
  const days = Array.from({ length: size }, (_, i) => i);
  const time = { dims: ['time'], dtype: 'int32', shape: [size], chunks: [90], values: days };
  const dataset = (calendar: string) =>
    smallDataset({
      time: { ...time, attributes: { units: 'days since 2001-01-01', calendar } },
      y: {
        dims: ['time'],
        dtype: 'float32',
        shape: [size],
        chunks: [70],
        values: days.map((i) => (i % 50 === 7 ? 99 : i % 10)),
      },
    });

  test('begin and end a line as text, and label its points', async () => {
    const { slice, scope } = await dataset('standard');
    const line = await lineOf(
      slice('y'),
      { width: 4, from: '2001-02', to: '2001-06-30', method: 'M4' },
      scope,
    );
    const { x, y } = await line.read();
    if (x.dtype.name !== 'numpy.datetime64') throw new Error('expected dates');
    const dates = formatDatetimes(dataOf(x, 'numpy.datetime64'), x.dtype).map((text) => text?.slice(0, 10));
    expect([dates[0], dates[1], dates.at(-2), dates.at(-1)]).toEqual([
      '2001-01-31',
      '2001-02-01',
      '2001-06-30',
      '2001-07-01',
    ]);
    const spikes = [...toTypedArray(y)].flatMap((value, i) => (value === 99 ? [dates[i]] : []));
    expect(spikes).toEqual(['2001-02-27', '2001-04-18', '2001-06-07']);
  });

  test('of other calendars are text', async () => {
    const { slice, scope } = await dataset('360_day');
    const line = await lineOf(
      slice('y'),
      { width: 1, from: '2001-02-01', to: '2001-02-30', method: 'MEAN' },
      scope,
    );
    const { x, y } = await line.read();
    expect(x.dtype.name).toBe('string');
    expect(String(elementAt(x, 1))).toContain('2001-02-01');
    expect(x.shape).toEqual([3]);
    expect(Number(elementAt(y, 1))).toBeCloseTo((sum(days.slice(30, 60)) + 92) / 30, 5);
  });

  test('have dates as their mean', async () => {
    const { slice, scope } = await dataset('standard');
    const line = await lineOf(slice('time'), { width: 1, method: 'MEAN' }, scope);
    const { y } = await line.read();
    expect([y.shape, y.dtype.name]).toEqual([[1], 'numpy.datetime64']);
  });

  const sum = (values: readonly number[]): number =>
    values.reduce((total, i) => total + (i % 50 === 7 ? 0 : i % 10), 0) + 7;
});

test('an empty slice has an empty line', async () => {
  const { slice, scope } = await smallDataset({
    y: { dims: ['x'], dtype: 'float32', shape: [0], chunks: [6], values: undefined },
  });
  const { x, y } = await (await lineOf(slice('y'), { width: 5, method: 'M4' }, scope)).read();
  expect([x.shape, y.shape, sizeOf(x.shape)]).toEqual([[0], [0], 0]);
});

test('concurrent lines each report the versions that they depend on', async () => {
  const size = 1000;
  const values = Array.from({ length: size }, (_, i) => i);
  const store = await smallDataset({
    x: { dims: ['x'], dtype: 'float64', shape: [size], chunks: [size], values },
    y: { dims: ['x'], dtype: 'float64', shape: [size], chunks: [size], values },
  });
  let coordinates = 0;
  const reads = async (): Promise<string[]> => {
    const line = await lineOf(store.slice('y'), { width: 5, method: 'M4' }, store.scope);
    const seen: string[] = [];
    await line.read({ onVersion: ({ path }) => seen.push(path) });
    return seen;
  };
  const all = await Promise.all([reads(), reads(), reads()]);
  for (const seen of all) {
    coordinates += seen.filter((path) => path === '/x').length;
    expect(new Set(seen)).toEqual(new Set(['/x', '/y']));
  }
  expect(coordinates).toBe(3);
});
