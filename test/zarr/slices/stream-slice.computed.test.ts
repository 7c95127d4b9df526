/** Streams of groups, blocks and windows: compared with a complete read; each chunk is read once if memory allows it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coarsenSlice,
  createMemoryStore,
  groupSlice,
  type LazySlice,
  openHierarchy,
  rollSlice,
  streamedCost,
} from '../../../server/zarr/index.js';

const wide = { maxOutputBytes: 2 ** 40, maxDecodedBytes: 2 ** 40, maxChunks: 1e9, maxReducedBytes: 2 ** 40 };

async function arrayOf(shape: number[], chunkShape: number[], isWritten = true): Promise<LazySlice> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const dimensionNames = shape.map((_, d) => 'tyx'[d] ?? null);
  const array = await hierarchy.createArray('/a', {
    shape,
    chunkShape,
    dtype: isWritten ? 'float32' : 'int8',
    dimensionNames,
  });
  const whole = array.select({ kind: 'all' });
  if (!isWritten) return whole;
  const count = shape.reduce((product, length) => product * length, 1);
  const values = Float32Array.from({ length: count }, (_, i) => (i % 7 === 3 ? NaN : (i * 37) % 101));
  await whole.write({ dtype: array.meta.dtype, shape, bytes: new Uint8Array(values.buffer) });
  return whole;
}

/** The streamed bytes of a range of elements, and the objects that were read. */
async function streamed(
  slice: LazySlice,
  limits = wide,
  range = { from: 0, to: Infinity },
): Promise<{ bytes: Buffer; reads: string[] }> {
  const pieces: Uint8Array[] = [];
  const reads: string[] = [];
  const item = slice.dtype.itemSize ?? 0;
  const to = Math.min(range.to, slice.shape.reduce((product, length) => product * length, 1)); // prettier-ignore
  const options = {
    limits,
    range: { ...range, to },
    onVersion: ({ key }: { key: string }) => reads.push(key),
  };
  for await (const { block, from } of slice.stream(options)) {
    if (!('bytes' in block)) throw new TypeError('not numbers');
    const start = Math.max(0, range.from - from) * item;
    pieces.push(Buffer.from(block.bytes.subarray(start, Math.max(start, (to - from) * item))));
  }
  return { bytes: Buffer.concat(pieces), reads };
}

async function bytesOf(slice: LazySlice): Promise<Buffer> {
  const block = await slice.read({ limits: wide });
  return Buffer.from('bytes' in block ? block.bytes : []);
}

function grouped(slice: LazySlice, of: readonly number[], by: 'MEAN' | 'MAX' | 'STD' | 'FIRST' | 'MEDIAN') {
  const count = Math.max(...of) + 1;
  const map = { kind: 'groups', of: Int32Array.from(of), count } as const;
  return groupSlice(slice, { axis: 0, map, known: [] }, { by });
}

describe('any blocks have the values of a complete read', () => {
  const shapes = fc.record({
    shape: fc.tuple(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })), // prettier-ignore
    chunk: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }), fc.constant(2)),
    maxOutputBytes: fc.integer({ min: 4, max: 200 }),
    from: fc.nat(),
    to: fc.nat(),
  });

  test('of windows', async () => {
    const requests = fc.record({
      window: fc.integer({ min: 1, max: 12 }),
      center: fc.boolean(),
      dim: fc.constantFrom('t', 't', 'y'),
      by: fc.constantFrom('MEAN' as const, 'MAX', 'STD', 'SUM', 'COUNT', 'VAR', 'MIN', 'MEDIAN'),
    });
    await fc.assert(
      fc.asyncProperty(shapes, requests, async ({ shape, chunk, maxOutputBytes, ...ends }, request) => {
        const slice = rollSlice(await arrayOf(shape, chunk), {
          ...request,
          ...(request.by === 'COUNT' ? {} : { minCount: 1 }),
        });
        await assertSame(slice, maxOutputBytes, ends);
      }),
      { numRuns: 60 },
    );
  });

  test('of groups and blocks', async () => {
    const requests = fc.record({
      seed: fc.array(fc.integer({ min: -1, max: 12 }), { minLength: 30, maxLength: 30 }),
      by: fc.constantFrom('MEAN' as const, 'MAX', 'STD', 'FIRST', 'MEDIAN'),
    });
    await fc.assert(
      fc.asyncProperty(shapes, requests, async ({ shape, chunk, maxOutputBytes, ...ends }, { seed, by }) => {
        const array = await arrayOf(shape, chunk);
        await assertSame(grouped(array, [0, ...seed].slice(0, shape[0]), by), maxOutputBytes, ends);
        const size = 1 + (Math.abs(seed[0] ?? 0) % shape[0]);
        await assertSame(coarsenSlice(array, { to: [{ dim: 't', size }] }), maxOutputBytes, ends);
      }),
      { numRuns: 60 },
    );
  });
});

async function assertSame(slice: LazySlice, maxOutputBytes: number, ends: { from: number; to: number }): Promise<void> {
  const limits = { ...wide, maxOutputBytes };
  const whole = await bytesOf(slice);
  const item = slice.dtype.itemSize ?? 1;
  const size = whole.length / item;
  expect((await streamed(slice, limits)).bytes.equals(whole)).toBe(true);
  const [from = 0, to = 0] = [ends.from % (size + 1), ends.to % (size + 1)].toSorted((a, b) => a - b);
  const part = await streamed(slice, limits, { from, to });
  expect(part.bytes.equals(whole.subarray(from * item, to * item))).toBe(true);
} // prettier-ignore

describe('large results read each chunk once', () => {
  // Rows of float64 have 1 MiB.
  const days = [...Array(120).keys()];
  test.each<[string, (slice: LazySlice) => LazySlice]>([
    ['groups of neighbours', (slice) => grouped(slice, days.map((i) => i >> 1), 'MEAN')], // prettier-ignore
    ['groups in the order of the chunks, more than once', (slice) => grouped(slice, days.map((i) => i % 60), 'MEAN')], // prettier-ignore
    ['blocks', (slice) => coarsenSlice(slice, { to: [{ dim: 't', size: 60 }] })],
    ['windows', (slice) => rollSlice(slice, { dim: 't', window: 7, by: 'MEAN' })],
  ])('%s', async (_, make) => {
    const array = await arrayOf([120, 256, 512], [10, 256, 512], false);
    const slice = make(array);
    const { reads } = await streamed(slice);
    expect(reads).toHaveLength(12);
    expect(streamedCost(slice, wide).decodedBytes).toBe(slice.cost().decodedBytes);
    expect(streamedCost(slice, wide).reducedBytes).toBe(slice.cost().reducedBytes);
  });

  test('the price of a stream includes the chunks that several blocks read', async () => {
    const array = await arrayOf([120, 256, 512], [120, 64, 64], false);
    const slice = grouped(array, days, 'MEAN');
    const { reads } = await streamed(slice);
    const times = reads.length / 32;
    expect(times).toBeGreaterThan(2);
    expect(streamedCost(slice, wide).reducedBytes / slice.cost().reducedBytes).toBeCloseTo(times, 0);
  });
});
