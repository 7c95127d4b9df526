import { expect, test, describe } from 'vitest';
import { toDates, toText } from '../../client/index.js';
import { parseDataType } from '../../client/ndarray/data-type.js';
import { parseNumpyDescr } from '../../client/ndarray/parse-numpy-type.js';
import { createFromBytes } from '../../client/ndarray/from-bytes.js';
import { createFromJson, createFromLists } from '../../client/ndarray/from-items.js';
import { createFromWire } from '../../client/ndarray/from-cbor.js';
import type { VariableName } from '../../client/ndarray/layout.js';
import { TypedBytes, WireArray } from '../../wire/cbor/typed-arrays.js';
import type { ElementName } from '../../wire/data-types.js';

const create = (name: VariableName, shape: readonly number[], values: unknown) =>
  createFromLists({ name, shape, dimensions: [], values });

test('text has null for missing values', () => {
  const array = create(
    'string',
    [2, 2],
    [
      ['a', ''],
      [null, '\u{1f600}'],
    ],
  );
  expect(array).toMatchObject({ dtype: 'string', data: ['a', '', null, '\u{1f600}'], bytes: undefined });
  expect(array.get(1, 0)).toBeNull();
  expect(array.toNested()).toEqual([
    ['a', ''],
    [null, '\u{1f600}'],
  ]);
});

test('byte strings are Uint8Arrays', () => {
  expect(create('variable_length_bytes', [3], ['', 'AAE=', null]).data).toEqual([
    new Uint8Array(0),
    Uint8Array.of(0, 1),
    null,
  ]);
});

test('JSON values can be lists', () => {
  expect(create('json', [2], [[1, 2], { a: [] }]).data).toEqual([[1, 2], { a: [] }]);
});

test('a single value is not nested', () => {
  expect(create('string', [], 'a').get()).toBe('a');
});

test.each([
  ['string', [2], ['a']],
  ['string', [1, 1], ['a']],
  ['string', [1], [1]],
  ['string', [1], null],
  ['variable_length_bytes', [1], ['no base64!']],
] as const)('rejects %s of shape %j in %j', (name, shape, values) => {
  expect(() => create(name, shape, values)).toThrow(/malformed values in the response/);
});

// CBOR values that match the data type from the gateway, and values that do not.

const int32 = { name: 'int32', kind: 'INTEGER', numpy: '<i4', itemSize: 4 };
const read = (dtype: unknown, values: unknown) =>
  createFromWire({ type: parseDataType(dtype), values, dimensions: [] });

function typed(element: ElementName, shape: readonly number[], data: ArrayBufferView, offset = 0): WireArray {
  const bytes = new Uint8Array(data.byteLength + offset);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
  return new WireArray(shape, new TypedBytes(element, bytes.subarray(offset)));
}

test.each([0, 1, 3, 8])('a typed array is read at any offset (%i)', (offset) => {
  const array = read(int32, typed('int32', [3], Int32Array.of(1, -2, 3), offset));
  expect(array.data).toEqual(Int32Array.of(1, -2, 3));
});

test('missing values are reported in the mask', () => {
  const array = read(int32, new WireArray([3], [1, null, 3]));
  expect(array.data).toEqual(Int32Array.of(1, 0, 3));
  expect(array.mask).toEqual(Uint8Array.of(0, 1, 0));
  expect([...array]).toEqual([1, Number.NaN, 3]);
  const long = read({ name: 'int64', kind: 'INTEGER', numpy: '<i8', itemSize: 8 }, new WireArray([2], [2n ** 60n, null])); // prettier-ignore
  expect(long.get(0)).toBe(2n ** 60n);
  expect(() => long.get(1)).toThrow(/position 1 is missing/);
  const text = read({ name: 'fixed_length_utf32', kind: 'STRING', numpy: '<U1', itemSize: 4 }, new WireArray([2], ['a', null])); // prettier-ignore
  expect(text.mask).toEqual(Uint8Array.of(0, 1));
  expect(() => text.get(1)).toThrow(/missing/);
});

