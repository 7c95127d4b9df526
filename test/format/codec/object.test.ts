/** Codecs for chunks of Python objects: json2, msgpack2, categorize. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeArrayToBytes } from '../../contracts/codec.js';
import { decodeMsgpack, encodeMsgpack } from '../../../server/core/bytes/msgpack.js';
import { bindArrayToBytes, chunkRep } from './chunk-rep.js';
import { base64Bytes, fixtureBytes, numcodecsCases } from './fixture-lines.js';

const json = chunkRep('json', [2, 2]);
const items = ['text', null, [1, { a: 2.5, b: [true] }], -7];
describeArrayToBytes('json2', bindArrayToBytes('numcodecs.json2', {}, json), { items });
describeArrayToBytes('msgpack2', bindArrayToBytes('numcodecs.msgpack2', {}, json), { items });
const labels = ['red', 'grün', 'blue 😀'];
describeArrayToBytes(
  'categorize objects',
  bindArrayToBytes('numcodecs.categorize', { labels, dtype: '|O', astype: '>u2' }, chunkRep('string', [4])),
  { items: ['grün', '', 'blue 😀', 'red'] },
);

describe('fixtures of numcodecs', () => {
  const cases = numcodecsCases.filter((c) => c.layout.kind === 'json');
  test('the fixtures contain at least three cases', () => expect(cases.length).toBeGreaterThan(2));

  /** Reads the expected items: for each, a length of 4 bytes and a JSON text. */
  function expectedItems(bytes: Uint8Array): unknown[] {
    const expected: unknown[] = [];
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + view.getUint32(at, true);
      expected.push(JSON.parse(new TextDecoder().decode(bytes.subarray(at + 4, end))));
      at = end;
    }
    return expected;
  }

  test.each(cases.map((c) => [c.id, c] as const))('%s', (_id, c) => {
    const { id, ...options } = c.codec;
    const codec = bindArrayToBytes(`numcodecs.${id}`, options, chunkRep('json', [c.items]));
    const decoded = codec.decode(fixtureBytes(`peers/${c.path}`), 1e6);
    expect(decoded).toEqual({ items: expectedItems(base64Bytes(c.expected)) });
    expect(codec.decode(codec.encode(decoded), 1e6)).toEqual(decoded);
  });
});

describe('numbers and text of fixed length, as numcodecs encodes typed arrays', () => {
  const int32 = new Uint8Array(Int32Array.of(1, -2, 3, 4).buffer);
  describeArrayToBytes('json2 int32', bindArrayToBytes('numcodecs.json2', {}, chunkRep('int32', [2, 2])), {
    bytes: int32,
  });
  const stored = (text: string): Uint8Array => new TextEncoder().encode(text);

  test('the type and the shape follow the values', () => {
    const codec = bindArrayToBytes('numcodecs.json2', {}, chunkRep('int32', [2, 2]));
    expect(new TextDecoder().decode(codec.encode({ bytes: int32 }))).toBe('[[1,-2],[3,4],"<i4",[2,2]]');
  });

  test('floats, booleans and texts', () => {
    const floats = bindArrayToBytes('numcodecs.json2', {}, chunkRep('float64', [3]));
    const decoded = floats.decode(stored('[1.5, NaN, -Infinity, "<f8", [3]]'), 99);
    expect(decoded).toEqual({ bytes: new Uint8Array(Float64Array.of(1.5, NaN, -Infinity).buffer) });
    const bools = bindArrayToBytes('numcodecs.msgpack2', {}, chunkRep('bool', [2]));
    expect(bools.decode(bools.encode({ bytes: Uint8Array.of(1, 0) }), 99)).toEqual({
      bytes: Uint8Array.of(1, 0),
    });
    const utf32 = { name: 'fixed_length_utf32', itemSize: 8 } as const;
    const texts = bindArrayToBytes('numcodecs.json2', {}, chunkRep(utf32, [2]));
    const bytes = new Uint8Array(Uint32Array.of(0x61, 0, 0x1f600, 0x62).buffer);
    expect(texts.decode(stored('["a", "\u{1f600}b", "<U2", [2]]'), 99)).toEqual({ bytes });
    expect(new TextDecoder().decode(texts.encode({ bytes }))).toBe('["a","\u{1f600}b","<U2",[2]]');
  });

  test('a value of another type is a codec error', () => {
    const codec = bindArrayToBytes('numcodecs.json2', {}, chunkRep('uint8', [2]));
    for (const text of ['[1, 256, "|u1", [2]]', '[1, "x", "|u1", [2]]', '[1, 1.5, "|u1", [2]]'])
      expect(() => codec.decode(stored(text), 99)).toThrow(/codec "json2": element 1 is/);
  });
});

