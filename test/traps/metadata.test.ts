/** Known implementation errors: array metadata, numbered as in the list of traps. */
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { arrayOf, bare, errorOf, expectMatrixCase, hex, hierarchyOf, readValues, storeOf, v2, v3, valuesOf } from './small-store.js'; // prettier-ignore

const v1 = (fields: Record<string, unknown>): Record<string, unknown> => ({
  zarr_format: 1, shape: [2], chunks: [2], dtype: '<i4', compression: null, compression_opts: null, fill_value: 7, order: 'C', ...fields,
}); // prettier-ignore

describe('trap 1: v1', () => {
  test('keys are "meta" and "attrs"', async () => {
    const array = await arrayOf({ meta: v1({}), attrs: { title: 'x' }, '0': hex('01000000 02000000') });
    expect(array.meta.zarrFormat).toBe(1);
    expect(array.meta.attributes).toEqual({ title: 'x' });
  });
  test('"none" and null mean uncompressed', async () => {
    for (const compression of ['none', null])
      expect(
        await readValues({ meta: v1({ compression }), attrs: {}, '0': hex('01000000 02000000') }),
      ).toEqual([1, 2]);
  });
  test.each(['v1-none-text', 'v1-zlib-9', 'v1-lzma-opts', 'v1-blosc-lz4-2'])(
    'compression_opts is an int, a dict or null: %s',
    (id) => expectMatrixCase(id),
  );
});

describe('trap 2: v2 fill values of S, V and structs are base64', () => {
  test('|S3 b"ab" is "YWI="', async () =>
    expect(await readValues({ '.zarray': v2({ dtype: '|S3', fill_value: 'YWI=' }) })).toEqual(['ab', 'ab']));
  test('|V2', async () =>
    expect(await readValues({ '.zarray': v2({ dtype: '|V2', fill_value: 'AP8=' }) })).toEqual([
      '\0\xff',
      '\0\xff',
    ]));
  test('a struct has packed fields with individual byte orders', async () => {
    const dtype = [['a', '<i4'], ['b', '>f8']]; // prettier-ignore
    const values = await readValues({ '.zarray': v2({ dtype, fill_value: 'AQAAAEAEAAAAAAAA' }) });
    expect(values).toEqual([{ a: 1, b: 2.5 }, { a: 1, b: 2.5 }]); // prettier-ignore
  });
  test('U is plain text', async () =>
    expect(await readValues({ '.zarray': v2({ dtype: '>U3', fill_value: 'é😀' }) })).toEqual(['é😀', 'é😀']));
  test.each([['|S3', null], ['<U3', null], ['|O', [{ id: 'vlen-utf8' }]]])(
    'existing files contain 0 or "" for %s',
    async (dtype, filters) => {
      for (const fill of [0, '']) expect(await readValues({ '.zarray': v2({ dtype, filters, fill_value: fill }) })).toEqual(['', '']);
    },
  ); // prettier-ignore
});

describe('trap 3: a null fill value', () => {
  test('means undefined contents in v2, read as 0, "" or empty bytes', async () => {
    expect(await readValues({ '.zarray': v2({ fill_value: null }) })).toEqual([0, 0]);
    expect(await readValues({ '.zarray': v2({ dtype: '|S3', fill_value: null }) })).toEqual(['', '']);
    expect(await readValues({ '.zarray': v2({ dtype: '<U3', fill_value: null }) })).toEqual(['', '']);
  });
  test('is read as zero in v3, which forbids it, with a warning', async () => {
    const warnings: string[][] = [];
    const store = await storeOf({ 'zarr.json': v3({ fill_value: null }) });
    const hierarchy = openHierarchy(store, { warn: (...warning) => warnings.push(warning) });
    const array = await hierarchy.array('/');
    expect(await valuesOf(array)).toEqual([0, 0]);
    expect(array.meta.fillJson).toBeNull();
    expect(array.meta.warnings).toEqual([expect.stringContaining('fill_value is null')]);
    await hierarchy.array('/');
    expect(warnings).toEqual([['/', array.meta.warnings[0]]]);
  });
  test('is never written in v3', async () => {
    const hierarchy = await hierarchyOf({ 'zarr.json': v3({ fill_value: null }) });
    for (const change of [hierarchy.setAttributes('/', { set: { a: 1 } }), hierarchy.resize('/', [3])])
      await expect(change).rejects.toThrow(/cannot be changed: fill_value is null/);
  });
});

describe('numbers as fill values of booleans', () => {
  test.each([0, 1])('%i is accepted in v2 and v3', async (fill) => {
    const expected = [fill, fill];
    expect(await readValues({ '.zarray': v2({ dtype: '|b1', fill_value: fill }) })).toEqual(expected);
    const codecs = [{ name: 'bytes' }];
    expect(await readValues({ 'zarr.json': v3({ data_type: 'bool', fill_value: fill, codecs }) })).toEqual(
      expected,
    );
  });
});

