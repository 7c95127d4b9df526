/** Caller-provided values compared with the bytes that NumPy writes for them. */
import { describe, expect, test } from 'vitest';
import { InputError, blockOfValues, toTypedArray, type DataType } from '../../../server/zarr/index.js';
import { parseRequestedType } from '../../../server/format/metadata/requested-type.js';

function typeOf(text: unknown): DataType {
  return parseRequestedType(text as string).dtype;
}

function hex(values: unknown, type: unknown, rank = 1): string {
  const block = blockOfValues(values, typeOf(type), rank);
  return 'bytes' in block ? Buffer.from(block.bytes).toString('hex') : 'items';
}

describe('blockOfValues', () => {
  test.each([
    ['|b1', [true, false, 1, 0], '01000100'],
    ['|i1', [-128, 127, '5', 3n], '807f0503'],
    ['<u2', [65535, true], 'ffff0100'],
    ['<i8', ['-9223372036854775808', 9007199254740991], '0000000000000080ffffffffffff1f00'],
    ['<u8', [2n ** 64n - 1n], 'ffffffffffffffff'],
    ['<f2', [65504, -0, 1e-8, 'Infinity'], 'ff7b00800000007c'],
    ['<f4', [0.1, '-Infinity', 'NaN'], 'cdcccc3d000080ff0000c07f'],
    ['<f8', [2n ** 60n, -0], '000000000000b0430000000000000080'],
    ['<c8', [[1, -0]], '0000803f00000080'],
    ['<M8[s]', ['1970-01-02T00:00:01', null, 7, 'NaT', new Date(1000)], '8151010000000000' + '0000000000000080' + '0700000000000000' + '0000000000000080' + '0100000000000000'],
    ['<m8[10ms]', [-1, '12', null], 'ffffffffffffffff' + '0c00000000000000' + '0000000000000080'],
    ['|S4', ['ab', 'ö', Uint8Array.of(255, 0, 1)], '61620000' + 'c3b60000' + 'ff000100'],
    ['<U2', ['a', '\u{1f600}'], '6100000000000000' + '00f6010000000000'],
    ['|V2', ['AQI=', Uint8Array.of(3, 4)], '01020304'],
  ])('%s', (type, values, expected) => {
    expect(hex(values, type)).toBe(expected);
  }); // prettier-ignore

  test.each<[string, unknown, RegExp]>([
    ['|i1', [1, 128], /\[1\] is 128.*-128 to 127/],
    ['|i1', [1.5], /1\.5/],
    ['|u1', [-1], /-1/],
    ['<i4', ['x'], /"x"/],
    ['<i4', [null], /null/],
    ['<i8', [2 ** 53], /a bigint or decimal digits, because/],
    ['<u8', [-1], /is -1; expected an integer in the range of uint64/],
    ['<f4', [1e39], /range of float32/],
    ['<f2', [65520], /range of float16/],
    ['<f8', ['1.5'], /"1\.5"/],
    ['<f8', [null], /null/],
    ['|b1', [2], /true or false/],
    ['|S2', ['abc'], /at most 2 bytes/],
    ['|S2', ['\ud800'], /surrogate/],
    ['<U2', ['abc'], /at most 2 characters/],
    ['|V2', ['AQ=='], /2 bytes/],
    ['<M8[D]', ['2001-01-01T12:00'], /whole count of D/],
    ['<M8[D]', ['yesterday'], /date/],
    ['<c8', [1, 2, 3], /complex numbers as \[re, im\]/],
    ['<i4', [[1, 2], [3]], /\[1\] has 1 values/],
    ['<i4', [[1, 2], 3], /\[1\] is not a list/],
    ['<i4', [1, [2]], /\[1\] is a list/],
  ])('%s rejects %j', (type, values, message) => {
    const make = (): unknown => blockOfValues(values, typeOf(type), 1);
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });

  test('shapes of nested lists, typed arrays and flat lists with a shape', () => {
    const shapeOf = (values: unknown, type = '<i4'): readonly number[] => blockOfValues(values, typeOf(type), 2).shape;
    expect(shapeOf(5)).toEqual([]);
    expect(shapeOf([[1, 2, 3], [4, 5, 6]])).toEqual([2, 3]);
    expect(shapeOf([Int16Array.of(1, 2), [3, 4]])).toEqual([2, 2]);
    expect(shapeOf([[], []])).toEqual([2, 0]);
    expect(shapeOf({ shape: [2, 1], data: [1, 2] })).toEqual([2, 1]);
    expect(shapeOf([[[1, 2]], [[3, 4]]], '<c8')).toEqual([2, 1]);
    expect(shapeOf(3, '<c8')).toEqual([]);
    expect(shapeOf({ shape: [2], data: Float32Array.of(1, 2, 3, 4) }, '<c8')).toEqual([2]);
    expect(() => shapeOf({ shape: [3], data: [1, 2] })).toThrow(/2 values/);
  }); // prettier-ignore

  test('structs can be given by columns or by records', () => {
    const dtype = typeOf([['a', '<i2'], ['b', '|u1', [2]]]); // prettier-ignore
    const columns = blockOfValues({ a: [1, 2], b: [[3, 4], [5, 6]] }, dtype, 1); // prettier-ignore
    const records = blockOfValues([{ a: 1, b: [3, 4] }, { a: 2, b: [5, 6] }], dtype, 1); // prettier-ignore
    expect(columns).toEqual(records);
    expect('bytes' in columns && [...columns.bytes]).toEqual([1, 0, 3, 4, 2, 0, 5, 6]);
    expect(blockOfValues({ a: 1, b: [[3, 4], [5, 6]] }, dtype, 1).shape).toEqual([2]); // prettier-ignore
    expect(() => blockOfValues({ a: [1] }, dtype, 1)).toThrow(/lacks the field "b"/);
    expect(() => blockOfValues([{ a: 1, b: [1, 2], c: 0 }], dtype, 1)).toThrow(/"c"/);
    expect(() => blockOfValues({ a: [1], b: [[1, 2, 3]] }, dtype, 1)).toThrow(/"b"/);
    expect(() => blockOfValues([{ a: 70000, b: [1, 2] }], dtype, 1)).toThrow(/field "a"/);
  });

  test('blocks of other types are cast if nothing is lost', () => {
    const block = (type: string, values: unknown) => blockOfValues(values, typeOf(type), 1);
    const cast = (type: string, values: unknown, to: string) => [...toTypedArray(blockOfValues(block(type, values), typeOf(to), 1))]; // prettier-ignore
    expect(cast('<f8', [1, -2], '<i4')).toEqual([1, -2]);
    expect(cast('<f8', [2 ** 60], '<i8')).toEqual([2n ** 60n]);
    expect(cast('<i8', [5], '<f4')).toEqual([5]);
    expect(cast('<f4', [1.5], '<c16')).toEqual([1.5, 0]);
    expect(cast('|S2', ['ab'], '|S4')).toEqual([Uint8Array.of(97, 98)]);
    expect(cast('<M8[s]', ['2001-01-01T00:00:00', null], '<M8[ns]')).toEqual([
      978307200000000000n,
      -(2n ** 63n),
    ]);
    expect(() => cast('<f8', [1.5], '<i4')).toThrow(InputError);
    expect(() => cast('<f8', [NaN], '<i8')).toThrow(InputError);
    expect(() => cast('<M8[s]', [1], '<M8[D]')).toThrow(InputError);
    expect(() => cast('<M8[s]', [1], '<i8')).toThrow(/cannot be written as int64/);
    expect(() => cast('<c8', [[1, 0]], '<f8')).toThrow(/cannot be written as float64/);
  });

  test('a block of the same type is used unchanged, bit for bit', () => {
    const bytes = Uint8Array.of(1, 0, 0xa0, 0x7f);
    const block = { dtype: { name: 'float32', itemSize: 4 }, shape: [1], bytes } as const;
    expect(blockOfValues(block, typeOf('<f4'), 1)).toBe(block);
    expect(() => blockOfValues({ ...block, shape: [2] }, typeOf('<f4'), 1)).toThrow(/float32 require 8/);
  });
});

test('a typed array of the same type keeps the payload of NaN', () => {
  const nan = new Float32Array(Uint32Array.of(0x7fa00001).buffer);
  const block = blockOfValues({ shape: [1], data: nan }, { name: 'float32', itemSize: 4 }, 1);
  expect('bytes' in block && [...block.bytes]).toEqual([0x01, 0x00, 0xa0, 0x7f]);
});
