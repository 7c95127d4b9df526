import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCborBody } from '../../../server/transport/cbor/decode.js';
import { resultCbor } from '../../../server/transport/cbor/result-cbor.js';
import { NDArrayInput } from '../../../server/transport/nd-array-value.js';

const decode = (hex: string): unknown => decodeCborBody(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('well-formed input', () => {
  // RFC 8949, appendix A.
  test.each([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
    ['1bffffffffffffffff', 18_446_744_073_709_551_615n],
    ['c249010000000000000000', 18_446_744_073_709_551_616n],
    ['3bffffffffffffffff', -18_446_744_073_709_551_616n],
    ['c349010000000000000000', -18_446_744_073_709_551_617n],
    ['20', -1],
    ['3903e7', -1000],
    ['f90000', 0],
    ['f98000', -0],
    ['f93c00', 1],
    ['f90001', 5.960464477539063e-8],
    ['f9c400', -4],
    ['f97c00', Infinity],
    ['f97e00', NaN],
    ['fa47c35000', 100_000],
    ['fb3ff199999999999a', 1.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['f7', undefined],
    ['60', ''],
    ['62c3bc', 'ü'],
    ['64f0908591', '\u{10151}'],
    ['80', []],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['d9d9f7 01', 1],
    ['82 f7 01', [null, 1]],
  ])('%s', (hex, expected) => {
    expect(decode(hex)).toEqual(expected);
  });

  test('__proto__ is an ordinary member', () => {
    const value = decode('a1 69 5f5f70726f746f5f5f a1 6161 01') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('byte strings are views of the body', () => {
    const body = Buffer.from('43010203', 'hex');
    const bytes = decodeCborBody(body) as Uint8Array;
    body[1] = 9;
    expect([...bytes]).toEqual([9, 2, 3]);
  });
});

describe('typed arrays (RFC 8746)', () => {
  test.each([
    ['d840 43010203', '|u1', [3], '010203'],
    ['d844 43010203', '|u1', [3], '010203'],
    ['d848 42ff01', '|i1', [2], 'ff01'],
    ['d841 44 0001 0002', '<u2', [2], '01000200'],
    ['d845 44 0100 0200', '<u2', [2], '01000200'],
    ['d84f 48 0102030405060708', '<i8', [1], '0102030405060708'],
    ['d84b 48 0102030405060708', '<i8', [1], '0807060504030201'],
    ['d850 42 3c00', '<f2', [1], '003c'],
    ['d854 42 003c', '<f2', [1], '003c'],
    ['d851 44 3f800000', '<f4', [1], '0000803f'],
    ['d855 44 0000803f', '<f4', [1], '0000803f'],
    ['d856 40', '<f8', [0], ''],
    ['d828 82 820103 d840 43010203', '|u1', [1, 3], '010203'],
    ['d828 82 80 d840 4105', '|u1', [], '05'],
    ['d828 82 820500 d855 40', '<f4', [5, 0], ''],
  ])('%s', (hex, dtype, shape, bytes) => {
    const value = decode(hex);
    expect(value).toBeInstanceOf(NDArrayInput);
    const { bytes: found, ...rest } = value as NDArrayInput;
    expect(rest).toEqual({ dtype, shape });
    expect(Buffer.from(found).toString('hex')).toBe(bytes);
  });

  test('other values become nested lists', () => {
    expect(decode('d828 82 820201 82 6161 6162')).toEqual([['a'], ['b']]);
    expect(decode('d828 82 820202 84 01020304')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(decode('d828 82 80 81 6161')).toBe('a');
    expect(decode('d828 82 821b001000000000000000 80')).toEqual([]);
  });
});

describe('malformed or excessive input', () => {
  const deep = (hex: string, count: number): string => hex.repeat(count);
  test.each([
    ['nothing', ''],
    ['a value that ends early', '1903'],
    ['more after the value', '0000'],
    ['text that is not UTF-8', '62fffe'],
    ['half of a surrogate pair', '63eda080'],
    ['a list of 2^32 items', '9b0000000100000000'],
    ['bytes of a gigabyte', '5a40000000'],
    ['text of 2^63 bytes', '7b8000000000000000'],
    ['a map without its members', 'ba00ffffff00'],
    ['a list of indefinite length', '9f01ff'],
    ['text of indefinite length', '7f6161ff'],
    ['a break', 'ff'],
    ['a reserved length', '1c'],
    ['a key twice', 'a2616101616102'],
    ['a key that is not text', 'a10102'],
    ['lists in lists', deep('81', 1_000_000)],
    ['maps in maps', deep('a16161', 1_000_000)],
    ['tags in tags', deep('d9d9f7', 1_000_000)],
    ['an unknown tag', 'd9010000'],
    ['a tag on nothing', 'd840'],
    ['a tag on another type', 'd84001'],
    ['half a number', 'd85543000000'],
    ['floats of 128 bits', 'd85350' + '00'.repeat(16)],
    ['a reserved typed array', 'd84c4100'],
    ['dimensions that are not filled', 'd828 82 820203 d840 4101'],
    ['dimensions that are not numbers', 'd828 82 816161 d840 4101'],
    ['dimensions below zero', 'd828 82 8120 d840 4101'],
    ['huge dimensions without data', 'd828 82 83 1b001fffffffffffff 1b001fffffffffffff 00 81 00'],
    ['an array without values', 'd828 81 8101'],
    ['a huge integer', 'c2590401' + '01'.repeat(1025)],
    ['an unknown simple value', 'e0'],
    ['a simple value in two bytes', 'f8ff'],
  ])('%s is BAD_INPUT', (_, hex) => {
    let thrown: unknown;
    try {
      decode(hex);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'BAD_INPUT' });
  });

  test('arbitrary input is a value or BAD_INPUT', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeCborBody(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_INPUT' });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test('written values are read back', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 10_000 }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, (given) => {
      const bytes = Buffer.concat([...resultCbor(given)]);
      expect(normal(decodeCborBody(bytes))).toEqual(normal(given));
    }),
  );
});

/** Integers by their value, bytes by their content. */
function normal(value: unknown): unknown {
  if (typeof value === 'bigint' && BigInt.asIntN(53, value) === value) return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, member]) => [key, normal(member)]);
}
