/** Moving windows and sorted positions, compared with naive models. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applySteps, withoutSteps } from '../server/analysis/operations/apply-steps.js';
import { sortedPositions } from '../server/analysis/within/sorted-positions.js';
import { type LazySlice, parseSelection, type RollingRequest, toTypedArray } from '../server/zarr/index.js';
import { runToEnd } from '../server/core/turns.js';
import { smallDataset } from './analysis/small-dataset.js';

const [rows, columns] = [11, 3];

async function roll(dtype: string, data: ArrayLike<number | bigint>, request: RollingRequest): Promise<LazySlice> {
  const values = { shape: [rows, columns], data };
  const { scope, slice } = await smallDataset({
    v: { dims: ['t', 'x'], dtype, shape: [rows, columns], chunks: [4, 2], values },
  });
  return (await applySteps(withoutSteps(slice('v')), [{ rolling: request }], scope)).slice;
} // prettier-ignore

/** The values in the window of each element, along the first dimension. */
function windowsOf<T>(data: readonly T[], window: number, isCentred: boolean): T[][] {
  const after = isCentred ? window - 1 - Math.floor(window / 2) : 0;
  return data.map((_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const members: T[] = [];
    for (let r = Math.max(0, row + after - window + 1); r <= Math.min(rows - 1, row + after); r++)
      members.push(...data.slice(r * columns + column, r * columns + column + 1));
    return members;
  });
}

const request = fc.record({ window: fc.integer({ min: 1, max: 12 }), center: fc.boolean() });

test('moving medians ignore missing values', async () => {
  const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(NaN), fc.constant(Infinity));
  const list = fc.array(value, { minLength: rows * columns, maxLength: rows * columns });
  await fc.assert(
    fc.asyncProperty(list, request, fc.integer({ min: 1, max: 12 }), async (data, { window, center }, least) => {
      const minCount = Math.min(least, window);
      const slice = await roll('float64', Float64Array.from(data), { dim: 't', window, center, by: 'MEDIAN', minCount });
      const expected = windowsOf(data, window, center).map((members) => {
        const sorted = members.filter((one) => !Number.isNaN(one)).toSorted((a, b) => (a === b ? 0 : a - b));
        if (sorted.length < minCount) return NaN;
        const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? NaN, sorted[sorted.length >> 1] ?? NaN];
        return low === high ? low : (low + high) / 2;
      });
      expect(Array.from(toTypedArray(await slice.read()), Number)).toEqual(expected);
      const part = slice.select(parseSelection('3:9:2, 1'));
      expect(Array.from(toTypedArray(await part.read()), Number)).toEqual([3, 5, 7].map((row) => expected[row * columns + 1]));
    }),
    { numRuns: 150 },
  );
}); // prettier-ignore

test.each([
  ['int64', -(2n ** 59n), 2n ** 59n],
  ['uint64', 0n, 2n ** 60n - 1n],
])('moving sums and extremes of %s are exact', async (dtype, min, max) => {
  const value = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 1n));
  const list = fc.array(value, { minLength: rows * columns, maxLength: rows * columns });
  const by = fc.constantFrom('SUM' as const, 'MIN' as const, 'MAX' as const);
  await fc.assert(
    fc.asyncProperty(list, request, by, async (data, { window, center }, reduction) => {
      const array = dtype === 'int64' ? BigInt64Array.from(data) : BigUint64Array.from(data);
      const slice = await roll(dtype, array, { dim: 't', window, center, by: reduction, minCount: 1 });
      const expected = windowsOf(data, window, center).map((members) =>
        members.reduce((a, b) => {
          if (reduction === 'SUM') return a + b;
          return reduction === 'MIN' ? (a < b ? a : b) : a > b ? a : b;
        }),
      );
      expect(slice.dtype.name).toBe(dtype);
      expect(
        Array.from(toTypedArray(await slice.read()), (one) =>
          typeof one === 'bigint' ? one : BigInt(Number(one)),
        ),
      ).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('a moving sum beyond 64 bits is an error', async () => {
  const data = BigInt64Array.from({ length: rows * columns }, () => 2n ** 62n);
  const slice = await roll('int64', data, { dim: 't', window: 2, by: 'SUM', minCount: 1 });
  await expect(slice.read()).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

// Incremental sorting gives the same result as sorting at once.

/** Many repeated numbers, to show the order of equal numbers. */
const number = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(NaN), fc.double());

test('sorts positions by value, keeps the order of equal values and omits missing ones', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), fc.constantFrom(0, 1, 70), (some, times) => {
      const numbers = Float64Array.from([...some, ...Array.from({ length: times }, () => some).flat()]);
      const present = [...numbers.keys()].filter((i) => !Number.isNaN(numbers[i]));
      const expected = present.toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
      expect(Array.from(runToEnd(sortedPositions(numbers)))).toEqual(expected);
    }),
  );
});

test.each([
  ['ascending', (i: number) => i],
  ['descending', (i: number) => -i],
  ['unordered', (i: number) => (i * 7919) % 20_011],
  ['of few different values', (i: number) => i % 3],
])('numbers that are sorted in several steps: %s', (_, at) => {
  const numbers = Float64Array.from({ length: 20_000 }, (__, i) => at(i));
  const expected = [...numbers.keys()].toSorted((a, b) => at(a) - at(b) || a - b);
  expect(Array.from(runToEnd(sortedPositions(numbers)))).toEqual(expected);
});
