/** `pcodec`: what pco itself writes, and round trips of all types. Interoperability of writing: test/interop. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeArrayToBytes, describeBytesCodec } from '../../../contracts/codec.js';
import { bind, bindArrayToBytes, bindBytes, chunkRep } from '../chunk-rep.js';
import { base64Bytes, fixtureLines } from '../fixture-lines.js';

interface PcodecCase {
  readonly dtype: string;
  readonly count: number;
  readonly sha256: string;
  readonly encoded: string;
}
const cases = fixtureLines<PcodecCase>('codec/pcodec-cases.jsonl');
/** `<f4` for `float32`. */
const typestr = (name: string): string =>
  name.replace(/^([iuf])[a-z]*(\d+)$/, (_, kind: string, bits: string) => `<${kind}${Number(bits) / 8}`);
const types = [...new Set(cases.map(({ dtype }) => dtype))];

test('numbers that pco encoded, in all modes and delta encodings', () => {
  expect(cases.length).toBeGreaterThan(200);
  expect(types).toHaveLength(9);
  const name = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  for (const [line, { dtype, count, sha256, encoded }] of cases.entries()) {
    const values = bindArrayToBytes('numcodecs.pcodec', {}, chunkRep(dtype, [count])).decode(
      base64Bytes(encoded),
      0,
    );
    expect('bytes' in values && name(values.bytes), `line ${line + 1}: ${dtype}`).toBe(sha256);
    const inV2 = bindBytes('v2.pcodec', { dtype: typestr(dtype) });
    const bytes = (count * Number(/\d+/.exec(dtype)?.[0])) / 8;
    expect(name(inV2.decode(base64Bytes(encoded), { kind: 'exact', bytes }))).toBe(sha256);
  }
});

const ramp = Int32Array.from({ length: 600 }, (_, i) => i * i - 3 * (i % 7));
for (const options of [
  {},
  { delta_spec: 'none' },
  { delta_spec: 'try_consecutive', delta_encoding_order: 7 },
])
  describeArrayToBytes(
    `pcodec ${JSON.stringify(options)}`,
    bindArrayToBytes('numcodecs.pcodec', options, chunkRep('int32', [20, 30])),
    { bytes: new Uint8Array(ramp.buffer) },
  );
describeBytesCodec('v2.pcodec', bindBytes('v2.pcodec', { dtype: '<i4' }), { detectsFlips: false, unit: 4 });

test('values of all types round-trip with every order', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.option(fc.integer({ min: 0, max: 7 }), { nil: null }),
      fc.integer({ min: 1, max: 700 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
      fc.integer({ min: 0, max: 8 }),
      (dtype, order, count, stream, kept) => {
        const rep = chunkRep(dtype, [count]);
        const itemBytes = rep.dtype.itemSize ?? 1;
        // The highest bytes of each number vary, or none.
        const bytes = Uint8Array.from({ length: count * itemBytes }, (_, i) =>
          i % itemBytes < kept ? stream.next().value : (i >> 9) & 1,
        );
        const codec = bindArrayToBytes('numcodecs.pcodec', { delta_encoding_order: order }, rep);
        expect(codec.decode(codec.encode({ bytes }), 0)).toEqual({ bytes });
      },
    ),
  );
});

test('a chunk of several pages, and one much smaller than its numbers', () => {
  const count = 600_000;
  const rep = chunkRep('int64', [count]);
  const values = BigInt64Array.from({ length: count }, (_, i) =>
    BigInt(Math.round(Math.sin(i * 1e-4) * 1e4)),
  );
  const codec = bindArrayToBytes('numcodecs.pcodec', {}, rep);
  const encoded = codec.encode({ bytes: new Uint8Array(values.buffer) });
  expect(encoded.length).toBeLessThan(values.byteLength / 4);
  expect(codec.decode(encoded, 0)).toEqual({ bytes: new Uint8Array(values.buffer) });
});

describe('refuses', () => {
  const ofFirst = (dtype: string): Uint8Array => base64Bytes(cases.find((each) => each.dtype === dtype && each.count === 100)?.encoded ?? ''); // prettier-ignore

  test('another type, another number of values, and later versions', () => {
    const codec = bindArrayToBytes('numcodecs.pcodec', {}, chunkRep('int32', [100]));
    expect(() => codec.decode(ofFirst('uint32'), 0)).toThrow('another data type');
    for (const count of [99, 101])
      expect(() => bindArrayToBytes('numcodecs.pcodec', {}, chunkRep('int32', [count])).decode(ofFirst('int32'), 0)).toThrow(/decodes to .*; expected/); // prettier-ignore
    const later = ofFirst('int32').slice();
    later[4] = 3;
    expect(() => codec.decode(later, 0)).toThrow('later version');
  });

  test('many chunks of one number with large tables, which take longer than the numbers', () => {
    // Version 2: mode 0, no delta encoding, tables of 2^14 states, two bins with half of the states each.
    const bits: number[] = [];
    const put = (value: number, width: number): void => {
      for (let i = 0; i < width; i++) bits.push((value / 2 ** i) & 1);
    };
    const endByte = (): void => put(0, -bits.length & 7);
    for (const byte of [...Buffer.from('pco!'), 2]) put(byte, 8);
    put(0, 8);
    put(2, 8);
    for (let chunk = 0; chunk < 1000; chunk++) {
      put(3, 8);
      put(0, 24 + 4 + 3);
      put(14, 4);
      put(2, 15);
      for (let bin = 0; bin < 2; bin++) {
        put(2 ** 13 - 1, 14);
        put(bin, 32);
        put(0, 6);
      }
      endByte();
      put(0, 4 * 14);
      endByte();
      put(0, 1);
      endByte();
    }
    put(0, 8);
    const stored = Uint8Array.from({ length: bits.length / 8 }, (_, i) =>
      Number.parseInt(
        bits
          .slice(8 * i, 8 * i + 8)
          .toReversed()
          .join(''),
        2,
      ),
    );
    const codec = bindArrayToBytes('numcodecs.pcodec', {}, chunkRep('int32', [1000]));
    expect(() => codec.decode(stored, 0)).toThrow('tables are too large');
    expect(() => codec.decode(stored.subarray(0, 7 + 10 * 29), 0)).toThrow('truncated');
  });

  test.each([
    ['numcodecs.pcodec', {}, 'int8', 'unsupported data type int8'],
    ['numcodecs.pcodec', {}, 'complex64', 'unsupported data type complex64'],
    ['numcodecs.pcodec', { level: 13 }, 'int32', '"level" is 13'],
    ['numcodecs.pcodec', { delta_spec: 'x' }, 'int32', '"delta_spec" is "x"'],
    ['v2.pcodec', {}, 'int32', 'requires numbers'],
    ['v2.pcodec', { dtype: '>i4' }, 'int32', 'little-endian'],
  ])('%s %j of %s', (name, options, dtype, message) => {
    expect(() => bind(name, options, chunkRep(dtype, [1]))).toThrow(message);
  });
});
