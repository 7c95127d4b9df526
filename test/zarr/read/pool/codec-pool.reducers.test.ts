/** Every reduction gives the same bits in threads as inline. `npm test` builds the threads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ArraySlice,
  type Block,
  type CodecPool,
  createCodecPool,
  createMemoryStore,
  isZarrError,
  openHierarchy,
  reduceSlice,
  type ReduceRequest,
} from '../../../../server/zarr/index.js';
import { reductionNames } from '../../../../server/zarr/read/reduce/reduction.js';

const entry = new URL('../../../../dist/server/zarr/read/pool/worker.js', import.meta.url);
let pool: CodecPool;
beforeAll(async () => {
  pool = createCodecPool({ threads: 2, entry });
  await pool.whenAvailable();
});
afterAll(() => pool.close());

const shape = [31, 22, 15];
const dtypes = ['float32', 'float64', 'int16', 'uint64', 'bool', 'complex64', 'numpy.datetime64'] as const;

/** Some chunks are not stored. */
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

test.each(dtypes)('of %s', async (dtype) => {
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
