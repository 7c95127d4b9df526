/**
 * Lines and statistics computed in threads equal those computed inline, bit for bit. `npm test` builds the
 * threads.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineOf } from '../../../../server/analysis/line.js';
import { statisticsOf } from '../../../../server/analysis/statistics.js';
import { type CodecPool, createCodecPool } from '../../../../server/zarr/index.js';
import { type SmallDataset, smallDataset } from '../../../analysis/small-dataset.js';
import { watchedPool } from './watched-pool.js';

const entry = new URL('../../../../dist/server/zarr/read/pool/worker.js', import.meta.url);
let pool: CodecPool;
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
    if ('partial' in decoded && decoded.partial !== undefined) partials++;
  });
  const threaded = await smallDataset(variables, { decoding: { pool: spy, here: false } });
  return [await smallDataset(variables), threaded];
}

test.each(['M4', 'MINMAX', 'MEAN'] as const)('a line by %s', async (method) => {
  const [here, there] = await both();
  const read = async ({ slice, scope }: SmallDataset) =>
    (await lineOf(slice('y'), { width: 200, method, from: 50, to: 130_000 }, scope)).read();
  const before = partials;
  expect(await read(there)).toEqual(await read(here));
  expect(partials).toBeGreaterThan(before);
});

test('statistics', async () => {
  const [here, there] = await both();
  const fields = ['count', 'missing', 'min', 'max', 'sum', 'mean', 'std'] as const;
  const request = { fields, quantiles: [[0.02, 0.5, 0.98]], histograms: [{ bins: 64 }] };
  const before = partials;
  const [one, other] = await Promise.all(
    [here, there].map(({ slice }) => statisticsOf(slice('y'), request).read()),
  );
  expect(other).toEqual(one);
  expect(one?.values.count).toBe(BigInt(stored.filter((value) => value !== -1).length));
  expect(partials).toBeGreaterThan(before);
});
