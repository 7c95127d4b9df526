import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/core/bytes/json.js';
import { dataTypeName } from '../../../server/core/dtype/data-type.js';
import { swapsOf } from '../../../server/core/dtype/families.js';
import {
  parseNumpyType,
  parseDataType,
  numpyDescr,
  numpyTypestr,
  dataTypeJson,
} from '../../../server/core/dtype/notation.js';
import { MetadataError, UnsupportedError } from '../../../server/core/errors.js';

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
  ])('%s is read as %s, and its swaps are listed', (text, little, swaps) => {
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
    '%j is rejected',
    (text) => expect(() => parseNumpyType(text)).toThrow(MetadataError),
  ); // prettier-ignore

  test.each(['|O', '<f16', '<c32', '<f12', 'bfloat16', 'int4', 'uint4', 'float8_e4m3fn', 'float8_e5m2'])(
    '%s is an unknown data type',
    (text) => {
      expect(parseNumpyType(text).dtype).toEqual({ name: 'unknown', itemSize: null, given: text });
    },
  );

  test.each<[JsonValue]>([[null], [4], [{}], [true]])('%j is not a type', (json) =>
    expect(() => parseNumpyType(json)).toThrow(MetadataError),
  );
});

describe('structured types', () => {
  test('the examples of the v2 specification are parsed', () => {
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
  ])('%j is printed in little-endian, with its padding', (descr) => {
    const { dtype } = parseNumpyType(descr);
    if (dtype.name !== 'struct') throw new Error('expected a struct');
    expect(JSON.stringify(numpyDescr(dtype))).toBe(JSON.stringify(descr).replaceAll('>', '<'));
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
  ])('%j is rejected', (json) => expect(() => parseNumpyType(json)).toThrow(MetadataError)); // prettier-ignore

  test('nesting and the number of big-endian ranges are bounded', () => {
    let deep: JsonValue = '<i4';
    for (let i = 0; i < 1000; i++) deep = [['a', deep]];
    expect(() => parseNumpyType(deep)).toThrow(MetadataError);
    const many = [['a', [['x', '>i2'], ['y', '|u1']], [100_000]]]; // prettier-ignore
    expect(() => parseNumpyType(many)).toThrow(UnsupportedError);
  });
});

const sized = (name: string, length: number) => ({ name, configuration: { length_bytes: length } });
const time = (name: string, unit: string, scale: number) => ({
  name,
  configuration: { unit, scale_factor: scale },
});

test.each<[JsonValue, string]>([
  ['bool', 'bool'],
  ['int64', 'int64'],
  ['float16', 'float16'],
  ['complex128', 'complex128'],
  ['r16', 'r16'],
  ['string', 'string'],
  ['variable_length_bytes', 'variable_length_bytes'],
  [sized('fixed_length_utf32', 12), 'fixed_length_utf32'],
  [sized('null_terminated_bytes', 4), 'null_terminated_bytes'],
  [sized('raw_bytes', 3), 'raw_bytes'],
  [time('numpy.datetime64', 'ms', 10), 'numpy.datetime64'],
  [time('numpy.timedelta64', 'generic', 1), 'numpy.timedelta64'],
  [{ name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'int32' }, { name: 't', data_type: time('numpy.datetime64', 's', 1) }] } }, 'struct'],
])('%j round-trips', (json, name) => {
  const dtype = parseDataType(json);
  expect(dataTypeJson(dtype)).toEqual(json);
  expect(dataTypeName(dtype)).toBe(name);
}); // prettier-ignore

describe('other spellings', () => {
  test.each<[JsonValue, JsonValue]>([
    [{ name: 'int16' }, 'int16'],
    [{ name: 'int16', configuration: {} }, 'int16'],
    ['bytes', 'variable_length_bytes'],
    [time('numpy.datetime64', 'μs', 1), time('numpy.datetime64', 'us', 1)],
    [
      { name: 'structured', configuration: { fields: [['a', 'int32'], ['b', sized('raw_bytes', 2)]] } },
      { name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'int32' }, { name: 'b', data_type: sized('raw_bytes', 2) }] } },
    ],
  ])('%j is equal to %j', (json, other) => expect(parseDataType(json)).toEqual(parseDataType(other))); // prettier-ignore
});

describe('unknown types', () => {
  test.each<[JsonValue, string]>([
    ['int33', 'int33'],
    ['toString', 'toString'],
    [{ name: 'optional', configuration: { name: 'uint8' } }, 'optional'],
    ['r0', 'r0'],
  ])('%j', (json, given) => expect(parseDataType(json)).toEqual({ name: 'unknown', itemSize: null, given }));

  test('a struct with a field of an unknown type is unknown', () => {
    const json = { name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'bfloat16' }] } };
    expect(parseDataType(json).name).toBe('unknown');
  });
});

test.each<[JsonValue]>([
  [null],
  [3],
  [{}],
  [{ name: 3 }],
  [{ name: 'int16', configuration: 5 }],
  [{ name: 'int16', configuration: { bits: 16 } }],
  ['r12'],
  [sized('fixed_length_utf32', 10)],
  [sized('raw_bytes', -1)],
  [sized('raw_bytes', 1e12)],
  [{ name: 'raw_bytes' }],
  [time('numpy.datetime64', 'x', 1)],
  [time('numpy.datetime64', 's', 0)],
  [time('numpy.datetime64', 's', 1.5)],
  [{ name: 'struct', configuration: { fields: [] } }],
  [{ name: 'struct', configuration: { fields: [['a', 'int8'], ['a', 'int8']] } }],
  [{ name: 'struct', configuration: { fields: [{ name: 'a' }] } }],
])('%j is rejected', (json) => expect(() => parseDataType(json)).toThrow(MetadataError)); // prettier-ignore
