import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/core/bytes/json.js';
import { parseJsonText } from '../../../server/core/bytes/parse-json.js';
import type { DataType, Element } from '../../../server/core/dtype/data-type.js';
import {
  parseFillV2,
  parseFillV3,
  printFillV2,
  printFillV3,
  zeroElement,
  isAllFill,
} from '../../../server/core/dtype/fill-value.js';
import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import { parseNumpyType, parseDataType } from '../../../server/core/dtype/notation.js';
import { MetadataError } from '../../../server/core/errors.js';
import { matrixArrays } from '../../conformance/matrix.js';

const hex = (element: object) =>
  'bytes' in element && element.bytes instanceof Uint8Array
    ? Buffer.from(element.bytes).toString('hex')
    : element;
const v3 = (dtype: JsonValue, fill: JsonValue) => hex(parseFillV3(fill, parseDataType(dtype)));
const v2 = (dtype: JsonValue, fill: JsonValue) => {
  const type = parseNumpyType(dtype);
  return hex(parseFillV2(fill, type.dtype, type.swaps));
};

describe('v3', () => {
  test.each<[JsonValue, JsonValue, string]>([
    ['float32', '0x7fc00001', '0100c07f'],
    ['float32', 'NaN', '0000c07f'],
    ['float16', '0x3c00', '003c'],
    ['float64', -0, '0000000000000080'],
    ['float64', '0xfff800000000dead', 'adde00000000f8ff'],
    ['float32', 2n ** 64n, '0000805f'],
    ['complex64', ['0x3f800000', 'NaN'], '0000803f0000c07f'],
    ['uint64', 2n ** 64n - 1n, 'ffffffffffffffff'],
    ['int64', '-9223372036854775808', '0000000000000080'],
    ['int32', 1, '01000000'],
    ['r16', [1, 255], '01ff'],
    [{ name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } }, 'NaT', '0000000000000080'],
    [{ name: 'null_terminated_bytes', configuration: { length_bytes: 3 } }, 'YWI=', '616200'],
    [{ name: 'fixed_length_utf32', configuration: { length_bytes: 8 } }, '😀', '00f6010000000000'],
  ])('%o %o', (dtype, fill, bytes) => expect(v3(dtype, fill)).toBe(bytes));

  test.each<[JsonValue, JsonValue]>([
    ['bool', 2],
    ['bool', 'true'],
    ['uint8', 256],
    ['uint8', -1],
    ['int8', -129],
    ['int32', 1.5],
    ['int32', true],
    ['float32', 'nan'],
    ['int32', 'abc'],
    ['int32', '1.5'],
    ['int32', NaN],
    ['int32', null],
    ['uint64', 2n ** 64n],
    ['float32', '0x7fc0'],
    ['float32', '0x7fc000000'],
    ['float32', '0xzzzzzzzz'],
    ['float32', '1.5'],
    ['float32', [1]],
    ['complex64', [1, 2, 3]],
    ['complex64', 1],
    ['r16', [1]],
    ['r16', [1, 256]],
    ['r16', 'AAA='],
    ['string', 1],
    ['bytes', 'not base64'],
    ['bytes', [300]],
    [{ name: 'fixed_length_utf32', configuration: { length_bytes: 4 } }, 'ab'],
    [{ name: 'raw_bytes', configuration: { length_bytes: 3 } }, 'AAA='],
    [{ name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } }, 2n ** 63n],
    [{ name: 'struct', configuration: { fields: [['a', 'int8']] } }, {}],
    [
      { name: 'struct', configuration: { fields: [['a', 'int8']] } },
      { a: 1, b: 2 },
    ],
    [{ name: 'struct', configuration: { fields: [['a', 'int8']] } }, 'AAA='],
  ])('%o %o is rejected', (dtype, fill) => expect(() => v3(dtype, fill)).toThrow(MetadataError));

  test('a missing fill value is rejected', () => {
    expect(() => parseFillV3(undefined, parseDataType('int8'))).toThrow(/missing/);
  });
});

