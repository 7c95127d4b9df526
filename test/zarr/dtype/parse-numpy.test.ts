import { describe, expect, test } from 'vitest';
import { swapsOf } from '../../../server/zarr/dtype/families.js';
import { numpyDescr, numpyTypestr } from '../../../server/zarr/dtype/names.js';
import { parseNumpyType } from '../../../server/zarr/dtype/parse-numpy.js';
import { MetadataError, UnsupportedError } from '../../../server/zarr/errors.js';
import type { JsonValue } from '../../../server/zarr/bytes/json.js';

describe('type strings', () => {
  test.each([
    '|b1', '|i1', '<i2', '<i4', '<i8', '|u1', '<u2', '<u4', '<u8', '<f2', '<f4', '<f8', '<c8', '<c16', '<M8', '<M8[ns]',
    '<M8[10ms]', '<m8[25s]', '<m8[as]', '|S12', '|S0', '<U4', '<U0', '|V10',
  ])('%s round-trips', (text) => {
    const { dtype, swaps } = parseNumpyType(text);
    expect(numpyTypestr(dtype)).toBe(text);
    expect(swaps).toEqual([]);
  }); // prettier-ignore

  test.each<[string, string, object[]]>([
    ['>i2', '<i2', [{ offset: 0, unit: 2, count: 1 }]],
    ['>f8', '<f8', [{ offset: 0, unit: 8, count: 1 }]],
    ['>c8', '<c8', [{ offset: 0, unit: 4, count: 2 }]],
    ['>c16', '<c16', [{ offset: 0, unit: 8, count: 2 }]],
    ['>U3', '<U3', [{ offset: 0, unit: 4, count: 3 }]],
    ['>M8[D]', '<M8[D]', [{ offset: 0, unit: 8, count: 1 }]],
    ['>S1', '|S1', []],
    ['>u1', '|u1', []],
    ['<b1', '|b1', []],
  ])('%s is %s with its bytes turned around', (text, little, swaps) => {
    const type = parseNumpyType(text);
    expect(numpyTypestr(type.dtype)).toBe(little);
    expect(type.swaps).toEqual(swaps);
    expect(swapsOf(type.dtype)).toEqual(swaps);
    if (swaps.length > 0) expect(numpyTypestr(type.dtype, '>')).toBe(text);
  });

  test('both micro signs are us', () => {
    expect(parseNumpyType('<M8[\u03bcs]')).toEqual(parseNumpyType('<M8[us]'));
    expect(parseNumpyType('<M8[\u00b5s]')).toEqual(parseNumpyType('<M8[us]'));
  });

  test.each(['i4', 'f8', '=i4', '|i4', '|f8', '|U3', '<x4', '<f', '<i3', '<b2', '<M8[xs]', '<M4[s]', '<M8[0s]', '<i4[s]', '<M8[]', '', '<', '<t4', '|S99999999999', '<U99999999'])(
    '%j is refused',
    (text) => expect(() => parseNumpyType(text)).toThrow(MetadataError),
  ); // prettier-ignore

  test.each(['|O', '<f16', '<c32', '<f12'])('%s is known to NumPy only', (text) => {
    expect(parseNumpyType(text).dtype).toEqual({ name: 'unknown', itemSize: null, given: text });
  });

  test.each<[JsonValue]>([[null], [4], [{}], [true]])('%j is not a type', (json) =>
    expect(() => parseNumpyType(json)).toThrow(MetadataError),
  );
});

describe('structured types', () => {
  test('the examples of the v2 specification', () => {
    expect(parseNumpyType([['r', '|u1'], ['g', '|u1'], ['b', '|u1']]).dtype).toMatchObject({ itemSize: 3 }); // prettier-ignore
    expect(parseNumpyType([['x', '<f4'], ['y', '<f4'], ['z', '<f4', [2, 2]]]).dtype).toMatchObject({
      itemSize: 24,
      fields: [{ offset: 0 }, { offset: 4 }, { name: 'z', offset: 8, shape: [2, 2] }],
    }); // prettier-ignore
    expect(parseNumpyType([['foo', '<f4'], ['bar', [['baz', '<f4'], ['qux', '<i4']]]]).dtype).toMatchObject({
      itemSize: 12,
      fields: [{ name: 'foo' }, { name: 'bar', offset: 4, dtype: { name: 'struct', fields: [{}, { name: 'qux', offset: 4 }] } }],
    }); // prettier-ignore
  });

  test.each<[JsonValue]>([
    [[['a', '<i4'], ['b', '>f8']]],
    [[['k', '>i2', [3]], ['l', '<u8']]],
    [[['p', [['x', '<i2'], ['y', '>i2']], [2]], ['q', '|S3']]],
    [[['a', '|u1'], ['', '|V3'], ['b', '>i4'], ['', '|V2']]],
    [[['z', '>c8', [2, 2]]]],
  ])('%j round-trips with byte order and padding', (descr) => {
    const { dtype, swaps } = parseNumpyType(descr);
    if (dtype.name !== 'struct') throw new Error('no struct');
    expect(numpyDescr(dtype, swaps)).toEqual(descr);
  }); // prettier-ignore

  test('big-endian ranges are listed by position, with neighbours merged', () => {
    const { swaps } = parseNumpyType([['n', '|u1'], ['a', '>f4'], ['b', '>f4', [2]], ['s', [['x', '>i2'], ['y', '<i2']], [2]]]); // prettier-ignore
    expect(swaps).toEqual([
      { offset: 1, unit: 4, count: 3 },
      { offset: 13, unit: 2, count: 1 },
      { offset: 17, unit: 2, count: 1 },
    ]);
  });

  test('padding is not a field', () => {
    const { dtype } = parseNumpyType([
      ['a', '|u1'],
      ['', '|V3'],
      ['b', '<i4'],
    ]);
    expect(dtype).toMatchObject({ itemSize: 8, fields: [{ name: 'a', offset: 0 }, { name: 'b', offset: 4 }] }); // prettier-ignore
  });

  test('a nested object makes the whole struct unknown', () => {
    expect(
      parseNumpyType([
        ['a', '|O'],
        ['b', '<i4'],
      ]).dtype.name,
    ).toBe('unknown');
  });

  test.each<[JsonValue]>([
    [[]],
    [[['a', '<i4'], ['a', '<i4']]],
    [[['a']]],
    [[['a', '<i4', [2], 1]]],
    [[['a', '<i4', [-1]]]],
    [[['a', '<i4', [1.5]]]],
    [[['a', '<i4', [100000, 100000]]]],
    [[[1, '<i4']]],
    [['a', '<i4']],
    [[['a', '<x9']]],
  ])('%j is refused', (json) => expect(() => parseNumpyType(json)).toThrow(MetadataError)); // prettier-ignore

  test('nesting and the number of parts are bounded', () => {
    let deep: JsonValue = '<i4';
    for (let i = 0; i < 1000; i++) deep = [['a', deep]];
    expect(() => parseNumpyType(deep)).toThrow(MetadataError);
    const many = [['a', [['x', '>i2'], ['y', '|u1']], [100_000]]]; // prettier-ignore
    expect(() => parseNumpyType(many)).toThrow(UnsupportedError);
  });
});
