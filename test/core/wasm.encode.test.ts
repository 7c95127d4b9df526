/** Round trips of the encoders in WebAssembly modules. That numcodecs decodes their output was tested manually. */
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { InputError } from '../../server/core/errors.js';
import { decodeBlosc, encodeBlosc } from '../../server/format/codec/compression/blosc.js';
import { decodeBzip2, encodeBzip2 } from '../../server/format/codec/compression/bzip2.js';
import { decodeLz4, encodeLz4 } from '../../server/format/codec/compression/lz4.js';
import { decodeLzma, encodeLzma } from '../../server/format/codec/compression/lzma.js';
import { decodeZstd, encodeZstd } from '../../server/format/codec/compression/zstd.js';
import { data, thrown } from './wasm/fixtures.js';
import type { Size } from '../../server/format/codec/codec.js';
import { exactly } from '../../server/format/codec/size.js';

let state = 1;
const noise = Uint8Array.from({ length: 5001 }, () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 24;
});
const sources = [data.walk, data.skewed, data.empty, Uint8Array.of(1), noise, new Uint8Array(100_000)];

function roundTrips(
  encode: (source: Uint8Array) => Uint8Array,
  decode: (source: Uint8Array, size: Size) => Uint8Array,
): boolean {
  return sources.every(
    (source) => Buffer.compare(decode(encode(source), exactly(source.length)), source) === 0,
  );
}

describe('blosc', () => {
  test.each(['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'] as const)('%s round-trips', (cname) => {
    for (const shuffle of [0, 1, 2] as const)
      for (const typesize of [1, 2, 3, 4, 7, 8, 16, 255, 256])
        for (const clevel of typesize === 4 ? [0, 1, 9] : [5])
          for (const blocksize of [0, 1000])
            expect(
              roundTrips(
                (source) => encodeBlosc(source, { cname, clevel, shuffle, typesize, blocksize }),
                decodeBlosc,
              ),
            ).toBe(true);
  });
  test('writes its parameters to the header', () => {
    const encoded = encodeBlosc(data.walk, {
      cname: 'zstd',
      clevel: 1,
      shuffle: 2,
      typesize: 4,
      blocksize: 512,
    });
    const header = new DataView(encoded.buffer);
    expect([header.getUint8(0), header.getUint8(2) >> 5, header.getUint8(2) & 7, header.getUint8(3)]).toEqual(
      [2, 4, 4, 4],
    );
    expect([header.getUint32(4, true), header.getUint32(12, true)]).toEqual([
      data.walk.length,
      encoded.length,
    ]);
  });
  test('incompressible bytes grow by the header alone', () => {
    const options = { cname: 'lz4', clevel: 9, shuffle: 1, typesize: 4, blocksize: 0 } as const;
    expect(encodeBlosc(noise, options).length).toBe(noise.length + 16);
  });
  test('options out of range are input errors', () => {
    const good = { cname: 'lz4', clevel: 5, shuffle: 1, typesize: 4, blocksize: 0 } as const;
    for (const bad of [
      { clevel: 10 },
      { clevel: -1 },
      { typesize: 0 },
      { blocksize: -1 },
      { blocksize: 1.5 },
    ])
      expect(thrown(() => encodeBlosc(data.walk, { ...good, ...bad }))).toBeInstanceOf(InputError);
  });
});

test('lz4 round-trips', () => {
  for (const acceleration of [-1, 0, 1, 100])
    expect(roundTrips((source) => encodeLz4(source, acceleration), decodeLz4)).toBe(true);
});

test('zstd round-trips, its checksum takes 4 bytes, and level 23 is rejected', () => {
  for (const level of [-100, -1, 0, 1, 3, 9, 22])
    for (const checksum of [false, true])
      expect(roundTrips((source) => encodeZstd(source, { level, checksum }), decodeZstd)).toBe(true);
  const plain = encodeZstd(data.walk, { level: 3, checksum: false });
  const checked = encodeZstd(data.walk, { level: 3, checksum: true });
  expect(checked.length).toBe(plain.length + 4);
  expect(thrown(() => encodeZstd(data.walk, { level: 23, checksum: false }))).toBeInstanceOf(InputError);
});