describe('v2', () => {
  test.each<[JsonValue, JsonValue, string]>([
    ['<i4', null, '00000000'],
    ['<i4', 1.0, '01000000'],
    ['>i4', 1, '01000000'],
    ['<f4', NaN, '0000c07f'],
    ['<f8', '1.5', '000000000000f83f'],
    ['<f4', 'nan', '0000c07f'],
    ['<f8', '-inf', '000000000000f0ff'],
    ['|i1', true, '01'],
    ['<f4', false, '00000000'],
    ['<M8[s]', null, '0000000000000080'],
    ['>m8[25s]', null, '0000000000000080'],
    ['|b1', 1, '01'],
    ['<c8', 2, '0000004000000000'],
    ['|S3', 'YWI=', '616200'],
    ['|S3', 0, '000000'],
    ['|S3', '', '000000'],
    ['|S1', 'x', '78'],
    ['<U2', 0, '0000000000000000'],
    [[['a', '<i4'], ['b', '>f8']], 'AQAAAEAEAAAAAAAA', '010000000000000000000440'],
    [[['a', '<i4'], ['b', '>f8']], 0, '000000000000000000000000'],
  ])('%o %o', (dtype, fill, bytes) => expect(v2(dtype, fill)).toBe(bytes)); // prettier-ignore

  test.each<[JsonValue, JsonValue]>([
    ['<i4', 'abc'],
    ['|u1', 300],
    ['|b1', 2],
    ['|S1', 'xyz'],
    ['|S3', 'YWJjZA=='],
    ['|V2', 'AQ=='],
    ['<U2', 'abc'],
    ['<f4', '0x7fc00000'],
    [
      [
        ['a', '<i4'],
        ['b', '<i4'],
      ],
      'AAAA',
    ],
    [[['a', '<i4']], { a: 1 }],
  ])('%o %o is rejected', (dtype, fill) => {
    expect(() => v2(dtype, fill)).toThrow(MetadataError);
  });

  test.each<[DataType, unknown]>([
    [{ name: 'string', itemSize: null }, ''],
    [{ name: 'variable_length_bytes', itemSize: null }, new Uint8Array(0)],
    [{ name: 'json', itemSize: null }, null],
  ])('null for %j is the empty value', (dtype, item) =>
    expect(parseFillV2(null, dtype, [])).toEqual({ item }),
  );
});

describe('printed values are read back', () => {
  const rows = matrixArrays.filter(({ fill }) => typeof fill === 'string');
  const typed = rows.filter((row) => row.format === 3 || row.dtype !== '|O');
  const distinct = new Map(typed.map((row) => [JSON.stringify([row.dtype, row.fill_json]), row]));
  test.each([...distinct.entries()])('%s', (_, row) => {
    const dtypeJson = parseJsonText(JSON.stringify(row.dtype));
    const json = parseJsonText(row.fill_json ?? '');
    if (row.format === 3) {
      const dtype = parseDataType(dtypeJson);
      const fill = parseFillV3(json, dtype);
      expect(parseFillV3(printFillV3(fill, dtype), dtype)).toEqual(fill);
    } else {
      const { dtype, swaps } = parseNumpyType(dtypeJson);
      const fill = parseFillV2(json, dtype, swaps);
      expect(parseFillV2(printFillV2(fill, dtype, swaps), dtype, swaps)).toEqual(fill);
    }
  });

  test('in the form that other implementations write', () => {
    const print3 = (dtype: JsonValue, fill: JsonValue) =>
      printFillV3(parseFillV3(fill, parseDataType(dtype)), parseDataType(dtype));
    expect(print3('float32', 'NaN')).toBe('NaN');
    expect(print3('float32', '0x7fc00001')).toBe('0x7fc00001');
    expect(print3('uint64', 2n ** 64n - 1n)).toBe(2n ** 64n - 1n);
    expect(Object.is(print3('float64', -0), -0)).toBe(true);
    expect(print3('complex64', [1, '-Infinity'])).toEqual([1, '-Infinity']);
    expect(print3('bytes', [1, 2, 3])).toBe('AQID');
    expect(
      printFillV2(zeroElement({ name: 'string', itemSize: null }), { name: 'string', itemSize: null }, []),
    ).toBe('');
  });
});

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const elementOf = (array: ArrayBufferView): Element => ({ bytes: bytesOf(array) });

