/** Known implementation errors: shards, compressors and filters. */
import { describe, expect, test } from 'vitest';
import { get, openHierarchy } from '../../server/zarr/index.js';
import {
  bytes,
  errorOf,
  expectMatrixCase,
  hex,
  readValues,
  storeOf,
  v2,
  v3,
  valuesOf,
} from './small-store.js';

describe('trap 15: shards', () => {
  const sharded = (configuration: Record<string, unknown>): Record<string, unknown> =>
    v3({
      data_type: 'uint8',
      shape: [3],
      fill_value: 9,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
      codecs: [
        {
          name: 'sharding_indexed',
          configuration: {
            chunk_shape: [2],
            codecs: ['bytes'],
            index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
            ...configuration,
          },
        },
      ],
    });
  const entry = (...numbers: number[]): Uint8Array =>
    new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer);
  const empty = new Uint8Array(16).fill(0xff);
  const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

  test('an empty inner chunk has offset and length 2^64-1; the index is full size past the edge', async () => {
    // The array ends after 3 of 4 elements; the index still has both entries.
    const shard = join(bytes(1, 2), entry(0, 2), empty);
    expect(await readValues({ 'zarr.json': sharded({}), 'c/0': shard })).toEqual([1, 2, 9]);
  });
  test('inner chunks can be in any order, with gaps', async () => {
    const shard = join(bytes(77, 3, 4, 77, 1, 2), entry(4, 2), entry(1, 2));
    expect(await readValues({ 'zarr.json': sharded({}), 'c/0': shard })).toEqual([1, 2, 3]);
  });
  test('the index can be at the start', async () => {
    const shard = join(entry(32, 2), entry(34, 2), bytes(1, 2, 3, 4));
    expect(await readValues({ 'zarr.json': sharded({ index_location: 'start' }), 'c/0': shard })).toEqual([
      1, 2, 3,
    ]);
  });
  test('the length of the index follows from index_codecs, and its crc32c is checked', async () => {
    const index_codecs = [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'crc32c' }];
    const shard = join(bytes(1, 2), entry(0, 2), empty, hex('00000000'));
    expect(await errorOf({ 'zarr.json': sharded({ index_codecs }), 'c/0': shard })).toBe('CHECKSUM_MISMATCH');
  });
  describe('behind a filter of numcodecs', () => {
    const filter = {
      name: 'numcodecs.fixedscaleoffset',
      configuration: { offset: 1, scale: 2, dtype: '|u1', astype: '|u1' },
    };
    const plain = sharded({});
    const list: unknown[] = Array.isArray(plain['codecs']) ? plain['codecs'] : [];
    const document = { ...plain, shape: [4], fill_value: 12, codecs: [filter, ...list] };
    test('an empty inner chunk reads as the plain fill value', async () => {
      // Stored by zarr-python 3.1.6 for 7, 7, 12, 3: 7 is encoded as 12 and omitted.
      const shard = join(bytes(22, 4), empty, entry(0, 2));
      expect(await readValues({ 'zarr.json': document, 'c/0': shard })).toEqual([7, 7, 12, 3]);
    });
    test('writing omits no chunk, because readers differ', async () => {
      const store = await storeOf({ 'zarr.json': document });
      const array = await openHierarchy(store).array('/');
      await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] }).write(7);
      const stored = await get(store, 'c/0');
      expect(stored?.bytes).toEqual(join(bytes(12, 12, 22, 22), entry(0, 2), entry(2, 2)));
      expect(await valuesOf(array)).toEqual([7, 7, 12, 12]);
    });
  });
  test.each([
    'v3-shard-nested-start', 'v3-shard-nested-3', 'v3-shard-gzip-after', 'v3-shard-crc-after', 'zp3-shard-edge',
    'v3-shard-index-end-shuffled-gaps', 'v3-shard-partly-empty-fill-nan', 'v3-shard-minus-zero-not-empty',
  ])('%s', (id) => expectMatrixCase(id)); // prettier-ignore
});

describe('trap 16: compressors', () => {
  test('crc32c is a little-endian suffix (Castagnoli): "123456789" has E3069283', async () => {
    const document = v3({ shape: [9], data_type: 'uint8', codecs: ['bytes', 'crc32c'] });
    const data = Buffer.from('123456789');
    const values = await readValues({
      'zarr.json': document,
      'c/0': new Uint8Array(Buffer.concat([data, hex('839206e3')])),
    });
    expect(values).toEqual([...data]);
    expect(
      await errorOf({ 'zarr.json': document, 'c/0': new Uint8Array(Buffer.concat([data, hex('e3069283')])) }),
    ).toBe('CHECKSUM_MISMATCH');
  });
  test("numcodecs' lz4: 4 bytes of size, then a raw block", async () => {
    // A single token with 4 literals.
    const document = v2({ shape: [4], dtype: '|u1', compressor: { id: 'lz4', acceleration: 1 } });
    expect(await readValues({ '.zarray': document, '0': hex('04000000 40 01020304') })).toEqual([1, 2, 3, 4]);
  });
  test.each(['v2-comp-gzip-members', 'v3-zstd-3-true', 'zp3-blosc', 'v1-blosc-zstd-2'])('%s', (id) =>
    expectMatrixCase(id),
  );
  test('v2 zstd without "checksum"', async () => {
    const document = v2({ shape: [2], dtype: '|u1', compressor: { id: 'zstd', level: 3 } });
    // A frame with one raw block.
    expect(await readValues({ '.zarray': document, '0': hex('28b52ffd 20 02 110000 0102') })).toEqual([1, 2]);
  });
});

describe('trap 17: v2 filters', () => {
  test('[] means null', async () =>
    expect(await readValues({ '.zarray': v2({ filters: [] }), '0': hex('01000000 02000000') })).toEqual([
      1, 2,
    ]));
  test('packbits: the first byte counts the padding bits', async () => {
    const document = v2({ shape: [10], dtype: '|b1', fill_value: false, filters: [{ id: 'packbits' }] });
    expect(await readValues({ '.zarray': document, '0': hex('06 b1 80') })).toEqual([
      1, 0, 1, 1, 0, 0, 0, 1, 1, 0,
    ]);
  });
  test('categorize: 0 is missing, labels count from 1', async () => {
    const filters = [{ id: 'categorize', labels: ['a', 'b'], dtype: '<U1', astype: '|u1' }];
    expect(
      await readValues({
        '.zarray': v2({ shape: [3], dtype: '<U1', fill_value: '', filters }),
        '0': bytes(2, 0, 1),
      }),
    ).toEqual(['b', '', 'a']);
  });
  test('json2 ends in its data type and shape', async () => {
    const document = v2({ shape: [2, 2], dtype: '|O', fill_value: null, filters: [{ id: 'json2' }] });
    const text = Buffer.from('["a",1,null,[2],"|O",[2,2]]');
    expect(await readValues({ '.zarray': document, '0.0': new Uint8Array(text) })).toEqual([
      'a',
      1,
      null,
      [2],
    ]);
  });
  test.each(['v2-msgpack2-C', 'v2-vlen-array-be-i2-F', 'v2-categorize-object-F'])('%s', (id) =>
    expectMatrixCase(id),
  );
});