test('bzip2 round-trips, and level 0 is rejected', () => {
  for (const level of [1, 9])
    expect(roundTrips((source) => encodeBzip2(source, level), decodeBzip2)).toBe(true);
  expect(thrown(() => encodeBzip2(data.walk, 0))).toBeInstanceOf(InputError);
});

describe('lzma', () => {
  const filters = [
    { id: 3, dist: 4 },
    { id: 7 },
    { id: 0x21, preset: 2, dict_size: 2 ** 20, lc: 1, lp: 2, pb: 0 },
  ];
  const lzma1 = [{ id: 0x4000_0000_0000_0001n, dict_size: 2 ** 16 }];

  test('xz and alone round-trip with any preset, and xz with any check', () => {
    for (const preset of [0, 6, 9, 2 ** 31 + 3])
      for (const format of [1, 2] as const)
        expect(
          roundTrips(
            (source) => encodeLzma(source, { format, preset }),
            (source, size) => decodeLzma(source, { format }, size),
          ),
        ).toBe(true);
    for (const check of [-1, 0, 1, 4, 10])
      expect(
        roundTrips(
          (source) => encodeLzma(source, { format: 1, check }),
          (source, size) => decodeLzma(source, { format: 1 }, size),
        ),
      ).toBe(true);
  });
  test('chains of filters round-trip', () => {
    for (const chain of [filters, lzma1])
      expect(
        roundTrips(
          (source) => encodeLzma(source, { format: 3, filters: chain }),
          (source, size) => decodeLzma(source, { format: 3, filters: chain }, size),
        ),
      ).toBe(true);
    expect(
      roundTrips(
        (source) => encodeLzma(source, { format: 1, filters }),
        (source, size) => decodeLzma(source, { format: 1 }, size),
      ),
    ).toBe(true);
  });
  test('delta compresses a ramp', () => {
    const ramp = new Uint8Array(Int32Array.from({ length: 4096 }, (_, i) => i * 1001).buffer);
    const deltas = encodeLzma(ramp, { format: 3, filters: [{ id: 3, dist: 4 }, { id: 0x21 }] });
    expect(deltas.length).toBeLessThan(encodeLzma(ramp, { format: 3, filters: [{ id: 0x21 }] }).length);
  });
  test('invalid and conflicting options are input errors', () => {
    const errorOf = (options: Parameters<typeof encodeLzma>[1]) =>
      thrown(() => encodeLzma(data.walk, options));
    expect(errorOf({ format: 3 })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 1, preset: 10 })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 1, check: 3 })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 2, check: 4 })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 1, preset: 1, filters })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 2, filters })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 1, filters: lzma1 })).toBeInstanceOf(InputError);
    expect(errorOf({ format: 1, filters: [{ id: 0x21, lc: 4, lp: 4 }] })).toBeInstanceOf(InputError);
  });
});

test('arbitrary bytes round-trip through blosc, lz4 and zstd', () => {
  const shuffles = fc.constantFrom<0 | 1 | 2>(0, 1, 2);
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 2000 }),
      shuffles,
      fc.integer({ min: 1, max: 40 }),
      (bytes, shuffle, typesize) => {
        const exact = exactly(bytes.length);
        const blosc = encodeBlosc(bytes, { cname: 'lz4', clevel: 5, shuffle, typesize, blocksize: 0 });
        expect(Buffer.compare(decodeBlosc(blosc, exact), bytes)).toBe(0);
        expect(Buffer.compare(decodeLz4(encodeLz4(bytes, 1), exact), bytes)).toBe(0);
        expect(
          Buffer.compare(decodeZstd(encodeZstd(bytes, { level: 1, checksum: true }), exact), bytes),
        ).toBe(0);
      },
    ),
  );
});