test('structs are read, including fields that are arrays', () => {
  const dtype = { name: 'struct', kind: 'STRUCT', numpy: null, itemSize: 8, fields: [
    { name: 'a', shape: [], dtype: { name: 'int16', kind: 'INTEGER', numpy: '<i2', itemSize: 2 } },
    { name: 'b', shape: [3], dtype: { name: 'bool', kind: 'BOOLEAN', numpy: '|b1', itemSize: 1 } },
  ] }; // prettier-ignore
  const array = read(dtype, {
    a: typed('int16', [2], Int16Array.of(1, 2)),
    b: typed('uint8', [2, 3], Uint8Array.of(1, 0, 1, 0, 0, 1)),
  });
  expect([...array]).toEqual([{ a: 1, b: [true, false, true] }, { a: 2, b: [false, false, true] }]); // prettier-ignore
  expect(array.bytes).toEqual(Uint8Array.of(1, 0, 1, 0, 1, 2, 0, 0, 0, 1));
  expect(() => read(dtype, { a: typed('int16', [2], Int16Array.of(1, 2)) })).toThrow(/not an array/);
});

test.each([
  ['another type', typed('uint32', [1], Int32Array.of(1))],
  ['too few bytes', typed('int32', [2], Int32Array.of(1))],
  ['too few values', new WireArray([2], [1])],
  ['a value of another type', new WireArray([1], ['a'])],
  ['a plain list', [1]],
  ['an invalid shape', new WireArray([-1], [])],
])('%s is BAD_RESPONSE', (_what, values) => {
  expect(() => read(int32, values)).toThrow(expect.objectContaining({ code: 'BAD_RESPONSE' }));
});

test.each([
  ['|b1', 'bool', 1], ['|i1', 'int8', 1], ['<i2', 'int16', 2], ['<i4', 'int32', 4], ['<i8', 'int64', 8],
  ['|u1', 'uint8', 1], ['<u2', 'uint16', 2], ['<u4', 'uint32', 4], ['<u8', 'uint64', 8],
  ['<f2', 'float16', 2], ['<f4', 'float32', 4], ['<f8', 'float64', 8], ['<c8', 'complex64', 8],
  ['<c16', 'complex128', 16], ['|S3', 'null_terminated_bytes', 3], ['|S0', 'null_terminated_bytes', 0],
  ['<U2', 'fixed_length_utf32', 8], ['|V5', 'raw_bytes', 5],
])('%s is %s of %i bytes', (text, name, itemSize) => {
  expect(parseNumpyDescr(text)).toEqual({ name, itemSize });
}); // prettier-ignore

test.each([
  ['<M8[ns]', 'numpy.datetime64', 'ns', 1],
  ['<M8[10ms]', 'numpy.datetime64', 'ms', 10],
  ['<m8[D]', 'numpy.timedelta64', 'D', 1],
  ['<M8', 'numpy.datetime64', 'generic', 1],
])('%s has unit and scale', (text, name, unit, scale) => {
  expect(parseNumpyDescr(text)).toEqual({ name, itemSize: 8, unit, scale });
});

test('a struct has packed fields, sub-arrays and nested structs', () => {
  expect(parseNumpyDescr('[["a","|i1"],["b","<f8",[2,3]],["c",[["x","<M8[s]"],["y","|S2"]]]]')).toEqual({
    name: 'struct',
    itemSize: 1 + 48 + 10,
    fields: [
      { name: 'a', offset: 0, shape: [], layout: { name: 'int8', itemSize: 1 } },
      { name: 'b', offset: 1, shape: [2, 3], layout: { name: 'float64', itemSize: 8 } },
      {
        name: 'c',
        offset: 49,
        shape: [],
        layout: {
          name: 'struct',
          itemSize: 10,
          fields: [
            {
              name: 'x',
              offset: 0,
              shape: [],
              layout: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
            },
            { name: 'y', offset: 8, shape: [], layout: { name: 'null_terminated_bytes', itemSize: 2 } },
          ],
        },
      },
    ],
  });
});

describe('rejects', () => {
  test.each([
    ['big-endian', '>f4'], ['no typestr', 'float32'], ['empty', ''], ['an invalid size', '<f3'],
    ['objects', '|O8'], ['unknown units', '<M8[parsecs]'], ['a unit on a number', '<f4[ns]'], ['broken JSON', '['],
    ['a field without a type', '[["a"]]'], ['an invalid shape', '[["a","<f4",[-1]]]'], ['text as list', '["a"]'],
    ['depth', `${'[["a",'.repeat(40)}"<f4"${']]'.repeat(40)}`],
  ])('%s', (_what, text) => {
    expect(() => parseNumpyDescr(text)).toThrow(/unknown data type/);
  }); // prettier-ignore
});

function times(typestr: string, ...counts: bigint[]) {
  const bytes = new Uint8Array(BigInt64Array.from(counts).buffer);
  const array = createFromBytes({
    layout: parseNumpyDescr(typestr),
    shape: [counts.length],
    dimensions: [],
    bytes,
  });
  if (!array.is('numpy.datetime64')) throw new Error(array.dtype);
  return toDates(array).map((date) => date?.toISOString() ?? null);
}

