/** Reads of parts of chunks. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  reduceSlice,
  type DimSelection,
  type KeyStore,
} from '../../../server/zarr/index.js';
import type { ReadRequest } from '../../../server/store/store.js';
import { folderOfSuite } from '../../setup/temporary-folder.js';

/** A chunk has 288 KB: three blocks of zstd and five of blosc, of which a selection needs one or more. */
const shape = [7, 300, 130];
const chunkShape = [4, 150, 120];
const data = Int32Array.from({ length: 7 * 300 * 130 }, (_, i) => (i * 2_654_435_761) >> 9);
const lengths = [0, 1, 2] as const;

const orders = [
  ['C', []],
  ['F', [{ name: 'transpose', configuration: { order: [2, 1, 0] } }]],
  ['[1, 2, 0]', [{ name: 'transpose', configuration: { order: [1, 2, 0] } }]],
] as const;

const big = { name: 'bytes', configuration: { endian: 'big' } };
const little = { name: 'bytes', configuration: { endian: 'little' } };
const blosc = { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 8192 };
const chains = [
  [
    'zstd',
    [
      big,
      { name: 'zstd', configuration: { level: 1, checksum: false } },
      { name: 'crc32c', configuration: {} },
    ],
    () => createMemoryStore({ label: 'parts' }),
  ],
  ['blosc', [little, { name: 'blosc', configuration: blosc }], () => fileStore().store],
  ['no compression', [little], () => fileStore().store],
  ['no compression, by ranges', [little], () => remoteStore().store],
] as const;

const root = folderOfSuite('parts');
let stores = 0;

function fileStore(): { store: KeyStore; folder: string } {
  const folder = join(root, String(stores++));
  return { store: createFilesystemStore({ label: 'parts', root: folder, foldsCase: false }), folder };
}

/** A remote store that prefers parts, and the ranges that were requested from it. */
function remoteStore(): { store: KeyStore; ranges: ReadRequest['range'][] } {
  const memory = createMemoryStore({ label: 'parts' });
  const ranges: ReadRequest['range'][] = [];
  const store: KeyStore = {
    ...memory,
    can: { ...memory.can, prefersParts: true },
    getMany(requests, each, options) {
      ranges.push(...requests.filter(({ key }) => key.startsWith('c/')).map(({ range }) => range));
      return memory.getMany(requests, each, options);
    },
  };
  return { store, ranges };
}

/** A selection along one dimension, and the list of its positions. */
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

const cases = orders.flatMap(([order, transpose]) =>
  chains.map(([name, codecs, open]) => ({ order, name, codecs: [...transpose, ...codecs], open })),
);

describe('a partially selected chunk', () => {
  test.each(cases)('has the expected values with $name, order $order', async ({ open, codecs }) => {
    const hierarchy = openHierarchy(open());
    const created = await hierarchy.createArray('/', {
      shape,
      dtype: 'int32',
      chunkShape,
      codecs,
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

  test('is reduced correctly', async () => {
    const array = await openHierarchy(fileStore().store).createArray('/', {
      ...{ shape, dtype: 'int32', chunkShape, codecs: [little] },
    });
    await array.select({ kind: 'dims', dims: [] }).write({ shape, data });
    const dims = [
      { kind: 'index', index: 5 },
      { kind: 'slice' },
      { kind: 'slice', start: 3, stop: 9 },
    ] as const;
    const slice = array.select({ kind: 'dims', dims });
    const block = await reduceSlice(slice, { by: 'MAX', over: ['0'] }).read();
    const expected = Int32Array.from({ length: 6 }, (_, c) => {
      const column = Array.from({ length: 300 }, (_, r) => data[(5 * 300 + r) * 130 + c + 3] ?? 0);
      return column.reduce((a, b) => Math.max(a, b));
    });
    expect(block.shape).toEqual([6]);
    expect('bytes' in block && Buffer.compare(block.bytes, new Uint8Array(expected.buffer))).toBe(0);
  });

  test('is read by its range from a remote store that prefers parts, unless the range is most of the chunk', async () => {
    const { store, ranges } = remoteStore();
    const created = await openHierarchy(store).createArray('/', {
      ...{ shape, dtype: 'int32', chunkShape, codecs: [little] },
    });
    await created.select({ kind: 'dims', dims: [] }).write({ shape, data });
    ranges.length = 0;
    const array = await openHierarchy(store).array('/');
    const at = (index: number) => ({ kind: 'index', index }) as const;
    await array.select({ kind: 'dims', dims: [at(1), at(2), at(3)] }).read();
    expect(ranges).toEqual([{ offset: 4 * ((1 * 150 + 2) * 120 + 3), length: 4 }]);
    ranges.length = 0;
    const most = { kind: 'slice', start: 0, stop: 140 } as const;
    await array
      .select({ kind: 'dims', dims: [{ kind: 'slice', stop: 4 }, most, { kind: 'slice', stop: 120 }] })
      .read();
    expect(ranges).toEqual([undefined]);
    await expect(store.set('c/0/0/0', new Uint8Array(1000))).resolves.toBeDefined();
    await expect(array.select({ kind: 'dims', dims: [at(1), at(2), at(3)] }).read()).rejects.toMatchObject({
      code: 'CODEC_ERROR',
      message: expect.stringContaining('1000 bytes are stored'),
    });
  });

  test.each([-4, 4])('is an error if its file has a wrong length (%i bytes)', async (bytes) => {
    const { store, folder } = fileStore();
    const array = await openHierarchy(store).createArray('/', {
      ...{ shape, dtype: 'int32', chunkShape, codecs: [little] },
    });
    await array.select({ kind: 'dims', dims: [] }).write({ shape, data });
    const first = [
      { kind: 'index', index: 0 },
      { kind: 'index', index: 0 },
    ] as const;
    await expect(array.select({ kind: 'dims', dims: first }).read()).resolves.toMatchObject({ shape: [130] });
    truncateSync(join(folder, 'c/0/0/0'), 4 * 150 * 120 * 4 + bytes);
    await expect(array.select({ kind: 'dims', dims: first }).read()).rejects.toMatchObject({
      code: 'CODEC_ERROR',
      message: expect.stringContaining(`${4 * 150 * 120 * 4 + bytes} bytes are stored`),
    });
  });
});
