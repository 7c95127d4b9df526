/** Medians and quantiles of more elements than are held in memory. */
import { expect, test } from 'vitest';
import { createMemoryStore, elementAt, openHierarchy, reduceSlice } from '../../../../server/zarr/index.js';

const length = 2 ** 20 + 3;

/** A permutation of 0 to length - 1, apart from missing values. */
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
  const data = Array.from({ length: 2 * length }, (_, i) => (i < length ? value(i) : value(i - length) * 2));
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
