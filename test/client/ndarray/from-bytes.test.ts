import { describe, expect, test } from 'vitest';
import { createFromBytes } from '../../../client/ndarray/from-bytes.js';
import { parseNumpyDescr } from '../../../client/ndarray/parse-numpy-type.js';
import { type AnyNDArray, InputError } from '../../../client/index.js';

/** Parses hexadecimal bytes; spaces are ignored. */
function hex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll(' ', '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

function create(descr: string, shape: readonly number[], bytes: string): AnyNDArray {
  return createFromBytes({ layout: parseNumpyDescr(descr), shape, dimensions: [], bytes: hex(bytes) });
}

const text = (...texts: string[]) => texts.map((each) => new TextEncoder().encode(each));

/** typestr, bytes, class of the typed array, its contents, the values. */
test.each([
  ['|b1', '00 01', Uint8Array, [0, 1], [false, true]],
  ['|i1', '7f 80', Int8Array, [127, -128], [127, -128]],
  ['|u1', '7f 80', Uint8Array, [127, 128], [127, 128]],
  ['<i2', 'ff7f 0080', Int16Array, [32767, -32768], [32767, -32768]],
  ['<u2', 'ff7f 0080', Uint16Array, [32767, 32768], [32767, 32768]],
  ['<i4', '01000000 00000080', Int32Array, [1, -(2 ** 31)], [1, -(2 ** 31)]],
  ['<u4', '01000000 00000080', Uint32Array, [1, 2 ** 31], [1, 2 ** 31]],
  ['<i8', '0100000000002000 ffffffffffffffff', BigInt64Array, [2n ** 53n + 1n, -1n], [2n ** 53n + 1n, -1n]],
  ['<u8', '0100000000002000 ffffffffffffffff', BigUint64Array, [2n ** 53n + 1n, 2n ** 64n - 1n], [2n ** 53n + 1n, 2n ** 64n - 1n]],
  ['<f2', '003c 0080', Float32Array, [1, -0], [1, -0]],
  ['<f4', '0000803f 000080ff', Float32Array, [1, -Infinity], [1, -Infinity]],
  ['<f8', '000000000000f03f 0000000000000080', Float64Array, [1, -0], [1, -0]],
  ['<c8', '0000803f 00000040 0000807f 000000c0', Float32Array, [1, 2, Infinity, -2], [[1, 2], [Infinity, -2]]],
  ['<c16', '000000000000f03f 0000000000000040 0000000000000080 0000000000000000', Float64Array, [1, 2, -0, 0], [[1, 2], [-0, 0]]],
  ['<M8[s]', '0100000000000000 0000000000000080', BigInt64Array, [1n, -(2n ** 63n)], [1n, -(2n ** 63n)]],
  ['<m8[10ms]', '0100000000000000 ffffffffffffffff', BigInt64Array, [1n, -1n], [1n, -1n]],
  ['|S3', '616200 610062', Array, text('ab', 'a\0b'), text('ab', 'a\0b')],
  ['<U2', '61000000 00f60100 00000000 00000000', Array, ['a\u{1f600}', ''], ['a\u{1f600}', '']],
  ['|V2', '0100 0000', Array, [Uint8Array.of(1, 0), Uint8Array.of(0, 0)], [Uint8Array.of(1, 0), Uint8Array.of(0, 0)]],
] as const)('%s', (descr, bytes, constructor, data, values) => {
  const array = create(descr, [2], bytes);
  expect(array.data).toBeInstanceOf(constructor);
  expect(Array.from(Object.values(array.data))).toEqual(data);
  expect([...array]).toEqual(values);
  expect([array.get(0), array.get(-1)]).toEqual(values);
  expect(array.toNested()).toEqual(values);
  expect(array.bytes).toEqual(hex(bytes));
}); // prettier-ignore

test('NaN payloads are preserved: the typed array is a view of the received bytes', () => {
  const array = create('<f4', [2], '010080ff efbeed7f');
  if (!array.is('float32')) throw new Error(array.dtype);
  expect([...new Uint32Array(array.data.buffer)]).toEqual([0xff800001, 0x7fedbeef]);
});

test('times have a unit and a scale', () => {
  expect(create('<m8[10ms]', [], '0100000000000000')).toMatchObject({ unit: 'ms', scale: 10 });
  expect(create('<i8', [], '0100000000000000')).toMatchObject({ unit: undefined, scale: 1 });
});

test('an invalid code point becomes U+FFFD', () => {
  expect(create('<U1', [1], '00001100').get(0)).toBe('\ufffd');
});

describe('a struct', () => {
  const descr = '[["a","|u1"],["b","<i2",[2]],["__proto__","<f4"]]';
  const array = create(descr, [2], '01 0200 0300 0000803f  02 0400 0500 00000040');
  if (!array.is('struct')) throw new Error(array.dtype);

  test('has one array per field, and sub-arrays have additional dimensions', () => {
    expect(Object.keys(array.data)).toEqual(['a', 'b', '__proto__']);
    const { a, b } = array.data;
    expect(a).toMatchObject({ dtype: 'uint8', shape: [2], data: Uint8Array.of(1, 2) });
    expect(b).toMatchObject({ dtype: 'int16', shape: [2, 2], data: Int16Array.of(2, 3, 4, 5) });
  });

  test('returns records', () => {
    const records = [...array];
    expect(records.map((record) => Object.entries(record))).toEqual([
      [['a', 1], ['b', [2, 3]], ['__proto__', 1]],
      [['a', 2], ['b', [4, 5]], ['__proto__', 2]],
    ]); // prettier-ignore
    expect(array.get(1)['b']).toEqual([4, 5]);
  });

  test('can contain a struct', () => {
    const nested = create('[["p",[["x","|i1"],["y","|i1"]]]]', [2], '01 02 03 04');
    expect(nested.toNested()).toEqual([{ p: { x: 1, y: 2 } }, { p: { x: 3, y: 4 } }]);
  });
});

function count(...shape: number[]) {
  const size = shape.reduce((product, length) => product * length, 1);
  return createFromBytes({
    layout: { name: 'uint8', itemSize: 1 },
    shape,
    dimensions: ['time', null],
    bytes: Uint8Array.from({ length: size }, (_, i) => i),
  });
}

test('get uses C order, and negative indices count from the end', () => {
  const array = count(2, 3, 4);
  expect(array.get(0, 0, 0)).toBe(0);
  expect(array.get(1, 2, 3)).toBe(23);
  expect(array.get(1, 0, 2)).toBe(14);
  expect(array.get(-1, -3, -2)).toBe(14);
  expect(array.at(14)).toBe(14);
});

test('strides count values; get is their sum', () => {
  const array = count(2, 3, 4);
  expect(array.strides).toEqual([12, 4, 1]);
  expect(array.at(1 * 12 + 2 * 4 + 3)).toBe(array.get(1, 2, 3));
  expect(Object.values(array.data)[23]).toBe(23);
});

test.each([
  [[2, 0, 0], /index 2 is out of range for dimension 0 of size 2/],
  [[0, -4, 0], /index -4 is out of range for dimension 1/],
  [[0, 0.5, 0], /index 0.5/],
  [[0, Number.NaN, 0], /index NaN/],
  [[0, 0], /2 indices for an array of 3 dimensions/],
  [[0, 0, 0, 0], /4 indices/],
])('get(%j) is rejected', (indices, message) => {
  expect(() => count(2, 3, 4).get(...indices)).toThrow(message);
  expect(() => count(2, 3, 4).get(...indices)).toThrow(InputError);
});

test.each([-1, 24, 0.5])('at(%d) is rejected', (index) => {
  expect(() => count(2, 3, 4).at(index)).toThrow(/out of range for 24 values/);
});

describe('toNested', () => {
  test.each([
    [[], 0],
    [[3], [0, 1, 2]],
    [[2, 2], [[0, 1], [2, 3]]],
    [[2, 1, 2], [[[0, 1]], [[2, 3]]]],
    [[0], []],
    [[2, 0], [[], []]],
    [[0, 2], []],
  ])('of shape %j', (shape, nested) => {
    expect(count(...shape).toNested()).toEqual(nested);
  }); // prettier-ignore
});

test('iteration is in C order, and empty if a dimension is empty', () => {
  expect([...count(2, 2)]).toEqual([0, 1, 2, 3]);
  expect([...count(2, 0)]).toEqual([]);
  expect([...count()]).toEqual([0]);
});

test('dimensions without a name are null', () => {
  expect(count(1, 1, 1).dimensions).toEqual(['time', null, null]);
  expect(count().dimensions).toEqual([]);
});

test('is() distinguishes data types', () => {
  const array = count(1);
  expect([array.is('uint8'), array.is('float32', 'uint8'), array.is('float32')]).toEqual([true, true, false]);
});
