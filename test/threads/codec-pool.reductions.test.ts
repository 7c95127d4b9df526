/** Reductions, lines and statistics in decoding threads. The threads run built files: `npm test` builds them. */
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { lineOf } from '../../server/analysis/line.js';
import { statisticsOf } from '../../server/analysis/statistics.js';
import {
  type ArraySlice,
  type CodecPool,
  createChunkCache,
  createCodecPool,
  createMemoryStore,
  elementAt,
  type HierarchyOptions,
  openHierarchy,
  reduceSlice,
  parseSelection,
  type Block,
  isZarrError,
  type ReduceRequest,
} from '../../server/zarr/index.js';
import { reductionNames } from '../../server/compute/reduce/reduction.js';
import { type SmallDataset, smallDataset } from '../analysis/small-dataset.js';
import { watchedPool } from './watched-pool.js';

const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
let pool: CodecPool;
beforeAll(async () => {
  pool = createCodecPool({ threads: 1, entry });
  await pool.whenAvailable();
});
afterAll(() => pool.close());

/** The pool, and the numbers of chunks that it returned as partial results and as bytes. */
function spied() {
  const seen = { partials: 0, bytes: 0 };
  const spy = watchedPool(pool, (decoded) => {
    if (!('values' in decoded)) return;
    if (decoded.partials !== undefined) seen.partials++;
    else seen.bytes++;
  });
  return { spy, seen };
}

async function countOf(slice: ArraySlice): Promise<number> {
  return Number(elementAt(await reduceSlice(slice, { by: 'COUNT' }).read(), 0));
}

const size = 3 * 2 ** 20;

/** An array of 24 MiB of compressed float64, of which every third is NaN. The last quarter is not stored. */
async function open(chunk: number, options: HierarchyOptions) {
  const store = createMemoryStore({ label: 'm' });
  const codecs = [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'gzip', configuration: { level: 1 } },
  ];
  const request = {
    shape: [(size / 3) * 4],
    dtype: 'float64',
    chunkShape: [chunk],
    fillValue: 'NaN',
    codecs,
  };
  const created = await openHierarchy(store).createArray('/', request);
  const data = Float64Array.from({ length: size }, (_, i) => (i % 3 === 0 ? NaN : i));
  await created.select(parseSelection(`:${size}`)).write({ shape: [size], data });
  return openHierarchy(store, options).array('/');
}

test.each([
  ['small', 2 ** 16, 48],
  ['large', size, 1],
])('%s chunks return partial results', async (_, chunk, chunks) => {
  const { spy, seen } = spied();
  const array = await open(chunk, { decoding: { pool: spy, here: false } });
  expect(await countOf(array.select({ kind: 'all' }))).toBe((size / 3) * 2);
  expect(seen).toEqual({ partials: chunks, bytes: 0 });
  const some = array.select(parseSelection('1:30:4'));
  expect(await countOf(some)).toBe([1, 5, 9, 13, 17, 21, 25, 29].filter((i) => i % 3 > 0).length);
});

test('chunks for the cache are returned completely', async () => {
  const { spy, seen } = spied();
  const chunkCache = createChunkCache(2 ** 28);
  const array = await open(2 ** 16, { decoding: { pool: spy, here: false }, chunkCache });
  const slice = array.select({ kind: 'all' });
  expect(await countOf(slice)).toBe((size / 3) * 2);
  expect(await countOf(slice)).toBe((size / 3) * 2);
  expect(seen).toEqual({ partials: 0, bytes: 48 });
});

