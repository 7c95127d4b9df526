import { describe, expect, test } from 'vitest';
import { netcdfFile } from '../../../server/transport/netcdf/netcdf.js';
import { printHeader } from '../../../server/transport/netcdf/header.js';
import { ncName } from '../../../server/transport/netcdf/names.js';
import { blockSlice, type Block } from '../../../server/zarr/index.js';
import { bytesOf, readOf } from '../sets/random-sets.js';

test('names are allowed, and different in their kind', () => {
  const name = ncName();
  expect(name('v a', 'a/b')).toBe('a_b');
  expect(name('v b', 'a_b')).toBe('a_b_2');
  expect(name('v a', 'a/b')).toBe('a_b');
  expect(name('d a', 'a/b')).toBe('a_b');
  expect(name('v c', ' x ')).toBe('_x');
  expect(name('v d', '\u0000')).toBe('_');
  expect(name('v e', '')).toBe('__2');
});

describe('the header', () => {
  const x = { name: 'x', size: 3 };

  test('is CDF-2 with the positions and padding of all variables', () => {
    const variables = [
      { name: 'a', type: 'byte', dimensions: [x], attributes: { units: 'K' } },
      { name: 'b', type: 'short', dimensions: [x], attributes: {} },
    ] as const;
    const { header, paddings } = printHeader([x], {}, variables);
    expect(header.subarray(0, 4)).toEqual(Buffer.from('CDF\x02', 'latin1'));
    expect(paddings).toEqual([1, 2]);
    // The position of each variable is the last number of its entry.
    expect(Number(header.readBigUInt64BE(header.length - 8))).toBe(header.length + 4);
  });

  test('is CDF-5 for types and sizes that need it', () => {
    const isWide = (type: 'ubyte' | 'double', size: number): boolean => {
      const dimension = { name: 'x', size };
      const { header } = printHeader([dimension], {}, [
        { name: 'a', type, dimensions: [dimension], attributes: {} },
      ]);
      return header[3] === 5;
    };
    expect([
      isWide('ubyte', 1),
      isWide('double', 1),
      isWide('double', 2 ** 29),
      isWide('double', 2 ** 31),
    ]).toEqual([true, false, true, true]);
  });
});

const doubles = (values: number[]): Block => ({ dtype: { name: 'float64', itemSize: 8 }, shape: [values.length], bytes: new Uint8Array(Float64Array.from(values).buffer) }); // prettier-ignore

test('text is refused as data, where its length is not known in advance', () => {
  const items = { starts: new Uint32Array(1), lengths: new Uint32Array(1), bytes: new Uint8Array(0) };
  const slice = blockSlice({ dtype: { name: 'string', itemSize: null }, shape: [1], items }, {});
  const set = {
    variables: [{ name: 't', slice, dimensions: ['x'], attributes: {} }],
    coordinates: [],
    attributes: {},
  };
  expect(() => netcdfFile.open(set, {})).toThrow(/"t" has texts/);
});

test('dimensions of one name and two sizes are refused', () => {
  const variable = (name: string, length: number) => ({ name, slice: blockSlice(doubles(Array.from({ length }, () => 1)), {}), dimensions: ['x'], attributes: {} }); // prettier-ignore
  expect(() => netcdfFile.open({ variables: [variable('a', 1), variable('b', 2)], coordinates: [], attributes: {} }, {})).toThrow(/different sizes/); // prettier-ignore
});

test('attributes have the type of their values, and fill values that of the variable', async () => {
  const attributes = {
    text: 'é',
    int: 1,
    list: [1.5, 2],
    json: { a: [true] },
    none: null,
    _FillValue: 7,
    'a/b': 1,
  };
  const set = {
    variables: [{ name: 'v', slice: blockSlice(doubles([1]), {}), dimensions: ['x'], attributes }],
    coordinates: [],
    attributes: {},
  };
  const bytes = await bytesOf(netcdfFile.open(set, {}).pieces(readOf));
  expect(bytes.includes(Buffer.from('{"a":[true]}'))).toBe(true);
  expect(bytes.includes(Buffer.from('none'))).toBe(false);
  expect(bytes.includes(Buffer.from('a_b'))).toBe(true);
  expect(bytes.readDoubleBE(bytes.length - 8)).toBe(1);
});

test('text of a coordinate is padded; a missing one is refused', async () => {
  const texts = (lengths: number[]): Block => {
    const starts = Uint32Array.of(0, 1);
    return { dtype: { name: 'string', itemSize: null }, shape: [2], items: { starts, lengths: Uint32Array.from(lengths), bytes: Buffer.from('abc') } }; // prettier-ignore
  };
  const fileOf = (lengths: number[]): Promise<Buffer> => {
    const coordinate = {
      name: 'x',
      slice: blockSlice(texts(lengths), {}),
      dimensions: ['x'],
      attributes: {},
    };
    const variables = [
      { name: 'v', slice: blockSlice(doubles([1, 2]), {}), dimensions: ['x'], attributes: {} },
    ];
    return bytesOf(
      netcdfFile.open({ variables, coordinates: [coordinate], attributes: {} }, {}).pieces(readOf),
    );
  };
  expect((await fileOf([1, 2])).includes(Buffer.from('a\0bc'))).toBe(true);
  await expect(fileOf([1, 0xffffffff])).rejects.toThrow(/"x" has missing texts/);
});
