import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { InputError, UnsupportedError } from '../../../server/core/errors.js';
import {
  createArrayDocuments,
  createGroupDocuments,
  nodeDocuments,
} from '../../../server/format/metadata/create.js';
import {
  attributeDocuments,
  changeAttributes,
  resizedDocuments,
} from '../../../server/format/metadata/changed-documents.js';
import type { CreateArrayRequest } from '../../../server/format/metadata/create-request.js';
import { defaultChunkShape, defaultInnerChunkShape } from '../../../server/format/metadata/default-chunks.js';
import { resolveNode } from '../../../server/format/metadata/resolve-node.js';

const registry = createDefaultRegistry();
const create = (format: 1 | 2 | 3, request: Partial<CreateArrayRequest>) =>
  createArrayDocuments({ shape: [4, 6], dtype: 'float32', ...request }, format, registry);

describe('v3', () => {
  // zarr-python 3.1 reads only the older name. The base64 text is its output for the fill value (1, 2.5).
  test('a struct is written in the registered form, or with its older name on request', () => {
    const fill = { a: 1, b: 2.5 };
    const older = { name: 'structured', configuration: { fields: [['a', 'int32'], ['b', 'float64']] } }; // prettier-ignore
    expect(create(3, { dtype: older, fillValue: fill }).documents['zarr.json']).toMatchObject({
      data_type: older,
      fill_value: 'AQAAAAAAAAAAAARA',
    });
    const fields = [{ name: 'a', data_type: 'int32' }, { name: 'b', data_type: 'float64' }]; // prettier-ignore
    for (const dtype of [{ name: 'struct', configuration: { fields } }, '[["a", "<i4"], ["b", "<f8"]]'])
      expect(create(3, { dtype, fillValue: fill }).documents['zarr.json']).toMatchObject({
        data_type: { name: 'struct', configuration: { fields } },
        fill_value: fill,
      });
  });

  test('has defaults', () => {
    expect(create(3, { dimensionNames: ['y', null], attributes: { units: 'K' } }).documents).toEqual({
      'zarr.json': {
        zarr_format: 3,
        node_type: 'array',
        shape: [4, 6],
        data_type: 'float32',
        chunk_grid: { name: 'regular', configuration: { chunk_shape: [4, 6] } },
        chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
        fill_value: 0,
        codecs: [
          { name: 'bytes', configuration: { endian: 'little' } },
          { name: 'zstd', configuration: { level: 0, checksum: false } },
        ],
        attributes: { units: 'K' },
        dimension_names: ['y', null],
      },
    });
  });

  test('types by their NumPy names keep their byte order', () => {
    const { meta } = create(3, { dtype: '>i4', fillValue: -1 });
    expect(meta.dtypeName).toBe('int32');
    expect(meta.codecs[0]).toEqual({ name: 'bytes', configuration: { endian: 'big' } });
    expect(create(3, { dtype: '[["a", "<i4"], ["b", "|S2"]]' }).meta.fillJson).toEqual({ a: 0, b: 'AAA=' });
  });

  test('codecs requested by name are stored as objects, which zarr-python requires', () => {
    const codecs = ['bytes', 'crc32c', { name: 'gzip', configuration: { level: 1 } }];
    const stored = [{ name: 'bytes' }, { name: 'crc32c' }, codecs[2]];
    expect(create(3, { dtype: 'uint8', codecs }).documents).toMatchObject({
      'zarr.json': { codecs: stored },
    });
    const sharded = create(3, { dtype: 'uint8', shardShape: [4], shape: [4], chunkShape: [2], codecs });
    expect(sharded.documents['zarr.json']).toMatchObject({
      codecs: [{ name: 'sharding_indexed', configuration: { codecs: stored } }],
    });
    const little = { name: 'bytes', configuration: { endian: 'little' } };
    const index_codecs = [little, 'crc32c'];
    const sharding = { name: 'sharding_indexed', configuration: { chunk_shape: [2], codecs, index_codecs } };
    const explicit = create(3, { dtype: 'uint8', shape: [4], chunkShape: [4], codecs: [sharding] });
    const index = [little, { name: 'crc32c' }];
    expect(explicit.documents['zarr.json']).toMatchObject({
      codecs: [{ configuration: { chunk_shape: [2], codecs: stored, index_codecs: index } }],
    });
  });

  test('shards, order F and requested codecs are written', () => {
    const { meta } = create(3, { shape: [64, 64], shardShape: [32, 32], chunkShape: [8, 16], order: 'F', codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'gzip', configuration: { level: 1 } }] }); // prettier-ignore
    expect(meta.grid.dims.map((dim) => dim.longest)).toEqual([32, 32]);
    expect(meta.codecs[0]).toMatchObject({
      name: 'sharding_indexed',
      configuration: {
        chunk_shape: [8, 16],
        codecs: [
          { name: 'transpose', configuration: { order: [1, 0] } },
          { name: 'bytes' },
          { name: 'gzip' },
        ],
        index_location: 'end',
      },
    });
    expect(create(3, { order: 'F' }).meta.order).toBe('F');
    expect(create(3, {}).meta.order).toBe('C');
  });

  test('fill values are stored in the form of the format', () => {
    expect(create(3, { fillValue: 'NaN' }).meta.fillJson).toBe('NaN');
    expect(create(3, { dtype: 'uint64', fillValue: '18446744073709551615' }).meta.fillJson).toBe(
      2n ** 64n - 1n,
    );
    expect(create(3, { dtype: '<M8[s]' }).meta.fillJson).toBe('NaT');
    expect(create(3, { dtype: '<M8[s]', fillValue: '1970-01-02' }).meta.fillJson).toBe(86400);
    expect(create(3, { dtype: 'string', fillValue: 'x' }).meta.fill).toEqual({ item: 'x' });
    expect(create(3, { fillValue: null }).meta.fillJson).toBe(0);
  });
});

