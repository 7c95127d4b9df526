/** Reductions in threads return only partial results. `npm test` builds the threads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
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
} from '../../../../server/zarr/index.js';
import { watchedPool } from './watched-pool.js';

const entry = new URL('../../../../dist/server/zarr/read/pool/worker.js', import.meta.url);
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
    if (!('chunk' in decoded)) return;
    if (decoded.partial !== undefined) seen.partials++;
    else seen.bytes++;
  });
  return { spy, seen };
}

async function countOf(slice: ArraySlice): Promise<number> {
  return Number(elementAt(await reduceSlice(slice, { by: 'COUNT' }).read(), 0));
}

const size = 3 * 2 ** 20;

/** 24 MiB of float64, of which every third is NaN, compressed; the last quarter is not stored. */
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
