import { describe, expect, test } from 'vitest';
import { InputError } from '../../../client/index.js';
import { createFromBytes } from '../../../client/ndarray/from-bytes.js';

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

test.each([-1, 24, 0.5])('at(%d) is rejected', (place) => {
  expect(() => count(2, 3, 4).at(place)).toThrow(/out of range for 24 values/);
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
