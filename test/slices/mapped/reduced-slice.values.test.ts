/** Reductions along dimensions compared with a naive model, for every data type, chunking and selection. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  createChunkCache,
  createMemoryStore,
  elementAt,
  isZarrError,
  openHierarchy,
  reduceSlice,
  type SliceReadOptions,
  type LazySlice,
  parseSelection,
  reductionNames,
  type ReduceRequest,
} from '../../../server/zarr/index.js';
import { build, scenario, modelOf } from '../../compute/reduce-scenarios.js';

/** Reduces and reads. An invalid request rejects the promise. */
async function reduce(slice: LazySlice, request: ReduceRequest, options?: SliceReadOptions): Promise<Block> {
  return reduceSlice(slice, request).read(options);
}

function valuesOf(block: Block): unknown[] {
  const size = block.shape.reduce((product, length) => product * length, 1);
  return Array.from({ length: size }, (_, i) => elementAt(block, i));
}

/**
 * Expects a result to equal the model's, to the precision of its type.
 * @param largest for quantiles, the largest absolute value of the input, because cancellation loses digits
 */
function expectClose(actual: unknown, expected: unknown, dtype: string, largest = 0): void {
  if (typeof expected === 'string') return expect(actual).toBe(expected);
  if (expected === null) {
    if (Array.isArray(actual)) expect(actual).toEqual([NaN, NaN]);
    else expect(actual === null || Number.isNaN(actual) || actual === -(2n ** 63n)).toBe(true);
    return;
  }
  if (Array.isArray(actual)) {
    // The sum of no values is 0 in the real and in the imaginary part.
    const parts: unknown[] = Array.isArray(expected) ? expected : [expected, 0];
    parts.forEach((part, i) => expectClose(actual[i], part, dtype));
    return;
  }
  if (dtype === 'bool' || dtype.includes('int')) {
    expect(typeof actual === 'boolean' ? actual : BigInt(String(actual))).toBe(
      typeof expected === 'number' ? BigInt(expected) : expected,
    );
    return;
  }
  if (typeof actual === 'bigint') {
    // A mean of times is rounded down.
    expect(actual).toBe(BigInt(Math.floor(Number(expected))));
    return;
  }
  const relative = dtype === 'float16' ? 2e-3 : dtype === 'float64' || dtype === 'complex128' ? 1e-12 : 1e-6;
  const [a, b] = [Number(actual), Number(expected)];
  if (Object.is(a, b)) return;
  const rounding = 2 ** -51 * largest;
  expect(Math.abs(a - b)).toBeLessThanOrEqual(relative * Math.max(Math.abs(b), 1e-9) + rounding);
}

function largestOf(block: Block): number {
  const sizes = valuesOf(block).map((value) => Math.abs(Number(value)));
  return Math.max(0, ...sizes.filter((size) => Number.isFinite(size)));
}

const options = fc.record({
  skipMissing: fc.boolean(),
  ddof: fc.integer({ min: 0, max: 2 }),
  reduced: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
});

/** Tests all reductions on one array, because creating an array takes longer than reducing it. */
const requestsOf = ({ ddof, ...common }: Omit<ReduceRequest, 'by'>): ReduceRequest[] =>
  reductionNames.map((by) => ({
    ...common,
    by,
    ...(by === 'QUANTILE' ? { q: [0, 0.3, 1] } : {}),
    ...(by === 'STD' || by === 'VAR' ? { ddof } : {}),
  }));

function expectedRefusal(error: unknown): boolean {
  return isZarrError(error, 'UNSUPPORTED', 'BAD_INPUT', 'BAD_SELECTION');
}

/** @returns whether there was a result to compare */
async function expectModel(
  slice: LazySlice,
  requested: ReduceRequest,
  reduced: readonly boolean[],
): Promise<boolean> {
  const { by } = requested;
  const chosen = slice.shape.flatMap((_, d) => (reduced[d] === true ? [d] : []));
  const over = by.startsWith('ARG') ? chosen.slice(0, 1) : chosen;
  const request = { ...requested, over: over.length === 0 ? undefined : over.map(String) };
  const actual = await reduce(slice, request).catch((error: unknown) => {
    if (expectedRefusal(error)) return undefined;
    throw error;
  });
  if (actual === undefined) return false;
  const axes = over.length === 0 ? slice.shape.map((_, d) => d) : over;
  const values = await slice.read();
  const model = modelOf(values, axes, request);
  const expected =
    by === 'QUANTILE'
      ? [0, 1, 2].flatMap((k) => model.map((list) => (Array.isArray(list) ? list[k] : list)))
      : model;
  const kept = slice.shape.filter((_, d) => !axes.includes(d));
  expect(actual.shape, by).toEqual(by === 'QUANTILE' ? [3, ...kept] : kept);
  const largest = by === 'QUANTILE' ? largestOf(values) : 0;
  valuesOf(actual).forEach((value, i) => expectClose(value, expected[i], actual.dtype.name, largest));
  expect(actual.shape.reduce((product, length) => product * length, 1)).toBe(expected.length);
  return true;
}