describe('lists of objects', () => {
  const codec = bindArrayToBytes('numcodecs.json2', {}, json);
  const stored = (text: string): Uint8Array => new TextEncoder().encode(text);

  test('can be nested by dimension or flat, and are written nested', () => {
    const expected = { items: ['a', 'b', 'c', 'd'] };
    expect(codec.decode(stored('[["a","b"],["c","d"],"|O",[2,2]]'), 99)).toEqual(expected);
    expect(codec.decode(stored('["a","b","c","d","|O",[2,2]]'), 99)).toEqual(expected);
    expect(new TextDecoder().decode(codec.encode(expected))).toBe('[["a","b"],["c","d"],"|O",[2,2]]');
  });

  test('can contain lists', () => {
    expect(codec.decode(stored('[[[1],[2]],[[],3],"|O",[2,2]]'), 99)).toEqual({ items: [[1], [2], [], 3] });
    const scalar = bindArrayToBytes('numcodecs.json2', {}, chunkRep('json', []));
    expect(scalar.decode(stored('[[1,2],"|O",[]]'), 99)).toEqual({ items: [[1, 2]] });
    expect(new TextDecoder().decode(scalar.encode({ items: [[1, 2]] }))).toBe('[[1,2],"|O",[]]');
  });

  test('can contain integers of 64 bits, -0, NaN and Infinity', () => {
    const text = '[[18446744073709551615,NaN],[-0.0,Infinity],"|O",[2,2]]';
    expect(codec.decode(stored(text), 99)).toEqual({ items: [18446744073709551615n, NaN, -0, Infinity] });
  });

  test.each([
    ['{}', /no list/],
    ['["a"]', /no list/],
    ['["a","|O",5]', /ending with a shape/],
    ['["a","b","|O",[2]]', /shape \[2\]; the chunk has shape \[2, 2\]/],
    ['[["a"],["c","d"],"|O",[2,2]]', /3 values/],
    ['["a","b","|O",[2,2]]', /0 values/],
    ['["a","b","|O",[1,2]]', /contains a list with shape \[1, 2\]; the chunk has shape \[2, 2\]/],
    ['[["a",', /is not valid JSON/],
  ])('%s is rejected', (text, message) => {
    expect(() => codec.decode(stored(text), 99)).toThrow(message);
  });

  test('that are longer than the limit are rejected', () => {
    expect(() => codec.decode(stored('[["a","b"],["c","d"],"|O",[2,2]]'), 31)).toThrow(
      /32 bytes of JSON; at most 31/,
    );
  });

  test('of an array of text must contain only text', () => {
    const texts = bindArrayToBytes('numcodecs.json2', {}, chunkRep('string', [1]));
    expect(() => texts.decode(stored('[5,"|O",[1]]'), 99)).toThrow(/element 0 is not text/);
  });
});

