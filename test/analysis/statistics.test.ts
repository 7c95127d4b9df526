/** Statistics compared with NumPy for several chunk sizes, and costs, dates and invalid requests. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  assertStatistic,
  type Histogram,
  statisticsOf,
  type StatisticsResult,
} from '../../server/analysis/statistics.js';
import {
  type Block,
  blockOfValues,
  createMemoryStore,
  dataOf,
  InputError,
  type LazySlice,
  openHierarchy,
  toTypedArray,
} from '../../server/zarr/index.js';

interface Case {
  readonly name: string;
  readonly dtype: string;
  readonly bytes: string;
  readonly expected: {
    readonly count: number;
    readonly missing: number;
    readonly min?: string;
    readonly max?: string;
    readonly sum?: string;
    readonly mean?: string;
    readonly std?: string;
    readonly quantiles?: readonly string[];
    readonly histograms?: readonly {
      readonly bins: number;
      readonly range: readonly [number, number] | null;
      readonly counts: readonly number[];
      readonly edges: readonly string[];
      readonly below: number;
      readonly above: number;
    }[];
  };
}

const file = new URL('../fixtures/analysis/statistics.json', import.meta.url);
const { quantiles, cases }: { quantiles: number[]; cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));
const fields = ['count', 'missing', 'min', 'max', 'sum', 'mean', 'std'] as const;

async function sliceOf({ dtype, bytes }: Case, chunk: number): Promise<LazySlice> {
  const store = createMemoryStore({ label: 'm' });
  const data = Buffer.from(bytes, 'base64');
  const probe = await openHierarchy(store).createArray('/probe', { shape: [1], dtype, chunkShape: [1] });
  const size = data.length / (probe.meta.dtype.itemSize ?? 1);
  const shape = [size];
  const array = await openHierarchy(store).createArray('/a', { shape, dtype, chunkShape: [chunk] });
  const block: Block = { ...(await probe.select({ kind: 'all' }).read()), shape };
  if (!('bytes' in block)) throw new Error('expected a data type of fixed size');
  await array.select({ kind: 'all' }).write({ ...block, bytes: new Uint8Array(data) });
  return array.select({ kind: 'all' });
}

const isTime = (dtype: string): boolean => /^<[mM]8/.test(dtype);
const isFloat = (dtype: string): boolean => dtype.startsWith('float');

/** The fixture's values in the form of the statistics. */
function shown(dtype: string, text: string | undefined): unknown {
  if (text === undefined) return null;
  if (dtype === 'bool') return text === '1';
  if (isFloat(dtype)) return Number(text.replace('inf', 'Infinity')) + 0;
  return dtype === 'int64' || dtype === 'uint64' || isTime(dtype) ? BigInt(text) : Number(text);
}

/** Converts dates to their counts. */
function counted({ dtype }: LazySlice, value: unknown): unknown {
  if (dtype.name !== 'numpy.datetime64') return value;
  return dataOf(blockOfValues([value], dtype, 1), dtype.name)[0];
}

function close(found: unknown, text: string | undefined, scale = 1e-13, least = 0): void {
  if (text === undefined) return expect(found).toBeNull();
  const number = Number(text.replace('inf', 'Infinity'));
  if (Number.isNaN(number)) return expect(found).toBeNaN();
  if (!Number.isFinite(number)) return expect(found).toBe(number);
  expect(typeof found).toBe('number');
  expect(Math.abs(Number(found) - number)).toBeLessThanOrEqual(Math.max(least, Math.abs(number) * scale));
}

describe.each([1000, 64, 7])('chunks of %i', (chunk) => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { dtype, expected } = one;
    const slice = await sliceOf(one, chunk);
    const histograms = (expected.histograms ?? []).map(({ bins, range }) => ({
      bins,
      range: range === null ? undefined : { min: range[0], max: range[1] },
    }));
    const requested = isTime(dtype) || expected.quantiles === undefined ? [] : [quantiles];
    const found = await statisticsOf(slice, { fields, quantiles: requested, histograms }).read();
    const { values } = found;
    expect(values.count).toBe(BigInt(expected.count));
    expect(values.missing).toBe(BigInt(expected.missing));
    expect(counted(slice, values.min)).toEqual(shown(dtype, expected.min));
    expect(counted(slice, values.max)).toEqual(shown(dtype, expected.max));
    if (isTime(dtype)) {
      expect(counted(slice, values.mean)).toBe(BigInt(expected.mean ?? 0));
      expect('sum' in values || 'std' in values).toBe(false);
    } else {
      if (isFloat(dtype)) close(values.sum, expected.sum);
      else expect(values.sum).toBe(BigInt(expected.sum ?? 0));
      close(values.mean, expected.mean);
      close(values.std, expected.std, 1e-12, Math.abs(Number(values.mean ?? 0)) * 1e-16);
    }
    expected.quantiles?.forEach((text, i) => close(found.quantiles[0]?.[i], text, 4e-16));
    expected.histograms?.forEach(({ counts, edges, below, above }, h) => {
      const own = histogramIn(found, h);
      expect(Array.from(toTypedArray(own.counts), Number)).toEqual(counts);
      expect(Array.from(toTypedArray(own.edges), Number)).toEqual(edges.map(Number));
      expect([own.below, own.above]).toEqual([BigInt(below), BigInt(above)]);
    });
  });
});

const none = { fields: [], quantiles: [], histograms: [] };

