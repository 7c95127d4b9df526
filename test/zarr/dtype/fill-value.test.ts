import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/zarr/bytes/json.js';
import { parseJsonText } from '../../../server/zarr/bytes/parse-json.js';
import type { DataType } from '../../../server/zarr/dtype/data-type.js';
import {
  parseFillV2,
  parseFillV3,
  printFillV2,
  printFillV3,
  zeroElement,
} from '../../../server/zarr/dtype/fill-value.js';
import { parseNumpyType } from '../../../server/zarr/dtype/parse-numpy.js';
import { parseDataType } from '../../../server/zarr/dtype/parse-v3.js';
import { MetadataError } from '../../../server/zarr/errors.js';
import { matrix, readLines } from '../metadata/fixture-documents.js';

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
    ['float32', 'nan'],
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
  ])('%o %o is refused', (dtype, fill) => expect(() => v3(dtype, fill)).toThrow(MetadataError));

  test('a missing one is refused', () => {
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
  ])('%o %o is refused', (dtype, fill) => {
    if (typeof fill === 'object') return expect(() => v2(dtype, [])).toThrow(MetadataError);
    return expect(() => v2(dtype, fill)).toThrow(MetadataError);
  });

  test.each<[DataType, unknown]>([
    [{ name: 'string', itemSize: null }, ''],
    [{ name: 'variable_length_bytes', itemSize: null }, new Uint8Array(0)],
    [{ name: 'json', itemSize: null }, null],
  ])('null for %j', (dtype, item) => expect(parseFillV2(null, dtype, [])).toEqual({ item }));
});

describe('printed values are read back', () => {
  const rows = readLines(new URL('cases.jsonl', matrix)).filter((row) => typeof row['fill'] === 'string');
  const typed = rows.filter((row) => row['format'] === 3 || row['dtype'] !== '|O');
  const distinct = new Map(typed.map((row) => [JSON.stringify([row['dtype'], row['fill_json']]), row]));
  test.each([...distinct.entries()])('%s', (_, row) => {
    const dtypeJson = parseJsonText(JSON.stringify(row['dtype']));
    const json = parseJsonText(String(row['fill_json']));
    if (row['format'] === 3) {
      const dtype = parseDataType(dtypeJson);
      const fill = parseFillV3(json, dtype);
      expect(parseFillV3(printFillV3(fill, dtype), dtype)).toEqual(fill);
    } else {
      const { dtype, swaps } = parseNumpyType(dtypeJson);
      const fill = parseFillV2(json, dtype, swaps);
      expect(parseFillV2(printFillV2(fill, dtype, swaps), dtype, swaps)).toEqual(fill);
    }
  });

  test('in the form of other writers', () => {
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
