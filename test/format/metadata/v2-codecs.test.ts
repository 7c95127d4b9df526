import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../server/core/bytes/json.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { MetadataError, UnsupportedError } from '../../../server/core/errors.js';
import { dimensionNamesOf } from '../../../server/format/metadata/fields.js';
import { resolveNode } from '../../../server/format/metadata/resolve-node.js';
import { fixtureDocuments, real } from './fixture-documents.js';

const registry = createDefaultRegistry();

const plainArray = {
  zarr_format: 2, shape: [4, 6], chunks: [2, 3], dtype: '<f8', compressor: null, filters: null, fill_value: 0, order: 'C',
}; // prettier-ignore

function open(changes: JsonObject, zattrs?: JsonValue) {
  const meta = resolveNode({ zarray: { ...plainArray, ...changes }, zattrs }, registry);
  if (meta?.kind !== 'array') throw new Error('expected an array');
  return meta;
}
const specs = (changes: JsonObject) =>
  open(changes).codecs.map(({ name, configuration }) => [name, configuration]);

describe('codec chains equivalent to v2 storage', () => {
  test('order F reverses the dimensions, filters come between bytes and compressor', () => {
    const filters = [
      { id: 'delta', dtype: '>i2', astype: '>i2' },
      { id: 'shuffle', elementsize: 2 },
    ];
    expect(specs({ dtype: '>i2', order: 'F', filters, compressor: { id: 'zlib', level: 3 } })).toEqual([
      ['transpose', { order: [1, 0] }],
      ['bytes', { endian: 'big' }],
      ['numcodecs.delta', { dtype: '>i2', astype: '>i2' }],
      ['numcodecs.shuffle', { elementsize: 2 }],
      ['numcodecs.zlib', { level: 3 }],
    ]);
    // The chain uses the bytes-to-bytes form of the filters.
    const { chain } = open({ dtype: '>i2', filters });
    expect('unsupported' in chain ? chain : chain.specs.map(({ name }) => name)).toEqual([
      'bytes',
      'v2.delta',
      'numcodecs.shuffle',
    ]);
  });

  test('structs of mixed byte order list their big-endian parts', () => {
    expect(
      specs({
        dtype: [
          ['a', '<i4'],
          ['b', '>f8'],
        ],
      }),
    ).toEqual([['bytes', { endian: 'mixed', swaps: [{ offset: 4, unit: 8, count: 1 }] }]]);
    expect(
      specs({
        dtype: [
          ['a', '>i4'],
          ['b', '>f8'],
        ],
      }),
    ).toEqual([['bytes', { endian: 'big' }]]);
    expect(specs({ dtype: '|S3' })).toEqual([['bytes', {}]]);
  });

  test.each<[JsonObject, JsonValue, string, number]>([
    [{ shuffle: -1 }, '|u1', 'bitshuffle', 1],
    [{ shuffle: -1 }, '<f8', 'shuffle', 8],
    [{ shuffle: 0 }, '<f4', 'noshuffle', 4],
    [{ shuffle: 1 }, '<f4', 'shuffle', 4],
    [{ shuffle: 2 }, '|S300', 'bitshuffle', 1],
    [{}, '<i2', 'shuffle', 2],
  ])('blosc %j of %j is %s with a type size of %i', (options, dtype, shuffle, typesize) => {
    expect(specs({ dtype, compressor: { id: 'blosc', cname: 'zstd', clevel: 3, ...options } })[1]).toEqual([
      'blosc',
      { cname: 'zstd', clevel: 3, shuffle, typesize, blocksize: 0 },
    ]);
  });

  test('an object filter becomes the array-to-bytes codec, before the compressor', () => {
    const meta = open({
      dtype: '|O',
      order: 'F',
      filters: [{ id: 'vlen-utf8' }],
      compressor: { id: 'zstd', level: 3 },
    });
    expect(meta.dtypeName).toBe('string');
    expect(meta.codecs.map(({ name }) => name)).toEqual(['transpose', 'vlen-utf8', 'zstd']);
    expect(meta.codecs[2]?.configuration).toEqual({ level: 3, checksum: false });
    expect(open({ dtype: '|O', filters: [{ id: 'vlen-array', dtype: '>i2' }] }).dtype).toMatchObject({
      name: 'ragged',
      item: { name: 'int16' },
    });
  });

  test('a chain with pickle is unsupported, and the message names it', () => {
    expect(open({ dtype: '|O', filters: [{ id: 'pickle' }] }).chain).toEqual({
      unsupported: expect.stringContaining('pickle'),
    });
  });

  test('an array with an unknown codec can still be opened', () => {
    const meta = open({ compressor: { id: 'zfpy', mode: 4 } });
    expect(meta.shape).toEqual([4, 6]);
    expect(meta.codecs[1]).toEqual({ name: 'numcodecs.zfpy', configuration: { mode: 4 } });
    expect(meta.chain).toEqual({ unsupported: expect.stringContaining('zfpy') });
  });
});