describe('v2', () => {
  test('has defaults', () => {
    expect(create(2, { dimensionNames: ['y', 'x'], attributes: { units: 'K' } }).documents).toEqual({
      '.zarray': {
        zarr_format: 2,
        shape: [4, 6],
        chunks: [4, 6],
        dtype: '<f4',
        fill_value: 0,
        order: 'C',
        compressor: { id: 'zstd', level: 0 },
        filters: null,
        dimension_separator: '.',
      },
      '.zattrs': { units: 'K', _ARRAY_DIMENSIONS: ['y', 'x'] },
    });
    expect(create(2, {}).documents).not.toHaveProperty('.zattrs');
  });

  test('requested options are stored as given', () => {
    const dtype = [['a', '<i4'], ['b', '>f8']]; // prettier-ignore
    const codecs = { compressor: null, filters: [{ id: 'shuffle', elementsize: 12 }] };
    const { documents, meta } = create(2, {
      dtype,
      codecs,
      order: 'F',
      separator: '/',
      fillValue: 'AQAAAEAEAAAAAAAA',
    });
    expect(documents['.zarray']).toMatchObject({ dtype, ...codecs, order: 'F', dimension_separator: '/' });
    // The base64 text of a struct uses the byte order of the requested type, as in v2 metadata.
    expect(meta.fillJson).toBe('AQAAAEAEAAAAAAAA');
    const fill = { bytes: new Uint8Array(Buffer.from('AQAAAAAAAAAAAARA', 'base64')) };
    expect(meta.fill).toEqual(fill);
    expect(create(3, { dtype, fillValue: 'AQAAAEAEAAAAAAAA' }).meta.fill).toEqual(fill);
    expect(create(2, { dtype, fillValue: { a: 1, b: 2.5 } }).meta.fill).toEqual(fill);
    expect(create(2, { fillValue: null }).meta.fillJson).toBeNull();
  });

  test('a type of variable length implies its filter, and "json2" the type json', () => {
    expect(create(2, { dtype: 'string' }).documents['.zarray']).toMatchObject({
      dtype: '|O',
      filters: [{ id: 'vlen-utf8' }],
      fill_value: '',
    });
    const json = create(2, { dtype: '|O', codecs: { filters: [{ id: 'json2' }] } });
    expect(json.meta.dtypeName).toBe('json');
    expect(json.meta.documents['.zarray']).toMatchObject({ compressor: { id: 'zstd' }, fill_value: null });
  });
});

test('v1 documents contain the compressor', () => {
  const { documents } = create(1, { codecs: { compressor: { id: 'zlib', level: 4 } } });
  expect(documents).toMatchObject({
    meta: { zarr_format: 1, compression: 'zlib', compression_opts: 4 },
    attrs: {},
  });
  expect(create(1, { codecs: { compressor: null } }).documents['meta']).toMatchObject({
    compression: 'none',
    compression_opts: null,
  });
  expect(create(1, {}).meta.codecs[1]?.name).toBe('blosc');
});

