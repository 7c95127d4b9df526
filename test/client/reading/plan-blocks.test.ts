/** Reads of a whole array in blocks: order, concurrency, cancellation and sizes. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createClient, type FetchLike } from '../../../client/index.js';
import { planBlocks } from '../../../client/reading/plan-blocks.js';
import { fullAccess } from '../../../server/index.js';
import { sampleStores } from '../../docs/format-samples.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

let inFlight = 0;
let most = 0;
const fetch: FetchLike = async (url, init) => {
  inFlight += 1;
  most = Math.max(most, inFlight);
  try {
    return await gateway.fetch(new gateway.Request(url, init), fullAccess);
  } finally {
    inFlight -= 1;
  }
};
const sst = createClient({ fetch }).store('coads').array('SST', { dtype: 'float32' });

test('reads all values in order with bounded prefetch', async () => {
  const whole = await sst.slice();
  most = 0;
  const seen = new Float32Array(whole.size);
  for await (const { start, values } of sst.blocks({ maxBytes: 1, ahead: 3 })) {
    const [t = 0, y = 0, x = 0] = start;
    const [times = 0, rows = 0, columns = 0] = values.shape;
    for (let i = 0; i < times * rows; i++) {
      const row = values.data.subarray(i * columns, (i + 1) * columns);
      seen.set(row, ((t + Math.floor(i / rows)) * 90 + y + (i % rows)) * 180 + x);
    }
  }
  expect(seen).toEqual(whole.data);
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(1);
});

test('prefetches nothing with ahead: 0', async () => {
  most = 0;
  for await (const { values } of sst.blocks({ maxBytes: 1, ahead: 0 })) expect(values.size).toBe(4 * 45 * 90);
  expect(most).toBe(1);
});

test('stopping the iteration aborts blocks in flight', async () => {
  const signals: AbortSignal[] = [];
  // Info and the first block succeed; prefetched blocks hang.
  const slow: FetchLike = async (url, init) => {
    signals.push(init.signal);
    if (signals.length <= 2) return gateway.fetch(new gateway.Request(url, init), fullAccess);
    return new Promise((_resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
  const array = createClient({ fetch: slow }).store('coads').array('SST');
  for await (const { start } of array.blocks({ maxBytes: 1, ahead: 2 })) {
    expect(start).toEqual([0, 0, 0]);
    break;
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, true]);
});

test('an abort ends the iteration, and maxBytes: 0 is rejected', async () => {
  const controller = new AbortController();
  const reading = (async () => {
    for await (const { start } of sst.blocks({ maxBytes: 1, signal: controller.signal }))
      if (start.some((from) => from > 0)) controller.abort();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(async () => {
    for await (const { start } of sst.blocks({ maxBytes: 0 })) expect(start).toEqual([]);
  }).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

const arrays = fc
  .array(fc.record({ size: fc.integer({ min: 0, max: 20 }), chunk: fc.integer({ min: 1, max: 25 }) }), {
    maxLength: 4,
  })
  .chain((dims) =>
    fc.record({
      shape: fc.constant(dims.map(({ size }) => size)),
      chunkShape: fc.constant(dims.map(({ chunk }) => chunk)),
      itemSize: fc.constantFrom(1, 4, 8, null),
    }),
  );

test('blocks cover every value once, start at chunk boundaries, and respect the size limit', () => {
  fc.assert(
    fc.property(arrays, fc.integer({ min: 1, max: 5000 }), (array, maxBytes) => {
      const { shape, chunkShape, itemSize } = array;
      const seen = new Map<string, number>();
      let first: number | undefined;
      for (const { start, stop } of planBlocks(array, maxBytes)) {
        expect(start.every((from, d) => from % (chunkShape[d] ?? 1) === 0)).toBe(true);
        const size = stop.reduce((product, to, d) => product * (to - (start[d] ?? 0)), 1);
        first ??= size;
        const chunk = chunkShape.reduce((product, length, d) => product * Math.min(length, shape[d] ?? 0), 1);
        expect(size <= chunk || size * (itemSize ?? 32) <= maxBytes).toBe(true);
        for (const position of positionsOf(start, stop)) seen.set(position, (seen.get(position) ?? 0) + 1);
      }
      expect(seen.size).toBe(shape.reduce((product, size) => product * size, 1));
      expect([...seen.values()].every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

function positionsOf(start: readonly number[], stop: readonly number[]): string[] {
  return start.reduce<string[]>(
    (positions, from, d) =>
      positions.flatMap((position) =>
        Array.from({ length: (stop[d] ?? 0) - from }, (_, i) => `${position},${from + i}`),
      ),
    [''],
  );
}

test('a block grows along the last dimension first', () => {
  const shapes = (maxBytes: number) =>
    [...planBlocks({ shape: [8, 8], chunkShape: [2, 2], itemSize: 1 }, maxBytes)].map(({ start, stop }) =>
      stop.map((to, d) => to - (start[d] ?? 0)),
    );
  expect(shapes(1)[0]).toEqual([2, 2]);
  expect(shapes(12)[0]).toEqual([2, 6]);
  expect(shapes(16)[0]).toEqual([2, 8]);
  expect(shapes(40)[0]).toEqual([4, 8]);
  expect(shapes(1000)).toEqual([[8, 8]]);
});

test('a zero-dimensional array is one block', () => {
  expect([...planBlocks({ shape: [], chunkShape: [], itemSize: 8 }, 1)]).toEqual([{ start: [], stop: [] }]);
});