/** As printed by numpy.datetime64(count, unit), rounded down to milliseconds. */
test.each([
  ['<M8[Y]', 31n, '2001-01-01T00:00:00.000Z'],
  ['<M8[Y]', -1900n, '0070-01-01T00:00:00.000Z'],
  ['<M8[M]', 374n, '2001-03-01T00:00:00.000Z'],
  ['<M8[W]', 1n, '1970-01-08T00:00:00.000Z'],
  ['<M8[D]', 11382n, '2001-03-01T00:00:00.000Z'],
  ['<M8[h]', -1n, '1969-12-31T23:00:00.000Z'],
  ['<M8[m]', 1n, '1970-01-01T00:01:00.000Z'],
  ['<M8[s]', 983404800n, '2001-03-01T00:00:00.000Z'],
  ['<M8[10ms]', 3n, '1970-01-01T00:00:00.030Z'],
  ['<M8[ps]', -1n, '1969-12-31T23:59:59.999Z'],
  ['<M8[us]', -1n, '1969-12-31T23:59:59.999Z'],
  ['<M8[ns]', 983404800123456789n, '2001-03-01T00:00:00.123Z'],
])('%s %d is %s', (typestr, count, iso) => {
  expect(times(typestr, count, -(2n ** 63n))).toEqual([iso, null]);
});

test.each([
  ['<M8[s]', 2n ** 62n, /beyond the range/],
  ['<M8[Y]', 300_000n, /beyond the range/],
  ['<M8', 1n, /unit generic cannot be converted to Date/],
])('%s %d is rejected', (typestr, count, message) => {
  expect(() => times(typestr, count)).toThrow(message);
});

test('byte strings convert to text in UTF-8 or Latin-1', () => {
  const bytes = Uint8Array.of(0xc3, 0xa9, 0, 0xe9, 0, 0);
  const array = createFromBytes({ layout: parseNumpyDescr('|S3'), shape: [2], dimensions: [], bytes });
  if (!array.is('null_terminated_bytes')) throw new Error(array.dtype);
  expect(toText(array)).toEqual(['\u00e9', '\ufffd']);
  expect(toText(array, 'latin1')).toEqual(['\u00c3\u00a9', '\u00e9']);
});

test.each([
  ['<M8[D]', 11016n, '2000-02-29T00:00:00'],
  ['<M8[M]', -1n, '1969-12-01T00:00:00'],
  ['<M8[s]', 983682367n, '2001-03-04T05:06:07'],
  ['<M8[10ms]', 98368236712n, '2001-03-04T05:06:07.120'],
  ['<M8[ns]', 983682367000000008n, '2001-03-04T05:06:07.000000008'],
  ['<M8[us]', -1n, '1969-12-31T23:59:59.999999'],
  ['<M8', 5n, '5'],
  ['<m8[s]', -5n, '-5'],
])('%s %d is %s in JSON, and NaT is null', (typestr, count, text) => {
  const bytes = new Uint8Array(BigInt64Array.of(count, -(2n ** 63n)).buffer);
  const layout = parseNumpyDescr(typestr);
  const array = createFromBytes({ layout, shape: [2], dimensions: [], bytes });
  expect(JSON.stringify(array)).toBe(JSON.stringify([text, null]));
});

test('complex numbers and halves are read from JSON lists; a missing complex number is NaN', () => {
  const read = (numpy: string, kind: string, itemSize: number, values: readonly unknown[]) =>
    createFromJson({
      type: parseDataType({ name: parseNumpyDescr(numpy)?.name ?? '', kind, numpy, itemSize, unit: null }),
      shape: [values.length],
      values,
      dimensions: ['x'],
    });
  const complex = read('<c8', 'COMPLEX', 8, [[1.5, -2], null, ['NaN', 'Infinity']]);
  expect([...complex]).toEqual([[1.5, -2], [NaN, NaN], [NaN, Infinity]]); // prettier-ignore
  expect(complex.bytes).toHaveLength(24);
  const halves = read('<f2', 'FLOAT', 2, [0.5, '-Infinity', 65504]);
  expect([...halves]).toEqual([0.5, -Infinity, 65504]);
  expect(halves.bytes).toEqual(new Uint8Array(Uint16Array.of(0x3800, 0xfc00, 0x7bff).buffer));
  expect(() => read('<c8', 'COMPLEX', 8, [[1, null]])).toThrow('malformed');
});
