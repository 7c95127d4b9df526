/** CBOR values that match the data type from the gateway, and values that do not. */
import { expect, test } from 'vitest';
import { TypedBytes, WireArray } from '../../../wire/cbor/wire-array.js';
import type { ElementName } from '../../../wire/data-types.js';
import { parseDataType } from '../../../client/ndarray/data-type.js';
import { createFromWire } from '../../../client/ndarray/from-wire.js';

const int32 = { name: 'int32', kind: 'INTEGER', numpy: '<i4', itemSize: 4 };
const read = (dtype: unknown, values: unknown) =>
  createFromWire({ type: parseDataType(dtype), values, dimensions: [] });

function typed(element: ElementName, shape: readonly number[], data: ArrayBufferView, offset = 0): WireArray {
  const bytes = new Uint8Array(data.byteLength + offset);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
  return new WireArray(shape, new TypedBytes(element, bytes.subarray(offset)));
}

test.each([0, 1, 3, 8])('at any offset (%i)', (offset) => {
  const array = read(int32, typed('int32', [3], Int32Array.of(1, -2, 3), offset));
  expect(array.data).toEqual(Int32Array.of(1, -2, 3));
});

test('missing values', () => {
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

test('a struct, with a field that is an array', () => {
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
  ['no grid at all', [1]],
  ['an invalid shape', new WireArray([-1], [])],
])('%s is BAD_RESPONSE', (_what, values) => {
  expect(() => read(int32, values)).toThrow(expect.objectContaining({ code: 'BAD_RESPONSE' }));
});
