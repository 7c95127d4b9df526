/** Mutations that create groups and arrays: all input fields, and the errors with their codes. */
import { describe, expect, test } from 'vitest';
import { execute } from './gateway-client.js';
import { array, codeOf, gatewayOf, run, valuesOf } from './mutating.js';

describe('createGroup', () => {
  test('creates missing parent groups in the format of the root group', async () => {
    const gateway = gatewayOf();
    await run(
      gateway,
      'createGroup(input: { store: "m", zarrFormat: 2, attributes: { a: [1, null] } }) { group { path } }',
    );
    const { made } = await run(
      gateway,
      'createGroup(input: { store: "m", path: "a/b" }) { group { path zarrFormat parent { path zarrFormat attributes parent { attributes } } } }',
    );
    expect(made).toEqual({
      path: '/a/b',
      zarrFormat: 2,
      parent: { path: '/a', zarrFormat: 2, attributes: {}, parent: { attributes: { a: [1, null] } } },
    });
  });

  test('the format is 3 by default, and a format other than that of the parent group is rejected', async () => {
    const gateway = gatewayOf();
    const { made } = await run(
      gateway,
      'createGroup(input: { store: "m", path: "g" }) { group { zarrFormat } }',
    );
    expect(made).toEqual({ zarrFormat: 3 });
    for (const format of [2, 1, 4, -3])
      expect(
        await codeOf(
          gateway,
          `createGroup(input: { store: "m", path: "g/h", zarrFormat: ${format} }) { group { path } }`,
        ),
        String(format),
      ).toBe('BAD_INPUT');
  });

  test('existing nodes are handled according to ifExists', async () => {
    const gateway = gatewayOf();
    const group = (more: string) =>
      `createGroup(input: { store: "m", path: "g" ${more} }) { group { attributes } }`;
    await run(gateway, group(', attributes: { old: 1 }'));
    expect(await codeOf(gateway, group(''))).toBe('ALREADY_EXISTS');
    expect((await run(gateway, group(', attributes: { new: 1 }, ifExists: KEEP'))).made.attributes).toEqual({
      old: 1,
    });
    await run(gateway, array('g/a'));
    expect(
      (await run(gateway, group(', attributes: { new: 1 }, ifExists: REPLACE'))).made.attributes,
    ).toEqual({ new: 1 });
    expect(
      (await execute(gateway, '{ store(name: "m") { array(path: "g/a") { path } } }')).errors[0]?.extensions[
        'code'
      ],
    ).toBe('NOT_FOUND');
    await run(gateway, array('x'));
    expect(
      await codeOf(
        gateway,
        'createGroup(input: { store: "m", path: "x", ifExists: KEEP }) { group { path } }',
      ),
    ).toBe('CONFLICT');
    expect(await codeOf(gateway, 'createGroup(input: { store: "m", path: "x/y" }) { group { path } }')).toBe(
      'CONFLICT',
    );
  });

  test('invalid paths and attributes are rejected', async () => {
    const gateway = gatewayOf();
    for (const path of ['a//b', 'a/../b', '.', 'a\\\\b', '__x', 'a/\\u0000'])
      expect(
        await codeOf(gateway, `createGroup(input: { store: "m", path: "${path}" }) { group { path } }`),
        path,
      ).toBe('BAD_INPUT');
    for (const attributes of ['[1]', '"text"', '7'])
      expect(
        await codeOf(
          gateway,
          `createGroup(input: { store: "m", path: "a", attributes: ${attributes} }) { group { path } }`,
        ),
      ).toBe('BAD_INPUT');
    const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
    const { failures } = await run(
      gateway,
      'createGroup(input: $input) { group { path } }',
      { input: { store: 'm', attributes: JSON.parse(deep) } },
      '($input: CreateGroupInput!)',
    );
    expect(failures[0]?.code).toBe('BAD_INPUT');
  });

  test('attributes can have any name, and large integers remain exact', async () => {
    const gateway = gatewayOf();
    const text = '{"__proto__": 1, "constructor": 2, "n": "9007199254740993"}';
    await run(
      gateway,
      'createGroup(input: $input) { group { path } }',
      { input: { store: 'm', attributes: JSON.parse(text) } },
      '($input: CreateGroupInput!)',
    );
    await run(
      gateway,
      'setAttributes(input: { store: "m", set: { big: 18446744073709551615 } }) { node { path } }',
    );
    const { text: result } = await execute(gateway, '{ store(name: "m") { group { attributes } } }');
    expect(result).toContain(
      '{"__proto__":1,"constructor":2,"n":"9007199254740993","big":"18446744073709551615"}',
    );
  });
});

