/** Streams of blocks, compared with a complete read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy, type LazySlice } from '../../../server/zarr/index.js';
import { addedSlice } from '../../analysis/added-slice.js';

const limits = { maxOutputBytes: 40, maxDecodedBytes: 2 ** 20, maxChunks: 100, maxReducedBytes: 2 ** 40 };

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
    if (!('bytes' in block)) throw new TypeError('not int16');
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
        const one = (await arrayOf(shape, chunkShape)).select({ kind: 'all' });
        const two = (await arrayOf(shape, chunkShape, 1000, 'n')).select({ kind: 'all' });
        const all = Array.from({ length: size }, (_, i) => i);
        expect(await streamed(one)).toEqual(all.map((i) => [i, i]));
        expect(await streamed(addedSlice(one, two))).toEqual(all.map((i) => [i, 1000 + 2 * i]));
        const part = (await streamed(one, { from, to })).filter(([i]) => i >= from && i < to);
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
