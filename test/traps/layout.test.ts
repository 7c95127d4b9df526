/** Known implementation errors: keys, chunks, orders and names. */
import { describe, expect, test } from 'vitest';
import { dataOf } from '../../server/zarr/index.js';
import { arrayOf, errorOf, expectMatrixCase, hex, hierarchyOf, readValues, v2, v3 } from './small-store.js';

const le2 = (...values: number[]): Uint8Array => new Uint8Array(Int16Array.from(values).buffer);
const int16 = { data_type: 'int16' };

describe('trap 8: chunk keys', () => {
  test.each([
    [{ name: 'default' }, 'c'],
    [{ name: 'default', configuration: { separator: '.' } }, 'c'],
    [{ name: 'v2' }, '0'],
    [{ name: 'v2', configuration: { separator: '/' } }, '0'],
  ])('0-d, v3 %j: %s', async (chunk_key_encoding, key) =>
    expect(
      await readValues({ 'zarr.json': v3({ shape: [], chunk_key_encoding }), [key]: hex('05000000') }),
    ).toEqual([5]),
  );
  test('0-d, v2: 0', async () =>
    expect(await readValues({ '.zarray': v2({ shape: [] }), '0': hex('05000000') })).toEqual([5]));
  test('the default separator of "v2" is ".", of "default" "/"', async () => {
    const field = { shape: [1, 1] };
    expect(
      await readValues({
        'zarr.json': v3({ ...field, chunk_key_encoding: { name: 'v2' } }),
        '0.0': hex('05000000'),
      }),
    ).toEqual([5]);
    expect(
      await readValues({
        'zarr.json': v3({ ...field, chunk_key_encoding: 'default' }),
        'c/0/0': hex('05000000'),
      }),
    ).toEqual([5]);
  });
  test('an absent dimension_separator in v2 means "."', async () =>
    expect(await readValues({ '.zarray': v2({ shape: [1, 1] }), '0.0': hex('05000000') })).toEqual([5]));
});

describe('trap 9: zero-length dimensions and 0-d', () => {
  test('the shape (3, 0) is returned', async () => {
    for (const objects of [
      { '.zarray': v2({ shape: [3, 0], chunks: [3, 1] }) },
      {
        'zarr.json': v3({
          shape: [3, 0],
          chunk_grid: { name: 'regular', configuration: { chunk_shape: [3, 1] } },
        }),
      },
    ]) {
      const block = await (await arrayOf(objects)).select({ kind: 'all' }).read();
      expect(block.shape).toEqual([3, 0]);
    }
  });
  test.each(['v3-shard-zero-dim', 'v3-shard-zero-length', 'v2-zero-length-2x0x5'])('%s', (id) =>
    expectMatrixCase(id),
  );
});

describe('trap 10: edge chunks', () => {
  test('are stored at full size with padding', async () => {
    const document = v2({ shape: [3], chunks: [2], dtype: '<i2' });
    expect(await readValues({ '.zarray': document, '0': le2(1, 2), '1': le2(3, 999) })).toEqual([1, 2, 3]);
    expect(await errorOf({ '.zarray': document, '0': le2(1, 2), '1': le2(3) })).toBe('CODEC_ERROR');
  });
});