describe("writers' own spellings", () => {
  const zlib = { id: 'zlib', level: 1 };

  test("GDAL's spellings of compressor options are read", () => {
    expect(specs({ compressor: { id: 'zstd', level: 13, checksum: 'NO' } })[1]).toEqual([
      'zstd',
      { level: 13, checksum: false },
    ]);
    for (const [word, shuffle] of [['NONE', 'noshuffle'], ['BYTE', 'shuffle'], ['BIT', 'bitshuffle'], ['2', 'bitshuffle']] as const)
      expect(specs({ compressor: { id: 'blosc', shuffle: word } })[1]?.[1]).toMatchObject({ shuffle });
    expect(() => open({ compressor: { id: 'blosc', shuffle: 'constructor' } })).toThrow(MetadataError);
    expect(open({ compressor: { id: 'lzma', preset: 6, delta: 1 } }).chain).not.toHaveProperty('unsupported');
  }); // prettier-ignore

  test('settings above the maximum are accepted, as in numcodecs', () => {
    expect(specs({ compressor: { id: 'zstd', level: 100 } })[1]?.[1]).toMatchObject({ level: 22 });
    expect(open({ compressor: { id: 'lz4', acceleration: 1_000_000 } }).chain).not.toHaveProperty(
      'unsupported',
    );
  });

  test('data types of filters can be names, or lack a byte order', () => {
    for (const dtype of ['u1', '=u1', 'uint8', '|u1'])
      expect(open({ dtype: '|u1', filters: [{ id: 'delta', dtype }], compressor: zlib }).chain).not.toHaveProperty('unsupported');
  }); // prettier-ignore

  test('a filter that requires a data type does not default to the data type of the array', () => {
    expect(() => open({ dtype: '>i4', filters: [{ id: 'delta' }] })).toThrow('"dtype" is missing');
  });

  test('bitround, which has no type, gets the type of its input', () => {
    const chainOf = (filters: JsonValue) => {
      const { chain } = open({ dtype: '>f4', filters });
      return 'unsupported' in chain ? chain : chain.specs.map(({ configuration }) => configuration['dtype']);
    };
    const bitround = { id: 'bitround', keepbits: 4 };
    expect(chainOf([bitround])).toEqual([undefined, '>f4']);
    const half = { id: 'astype', encode_dtype: '<f2', decode_dtype: '>f4' };
    expect(chainOf([half, bitround])).toEqual([undefined, undefined, '<f2']);
  });

  test('shuffle without a size uses 4 for every data type', () => {
    expect(specs({ filters: [{ id: 'shuffle' }] })[1]?.[1]).toEqual({ elementsize: 4 });
  });
});

describe('lenient and strict parsing', () => {
  test('an empty dimension can have empty chunks', () => {
    expect(open({ shape: [0, 6], chunks: [0, 3] }).grid.dims[0]).toEqual({
      size: 0,
      longest: 1,
      chunks: 0,
      runs: undefined,
    });
    expect(() => open({ shape: [4, 6], chunks: [0, 3] })).toThrow(MetadataError);
  });

  test('a missing separator is a dot', () => {
    expect(open({}).keys).toEqual({ encoding: 'v2', separator: '.' });
    expect(open({ dimension_separator: '/' }).keys.separator).toBe('/');
  });

  test.each<[JsonObject]>([
    [{ order: null }],
    [{ shape: [4] }],
    [{ shape: [2 ** 53, 1] }],
    [{ shape: [2 ** 40, 2 ** 40] }],
    [{ shape: Array.from({ length: 65 }, () => 1), chunks: Array.from({ length: 65 }, () => 1) }],
    [{ filters: {} }],
    [{ filters: [{}] }],
    [{ compressor: 'zlib' }],
    [{ compressor: { id: 'blosc', shuffle: 7 } }],
    [{ dtype: '|O' }],
    [{ zarr_format: 3 }],
  ])('%j is rejected', (changes) => expect(() => open(changes)).toThrow(MetadataError));

  test('an unknown future format is not supported', () => {
    expect(() => open({ zarr_format: 4 })).toThrow(UnsupportedError);
  });
});

describe('dimension names', () => {
  test('of xarray, if their number matches', () => {
    expect(open({}, { _ARRAY_DIMENSIONS: ['y', 'x'] }).dimensionNames).toEqual(['y', 'x']);
    expect(open({}, { _ARRAY_DIMENSIONS: ['y'] }).dimensionNames).toBeUndefined();
    expect(dimensionNamesOf(open({}))).toEqual([null, null]);
  });

  test('of NCZarr, in attributes and in the array document', () => {
    expect(open({}, { _nczarr_array: { dimension_references: ['/y', '/g/x'] } }).dimensionNames).toEqual([
      'y',
      'x',
    ]);
    expect(open({ _NCZARR_ARRAY: { dimrefs: ['/y', '/x'] } }).dimensionNames).toEqual(['y', 'x']);
  });

  test('of the store that libnetcdf wrote', () => {
    const month = resolveNode(fixtureDocuments(real, 'nczarr.zarr', 'flux/month'), registry);
    expect(month).toMatchObject({
      shape: [12, 8],
      dtypeName: 'null_terminated_bytes',
      dimensionNames: ['time', 'strlen'],
    });
    expect(resolveNode(fixtureDocuments(real, 'nczarr.zarr', 'flux'), registry)?.kind).toBe('group');
  });
});

test('format 3 precedes format 2, arrays precede groups, and attributes alone are no node', () => {
  const group = { zarr_format: 3, node_type: 'group' };
  expect(resolveNode({ zarrJson: group, zgroup: { zarr_format: 2 } }, registry)?.zarrFormat).toBe(3);
  expect(resolveNode({ zarray: plainArray, zgroup: { zarr_format: 2 } }, registry)?.kind).toBe('array');
  expect(resolveNode({ zattrs: {} }, registry)).toBeUndefined();
});
