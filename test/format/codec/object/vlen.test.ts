import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeArrayToBytes } from '../../../contracts/codec.js';
import { bindArrayToBytes, chunkRep } from '../chunk-rep.js';
import { base64Bytes, fixtureBytes, type NumcodecsCase, numcodecsCases } from '../fixture-lines.js';

const ragged = (item: 'int16' | 'float64', shape: readonly number[]) =>
  chunkRep(
    { name: 'ragged', itemSize: null, item: { name: item, itemSize: item === 'int16' ? 2 : 8 } },
    shape,
  );
const int16 = (bytes: readonly number[]) => ({
  dtype: { name: 'int16', itemSize: 2 },
  shape: [bytes.length / 2],
  bytes: Uint8Array.from(bytes),
});

const texts = ['', 'plain', 'grün', '漢字 and 😀', '\ufeffmark', 'x'.repeat(100)];
describeArrayToBytes('vlen-utf8', bindArrayToBytes('vlen-utf8', {}, chunkRep('string', [2, 3])), {
  items: texts,
});
describeArrayToBytes(
  'vlen-bytes',
  bindArrayToBytes('vlen-bytes', {}, chunkRep('variable_length_bytes', [3])),
  {
    items: [Uint8Array.of(255, 0), new Uint8Array(0), Uint8Array.of(1, 2, 3)],
  },
);
describeArrayToBytes(
  'vlen-array',
  bindArrayToBytes('numcodecs.vlen-array', { dtype: '>i2' }, ragged('int16', [3])),
  {
    items: [int16([1, 2, 3, 4]), int16([]), int16([5, 6])],
  },
);

/** The form of `expected` in the fixtures: for each item, a length of 4 bytes and its bytes. */
function framed(items: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(
      items.flatMap((item) => {
        const head = Buffer.alloc(4);
        head.writeUInt32LE(item.length);
        return [head, item];
      }),
    ),
  );
}

describe('fixtures of numcodecs', () => {
  const caseOf = (kind: string): NumcodecsCase => {
    const first = numcodecsCases.find((c) => c.layout.kind === kind);
    if (first === undefined) throw new Error(`the fixtures contain no case of ${kind}`);
    return first;
  };

  test('vlen-utf8', () => {
    const c = caseOf('var_utf8');
    const decoded = bindArrayToBytes('vlen-utf8', {}, chunkRep('string', [c.items])).decode(
      fixtureBytes(`peers/${c.path}`),
      1e6,
    );
    const items = 'items' in decoded ? decoded.items : [];
    expect(framed(items.map((item) => new TextEncoder().encode(String(item))))).toEqual(
      base64Bytes(c.expected),
    );
    const encoded = bindArrayToBytes('vlen-utf8', {}, chunkRep('string', [c.items])).encode(decoded);
    expect(encoded).toEqual(fixtureBytes(`peers/${c.path}`));
  });

  test('vlen-bytes', () => {
    const c = caseOf('var_bytes');
    const codec = bindArrayToBytes('vlen-bytes', {}, chunkRep('variable_length_bytes', [c.items]));
    const decoded = codec.decode(fixtureBytes(`peers/${c.path}`), 1e6);
    const items = 'items' in decoded ? decoded.items : [];
    expect(framed(items.flatMap((item) => (item instanceof Uint8Array ? [item] : [])))).toEqual(
      base64Bytes(c.expected),
    );
    expect(codec.encode(decoded)).toEqual(fixtureBytes(`peers/${c.path}`));
  });
});

describe('vlen-utf8', () => {
  const codec = bindArrayToBytes('vlen-utf8', {}, chunkRep('string', [2]));
  const stored = (...words: number[]): Uint8Array => new Uint8Array(Uint32Array.from(words).buffer);

  test('null is stored as an empty text', () => {
    expect(codec.encode({ items: [null, 'a'] })).toEqual(
      Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 97),
    );
    expect(codec.decode(codec.encode({ items: [null, 'a'] }), 10)).toEqual({ items: ['', 'a'] });
  });

  test('forged headers are rejected', () => {
    expect(() => codec.decode(stored(2 ** 32 - 1, 0, 0), 1e9)).toThrow(
      /4294967295 elements are stored; expected 2/,
    );
    expect(() => codec.decode(stored(2, 2 ** 31, 0), 1e9)).toThrow(/element 0 extends past the end/);
    expect(() => codec.decode(stored(2, 0), 1e9)).toThrow(/8 bytes are stored; expected at least 12/);
    expect(() => codec.decode(stored(2, 0, 0, 7), 1e9)).toThrow(/4 extra bytes after the last element/);
  });

  test('all elements together are limited in bytes', () => {
    const encoded = codec.encode({ items: ['12345', '678'] });
    expect(codec.decode(encoded, 8)).toEqual({ items: ['12345', '678'] });
    expect(() => codec.decode(encoded, 7)).toThrow(/take 8 bytes; at most 7 are allowed/);
  });

  test('invalid UTF-8 is rejected, short and long', () => {
    const bytes = bindArrayToBytes('vlen-bytes', {}, chunkRep('variable_length_bytes', [2]));
    for (const bad of [Uint8Array.of(0xff), Uint8Array.of(0xed, 0xa0, 0x80), new Uint8Array(50).fill(0x80)])
      expect(() => codec.decode(bytes.encode({ items: [new Uint8Array(0), bad] }), 1e3)).toThrow(
        /element 1 is not UTF-8/,
      );
    expect(() => codec.encode({ items: ['\ud800', ''] })).toThrow(/surrogate/);
  });

  test('a wrong number of values, values that are not text, and other data types are rejected', () => {
    expect(() => codec.encode({ items: ['a'] })).toThrow(/got 1 elements; expected 2/);
    expect(() => codec.encode({ items: ['a', 1] })).toThrow(/not a value of the data type string/);
    expect(() => bindArrayToBytes('vlen-utf8', {}, chunkRep('int32', [2]))).toThrow(
      /data type string, but its input is int32/,
    );
  });

  test('arbitrary texts round-trip', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), (items) => {
        expect(codec.decode(codec.encode({ items }), 1e6)).toEqual({ items });
      }),
    );
  });
});

describe('vlen-bytes', () => {
  test('decoded elements are copies', () => {
    const codec = bindArrayToBytes('vlen-bytes', {}, chunkRep('variable_length_bytes', [1]));
    const encoded = codec.encode({ items: [Uint8Array.of(1, 2)] });
    const decoded = codec.decode(encoded, 10);
    encoded.fill(9);
    expect(decoded).toEqual({ items: [Uint8Array.of(1, 2)] });
  });
});

describe('vlen-array', () => {
  test('big-endian elements are decoded', () => {
    const codec = bindArrayToBytes('numcodecs.vlen-array', { dtype: '>i2' }, ragged('int16', [1]));
    const decoded = codec.decode(Uint8Array.of(1, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4), 100);
    expect(decoded).toEqual({ items: [int16([2, 1, 4, 3])] });
  });

  test('an element with a fractional number of values, or of another type, is rejected', () => {
    const codec = bindArrayToBytes('numcodecs.vlen-array', { dtype: '<f8' }, ragged('float64', [1]));
    expect(() => codec.decode(Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 1, 2), 100)).toThrow(
      /must be a multiple of 8/,
    );
    expect(() => codec.encode({ items: [int16([1, 2])] })).toThrow(/not a value of the data type ragged/);
  });
});
