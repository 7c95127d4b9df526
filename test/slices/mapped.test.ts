/** Medians and quantiles: of absent chunks, and of more elements than fit into memory. */
import { expect, test, describe } from 'vitest';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  reduceSlice,
  type SliceReadOptions,
  elementAt,
  isZarrError,
} from '../../server/zarr/index.js';

const [rows, columns] = [24, 2 ** 20];

/** An array of 192 MiB of float64, with three rows per chunk. Only the chunks in `stored` are stored. */
async function build(stored: readonly number[], fill: number | 'NaN' | 'Infinity'): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  await openHierarchy(store).createArray('/', {
    shape: [rows, columns],
    dtype: 'float64',
    chunkShape: [3, columns],
    fillValue: fill,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  });
  const values = Float64Array.from(
    { length: 3 * columns },
    (_, i) => Math.floor(i / columns) + (i % 2 ? 10 : 20),
  );
  for (const chunk of stored) await store.set(`c/${chunk}/0`, new Uint8Array(values.buffer));
  return store;
}

async function medians(
  store: KeyStore,
  by: 'MEDIAN' | 'QUANTILE' = 'MEDIAN',
  options?: SliceReadOptions,
): Promise<number[]> {
  const array = await openHierarchy(store, { decoding: { here: true } }).array('/');
  const q = by === 'QUANTILE' ? { q: [0.3, 1] } : {};
  const block = await reduceSlice(array.select({ kind: 'all' }), { by, ...q, over: ['1'] }).read(options);
  if (!('bytes' in block)) throw new Error('expected numbers');
  return [...new Float64Array(new Uint8Array(block.bytes).buffer)];
}

/** The medians of three rows of a stored chunk. */
const ofStored = [15, 16, 17];

test.each([2.5, 'NaN', 'Infinity'] as const)(
  'medians of stored and absent chunks, fill value %s',
  async (fill) => {
    const store = await build([2, 6], fill);
    const absent = [Number(fill), Number(fill), Number(fill)];
    const expected = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((chunk) =>
      [2, 6].includes(chunk) ? ofStored : absent,
    );
    expect(await medians(store)).toEqual(expected);
  },
);

test('quantiles have a leading dimension', async () => {
  const quantiles = await medians(await build([7], -1), 'QUANTILE');
  const absent = Array.from({ length: 21 }, () => -1);
  expect(quantiles).toEqual([...absent, 10, 11, 12, ...absent, 20, 21, 22]);
});

test('every absent chunk is reported, and chunks that appear meanwhile are a conflict', async () => {
  const store = await build([], 1);
  const seen = new Set<string>();
  await medians(store, 'MEDIAN', { onVersion: ({ key }, version) => void seen.add(`${key} ${version}`) });
  expect([...seen].sort()).toEqual(Array.from({ length: 8 }, (_, k) => `c/${k}/0 undefined`));
  let reports = 0;
  const writing = medians(store, 'MEDIAN', {
    onVersion({ key }) {
      reports++;
      // Stores a chunk after the reduction has found it absent.
      if (key === 'c/5/0') store.set(key, new Uint8Array(3 * columns * 8)).catch(() => undefined);
    },
  });
  await expect(writing).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(reports).toBeGreaterThan(0);
});