describe('unknown keys that could move values are an error', () => {
  const grid = { name: 'regular', configuration: { chunk_shape: [2] } };
  const inner = { chunk_shape: [2], codecs: ['bytes'], index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }] }; // prettier-ignore
  test.each<[string, Record<string, unknown>]>([
    ['next to a name', { chunk_key_encoding: { name: 'default', separator: '.' } }],
    ['of a chunk key encoding', { chunk_key_encoding: { name: 'default', configuration: { suffix: '.x' } } }],
    ['of a chunk grid', { chunk_grid: { ...grid, configuration: { chunk_shape: [2], origin: [1] } } }],
    ['of a shard', { data_type: 'uint8', codecs: [{ name: 'sharding_indexed', configuration: { ...inner, order: 'z' } }] }],
    ['next to a codec', { codecs: [{ name: 'bytes', configuration: { endian: 'little' }, bits: 4 }] }],
    ['next to a data type', { data_type: { name: 'int32', bits: 4 } }],
  ])('an unknown key %s', async (_, fields) => {
    expect(await errorOf({ 'zarr.json': v3(fields) })).toBe('UNSUPPORTED');
  }); // prettier-ignore
});

describe('trap 4: integers', () => {
  test.each([
    ['uint64', '18446744073709551615', 2n ** 64n - 1n],
    ['int64', '9223372036854775807', 2n ** 63n - 1n],
    ['int64', '-9223372036854775808', -(2n ** 63n)],
    ['uint64', '9007199254740993', 9007199254740993n],
  ])('%s %s without quotes is exact', async (data_type, text, value) => {
    expect(await readValues({ 'zarr.json': bare(v3({ data_type, fill_value: `@${text}@` })) })).toEqual([
      value,
      value,
    ]);
    const dtype = data_type === 'uint64' ? '<u8' : '>i8';
    expect(await readValues({ '.zarray': bare(v2({ dtype, fill_value: `@${text}@` })) })).toEqual([
      value,
      value,
    ]);
  });
  test('1.0 is accepted for an integer, and "1" in v2', async () => {
    expect(await readValues({ '.zarray': bare(v2({ fill_value: '@1.0@' })) })).toEqual([1, 1]);
    expect(await readValues({ '.zarray': v2({ fill_value: '1' }) })).toEqual([1, 1]);
    expect(await readValues({ 'zarr.json': bare(v3({ fill_value: '@1.0@' })) })).toEqual([1, 1]);
  });
  test('-0.0 in a shape is 0', async () => {
    const grid = { name: 'regular', configuration: { chunk_shape: [1] } };
    for (const documents of [
      { '.zarray': bare(v2({ shape: ['@-0.0@'], chunks: [1] })) },
      { 'zarr.json': bare(v3({ shape: ['@-0.0@'], chunk_grid: grid })) },
    ])
      expect((await arrayOf(documents)).shape).toEqual([0]);
  });
  test('300 is not a uint8', async () => {
    expect(await errorOf({ 'zarr.json': v3({ data_type: 'uint8', fill_value: 300 }) })).toBe(
      'INVALID_METADATA',
    );
    expect(await errorOf({ '.zarray': v2({ dtype: '|u1', fill_value: 300 }) })).toBe('INVALID_METADATA');
  });
});

describe('trap 5: bare NaN and Infinity in attributes', () => {
  const attributes = { nan: '@NaN@', up: '@Infinity@', down: ['@-Infinity@'] };
  const parsed = { nan: NaN, up: Infinity, down: [-Infinity] };
  test('v2', async () => {
    const array = await arrayOf({ '.zarray': v2({}), '.zattrs': bare(attributes) });
    expect(array.meta.attributes).toEqual(parsed);
  });
  test('v3', async () => {
    const array = await arrayOf({ 'zarr.json': bare(v3({ attributes })) });
    expect(array.meta.attributes).toEqual(parsed);
  });
});

describe('trap 6: v3 floats as hex strings', () => {
  const fillBytes = async (data_type: string, fill_value: unknown): Promise<string> => {
    const block = await (
      await arrayOf({ 'zarr.json': v3({ shape: [1], data_type, fill_value }) })
    )
      .select({ kind: 'all' })
      .read();
    return 'bytes' in block ? Buffer.from(block.bytes).toString('hex') : '';
  };
  test('big-endian digits, NaN payload kept', async () => {
    expect(await fillBytes('float64', '0xfff800000000dead')).toBe('adde00000000f8ff');
    expect(await fillBytes('float32', '0x7fc00001')).toBe('0100c07f');
    expect(await fillBytes('float16', '0x7e01')).toBe('017e');
  });
  test('digits for another width than that of the type are rejected', async () =>
    expect(await errorOf({ 'zarr.json': v3({ data_type: 'float64', fill_value: '0x7fc00001' }) })).toBe(
      'INVALID_METADATA',
    ));
  test('-0.0 keeps its sign', async () => {
    const array = await arrayOf({
      'zarr.json': bare(v3({ shape: [1], data_type: 'float64', fill_value: '@-0.0@' })),
    });
    const block = await array.select({ kind: 'all' }).read();
    expect('bytes' in block && Buffer.from(block.bytes).toString('hex')).toBe('0000000000000080');
  });
});

describe('trap 7: complex fill values', () => {
  test.each([
    [
      ['NaN', 'Infinity'],
      [NaN, Infinity],
    ],
    [
      [1.5, '0x7fc00001'],
      [1.5, NaN],
    ],
    [
      ['-Infinity', 0],
      [-Infinity, 0],
    ],
  ])('%j', async (fill_value, expected) => {
    const values = await readValues({ 'zarr.json': v3({ shape: [1], data_type: 'complex64', fill_value }) });
    expect(values).toEqual(expected);
  });
});