describe('createArray', () => {
  test('accepts all options of a v3 array', async () => {
    const gateway = gatewayOf();
    const { made, failures } = await run(
      gateway,
      `createArray(input: {
        store: "m", path: "a", shape: [100, "60"], dtype: "float32", chunkShape: [10, 10], shardShape: [50, 30], fillValue: "NaN", order: F,
        codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "gzip", configuration: { level: 1 } }], dimensionNames: ["y", null],
        separator: DOT, attributes: { units: "K" }
      }) { array { zarrFormat shape chunkShape shardShape dtype { name } fillValue order dimensions { name chunkCount } codecs { name } attributes metadata chunk(index: [0, 0]) { key } } }`,
    );
    expect(failures).toEqual([]);
    const { metadata, ...fields } = made;
    expect(metadata['zarr.json'].codecs[0].configuration.codecs).toMatchObject([
      { name: 'transpose' },
      { name: 'bytes', configuration: { endian: 'big' } },
      { name: 'gzip', configuration: { level: 1 } },
    ]);
    expect(fields).toEqual({
      zarrFormat: 3,
      shape: [100, 60],
      chunkShape: [10, 10],
      shardShape: [50, 30],
      dtype: { name: 'float32' },
      fillValue: 'NaN',
      order: 'F',
      dimensions: [
        { name: 'y', chunkCount: 10 },
        { name: null, chunkCount: 6 },
      ],
      codecs: [{ name: 'sharding_indexed' }],
      attributes: { units: 'K' },
      chunk: { key: 'a/c.0.0' },
    });
  });

  test('accepts all options of a v2 array', async () => {
    const gateway = gatewayOf();
    const { made, failures } = await run(
      gateway,
      `createArray(input: {
        store: "m", path: "a", zarrFormat: 2, shape: [4, 6], dtype: ">i2", chunkShape: [2, 3], fillValue: -1, order: F,
        codecs: { compressor: { id: "zlib", level: 1 }, filters: [{ id: "delta", dtype: ">i2" }] }, dimensionNames: ["y", "x"], separator: SLASH
      }) { array { zarrFormat order fillValue attributes metadata dimensions { name } chunk(index: [1, 0]) { key } slice { values } } }`,
    );
    expect(failures).toEqual([]);
    expect(made).toMatchObject({
      zarrFormat: 2,
      order: 'F',
      fillValue: -1,
      attributes: { _ARRAY_DIMENSIONS: ['y', 'x'] },
      chunk: { key: 'a/1/0' },
    });
    expect(made.metadata['.zarray']).toMatchObject({
      dtype: '>i2',
      compressor: { id: 'zlib', level: 1 },
      filters: [{ id: 'delta', dtype: '>i2' }],
      dimension_separator: '/',
    });
    expect(made.slice.values[3]).toEqual([-1, -1, -1, -1, -1, -1]);
  });

  test('accepts data types in every notation, and rejects invalid ones', async () => {
    const gateway = gatewayOf();
    const names: [dtype: unknown, name: string, numpy: string | null][] = [
      ['float64', 'float64', '<f8'],
      ['<f8', 'float64', '<f8'],
      ['|S5', 'null_terminated_bytes', '|S5'],
      ['<M8[10ms]', 'numpy.datetime64', '<M8[10ms]'],
      [
        { name: 'numpy.timedelta64', configuration: { unit: 's', scale_factor: 1 } },
        'numpy.timedelta64',
        '<m8[s]',
      ],
      [
        [
          ['t', '<M8[s]'],
          ['w', '<f4'],
        ],
        'struct',
        null,
      ],
      ['string', 'string', null],
      ['r16', 'r16', '|V2'],
    ];
    for (const [i, [dtype, name, numpy]] of names.entries()) {
      const input = { store: 'm', path: `t${i}`, shape: [2], dtype };
      const { made, failures } = await run(
        gateway,
        'createArray(input: $input) { array { dtype { name numpy } } }',
        { input },
        '($input: CreateArrayInput!)',
      );
      expect(failures).toEqual([]);
      expect(made.dtype).toEqual({ name, numpy });
    }
    for (const dtype of ['"flaot32"', '7', '[]', '"<f3"', '{}', '""'])
      expect(
        await codeOf(
          gateway,
          `createArray(input: { store: "m", path: "x", shape: [1], dtype: ${dtype} }) { array { path } }`,
        ),
        dtype,
      ).toBe('BAD_INPUT');
  });

  test('default chunks have 256 KiB to 2 MiB and are compressed with zstd', async () => {
    const gateway = gatewayOf();
    const { made } = await run(
      gateway,
      'createArray(input: { store: "m", path: "a", shape: [4000, 5000], dtype: "float64" }) { array { chunkShape codecs { name } } }',
    );
    const bytes = made.chunkShape[0] * made.chunkShape[1] * 8;
    expect(bytes).toBeGreaterThan(2 ** 18);
    expect(bytes).toBeLessThanOrEqual(2 ** 21);
    expect(made.codecs).toEqual([{ name: 'bytes' }, { name: 'zstd' }]);
  });

  test.each([
    'shape: [-1], dtype: "int8"',
    'shape: ["9223372036854775807"], dtype: "int8"',
    'shape: [4], dtype: "int8", chunkShape: [2, 2]',
    'shape: [4], dtype: "int8", chunkShape: [0]',
    'shape: [4], dtype: "int8", chunkShape: [2], shardShape: [3]',
    'shape: [4], dtype: "int8", zarrFormat: 2, shardShape: [4]',
    'shape: [4], dtype: "int8", fillValue: 300',
    'shape: [4], dtype: "int8", codecs: { compressor: null }',
    'shape: [4], dtype: "int8", codecs: [{ name: "gzip" }]',
    'shape: [4], dtype: "int8", codecs: [{ name: "bytes" }, { name: "nope" }]',
    'shape: [4], dtype: "int8", dimensionNames: ["x", "y"]',
    'shape: [4], dtype: "int8", zarrFormat: 7',
  ])('%s is BAD_INPUT and creates nothing', async (more) => {
    const gateway = gatewayOf();
    expect(await codeOf(gateway, array('a', more))).toBe('BAD_INPUT');
    expect(
      (await execute(gateway, '{ store(name: "m") { search { nodes { path } } } }')).data.store.search.nodes,
    ).toEqual([]);
  });

  test('KEEP requires equal shape and data type; REPLACE deletes the chunks', async () => {
    const gateway = gatewayOf();
    await run(gateway, array('a'));
    await run(gateway, 'writeSlice(input: { store: "m", path: "a", values: 7 }) { chunksWritten }');
    expect((await run(gateway, array('a', 'shape: [4], dtype: "<i4", ifExists: KEEP'))).failures).toEqual([]);
    expect(await valuesOf(gateway, 'a')).toEqual([7, 7, 7, 7]);
    expect(await codeOf(gateway, array('a', 'shape: [5], dtype: "int32", ifExists: KEEP'))).toBe('CONFLICT');
    expect(await codeOf(gateway, array('a', 'shape: [4], dtype: "int64", ifExists: KEEP'))).toBe('CONFLICT');
    expect(await codeOf(gateway, array('a'))).toBe('ALREADY_EXISTS');
    await run(gateway, array('a', 'shape: [4], dtype: "int32", ifExists: REPLACE'));
    expect(await valuesOf(gateway, 'a')).toEqual([0, 0, 0, 0]);
  });
});
