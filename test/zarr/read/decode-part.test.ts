/** Selections of chunks that decode no further than they must, against the plain values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStore, openHierarchy, type DimSelection } from '../../../server/zarr/index.js';

/** A chunk has 288 KB: three blocks of zstd, of which a selection needs one or more. */
const shape = [7, 300, 130];
const chunkShape = [4, 150, 120];
const data = Int32Array.from({ length: 7 * 300 * 130 }, (_, i) => (i * 2_654_435_761) >> 9);
const lengths = [0, 1, 2] as const;

const orders = [
  ['C', []],
  ['F', [{ name: 'transpose', configuration: { order: [2, 1, 0] } }]],
  ['of its own', [{ name: 'transpose', configuration: { order: [1, 2, 0] } }]],
] as const;

/** Positions along one dimension, as the selection and one by one. */
function positions(size: number): fc.Arbitrary<{ dim: DimSelection; at: number[] }> {
  const index = fc.integer({ min: 0, max: size - 1 });
  const list = fc
    .array(index, { minLength: 1, maxLength: 4 })
    .map((at) => ({ dim: { kind: 'indices', indices: at } as const, at }));
  const step = fc.constantFrom(1, 2, 7, -1, -3);
  const slice = fc.tuple(index, fc.integer({ min: 1, max: 40 }), step).map(([start, count, step]) => {
    const at = Array.from({ length: count }, (_, i) => start + i * step).filter((i) => i >= 0 && i < size);
    const end = start + at.length * step;
    return { dim: { kind: 'slice', start, step, ...(end < 0 ? {} : { stop: end }) } as const, at };
  });
  return fc.oneof(list, slice);
}

describe('a chunk that is decoded in part', () => {
  test.each(orders)('gives the same values, in order %s', async (_, transpose) => {
    const hierarchy = openHierarchy(createMemoryStore({ label: 'parts' }));
    const created = await hierarchy.createArray('/', {
      shape,
      dtype: 'int32',
      chunkShape,
      codecs: [
        ...transpose,
        { name: 'bytes', configuration: { endian: 'big' } },
        { name: 'zstd', configuration: { level: 1, checksum: false } },
        { name: 'crc32c', configuration: {} },
      ],
    });
    await created.select({ kind: 'dims', dims: [] }).write({ shape, data });
    const array = await hierarchy.array('/');
    const selections = fc.tuple(positions(7), positions(300), positions(130));
    await fc.assert(
      fc.asyncProperty(selections, async (dims) => {
        const block = await array.select({ kind: 'dims', dims: dims.map(({ dim }) => dim) }).read();
        const [planes, rows, columns] = lengths.map((d) => dims[d].at);
        const expected = Int32Array.from(
          (planes ?? []).flatMap((p) =>
            (rows ?? []).flatMap((r) => (columns ?? []).map((c) => data[(p * 300 + r) * 130 + c] ?? 0)),
          ),
        );
        expect('bytes' in block && Buffer.compare(block.bytes, new Uint8Array(expected.buffer))).toBe(0);
      }),
      { numRuns: 60 },
    );
    const points = [
      [6, 299, 129],
      [0, 1, 0],
      [3, 150, 64],
    ];
    const some = await array.select({ kind: 'points', points }).read();
    const expected = Int32Array.from(points, ([p = 0, r = 0, c = 0]) => data[(p * 300 + r) * 130 + c] ?? 0);
    expect('bytes' in some && Buffer.compare(some.bytes, new Uint8Array(expected.buffer))).toBe(0);
  });
});
