import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/zarr/bytes/json.js';
import { dataTypeName } from '../../../server/zarr/dtype/data-type.js';
import { dataTypeJson } from '../../../server/zarr/dtype/names.js';
import { parseDataType } from '../../../server/zarr/dtype/parse-v3.js';
import { MetadataError } from '../../../server/zarr/errors.js';

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
  ])('%j', (json, other) => expect(parseDataType(json)).toEqual(parseDataType(other))); // prettier-ignore
});

describe('unknown types', () => {
  test.each<[JsonValue, string]>([
    ['int33', 'int33'],
    ['toString', 'toString'],
    [{ name: 'optional', configuration: { name: 'uint8' } }, 'optional'],
    ['r0', 'r0'],
  ])('%j', (json, given) => expect(parseDataType(json)).toEqual({ name: 'unknown', itemSize: null, given }));

  test('a struct with one of them', () => {
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
])('%j is refused', (json) => expect(() => parseDataType(json)).toThrow(MetadataError)); // prettier-ignore
