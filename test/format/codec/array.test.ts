import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeArrayToBytes } from '../../contracts/codec.js';
import type { DataType, StructType } from '../../../server/core/dtype/data-type.js';
import { bindArrayToBytes, chunkRep, bindArray } from './chunk-rep.js';

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i + 1);

for (const endian of ['little', 'big'])
  for (const [name, itemSize] of Object.entries({
    int16: 2,
    float32: 4,
    uint64: 8,
    complex64: 8,
    complex128: 16,
  }))
    describeArrayToBytes(
      `bytes ${endian} ${name}`,
      bindArrayToBytes('bytes', { endian }, chunkRep(name, [3, 5])),
      { bytes: counting(15 * itemSize) },
    );

const struct: StructType = {
  name: 'struct',
  itemSize: 7,
  fields: [
    { name: 'a', offset: 0, dtype: { name: 'int16', itemSize: 2 }, shape: [] },
    { name: 'b', offset: 2, dtype: { name: 'uint8', itemSize: 1 }, shape: [] },
    { name: 'c', offset: 3, dtype: { name: 'int16', itemSize: 2 }, shape: [2] },
  ],
};
/** Data type, stored big-endian bytes, and the same values in memory. */
const known: readonly (readonly [DataType | string, readonly number[], readonly number[]])[] = [
  ['int16', [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]],
  ['float32', [1, 2, 3, 4, 5, 6, 7, 8], [4, 3, 2, 1, 8, 7, 6, 5]],
  ['int64', [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]],
  ['complex64', [1, 2, 3, 4, 5, 6, 7, 8], [4, 3, 2, 1, 8, 7, 6, 5]],
  [{ name: 'fixed_length_utf32', itemSize: 8 }, [0, 0, 0, 97, 0, 1, 0xf6, 0], [97, 0, 0, 0, 0, 0xf6, 1, 0]],
  [{ name: 'null_terminated_bytes', itemSize: 3 }, [1, 2, 3], [1, 2, 3]],
  [
    { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
    [1, 2, 3, 4, 5, 6, 7, 8],
    [8, 7, 6, 5, 4, 3, 2, 1],
  ],
  [
    struct,
    [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17],
    [2, 1, 3, 5, 4, 7, 6, 12, 11, 13, 15, 14, 17, 16],
  ],
];

describe('big-endian', () => {
  test.each(known)('%j', (dtype, stored, memory) => {
    const rep = chunkRep(dtype, []);
    const shape = [stored.length / (rep.dtype.itemSize ?? 1)];
    const codec = bindArrayToBytes('bytes', { endian: 'big' }, { ...rep, shape });
    const bytes = Uint8Array.from(stored);
    expect(codec.decode(bytes, 0)).toEqual({ bytes: Uint8Array.from(memory) });
    expect(bytes).toEqual(Uint8Array.from(stored));
    expect(codec.encode({ bytes: Uint8Array.from(memory) })).toEqual(bytes);
  });

  test('at any length and address, decoding reverses the bytes of each unit', () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 4, 8), fc.nat(40), fc.nat(7), (unit, count, shift) => {
        const memory = new Uint8Array(shift + unit * count).map((_, i) => i * 7);
        const part = memory.subarray(shift);
        const codec = bindArrayToBytes('bytes', { endian: 'big' }, chunkRep(`uint${unit * 8}`, [count]));
        const expected = new Uint8Array(unit * count).map(
          (_, i) => part[Math.floor(i / unit) * unit + unit - 1 - (i % unit)] ?? 0,
        );
        expect(codec.decode(part, 0)).toEqual({ bytes: expected });
      }),
    );
  });

  test('mixed: only the listed units are swapped', () => {
    const swaps = [{ offset: 3, unit: 2, count: 2 }];
    const codec = bindArrayToBytes('bytes', { endian: 'mixed', swaps }, chunkRep(struct, [1]));
    const stored = counting(7);
    expect(codec.decode(stored, 0)).toEqual({ bytes: Uint8Array.of(1, 2, 3, 5, 4, 7, 6) });
    expect(codec.encode({ bytes: Uint8Array.of(1, 2, 3, 5, 4, 7, 6) })).toEqual(stored);
  });
});

