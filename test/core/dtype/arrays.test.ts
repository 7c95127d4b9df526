import { describe, expect, test } from 'vitest';
import { dataOf, elementAt, toNested, toTypedArray } from '../../../server/core/dtype/arrays.js';
import { type Block, isFixedSize } from '../../../server/core/dtype/data-type.js';
import { floatFromHalf, halfFromFloat } from '../../../wire/float16.js';
import { parseNumpyType } from '../../../server/core/dtype/notation.js';
import type { JsonValue } from '../../../server/core/bytes/json.js';

function blockOf(type: JsonValue, shape: readonly number[], array: ArrayBufferView): Block {
  const { dtype } = parseNumpyType(type);
  if (!isFixedSize(dtype)) throw new Error('expected a data type of fixed size');
  return { dtype, shape, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) };
}

describe('numbers', () => {
  test('are views of the bytes', () => {
    const block = blockOf('<f4', [3], Float32Array.of(1, 2, 3));
    const data = dataOf(block, 'float32');
    expect(data).toEqual(Float32Array.of(1, 2, 3));
    expect('bytes' in block && data.buffer === block.bytes.buffer).toBe(true);
  });

  test('are copied if unaligned', () => {
    const bytes = new Uint8Array(9);
    new DataView(bytes.buffer).setFloat64(1, 1.5, true);
    expect(toTypedArray(blockOf('<f8', [1], bytes.subarray(1)))).toEqual(Float64Array.of(1.5));
  });

  test('of 64 bits, times, booleans and halves become typed arrays', () => {
    expect(toTypedArray(blockOf('<u8', [1], BigUint64Array.of(2n ** 64n - 1n)))).toEqual(
      BigUint64Array.of(2n ** 64n - 1n),
    );
    expect(toTypedArray(blockOf('<M8[s]', [1], BigInt64Array.of(-1n)))).toEqual(BigInt64Array.of(-1n));
    expect(toTypedArray(blockOf('|b1', [2], Uint8Array.of(0, 1)))).toEqual(Uint8Array.of(0, 1));
    expect(toTypedArray(blockOf('<f2', [3], Uint16Array.of(0x3c00, 0xfc00, 0x8000)))).toEqual(
      Float32Array.of(1, -Infinity, -0),
    );
  });

  test('are read element by element', () => {
    expect(elementAt(blockOf('<i2', [3], Int16Array.of(1, -2, 3)), 1)).toBe(-2);
    expect(elementAt(blockOf('|b1', [2], Uint8Array.of(0, 1)), 1)).toBe(true);
    expect(elementAt(blockOf('<c8', [2], Float32Array.of(1, 2, 3, 4)), 1)).toEqual([3, 4]);
    expect(elementAt(blockOf('<i2', [1], Int16Array.of(1)), 1)).toBeUndefined();
  });

  test('of another type than expected are rejected', () => {
    expect(() => dataOf(blockOf('<f4', [1], Float32Array.of(1)), 'float64')).toThrow(/float32/);
  });
});

describe('text and bytes', () => {
  test('S loses trailing NULs only', () => {
    const block = blockOf('|S3', [2], Uint8Array.of(97, 0, 98, 99, 0, 0));
    expect(toTypedArray(block)).toEqual([Uint8Array.of(97, 0, 98), Uint8Array.of(99)]);
  });

  test('V keeps every byte', () => {
    expect(toTypedArray(blockOf('|V2', [1], Uint8Array.of(1, 0)))).toEqual([Uint8Array.of(1, 0)]);
  });

  test('U: astral characters, inner NULs, a BOM, surrogates and invalid code points', () => {
    const points = Uint32Array.of(
      0x1f600,
      0x78,
      0,
      0xfeff,
      0x61,
      0,
      0x61,
      0,
      0x62,
      0xd800,
      0,
      0,
      0x110000,
      0,
      0,
    );
    expect(toTypedArray(blockOf('<U3', [5], points))).toEqual(['😀x', '\ufeffa', 'a\0b', '\ud800', '\ufffd']);
  });
});

test('structs are records, sub-arrays nested lists', () => {
  const bytes = Uint8Array.of(7, 1, 0, 2, 0, 3, 0, 4, 0, 97, 0);
  const block = blockOf([['n', '|u1'], ['m', '<i2', [2, 2]], ['__proto__', '|S2']], [1], bytes); // prettier-ignore
  const [record] = dataOf(block, 'struct');
  expect(Object.entries(record ?? {})).toEqual([
    ['n', 7],
    ['m', [[1, 2], [3, 4]]],
    ['__proto__', Uint8Array.of(97)],
  ]); // prettier-ignore
});

test('a block becomes a nested list', () => {
  expect(toNested(blockOf('<i2', [2, 2], Int16Array.of(1, 2, 3, 4)))).toEqual([[1, 2], [3, 4]]); // prettier-ignore
  expect(toNested(blockOf('<i2', [], Int16Array.of(5)))).toBe(5);
  expect(toNested(blockOf('<i2', [2, 0], new Int16Array(0)))).toEqual([[], []]);
});

describe('half precision', () => {
  test('every half round-trips, except that NaN only remains NaN', () => {
    for (let half = 0; half < 65536; half++) {
      const isNan = (half & 0x7c00) === 0x7c00 && (half & 0x3ff) !== 0;
      const value = floatFromHalf(half);
      expect(isNan ? Number.isNaN(value) : halfFromFloat(value) === half).toBe(true);
    }
  });

  test.each([
    [65504, 0x7bff],
    [65519.99, 0x7bff],
    [65520, 0x7c00],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 ** -25, 0],
    [2 ** -25 * 1.01, 1],
    [2 ** -14 - 2 ** -26, 0x400],
    [0.1, 0x2e66],
  ])('%s rounds to the nearest', (value, half) => expect(halfFromFloat(value)).toBe(half));
});
