import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rollSlice } from '../../server/slices/axis/rolling-slice.js';
import { costOfParts, partBounds, splitSlice } from '../../server/slices/split-slice.js';
import {
  createMemoryStore,
  type LazySlice,
  openHierarchy,
  parseSelection,
  sizeOf,
  type ZarrArray,
} from '../../server/zarr/index.js';
import { arrayDocument } from '../resolvers/gateway-client.js';

async function arrayOf(shape: number[], chunks: number[], dataType = 'float32'): Promise<ZarrArray> {
  const store = createMemoryStore({ label: 'm' });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: chunks } };
  await store.set('zarr.json', Buffer.from(JSON.stringify(arrayDocument(dataType, shape, { chunk_grid }))));
  return openHierarchy(store).array('/');
}

const wide = {
  maxOutputBytes: 2 ** 40,
  maxDecodedBytes: 2 ** 40,
  maxChunks: 1e9,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};
const all = (slice: LazySlice) => ({ from: 0, to: sizeOf(slice.shape) });
const mib = 2 ** 20;

describe('splitSlice', () => {
  test('parts are consecutive and cover the request for any limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(),
        fc.nat(),
        async (shape, chunk, maxOutputBytes, a, b) => {
          const array = await arrayOf(
            shape,
            shape.map(() => chunk),
          );
          const slice = array.select(parseSelection('...'));
          const size = sizeOf(shape);
          const [from = 0, to = 0] = [a % (size + 1), b % (size + 1)].toSorted((x, y) => x - y);
          const parts = [...splitSlice(slice, { from, to }, { ...wide, maxOutputBytes })];
          if (from === to) expect(parts).toEqual([]);
          for (const [i, part] of parts.entries()) {
            expect(sizeOf(part.slice.shape)).toBe(part.to - part.from);
            if (i > 0) expect(part.from).toBe(parts[i - 1]?.to);
            if (part.to - part.from > 1)
              expect(sizeOf(part.slice.shape) * 4).toBeLessThanOrEqual(maxOutputBytes);
          }
          if (from < to) {
            expect(parts[0]?.from).toBeLessThanOrEqual(from);
            expect(parts[0]?.to).toBeGreaterThan(from);
            expect(parts.at(-1)?.to).toBeGreaterThanOrEqual(to);
            expect(parts.at(-1)?.from).toBeLessThan(to);
          }
        },
      ),
    );
  });

  test('no part exceeds the bounds, which hold for any chunks and selections', async () => {
    const dim = fc.record({
      size: fc.integer({ min: 1, max: 3000 }),
      chunk: fc.integer({ min: 1, max: 900 }),
    });
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(dim, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: -7, max: 7 }).filter((step) => step !== 0),
        fc.nat(50),
        async (dims, step, start) => {
          const array = await arrayOf(
            [...dims.map(({ size }) => size), 1000],
            [...dims.map(({ chunk }) => chunk), 400],
          );
          const slice = array.select(parseSelection(step > 0 ? `${start}::${step}` : `::${step}`));
          const bounds = partBounds(slice);
          if (bounds === undefined || sizeOf(slice.shape) * 4 > 4096 * mib) return;
          bounded++;
          for (const part of splitSlice(slice, all(slice), wide)) {
            expect(sizeOf(part.slice.shape) * 4).toBeLessThanOrEqual(bounds.bytes);
            expect(part.slice.cost().decodedBytes).toBeLessThanOrEqual(bounds.decodedBytes);
          }
        },
      ),
    );
    expect(bounded).toBeGreaterThan(20);
  });

  test('parts of small chunks are bounded by far less than the largest part', async () => {
    const slice = (await arrayOf([1000, 1000, 1000], [1, 500, 1000])).select(parseSelection('...'));
    expect(partBounds(slice)).toEqual({ bytes: 8e6, decodedBytes: 12e6 });
  });

  test.each([
    ['rows of chunks', [1000, 1024, 1024], [10, 256, 256], '...'],
    ['backwards', [1000, 1024, 1024], [10, 256, 256], '::-1'],
    ['from the middle of a chunk', [1000, 1024, 1024], [10, 256, 256], '3:'],
    ['every third', [3000, 1024, 1024], [10, 256, 256], '::3'],
    ['one dimension', [2 ** 29], [2 ** 20], '...'],
    ['a row too large for a part', [2, 20_000, 20_000], [1, 100, 20_000], '...'],
  ])('%s: no chunk is read twice, and no part is large', async (_, shape, chunks, text) => {
    const slice = (await arrayOf(shape, chunks)).select(parseSelection(text));
    const parts = [...splitSlice(slice, all(slice), wide)];
    const chunksRead = parts.reduce((sum, part) => sum + part.slice.cost().chunks, 0);
    expect(chunksRead).toBe(slice.cost().chunks);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(part.slice.cost().outputBytes).toBeLessThanOrEqual(48 * mib);
  });

  test('long chunks are divided into small parts, of which one begins at the chunk boundary', async () => {
    const slice = (await arrayOf([200, 1024, 1024], [100, 128, 128])).select(parseSelection('...'));
    const parts = [...splitSlice(slice, all(slice), wide)];
    expect(parts.map((part) => part.from)).toContain(100 * mib);
    for (const part of parts) expect(part.slice.cost().outputBytes).toBeLessThanOrEqual(48 * mib);
    const decoded = parts.reduce((sum, part) => sum + part.slice.cost().decodedBytes, 0);
    expect(decoded).toBeLessThanOrEqual(10 * (slice.cost().decodedBytes ?? 0));
  });

  test('the first part of a range begins near the first element of the range', async () => {
    const slice = (await arrayOf([1000, 1024, 1024], [10, 256, 256])).select(parseSelection('...'));
    const [first] = splitSlice(slice, { from: 500 * mib + 5, to: 501 * mib }, wide);
    expect(first?.from).toBe(500 * mib);
  });
});

test('the cost of parts includes the work of parts that are not computed', async () => {
  const array = await arrayOf([2 ** 13, 2 ** 12], [2 ** 8, 2 ** 12]);
  const slice = rollSlice(array.select(parseSelection('...')), { dim: '0', window: 2, by: 'MEAN' });
  let [work, parts] = [0, 0];
  for (const { slice: part } of splitSlice(slice, all(slice), wide)) {
    work += part.cost().work;
    parts++;
  }
  // More parts than are priced, and each repeats the last row of the part before.
  expect(parts).toBeGreaterThan(8);
  const estimated = costOfParts(slice, wide).work;
  expect(estimated).toBeGreaterThan(slice.cost().work);
  expect(Math.abs(estimated - work) / work).toBeLessThan(0.001);
});