describe('lines and statistics by threads', () => {
  beforeAll(async () => {
    pool = createCodecPool({ threads: 2, entry });
    await pool.whenAvailable();
  });
  afterAll(() => pool.close());

  const size = 400_000;
  const stored = Int16Array.from({ length: size }, (_, i) =>
    i % 37 === 0 ? -1 : Math.round(9000 * (1 + Math.sin(i / 999))),
  );
  const variables = {
  x: {
    dims: ['x'], dtype: 'float64', shape: [size], chunks: [90_000],
    values: { shape: [size], data: Float64Array.from(stored, (_, i) => i / 3) },
  },
  y: {
    dims: ['x'], dtype: 'int16', shape: [size], chunks: [70_000],
    values: { shape: [size], data: stored },
    attributes: { _FillValue: -1, scale_factor: 0.01, add_offset: 1.5 },
  },
}; // prettier-ignore

  /** Number of chunks that a thread reduced. */
  let partials = 0;

  async function both(): Promise<readonly [SmallDataset, SmallDataset]> {
    const spy = watchedPool(pool, (decoded) => {
      if ('partials' in decoded && decoded.partials !== undefined) partials++;
    });
    const threaded = await smallDataset(variables, { decoding: { pool: spy, here: false } });
    return [await smallDataset(variables), threaded];
  }

  test.each(['M4', 'MINMAX', 'MEAN'] as const)(
    'a line by %s equals the line computed inline',
    async (method) => {
      const [here, there] = await both();
      const read = async ({ slice, scope }: SmallDataset) =>
        (await lineOf(slice('y'), { width: 200, method, from: 50, to: 130_000 }, scope)).read();
      const before = partials;
      expect(await read(there)).toEqual(await read(here));
      expect(partials).toBeGreaterThan(before);
    },
  );

  test('statistics equal those computed inline', async () => {
    const [here, there] = await both();
    const fields = ['count', 'missing', 'min', 'max', 'sum', 'mean', 'std'] as const;
    const request = { fields, quantiles: [[0.02, 0.5, 0.98]], histograms: [{ bins: 64 }] };
    const before = partials;
    const [inline, threaded] = await Promise.all(
      [here, there].map(({ slice }) => statisticsOf(slice('y'), request).read()),
    );
    expect(threaded).toEqual(inline);
    expect(inline?.values.count).toBe(BigInt(stored.filter((value) => value !== -1).length));
    expect(partials).toBeGreaterThan(before);
  });
});

describe('every reduction by threads', () => {
  beforeAll(async () => {
    pool = createCodecPool({ threads: 2, entry });
    await pool.whenAvailable();
  });
  afterAll(() => pool.close());

  const shape = [31, 22, 15];
  const dtypes = ['float32', 'float64', 'int16', 'uint64', 'bool', 'complex64', 'numpy.datetime64'] as const;

  /** One array, to be read inline and by threads. Some of its chunks are not stored. */
  async function both(dtype: string): Promise<readonly [ArraySlice, ArraySlice]> {
    const store = createMemoryStore({ label: 'm' });
    const isTime = dtype.startsWith('numpy');
    const created = await openHierarchy(store).createArray('/', {
      shape,
      dtype: isTime ? { name: dtype, configuration: { unit: 's', scale_factor: 1 } } : dtype,
      chunkShape: [9, 10, 6],
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'gzip' }],
    });
    const size = 25 * 22 * 15;
    const numbers = Array.from({ length: size }, (_, i) => (i * 7919) % 251);
    const isFloat = dtype.startsWith('float');
    const values = numbers.map((n, i) => {
      if (dtype === 'bool') return n % 2 === 0;
      if (dtype === 'complex64') return [n, -n];
      if (dtype === 'uint64' || isTime) return BigInt(n) * 2n ** 33n;
      return isFloat && i % 13 === 0 ? NaN : isFloat ? n / 7 : n - 100;
    });
    const part = created.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 25 }] });
    await part.write(nested(values, [25, 22, 15]));
    const sliceOf = async (decoding: object): Promise<ArraySlice> =>
      (await openHierarchy(store, { decoding }).array('/')).select({ kind: 'all' });
    return [await sliceOf({ here: true }), await sliceOf({ pool, here: false })];
  }

  function nested(values: readonly unknown[], [length = 1, ...rest]: readonly number[]): unknown {
    if (rest.length === 0) return values;
    const size = values.length / length;
    return Array.from({ length }, (_, i) => nested(values.slice(i * size, (i + 1) * size), rest));
  }

  async function resultOf(slice: ArraySlice, request: ReduceRequest): Promise<Block | string> {
    try {
      return await reduceSlice(slice, request).read();
    } catch (error) {
      if (isZarrError(error, 'UNSUPPORTED', 'BAD_INPUT', 'BAD_SELECTION')) return error.code;
      throw error;
    }
  }

  test.each(dtypes)('of %s has the same values or error as inline', async (dtype) => {
    const [here, there] = await both(dtype);
    let values = 0;
    for (const by of reductionNames)
      for (const over of [['0'], ['1'], ['2'], ['0', '2'], undefined])
        for (const skipMissing of [true, false]) {
          const request = { by, over, skipMissing, ...(by === 'QUANTILE' ? { q: [0.1, 0.5] } : {}) };
          const expected = await resultOf(here, request);
          expect([by, over, await resultOf(there, request)]).toEqual([by, over, expected]);
          if (typeof expected !== 'string') values++;
        }
    expect(values).toBeGreaterThan(10);
  });
});