describe('trap 11: order F', () => {
  test("a struct's fields stay contiguous", async () => {
    const document = v2({ shape: [2, 2], dtype: [['r', '<i2'], ['g', '<i2']], order: 'F', fill_value: null }); // prettier-ignore
    const values = await readValues({ '.zarray': document, '0.0': le2(1, 2, 5, 6, 3, 4, 7, 8) });
    expect(values).toEqual([{ r: 1, g: 2 }, { r: 3, g: 4 }, { r: 5, g: 6 }, { r: 7, g: 8 }]); // prettier-ignore
  });
  test('filters process data in order F: delta', async () => {
    const document = v2({
      shape: [2, 2],
      dtype: '<i2',
      order: 'F',
      filters: [{ id: 'delta', dtype: '<i2' }],
    });
    expect(await readValues({ '.zarray': document, '0.0': le2(1, 2, -1, 2) })).toEqual([1, 2, 3, 4]);
  });
  test('filters process data in order F: vlen-utf8', async () => {
    const document = v2({
      shape: [2, 2],
      dtype: '|O',
      order: 'F',
      fill_value: '',
      filters: [{ id: 'vlen-utf8' }],
    });
    const items = hex('04000000 01000000 61 01000000 63 01000000 62 01000000 64');
    expect(await readValues({ '.zarray': document, '0.0': items })).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('trap 12: transpose', () => {
  test('an order that differs from its inverse', async () => {
    // Stored dimension i is array dimension order[i]: the array (2, 3, 4) is stored as (3, 4, 2).
    const codecs = [
      { name: 'transpose', configuration: { order: [1, 2, 0] } },
      { name: 'bytes', configuration: { endian: 'little' } },
    ];
    const stored: number[] = [];
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 4; k++) for (let i = 0; i < 2; i++) stored.push(100 * i + 10 * j + k);
    const values = await readValues({
      'zarr.json': v3({ ...int16, shape: [2, 3, 4], codecs }),
      'c/0/0/0': le2(...stored),
    });
    const wanted: number[] = [];
    for (let i = 0; i < 2; i++)
      for (let j = 0; j < 3; j++) for (let k = 0; k < 4; k++) wanted.push(100 * i + 10 * j + k);
    expect(values).toEqual(wanted);
  });
  test.each(['v3-transpose-legacy-C', 'v3-transpose-legacy-F'])('%s', (id) => expectMatrixCase(id));
});

describe('trap 13: byte order', () => {
  test('U swaps each 4-byte unit', async () =>
    expect(
      await readValues({
        '.zarray': v2({ shape: [1], dtype: '>U2', fill_value: '' }),
        '0': hex('0001f600 00000061'),
      }),
    ).toEqual(['😀a']));
  test('v3 int32 with endian big', async () => {
    const codecs = [{ name: 'bytes', configuration: { endian: 'big' } }];
    expect(await readValues({ 'zarr.json': v3({ codecs }), 'c/0': hex('00000001 fffffffe') })).toEqual([
      1, -2,
    ]);
  });
  test('bytes without endian is for types of one byte', async () => {
    expect(await errorOf({ 'zarr.json': v3({ data_type: 'uint8', codecs: ['bytes'] }) })).toBeUndefined();
    expect(await errorOf({ 'zarr.json': v3({ codecs: ['bytes'] }) })).toBe('INVALID_METADATA');
  });
});

describe('trap 14: text', () => {
  test('U: only trailing NULs are padding; astral characters are one', async () =>
    expect(
      await readValues({
        '.zarray': v2({ shape: [1], dtype: '<U4', fill_value: '' }),
        '0': hex('61000000 00000000 00f60100 00000000'),
      }),
    ).toEqual(['a\0😀']));
  test('S may hold bytes that are not UTF-8', async () => {
    const array = await arrayOf({
      '.zarray': v2({ shape: [1], dtype: '|S3', fill_value: '' }),
      '0': hex('ff00fe'),
    });
    const [item] = dataOf(await array.select({ kind: 'all' }).read(), 'null_terminated_bytes');
    expect(item).toEqual(hex('ff00fe'));
  });
  test('a BOM is a character', async () => {
    const document = v2({ shape: [1], dtype: '|O', fill_value: '', filters: [{ id: 'vlen-utf8' }] });
    expect(await readValues({ '.zarray': document, '0': hex('01000000 04000000 efbbbf61') })).toEqual([
      '\ufeffa',
    ]);
    expect(
      await readValues({
        '.zarray': v2({ shape: [1], dtype: '<U2', fill_value: '' }),
        '0': hex('fffe0000 61000000'),
      }),
    ).toEqual(['\ufeffa']);
  });
});

describe('trap 22: names', () => {
  const name = 'a:b #?%20 é漢';
  test('special characters are preserved', async () => {
    const hierarchy = await hierarchyOf({
      'zarr.json': { zarr_format: 3, node_type: 'group' },
      [`${name}/zarr.json`]: v3({}),
    });
    expect((await hierarchy.array(`/${name}`)).name).toBe(name);
    const found: string[] = [];
    for await (const entry of hierarchy.walk('/')) found.push(entry.name);
    expect(found).toEqual([name]);
  });
  test.each(['..', '.', 'a/../b', 'a/./b'])('%s is not a valid path', async (path) => {
    const hierarchy = await hierarchyOf({ 'zarr.json': { zarr_format: 3, node_type: 'group' } });
    await expect(hierarchy.node(path)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
  test.each(['v2-names-0', 'v2-names-5', 'v2-names-10', 'v2-names-zip-3', 'v2-names-zip-16'])('%s', (id) =>
    expectMatrixCase(id),
  );
  // Ranges and missing keys of web servers and S3 are tested with those stores: test/store/http.test.ts.
});