// Medians and quantiles of more elements than are held in memory.
describe('medians and quantiles in passes', () => {
  const length = 2 ** 20 + 3;

  /**
   * Writes two rows: a permutation of consecutive integers, and its double. With `hasMissing`, every second
   * value is missing. Returns a function that computes the quantiles of each row.
   */
  async function build(
    dtype: 'float32' | 'float64' | 'int64',
    hasMissing: boolean,
  ): Promise<(q: number[]) => Promise<number[]>> {
    const store = createMemoryStore({ label: 'm' });
    const array = await openHierarchy(store, { decoding: { here: true } }).createArray('/', {
      ...{
        shape: [2, length],
        dtype,
        chunkShape: [2, 2 ** 18],
        codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
      },
    });
    const value = (i: number): number => (hasMissing && i % 2 === 1 ? NaN : ((i * 7919) % length) - 1000);
    const data = Array.from({ length: 2 * length }, (_, i) =>
      i < length ? value(i) : value(i - length) * 2,
    );
    const values =
    dtype === 'int64'
      ? BigInt64Array.from(data, BigInt)
      : dtype === 'float32' ? Float32Array.from(data) : Float64Array.from(data); // prettier-ignore
    await array.select({ kind: 'all' }).write({ shape: [2, length], data: values });
    return async (q) => {
      const slice = reduceSlice(array.select({ kind: 'all' }), { by: 'QUANTILE', q, over: ['1'] });
      const block = await slice.read();
      return Array.from({ length: 2 * q.length }, (_, i) => Number(elementAt(block, i)));
    };
  }

  test.each(['float32', 'float64', 'int64'] as const)('%s: each row has its own quantiles', async (dtype) => {
    const quantiles = await build(dtype, false);
    const last = length - 1;
    const [least, middle, greatest] = [-1000, last / 2 - 1000, last - 1000];
    expect(await quantiles([0, 0.5, 1])).toEqual([
      least,
      2 * least,
      middle,
      2 * middle,
      greatest,
      2 * greatest,
    ]);
  });

  test('missing values have no rank', async () => {
    const quantiles = await build('float32', true);
    const expected = Array.from({ length }, (_, i) => i)
      .filter((i) => i % 2 === 0)
      .map((i) => ((i * 7919) % length) - 1000);
    expected.sort((a, b) => a - b);
    const [least = 0, greatest = 0] = [expected[0], expected.at(-1)];
    expect(await quantiles([0, 1])).toEqual([least, 2 * least, greatest, 2 * greatest]);
  });
});

// Quantiles of an input that is larger than the memory for values. One part is reduced while the next is read.
describe('medians of columns, read in parts', () => {
  const [rows, columns, chunks] = [64, 2 ** 17, 6];

  /** Writes 48 MiB of bytes in 6 chunks. Column c of chunk k contains k + (row + c) % 64. */
  async function build(): Promise<{
    store: KeyStore;
    read: (options?: SliceReadOptions) => Promise<Uint8Array>;
  }> {
    const store = createMemoryStore({ label: 'm' });
    await openHierarchy(store).createArray('/', {
      shape: [rows, columns * chunks],
      dtype: 'uint8',
      chunkShape: [rows, columns],
      codecs: [{ name: 'bytes' }],
    });
    for (let k = 0; k < chunks; k++) {
      const bytes = new Uint8Array(rows * columns);
      for (let i = 0; i < bytes.length; i++) bytes[i] = k + ((Math.floor(i / columns) + i) % rows);
      await store.set(`c/0/${k}`, bytes);
    }
    return {
      store,
      async read(options) {
        const array = await openHierarchy(store, { decoding: { here: true } }).array('/');
        const slice = reduceSlice(array.select({ kind: 'all' }), { by: 'QUANTILE', q: [0, 1], over: ['0'] });
        const block = await slice.read(options);
        if (!('bytes' in block)) throw new Error('expected numbers');
        return block.bytes;
      },
    };
  }

  test('each result is computed from its own elements', async () => {
    const { read } = await build();
    const values = new Float64Array((await read()).buffer);
    const size = columns * chunks;
    expect(values).toHaveLength(2 * size);
    const wrong = Array.from({ length: size }, (_, i) => i).filter((i) => {
      const least = Math.floor(i / columns);
      return values[i] !== least || values[size + i] !== least + rows - 1;
    });
    expect(wrong).toEqual([]);
  });

  test('a part that cannot be read ends the reduction with the error of its chunk', async () => {
    const { store, read } = await build();
    await store.set(`c/0/${chunks - 1}`, new Uint8Array(3));
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(isZarrError(error) && error.code).toBe('CODEC_ERROR');
    expect(isZarrError(error) && error.where?.key).toBe(`c/0/${chunks - 1}`);
  });

  test('a reduction that is cancelled between two parts is aborted', async () => {
    const { read } = await build();
    const stop = new AbortController();
    const seen: string[] = [];
    const error: unknown = await read({
      signal: stop.signal,
      onVersion({ key }) {
        seen.push(key);
        // The last chunk belongs to the second part.
        if (key === `c/0/${chunks - 1}`) stop.abort();
      },
    }).catch((thrown: unknown) => thrown);
    expect(seen).toContain('c/0/0');
    expect(isZarrError(error) && error.code).toBe('ABORTED');
  });
});