describe('reductions along dimensions', () => {
  test('equal the model', async () => {
    const compared = new Map(reductionNames.map((by) => [by, 0]));
    await fc.assert(
      fc.asyncProperty(scenario, options, async ({ selection, ...layout }, { reduced, ...rest }) => {
        const slice = (await build(layout)).select(selection);
        for (const request of requestsOf(rest)) {
          if (await expectModel(slice, request, reduced))
            compared.set(request.by, (compared.get(request.by) ?? 0) + 1);
        }
      }),
      { numRuns: 120 },
    );
    for (const [by, count] of compared) expect(count, by).toBeGreaterThan(10);
  }, 60_000);

  test('return equal bits with a cache, repeatedly', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, options, async ({ selection, ...layout }, { skipMissing }) => {
        const plain = (await build(layout)).select(selection);
        const cached = (await build(layout, { chunkCache: createChunkCache(2 ** 20) })).select(selection);
        for (const request of requestsOf({ skipMissing })) {
          const first = await reduce(plain, request).catch((error: unknown) => error);
          for (const slice of [cached, cached])
            expect(await reduce(slice, request).catch((error: unknown) => error), request.by).toEqual(first);
        }
      }),
      { numRuns: 20 },
    );
  });
});

async function arrayOf(dtype: string, values: readonly unknown[], chunk = 2) {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape: [values.length],
    chunkShape: [chunk],
    dtype,
    dimensionNames: ['x'],
  });
  await array.select({ kind: 'all' }).write(values);
  return array.select({ kind: 'all' });
}

describe('a result', () => {
  test('of small numbers between large ones that cancel out is exact', async () => {
    const slice = await arrayOf('float64', [1e16, 1, 1, 1, -1e16]);
    expect(valuesOf(await reduce(slice, { by: 'SUM' }))).toEqual([3]);
  });

  test('of 64-bit integers is exact, and an error if it overflows', async () => {
    const max = 2n ** 63n - 1n;
    const slice = await arrayOf('int64', [max, 1n, -1n, -max, max].map(String));
    expect(valuesOf(await reduce(slice, { by: 'SUM' }))).toEqual([max]);
    const over = slice.select(parseSelection('0:2'));
    await expect(reduce(over, { by: 'SUM' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(valuesOf(await reduce(over, { by: 'MEAN' }))).toEqual([2 ** 62]);
  });

  test('of variance is accurate for values far from zero', async () => {
    const slice = await arrayOf('float64', [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]);
    expect(valuesOf(await reduce(slice, { by: 'VAR', ddof: 1 }))).toEqual([30]);
  });

  test('of infinite values is infinite or NaN', async () => {
    const slice = await arrayOf('float32', [1, Infinity, 2, -3]);
    expect(valuesOf(await reduce(slice, { by: 'SUM' }))).toEqual([Infinity]);
    expect(valuesOf(await reduce(slice, { by: 'VAR' }))).toEqual([NaN]);
    expect(valuesOf(await reduce(slice, { by: 'MAX' }))).toEqual([Infinity]);
    expect(valuesOf(await reduce(slice, { by: 'MIN' }))).toEqual([-3]);
  });

  test('of fewer than minCount values is missing', async () => {
    const slice = await arrayOf('float64', [1, NaN, 3]);
    expect(valuesOf(await reduce(slice, { by: 'SUM', minCount: 2 }))).toEqual([4]);
    expect(valuesOf(await reduce(slice, { by: 'SUM', minCount: 3 }))).toEqual([NaN]);
  });

  test('of an invalid request is an error', async () => {
    const slice = await arrayOf('int16', [1, 2, 3]);
    const codeOf = async (request: ReduceRequest, of = slice): Promise<unknown> => {
      const error: unknown = await reduce(of, request).catch((thrown: unknown) => thrown);
      return isZarrError(error) ? error.code : error;
    };
    expect(await codeOf({ by: 'SUM', over: [] })).toBe('BAD_INPUT');
    expect(await codeOf({ by: 'SUM', over: ['x', '0'] })).toBe('BAD_INPUT');
    expect(await codeOf({ by: 'SUM', over: ['y'] })).toBe('BAD_SELECTION');
    expect(await codeOf({ by: 'SUM', minCount: 1 })).toBe('BAD_INPUT');
    expect(await codeOf({ by: 'VAR', ddof: -1 })).toBe('BAD_INPUT');
    expect(await codeOf({ by: 'MEAN', ddof: 0 })).toBe('BAD_INPUT');
    expect(await codeOf({ by: 'MIN' }, slice.select(parseSelection('0:0')))).toBe('BAD_SELECTION');
    expect(await codeOf({ by: 'STD' }, await arrayOf('<M8[s]', ['1970-01-02']))).toBe('UNSUPPORTED');
  });
});