describe('invalid input is rejected', () => {
  test.each<[1 | 2 | 3, Partial<CreateArrayRequest>]>([
    [3, { dtype: 'int33' }],
    [3, { dtype: '<x4' }],
    [3, { dtype: 5 }],
    [3, { dtype: null }],
    [3, { shape: [-1, 2] }],
    [3, { chunkShape: [4] }],
    [3, { chunkShape: [0, 1] }],
    [3, { shardShape: [4, 6], chunkShape: [3, 6] }],
    [3, { fillValue: 'abc' }],
    [3, { dtype: 'uint8', fillValue: 300 }],
    [3, { codecs: { compressor: null } }],
    [3, { codecs: [{ name: 'zstd' }] }],
    [3, { codecs: [] }],
    [3, { codecs: [{ name: 'bytes' }] }],
    [3, { codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, 'no_such_codec'] }],
    [3, { separator: '-' }],
    [3, { dimensionNames: ['x'] }],
    [2, { shardShape: [4, 6] }],
    [2, { dimensionNames: ['x', null] }],
    [2, { codecs: [{ name: 'bytes' }] }],
    [2, { dtype: '|O' }],
    [2, { codecs: { compressor: { level: 1 } } }],
    [1, { dtype: 'string' }],
    [1, { codecs: { compressor: { id: 'zstd' } } }],
    [1, { separator: '/' }],
  ])('v%i %o', (format, request) => expect(() => create(format, request)).toThrow(InputError));

  test('types that v3 cannot express are rejected', () => {
    expect(() => create(3, { dtype: [['a', '<i4', [2]]] })).toThrow(UnsupportedError); // prettier-ignore
    expect(() => create(3, { dtype: '|O' })).toThrow(UnsupportedError);
  });
});

describe('groups and attributes', () => {
  test('the documents of groups', () => {
    expect(createGroupDocuments(3, { a: 1 })).toEqual({
      'zarr.json': { zarr_format: 3, node_type: 'group', attributes: { a: 1 } },
    });
    expect(createGroupDocuments(2)).toEqual({ '.zgroup': { zarr_format: 2 } });
    expect(createGroupDocuments(2, { a: 1 })).toEqual({ '.zgroup': { zarr_format: 2 }, '.zattrs': { a: 1 } });
    expect(() => createGroupDocuments(1)).toThrow(InputError);
  });

  test('attributes are set, removed and replaced', () => {
    const old: JsonObject = { a: 1, b: 2, c: 3 };
    expect(changeAttributes(old, { set: { b: null, d: 4 }, remove: ['a', 'x'] })).toEqual({
      b: null,
      c: 3,
      d: 4,
    });
    expect(changeAttributes(old, { set: { d: 4 }, replace: true })).toEqual({ d: 4 });
  });

  test('only the document with the attributes changes, and nothing else in it', () => {
    const v3 = create(3, { attributes: { a: 1 } });
    expect(attributeDocuments(v3.meta, { b: 2 })).toEqual({
      'zarr.json': { ...Object(v3.documents['zarr.json']), attributes: { b: 2 } },
    });
    expect(attributeDocuments(create(2, {}).meta, { b: 2 })).toEqual({ '.zattrs': { b: 2 } });
    expect(attributeDocuments(create(1, {}).meta, { b: 2 })).toEqual({ attrs: { b: 2 } });
  });

  test('resized documents have the new shape and the same fill value', () => {
    for (const format of [1, 2, 3] as const) {
      const { meta } = create(format, { dtype: 'int16', fillValue: 3 });
      const resized = resolveNode(
        nodeDocuments({ ...meta.documents, ...resizedDocuments(meta, [10, 6]) }),
        registry,
      );
      expect(resized).toMatchObject({ shape: [10, 6], fillJson: 3 });
      expect(() => resizedDocuments(meta, [10])).toThrow(InputError);
      expect(() => resizedDocuments(meta, [10, -1])).toThrow(InputError);
    }
  });
});

describe('default chunks', () => {
  test.each<[number[], number | null, number[]]>([
    [[], 8, []],
    [[0, 5], 8, [1, 5]],
    [[1000], 8, [1000]],
    [[10_000, 10_000], 4, [313, 625]],
    [[365, 180, 360], 4, [46, 45, 90]],
    [[10_000_000], null, [19532]],
  ])('%j of %s bytes has chunks of at most 1 MiB', (shape, itemSize, chunks) => {
    const chunkShape = defaultChunkShape(shape, itemSize);
    expect(chunkShape).toEqual(chunks);
    expect(chunkShape.reduce((a, b) => a * b, itemSize ?? 32)).toBeLessThanOrEqual(2 ** 20);
  });

  test('inner chunks divide their shard', () => {
    expect(defaultInnerChunkShape([1000, 3000], 8)).toEqual([250, 375]);
    expect(defaultInnerChunkShape([2 ** 20 + 7], 8)).toHaveLength(1);
    for (const shard of [[999, 1001], [2 ** 20 + 7], [4096, 4096, 3]]) {
      const inner = defaultInnerChunkShape(shard, 8);
      expect(shard.every((length, d) => length % (inner[d] ?? NaN) === 0)).toBe(true);
    }
  });
});
