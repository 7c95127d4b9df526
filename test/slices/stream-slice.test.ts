/** Streams of blocks, compared with a complete read. */
import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import {
  createMemoryStore,
  openHierarchy,
  type LazySlice,
  coarsenSlice,
  groupSlice,
  rollSlice,
  streamedCost,
} from '../../server/zarr/index.js';
import { addedSlice } from '../analysis/added-slice.js';

const limits = {
  maxOutputBytes: 40,
  maxDecodedBytes: 2 ** 20,
  maxChunks: 100,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};

async function arrayOf(shape: number[], chunkShape: number[], first = 0, label = 'm') {
  const hierarchy = openHierarchy(createMemoryStore({ label }));
  const array = await hierarchy.createArray('/a', { shape, chunkShape, dtype: 'int16' });
  const count = shape.reduce((product, length) => product * length, 1);
  const values = Int16Array.from({ length: count }, (_, i) => first + i);
  await array
    .select({ kind: 'all' })
    .write({ dtype: array.meta.dtype, shape, bytes: new Uint8Array(values.buffer) });
  return array;
}

async function streamed(slice: LazySlice, range?: { from: number; to: number }): Promise<[number, number][]> {
  const elements: [number, number][] = [];
  for await (const { block, from, to } of slice.stream({ limits, range })) {
    if (!('bytes' in block)) throw new TypeError('expected values of type int16');
    expect(block.bytes.length).toBe(2 * (to - from));
    expect(block.bytes.length).toBeLessThanOrEqual(limits.maxOutputBytes);
    const view = new DataView(block.bytes.buffer, block.bytes.byteOffset);
    for (let i = 0; i < to - from; i++) elements.push([from + i, view.getInt16(2 * i, true)]);
  }
  return elements;
}

test('blocks contain every element of a range once, in C order, within the limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      fc.nat(),
      async (shape, chunk, a, b) => {
        const chunkShape = shape.map(() => chunk);
        const size = shape.reduce((product, length) => product * length, 1);
        const [from = 0, to = 0] = [a % (size + 1), b % (size + 1)].toSorted((x, y) => x - y);
        const stored = (await arrayOf(shape, chunkShape)).select({ kind: 'all' });
        const other = (await arrayOf(shape, chunkShape, 1000, 'n')).select({ kind: 'all' });
        const all = Array.from({ length: size }, (_, i) => i);
        expect(await streamed(stored)).toEqual(all.map((i) => [i, i]));
        expect(await streamed(addedSlice(stored, other))).toEqual(all.map((i) => [i, 1000 + 2 * i]));
        const part = (await streamed(stored, { from, to })).filter(([i]) => i >= from && i < to);
        expect(part).toEqual(all.slice(from, to).map((i) => [i, i]));
      },
    ),
    { numRuns: 40 },
  );
});

test('an object that changes between two blocks is a conflict', async () => {
  const array = await arrayOf([40], [40]);
  const slice = array.select({ kind: 'all' });
  const blocks = slice.stream({ limits })[Symbol.asyncIterator]();
  await blocks.next();
  await slice.write(7);
  await expect(blocks.next()).rejects.toMatchObject({ code: 'CONFLICT', where: { store: 'm', path: '/a' } });
});

// Streams of groups, blocks and windows equal a complete read. Each chunk is read once if memory allows it.
describe('streams of computed slices', () => {
  const wide = {
    maxOutputBytes: 2 ** 40,
    maxDecodedBytes: 2 ** 40,
    maxChunks: 1e9,
    maxReducedBytes: 2 ** 40,
    maxWork: 1e15,
  };

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
    const itemSize = slice.dtype.itemSize ?? 0;
    const to = Math.min(range.to, slice.shape.reduce((product, length) => product * length, 1)); // prettier-ignore
    const options = {
      limits,
      range: { ...range, to },
      onVersion: ({ key }: { key: string }) => reads.push(key),
    };
    for await (const { block, from } of slice.stream(options)) {
      if (!('bytes' in block)) throw new TypeError('expected numbers');
      const start = Math.max(0, range.from - from) * itemSize;
      pieces.push(Buffer.from(block.bytes.subarray(start, Math.max(start, (to - from) * itemSize))));
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
        fc.asyncProperty(
          shapes,
          requests,
          async ({ shape, chunk, maxOutputBytes, ...ends }, { seed, by }) => {
            const array = await arrayOf(shape, chunk);
            await assertSame(grouped(array, [0, ...seed].slice(0, shape[0]), by), maxOutputBytes, ends);
            const size = 1 + (Math.abs(seed[0] ?? 0) % shape[0]);
            await assertSame(coarsenSlice(array, { to: [{ dim: 't', size }] }), maxOutputBytes, ends);
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  async function assertSame(slice: LazySlice, maxOutputBytes: number, ends: { from: number; to: number }): Promise<void> {
  const limits = { ...wide, maxOutputBytes };
  const whole = await bytesOf(slice);
  const itemSize = slice.dtype.itemSize ?? 1;
  const size = whole.length / itemSize;
  expect((await streamed(slice, limits)).bytes.equals(whole)).toBe(true);
  const [from = 0, to = 0] = [ends.from % (size + 1), ends.to % (size + 1)].toSorted((a, b) => a - b);
  const part = await streamed(slice, limits, { from, to });
  expect(part.bytes.equals(whole.subarray(from * itemSize, to * itemSize))).toBe(true);
} // prettier-ignore

  describe('large results read each chunk once', () => {
    // A row of the result takes 1 MiB, because means are float64.
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

    test('the cost of a stream includes the chunks that several blocks read', async () => {
      const array = await arrayOf([120, 256, 512], [120, 64, 64], false);
      const slice = grouped(array, days, 'MEAN');
      const { reads } = await streamed(slice);
      const times = reads.length / 32;
      expect(times).toBeGreaterThan(2);
      expect(streamedCost(slice, wide).reducedBytes / slice.cost().reducedBytes).toBeCloseTo(times, 0);
    });
  });
});

test('sums of windows of int64 are charged 16 bytes per element more than means', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape: [1000], chunkShape: [100], dtype: 'int64' });
  const [sum, mean] = (['SUM', 'MEAN'] as const).map((by) =>
    rollSlice(array.select({ kind: 'all' }), { dim: '0', window: 7, by, minCount: 1 }).cost(),
  );
  // Both words and the sums of the upper words, instead of one float64.
  expect((sum?.intermediateBytes ?? 0) - (mean?.intermediateBytes ?? 0)).toBe(16 * 1000);
});
