import { itemsOfValues } from '../../../server/zarr/dtype/item-values.js';
import { describe, expect, test } from 'vitest';
import type { DataType, Element } from '../../../server/zarr/dtype/data-type.js';
import { isAllFill, zeroElement } from '../../../server/zarr/dtype/fill-value.js';
import { parseDataType } from '../../../server/zarr/dtype/parse-v3.js';
import { parseNumpyType } from '../../../server/zarr/dtype/parse-numpy.js';

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const one = (array: ArrayBufferView): Element => ({ bytes: bytesOf(array) });

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
  expect(isAllFill({ bytes: bytesOf(values) }, dtype, one(fill))).toBe(result);
  // At an odd address, too.
  const moved = new Uint8Array(values.byteLength + 1).subarray(1);
  moved.set(bytesOf(values));
  expect(isAllFill({ bytes: moved }, dtype, one(fill))).toBe(result);
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

  test('items of an odd size', () => {
    const fill = { bytes: item(1, 0, 2) };
    expect(isAllFill({ bytes: Uint8Array.of(...item(1, 0, 2), ...item(1, 0, 2)) }, dtype, fill)).toBe(true);
    expect(isAllFill({ bytes: Uint8Array.of(...item(1, 0, 2), ...item(1, 0, 3)) }, dtype, fill)).toBe(false);
  });
});

describe('values of variable length', () => {
  const string: DataType = { name: 'string', itemSize: null };
  test('text, bytes, objects', () => {
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