test.each<[string, ArrayBufferView, ArrayBufferView, boolean]>([
  ['int32', Int32Array.of(5, 5, 5), Int32Array.of(5), true],
  ['int32', Int32Array.of(5, 5, 6), Int32Array.of(5), false],
  ['int32', Int32Array.of(6, 5, 5), Int32Array.of(5), false],
  ['int32', new Int32Array(0), Int32Array.of(5), true],
  ['uint8', Uint8Array.of(1, 1, 1), Uint8Array.of(1), true],
  ['int16', Int16Array.of(1, 256), Int16Array.of(1), false],
  ['uint64', BigUint64Array.of(1n, 1n), BigUint64Array.of(1n), true],
  ['uint64', BigUint64Array.of(1n, 2n ** 40n), BigUint64Array.of(1n), false],
  ['float64', Float64Array.of(0, -0), Float64Array.of(0), false],
  ['float32', Float32Array.of(0, 0), Float32Array.of(0), true],
  ['float32', Uint32Array.of(0x7fc00000, 0x7fc00001, 0xff800001), Float32Array.of(NaN), true],
  ['float32', Uint32Array.of(0x7fc00000, 0x7f800000), Float32Array.of(NaN), false],
  ['float64', Float64Array.of(NaN, NaN), Float64Array.of(NaN), true],
  ['float64', Float64Array.of(NaN, Infinity), Float64Array.of(NaN), false],
  ['float16', Uint16Array.of(0x7e00, 0xfc01), Uint16Array.of(0x7e00), true],
  ['float16', Uint16Array.of(0x7e00, 0x7c00), Uint16Array.of(0x7e00), false],
  ['complex64', Float32Array.of(1, NaN, 1, NaN), Float32Array.of(1, NaN), true],
  ['complex64', Float32Array.of(1, NaN, 2, NaN), Float32Array.of(1, NaN), false],
  ['complex128', Float64Array.of(NaN, NaN), Float64Array.of(NaN, NaN), true],
])('%s %o with the fill value %o', (name, values, fill, result) => {
  const dtype = parseDataType(name);
  expect(isAllFill({ bytes: bytesOf(values) }, dtype, elementOf(fill))).toBe(result);
  // The same values at an odd address.
  const moved = new Uint8Array(values.byteLength + 1).subarray(1);
  moved.set(bytesOf(values));
  expect(isAllFill({ bytes: moved }, dtype, elementOf(fill))).toBe(result);
});

describe('structs', () => {
  const { dtype } = parseNumpyType([['n', '|u1'], ['x', '<f4', [2]]]); // prettier-ignore
  const item = (n: number, a: number, b: number) => Uint8Array.of(n, ...bytesOf(Float32Array.of(a, b)));

  test('NaN equals NaN at the same position only', () => {
    const fill = { bytes: item(1, NaN, 2) };
    expect(isAllFill({ bytes: Uint8Array.of(...item(1, NaN, 2), ...item(1, NaN, 2)) }, dtype, fill)).toBe(
      true,
    );
    expect(isAllFill({ bytes: item(2, NaN, 2) }, dtype, fill)).toBe(false);
    expect(isAllFill({ bytes: item(1, NaN, NaN) }, dtype, fill)).toBe(false);
    expect(isAllFill({ bytes: item(1, 3, 2) }, dtype, fill)).toBe(false);
  });

  test('elements of an odd size', () => {
    const fill = { bytes: item(1, 0, 2) };
    expect(isAllFill({ bytes: Uint8Array.of(...item(1, 0, 2), ...item(1, 0, 2)) }, dtype, fill)).toBe(true);
    expect(isAllFill({ bytes: Uint8Array.of(...item(1, 0, 2), ...item(1, 0, 3)) }, dtype, fill)).toBe(false);
  });
});

describe('values of variable length', () => {
  const string: DataType = { name: 'string', itemSize: null };
  test('text, bytes and objects are compared by value', () => {
    expect(isAllFill({ items: itemsOfValues(['', ''], string) }, string, zeroElement(string))).toBe(true);
    expect(isAllFill({ items: itemsOfValues(['', 'a'], string) }, string, zeroElement(string))).toBe(false);
    expect(isAllFill({ items: itemsOfValues([null], string) }, string, zeroElement(string))).toBe(false);
    const bytes: DataType = { name: 'variable_length_bytes', itemSize: null };
    expect(
      isAllFill({ items: itemsOfValues([Uint8Array.of(1)], bytes) }, bytes, { item: Uint8Array.of(1) }),
    ).toBe(true);
    expect(
      isAllFill({ items: itemsOfValues([Uint8Array.of(1)], bytes) }, bytes, { item: Uint8Array.of(2) }),
    ).toBe(false);
    const json: DataType = { name: 'json', itemSize: null };
    expect(
      isAllFill({ items: itemsOfValues([{ a: [1, NaN] }], json) }, json, { item: { a: [1, NaN] } }),
    ).toBe(true);
    expect(isAllFill({ items: itemsOfValues([{ a: [1] }], json) }, json, { item: { a: { 0: 1 } } })).toBe(
      false,
    );
  });
});