describe('msgpack', () => {
  const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

  test('decodes values of each kind', () => {
    expect(decodeMsgpack(bytes(0x82, 0xa1, 97, 0xc3, 0xa1, 98, 0xc0), false)).toEqual({ a: true, b: null });
    expect(decodeMsgpack(bytes(0xdc, 0, 2, 0xff, 0xd0, 0x80), false)).toEqual([-1, -128]);
    expect(decodeMsgpack(bytes(0xca, 0x3f, 0xc0, 0, 0), false)).toBe(1.5);
    expect(decodeMsgpack(bytes(0xcf, 255, 255, 255, 255, 255, 255, 255, 255), false)).toBe(2n ** 64n - 1n);
    expect(decodeMsgpack(bytes(0xd3, 255, 255, 255, 255, 255, 255, 255, 254), false)).toBe(-2);
    expect(decodeMsgpack(bytes(0xc4, 2, 1, 2), false)).toEqual(bytes(1, 2));
    expect(decodeMsgpack(bytes(0xa1, 0xff), true)).toEqual(bytes(0xff));
  });

  test('hostile bytes are rejected', () => {
    expect(() => decodeMsgpack(bytes(0xdd, 255, 255, 255, 255), false)).toThrow(
      /4294967295 values are declared/,
    );
    expect(() => decodeMsgpack(bytes(0xdf, 255, 255, 255, 255), false)).toThrow(/declared/);
    expect(() => decodeMsgpack(bytes(0xc6, 255, 255, 255, 255), false)).toThrow(/end within a value/);
    expect(() => decodeMsgpack(new Uint8Array(100_000).fill(0x91), false)).toThrow(/are nested more than/);
    expect(() => decodeMsgpack(bytes(0xc1), false)).toThrow(/0xc1/);
    expect(() => decodeMsgpack(bytes(0xd4, 1, 2), false)).toThrow(/extension/);
    expect(() => decodeMsgpack(bytes(1, 2), false)).toThrow(/1 extra bytes after/);
    expect(() => decodeMsgpack(bytes(0xa1, 0xff), false)).toThrow(/not UTF-8/);
  });

  test('values of more than a megabyte are rejected as too large, but not a chunk of smaller values', () => {
    const codec = bindArrayToBytes('numcodecs.msgpack2', {}, chunkRep('json', [2]));
    const stored = (...values: unknown[]): Uint8Array => encodeMsgpack([...values, '|O', [2]]);
    const text = 'x'.repeat(2 ** 20 - 10);
    expect(codec.decode(stored(text, text), Infinity)).toEqual({ items: [text, text] });
    for (const value of [`${text}xxxxxxxxxx`, [text, text], Array.from({ length: 2 ** 21 }, () => 0)])
      expect(() => codec.decode(stored('', value), Infinity)).toThrow(
        expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringMatching(/1048576 bytes/) }),
      );
  });

  test('a key named __proto__ is a key', () => {
    const map = decodeMsgpack(encodeMsgpack(JSON.parse('{"__proto__": 1}')), false);
    expect(Object.keys(map ?? {})).toEqual(['__proto__']);
  });

  test('arbitrary values round-trip', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.double(),
        fc.integer(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).filter((n) => !Number.isSafeInteger(Number(n))),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 300 }),
        fc.array(tie('any'), { maxLength: 20 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (v) => {
        expect(decodeMsgpack(encodeMsgpack(v), false)).toEqual(v);
      }),
    );
  });
});

test('a shape that contains an object is rejected', () => {
  const stored = new TextEncoder().encode('["a","|O",[{"a":1}]]');
  const codec = bindArrayToBytes('numcodecs.json2', {}, chunkRep('json', [1]));
  expect(() => codec.decode(stored, 100)).toThrow(/an invalid shape/);
});

describe('categorize', () => {
  const configuration = { labels, dtype: '<U6', astype: '|u1' };
  const rep = chunkRep({ name: 'fixed_length_utf32', itemSize: 24 }, [3]);
  const utf32 = (text: string): number[] =>
    Array.from({ length: 6 }, (_, i) => Array.from(text)[i]?.codePointAt(0) ?? 0);

  test('text of fixed length round-trips', () => {
    const codec = bindArrayToBytes('categorize', configuration, rep);
    const decoded = new Uint8Array(Uint32Array.from(['blue 😀', '', 'grün'].flatMap(utf32)).buffer);
    expect(codec.decode(Uint8Array.of(3, 0, 2), 0)).toEqual({ bytes: decoded });
    expect(codec.encode({ bytes: decoded })).toEqual(Uint8Array.of(3, 0, 2));
  });

  test('unknown categories and labels are rejected, and null is category 0', () => {
    const codec = bindArrayToBytes('categorize', configuration, chunkRep('string', [1]));
    expect(() => codec.decode(Uint8Array.of(4), 0)).toThrow(
      /element 0 has category 4; categories are 0 \(missing\) to 3/,
    );
    expect(() => codec.encode({ items: ['pink'] })).toThrow(/"pink", is not one of the array's 3 labels/);
    expect(codec.encode({ items: [null] })).toEqual(Uint8Array.of(0));
  });

  test('labels that do not fit the data type, and other data types, are rejected', () => {
    expect(() =>
      bindArrayToBytes('categorize', { ...configuration, labels: ['too long a label'] }, rep),
    ).toThrow(/longer than the 6 characters of the data type/);
    expect(() => bindArrayToBytes('categorize', { labels: [1] }, rep)).toThrow(/a list of strings/);
    expect(() => bindArrayToBytes('categorize', configuration, chunkRep('int32', [1]))).toThrow(
      /its input is int32/,
    );
  });
});

test('the last of duplicate labels is stored, and a label can have the length of the type', () => {
  const rep = chunkRep({ name: 'fixed_length_utf32', itemSize: 8 }, [2]);
  const codec = bindArrayToBytes('categorize', { labels: ['ab', '😀😀', 'ab'] }, rep);
  const { bytes } = codec.decode(Uint8Array.of(3, 2), 100) as { bytes: Uint8Array };
  expect([...new Uint32Array(bytes.slice().buffer)]).toEqual([0x61, 0x62, 0x1f600, 0x1f600]);
  expect(codec.encode({ bytes })).toEqual(Uint8Array.of(3, 2));
});
