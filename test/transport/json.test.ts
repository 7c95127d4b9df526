import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Text } from '../../server/transport/base64-text.js';
import { listCount, listText, PIECE_CHARACTERS } from '../../server/transport/json/list-text.js';
import { resultText } from '../../server/transport/json/result-text.js';
import { valueText } from '../../server/transport/json/value-text.js';
import {
  boolSegments,
  complexSegments,
  floatSegments,
  integerSegments,
  longSegments,
} from '../../server/transport/json/number-text.js';
import { NDArrayValue } from '../../server/transport/nd-array-value.js';

describe('floatSegments', () => {
  test('writes float32 as the equal double', () => {
    const data = new Float32Array([0.1, 1, -2.5, 3.4028235e38, 1e-45]);
    expect(floatSegments(data, 'STRING')(0, 5)).toBe(
      '0.10000000149011612,1,-2.5,3.4028234663852886e+38,1.401298464324817e-45',
    );
  });

  test('keeps the sign of zero and writes non-finite values as strings', () => {
    const data = new Float64Array([-0, 0, NaN, Infinity, -Infinity, 1]);
    expect(floatSegments(data, 'STRING')(0, 6)).toBe('-0.0,0,"NaN","Infinity","-Infinity",1');
    expect(floatSegments(data, 'NULL')(0, 6)).toBe('-0.0,0,null,null,null,1');
  });

  test('writes any part of the data', () => {
    const data = new Float64Array([1, 2, -0, 4]);
    expect(floatSegments(data, 'STRING')(1, 2)).toBe('2');
    expect(floatSegments(data, 'STRING')(2, 2)).toBe('');
    expect(floatSegments(data, 'STRING')(2, 4)).toBe('-0.0,4');
  });
});

test('64-bit integers are always strings', () => {
  expect(longSegments(new BigInt64Array([0n, -1n, 2n ** 63n - 1n]))(0, 3)).toBe(
    '"0","-1","9223372036854775807"',
  );
  expect(longSegments(new BigUint64Array([2n ** 64n - 1n]))(0, 1)).toBe('"18446744073709551615"');
  expect(longSegments(new BigInt64Array([1n]))(0, 0)).toBe('');
});

test('small integers are numbers', () => {
  expect(integerSegments(new Int8Array([-128, 0, 127]))(0, 3)).toBe('-128,0,127');
  expect(integerSegments(new Uint32Array([4294967295]))(0, 1)).toBe('4294967295');
});

test('complex numbers are pairs', () => {
  const data = new Float32Array([1, -0, NaN, 2]);
  expect(complexSegments(data, 'STRING')(0, 2)).toBe('[1,-0.0],["NaN",2]');
  expect(complexSegments(data, 'NULL')(1, 2)).toBe('[null,2]');
});

test('booleans are true and false', () => {
  expect(boolSegments(new Uint8Array([0, 1, 2]))(0, 3)).toBe('false,true,true');
});

describe('valueText', () => {
  test.each([
    [0, '0'],
    [-0, '-0.0'],
    [1.5, '1.5'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [1e20, '1e+20'],
    [NaN, '"NaN"'],
    [Infinity, '"Infinity"'],
    [-Infinity, '"-Infinity"'],
    [7n, '7'],
    [-(2n ** 53n - 1n), '-9007199254740991'],
    [2n ** 53n, '"9007199254740992"'],
    [18446744073709551615n, '"18446744073709551615"'],
    ['a"b\u2028', '"a\\"b\u2028"'],
    [null, 'null'],
    [true, 'true'],
    [undefined, 'null'],
    [[1, [], {}], '[1,[],{}]'],
    [{ a: 1, b: undefined, __proto__: null, c: [NaN] }, '{"a":1,"c":["NaN"]}'],
  ])('case %#', (value, expected) => {
    expect(valueText(value)).toBe(expected);
  });

  test('accepts objects without a prototype, and special keys', () => {
    const object: Record<string, unknown> = Object.create(null);
    object['__proto__'] = 1;
    object['constructor'] = 2;
    expect(valueText(object)).toBe('{"__proto__":1,"constructor":2}');
  });
});

const text = (value: unknown) => [...resultText(value)].join('');

test.each([
  [null, 'null'],
  ['x', '"x"'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: undefined, b: [{}, [], [1, { c: 2n ** 60n }]] }, '{"b":[{},[],[1,{"c":"1152921504606846976"}]]}'],
])('case %#', (value, expected) => {
  expect(text(value)).toBe(expected);
});

