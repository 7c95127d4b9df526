import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCborBody, encodeCborBody } from '../../../client/transport/body.js';
import { TypedBytes, WireArray } from '../../../wire/cbor/typed-arrays.js';

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** RFC 8949, appendix A, and RFC 8746, sections 2 and 3.1. */
const examples: readonly (readonly [string, unknown])[] = [
  ['00', 0], ['17', 23], ['1818', 24], ['1903e8', 1000], ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000], ['1bffffffffffffffff', 18446744073709551615n],
  ['c249010000000000000000', 18446744073709551616n], ['3bffffffffffffffff', -18446744073709551616n],
  ['c349010000000000000000', -18446744073709551617n], ['20', -1], ['3863', -100], ['3903e7', -1000],
  ['f90000', 0], ['f98000', -0], ['f93c00', 1], ['fb3ff199999999999a', 1.1], ['f93e00', 1.5], ['f97bff', 65504],
  ['fa47c35000', 100000], ['fa7f7fffff', 3.4028234663852886e38], ['f90001', 5.960464477539063e-8], ['f9c400', -4],
  ['f97c00', Infinity], ['f97e00', Number.NaN], ['f9fc00', -Infinity], ['fb7ff0000000000000', Infinity],
  ['f4', false], ['f5', true], ['f6', null], ['f7', undefined], ['4401020304', Uint8Array.of(1, 2, 3, 4)], ['60', ''],
  ['64f0908591', '\u{10151}'], ['62c3bc', 'ü'], ['83010203', [1, 2, 3]], ['8301820203820405', [1, [2, 3], [4, 5]]],
  ['a26161016162820203', { a: 1, b: [2, 3] }], ['a0', {}], ['80', []],
  ['1b001fffffffffffff', 9007199254740991], ['1b0020000000000000', 9007199254740992n],
  ['3b001ffffffffffffe', -9007199254740991], ['3b001fffffffffffff', -9007199254740992n],
  ['d8554400000040', new WireArray([1], new TypedBytes('float32', Uint8Array.of(0, 0, 0, 0x40)))],
  ['d8514440000000', new WireArray([1], new TypedBytes('float32', Uint8Array.of(0, 0, 0, 0x40)))],
  ['d82882820203d84046010203040506', new WireArray([2, 3], new TypedBytes('uint8', Uint8Array.of(1, 2, 3, 4, 5, 6)))],
  ['d828828102826161f6', new WireArray([2], ['a', null])],
]; // prettier-ignore

test.each(examples)('%s', (text, value) => {
  expect(decodeCborBody(hex(text))).toEqual(value);
});

test('bytes are views of the input at any offset', () => {
  const input = hex('d84043010203');
  const typed = decodeCborBody(input);
  expect(typed instanceof WireArray && typed.values instanceof TypedBytes && typed.values.bytes.buffer).toBe(
    input.buffer,
  );
});

test('a key can be __proto__', () => {
  const value = decodeCborBody(hex('a1695f5f70726f746f5f5f01')) as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.entries(value)).toEqual([['__proto__', 1]]);
});

describe('encodings that gateways do not write are rejected', () => {
  test.each([
    ['no bytes', ''],
    ['a truncated number', '1a0000'],
    ['text beyond the end', '7803'],
    ['bytes beyond the end', '5affffffff01'],
    ['a list longer than the rest', '9affffffff'],
    ['more than 2^53 bytes', '5bffffffffffffffff'],
    ['bytes after the value', '0000'],
    ['indefinite length', '9f01ff'],
    ['text that is not UTF-8', '62c328'],
    ['a key that is not text', 'a10102'],
    ['a duplicate key', 'a2616101616102'],
    ['an unknown tag', 'd9ffff00'],
    ['an array without a shape', 'd8288161'],
    ['an array whose values are a number', 'd82882810101'],
    ['a huge integer', `c2590401${'ff'.repeat(1025)}`],
    ['nesting without end', '81'.repeat(100_000)],
    ['tags without end', 'd840'.repeat(100_000)],
  ])('%s', (_what, text) => {
    expect(() => decodeCborBody(hex(text))).toThrow(expect.objectContaining({ code: 'BAD_RESPONSE' }));
  });

  test('arbitrary bytes decode to a value or that error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          decodeCborBody(new Uint8Array(bytes));
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_RESPONSE' });
        }
      }),
      { numRuns: 3000 },
    );
  });
});

test('encoded values decode to themselves', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, -0, Number.NaN, Infinity),
      fc.double(),
      fc.maxSafeInteger(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }),
      fc.bigInt({ min: -(2n ** 200n), max: -(2n ** 53n) }),
      fc.string({ unit: 'binary' }),
      fc.uint8Array(),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
    ),
  })).value; // prettier-ignore
  fc.assert(
    fc.property(value, (given) => {
      expect(decodeCborBody(encodeCborBody(given))).toEqual(given);
    }),
  );
});

test('objects with toJSON are encoded as its result', () => {
  const date = new Date(0);
  expect(decodeCborBody(encodeCborBody({ date, n: 2n ** 60n }))).toEqual({
    date: date.toJSON(),
    n: 2n ** 60n,
  });
});