function histogramIn({ histograms }: StatisticsResult, index: number): Histogram {
  const one = histograms[index];
  if (one === undefined || one instanceof InputError) throw one ?? new Error('expected a histogram');
  return one;
}

async function smallSlice(dtype: string, values: unknown, shape: readonly number[]): Promise<LazySlice> {
  const store = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(store).createArray('/', {
    shape: [...shape],
    dtype,
    chunkShape: shape.map(() => 2),
    fillValue:
      dtype === 'string' ? 'x' : dtype.startsWith('<M8') ? 'NaT' : dtype === 'complex64' ? [1, 2] : 3,
  });
  if (values !== undefined) await array.select({ kind: 'all' }).write(values);
  return array.select({ kind: 'all' });
}

test('absent chunks read as the fill value', async () => {
  const slice = await smallSlice('int64', undefined, [5, 3]);
  const histograms = [{ bins: 2, range: { min: 0, max: 4 } }];
  const found = await statisticsOf(slice, { fields, quantiles: [[0.5]], histograms }).read();
  expect(found.values).toEqual({ count: 15n, missing: 0n, min: 3n, max: 3n, sum: 45n, mean: 3, std: 0 });
  expect(found.quantiles).toEqual([[3]]);
  const histogram = histogramIn(found, 0);
  expect([...toTypedArray(histogram.counts)]).toEqual([0n, 15n]);
});

test('dates have quantiles and histograms of dates', async () => {
  const days = ['2001-01-01', '2001-01-03', 'NaT', '2001-01-02', '2001-01-05'];
  const slice = await smallSlice('<M8[h]', days, [5]);
  const range = { min: '2001-01-02', max: '2001-01-04' };
  const found = await statisticsOf(slice, {
    fields,
    quantiles: [[0, 0.5], [1]],
    histograms: [{ bins: 2, range }, { bins: 4 }],
  }).read();
  const date = (day: number, hour = 0): unknown =>
    counted(slice, `2001-01-0${day}T${String(hour).padStart(2, '0')}`);
  expect(found.quantiles.map((list) => list.map((one) => counted(slice, one)))).toEqual([
    [date(1), date(2, 12)],
    [date(5)],
  ]);
  expect(counted(slice, found.values.mean)).toBe(date(2, 18));
  const shownHistograms = found.histograms.map((_, index) => {
    const { edges, counts, below, above } = histogramIn(found, index);
    return [[...toTypedArray(edges)], [...toTypedArray(counts)], below, above];
  });
  expect(shownHistograms).toEqual([
    [[date(2), date(3), date(4)], [1n, 1n], 1n, 1n],
    [[date(1), date(2), date(3), date(4), date(5)], [1n, 1n, 1n, 1n], 0n, 0n],
  ]);
});

test('complex numbers have sums, text has counts', async () => {
  const complex = await smallSlice('complex64', [[1, 2], [3, -1], ['NaN', 0]], [3]); // prettier-ignore
  const all = { fields, quantiles: [[0.5]], histograms: [{ bins: 1 }] };
  const found = await statisticsOf(complex, all).read();
  expect(found.values).toEqual({ count: 2n, missing: 1n, sum: [4, 1], mean: [2, 0.5] });
  expect(found).toMatchObject({ quantiles: [[]], histograms: [undefined] });
  const text = await smallSlice('string', ['a', 'b', 'c'], [3]);
  expect((await statisticsOf(text, all).read()).values).toEqual({ count: 3n, missing: 0n });
  for (const field of ['min', 'std', 'quantiles', 'histogram'] as const)
    expect(() => assertStatistic(complex.dtype, field)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }),
    );
});

test('an empty slice has the counts 0, the sum 0 and no other statistics', async () => {
  const slice = await smallSlice('float32', undefined, [0]);
  const found = await statisticsOf(slice, { fields, quantiles: [[0.5]], histograms: [{ bins: 2 }] }).read();
  expect(found.values).toEqual({
    count: 0n,
    missing: 0n,
    min: null,
    max: null,
    sum: 0,
    mean: null,
    std: null,
  });
  expect(found.quantiles).toEqual([[null]]);
});

test.each([
  ['a quantile above 1', { quantiles: [[1.5]] }],
  ['too many quantiles', { quantiles: [new Array<number>(129).fill(0.5)] }],
  ['no bins', { histograms: [{ bins: 0 }] }],
  ['too many bins', { histograms: [{ bins: 65_537 }] }],
  ['a range that ends before it begins', { histograms: [{ bins: 2, range: { min: 2, max: 1 } }] }],
  ['a range without an end', { histograms: [{ bins: 2, range: { min: 2, max: 'Infinity' } }] }],
])('%s is rejected before anything is read', async (_, wrong) => {
  const slice = await smallSlice('float32', undefined, [4]);
  expect(() => statisticsOf(slice, { ...none, ...wrong })).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT' }),
  );
});

test('cost is reported per pass', async () => {
  const slice = await smallSlice('float64', [1, 2, 3, 4], [4]);
  const bytes = slice.cost().decodedBytes;
  const passes = (request: object): number =>
    statisticsOf(slice, { ...none, ...request }).cost().reducedBytes / bytes;
  expect(passes({})).toBe(0);
  expect(passes({ fields })).toBe(1);
  expect(passes({ fields, histograms: [{ bins: 2 }] })).toBe(2);
  expect(passes({ fields, quantiles: [[0.1], [0.9]], histograms: [{ bins: 2 }] })).toBe(4);
});