test('values and long text are at the right position', () => {
  const block = {
    dtype: { name: 'uint8', itemSize: 1 },
    shape: [2, 2],
    bytes: new Uint8Array([1, 2, 3, 4]),
  } as const;
  const value = {
    a: new NDArrayValue(block, 'STRING'),
    b: [new Base64Text(new Uint8Array([255])), new NDArrayValue(block, 'STRING')],
    c: 1,
  };
  expect(text(value)).toBe('{"a":[[1,2],[3,4]],"b":["/w==",[[1,2],[3,4]]],"c":1}');
  expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(text(value)));
});

test('a kept base64 text is passed on without a copy', () => {
  const kept = { bytes: Buffer.from('/w=='), filled: 4 };
  const value = { a: [1, new Base64Text(new Uint8Array([255]), () => kept)], b: 'ü' };
  const pieces = [...resultText(value)];
  const { buffer, byteOffset } = kept.bytes;
  expect(pieces).toContainEqual(expect.objectContaining({ buffer, byteOffset }));
  expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))).toString()).toBe(
    '{"a":[1,"/w=="],"b":"ü"}',
  );
});

test('any depth, and any length in parts', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 50_000; i++) deep = [deep];
  expect(text(deep)).toHaveLength(100_001);
  const long = Array.from({ length: 30_000 }, (_, i) => ({ index: i }));
  const pieces = [...resultText(long)];
  expect(pieces.length).toBeGreaterThan(3);
  expect(JSON.parse(pieces.join(''))).toEqual(long);
});

describe('list text', () => {
  /** Text of elements that equal their positions. */
  const elements = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => String(from + i)).join(',');
  const text = (shape: number[]) => [...listText(shape, elements)].join('');

  describe('listText', () => {
    test.each([
      [[], '0'],
      [[0], '[]'],
      [[3], '[0,1,2]'],
      [[2, 3], '[[0,1,2],[3,4,5]]'],
      [[2, 2, 2], '[[[0,1],[2,3]],[[4,5],[6,7]]]'],
      [[2, 1, 2], '[[[0,1]],[[2,3]]]'],
      [[3, 0], '[[],[],[]]'],
      [[0, 3], '[]'],
      [[2, 0, 3], '[[],[]]'],
      [[2, 3, 0], '[[[],[],[]],[[],[],[]]]'],
      [[1, 1, 1], '[[[0]]]'],
    ])('nests %j', (shape, expected) => {
      expect(text(shape)).toBe(expected);
    });

    test('writes long rows and many rows in parts that join seamlessly', () => {
      for (const shape of [[100_000], [2, 50_000], [50_000, 2], [10, 100, 100]]) {
        const pieces = [...listText(shape, elements)];
        expect(pieces.length).toBeGreaterThan(3);
        for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeLessThan(2 * PIECE_CHARACTERS);
        const flat: unknown[] = (JSON.parse(pieces.join('')) as unknown[]).flat(shape.length - 1);
        expect(flat).toEqual(Array.from({ length: 100_000 }, (_, i) => i));
      }
    });
  });

  test('the text of consecutive parts equals the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(256), { maxLength: 5 }),
        (shape, cuts) => {
          const size = shape.reduce((product, length) => product * length, 1);
          const ends = [...cuts.map((cut) => cut % (size + 1)), size].toSorted((a, b) => a - b);
          let from = 0;
          let joined = '';
          for (const to of ends) {
            if (to > from) joined += [...listText(shape, elements, { from, to })].join('');
            from = to;
          }
          expect(joined).toBe(text(shape));
        },
      ),
    );
  });

  describe('listCount', () => {
    test.each([
      [[], 0],
      [[5], 1],
      [[2, 3], 3],
      [[3, 0], 4],
      [[1e9, 0, 4], 1e9 + 1],
    ])('of %j', (shape, expected) => {
      expect(listCount(shape)).toBe(expected);
    });
  });
});