describe('little-endian', () => {
  test('decoding copies nothing', () => {
    const bytes = counting(8);
    const decoded = bindArrayToBytes('bytes', { endian: 'little' }, chunkRep('int32', [2])).decode(bytes, 0);
    expect('bytes' in decoded && decoded.bytes).toBe(bytes);
  });
});

describe('invalid values', () => {
  test('endian can be absent for single bytes, but not for larger numbers and text', () => {
    expect(() => bindArrayToBytes('bytes', {}, chunkRep('int16', [1]))).toThrow(/"endian" is missing/);
    expect(() =>
      bindArrayToBytes('bytes', {}, chunkRep({ name: 'fixed_length_utf32', itemSize: 4 }, [1])),
    ).toThrow(/"endian" is missing/);
    for (const type of ['bool', 'uint8', 'int8'])
      expect(bindArrayToBytes('bytes', {}, chunkRep(type, [1])).encodedSize).toEqual({
        kind: 'exact',
        bytes: 1,
      });
  });

  test('a struct without endian is little-endian, as zarr-python writes it', () => {
    const codec = bindArrayToBytes('bytes', {}, chunkRep(struct, [1]));
    expect(codec.decode(counting(7), 0)).toEqual({ bytes: counting(7) });
  });

  test.each([
    [{ endian: 'middle' }, 'int16', /"endian" is "middle"; expected "little" or "big"/],
    [{ endian: 'little', order: 'C' }, 'int16', /unknown option "order"/],
    [{ endian: 'little' }, 'string', /data type string requires/],
    [{ endian: 'mixed', swaps: [{ offset: 1, unit: 2, count: 1 }] }, 'int16', /within the 2 bytes/],
  ])('%j for %s', (options, type, message) => {
    expect(() => bindArrayToBytes('bytes', options, chunkRep(type, [1]))).toThrow(message);
  });

  test('a chunk of another length is rejected', () => {
    const codec = bindArrayToBytes('bytes', { endian: 'little' }, chunkRep('int32', [2, 3]));
    expect(() => codec.decode(new Uint8Array(23), 0)).toThrow(/23 bytes are stored.*\[2, 3\].*takes 24/);
    expect(() => codec.encode({ bytes: new Uint8Array(25) })).toThrow(/25 bytes are given/);
    expect(() => codec.encode({ items: [] })).toThrow(/variable length/);
  });
});

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

  test('no dimensions, and elements of several bytes', () => {
    expect(bindArray('transpose', { order: [] }, chunkRep('int32', [])).encodedRep.shape).toEqual([]);
    const codec = bindArray('transpose', { order: [1, 0] }, chunkRep('int16', [2, 2]));
    expect(codec.encode(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toEqual(
      Uint8Array.of(1, 2, 5, 6, 3, 4, 7, 8),
    );
  });

  test('elements of variable length cannot be decoded from bytes', () => {
    const codec = bindArray('transpose', { order: [1, 0] }, chunkRep('string', [2, 3]));
    expect(codec.encodedRep.shape).toEqual([3, 2]);
    expect(() => codec.decode(new Uint8Array(0))).toThrow(/has no fixed size/);
  });

  test.each([[[0, 0, 1]], [[0, 1]], [[0, 1, 3]], [[0, 1, 1.5]], ['A'], [null], [[0, 1, '2']]])(
    'order %j is rejected',
    (order) => {
      expect(() => bindArray('transpose', { order }, rep)).toThrow(/expected a permutation of 0 to 2/);
    },
  );

  test('a chunk of another length is rejected', () => {
    expect(() => bindArray('transpose', { order: [2, 1, 0] }, rep).decode(new Uint8Array(11))).toThrow(
      /expected 12/,
    );
  });
});
