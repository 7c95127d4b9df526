import { describe, expect, test } from 'vitest';
import { bindArray, chunkRep } from '../chunk-rep.js';

const rep = chunkRep('uint8', [2, 3, 2]);
const values = Uint8Array.from({ length: 12 }, (_, i) => i);

describe('transpose', () => {
  test('an order that differs from its inverse', () => {
    const codec = bindArray('transpose', { order: [1, 2, 0] }, rep);
    expect(codec.permutation).toEqual([1, 2, 0]);
    expect(codec.encodedRep.shape).toEqual([3, 2, 2]);
    // np.arange(12).reshape(2, 3, 2).transpose(1, 2, 0).ravel()
    const encoded = Uint8Array.of(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11);
    expect(codec.encode(values)).toEqual(encoded);
    expect(codec.decode(encoded)).toEqual(values);
  });

  test.each([
    ['C', [0, 1, 2]],
    ['F', [2, 1, 0]],
  ])('the legacy order %s', (order, permutation) => {
    expect(bindArray('transpose', { order }, rep).permutation).toEqual(permutation);
  });

  test('no dimensions, and items of several bytes', () => {
    expect(bindArray('transpose', { order: [] }, chunkRep('int32', [])).encodedRep.shape).toEqual([]);
    const codec = bindArray('transpose', { order: [1, 0] }, chunkRep('int16', [2, 2]));
    expect(codec.encode(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toEqual(
      Uint8Array.of(1, 2, 5, 6, 3, 4, 7, 8),
    );
  });

  test('values of variable length: a permutation, no bytes', () => {
    const codec = bindArray('transpose', { order: [1, 0] }, chunkRep('string', [2, 3]));
    expect(codec.encodedRep.shape).toEqual([3, 2]);
    expect(() => codec.decode(new Uint8Array(0))).toThrow(/has no fixed size/);
  });

  test.each([[[0, 0, 1]], [[0, 1]], [[0, 1, 3]], [[0, 1, 1.5]], ['A'], [null], [[0, 1, '2']]])(
    'order %j',
    (order) => {
      expect(() => bindArray('transpose', { order }, rep)).toThrow(/must be a permutation of 0 to 2/);
    },
  );

  test('a chunk of another length', () => {
    expect(() => bindArray('transpose', { order: [2, 1, 0] }, rep).decode(new Uint8Array(11))).toThrow(
      /expected 12/,
    );
  });
});
