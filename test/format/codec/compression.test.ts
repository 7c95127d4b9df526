/** Compressors: the codec contract, and the specifics of each format. */
import { nativeZstd } from '#platform';
import fc from 'fast-check';
import { describe, expect, test, beforeAll } from 'vitest';
import {
  numcodecsZstdCodec,
  contentSizeOfFrame,
  decodeZstd,
  encodeZstd,
} from '../../../server/format/codec/compression/zstd.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { loadWasm } from '../../../server/core/wasm/load.js';
import { CodecError, MetadataError } from '../../../server/core/errors.js';
import { describeBytesCodec } from '../../contracts/codec.js';
import { bindBytes, chunkRep } from './chunk-rep.js';
import { base64Bytes, fixtureBytes, numcodecsCases, overBytes } from './fixture-lines.js';

const int32 = chunkRep('int32', [240]);

describeBytesCodec('gzip', bindBytes('gzip', { level: 5 }), { detectsFlips: true });
describeBytesCodec('zlib', bindBytes('numcodecs.zlib', { level: 1 }), { detectsFlips: true });
describeBytesCodec('zstd', bindBytes('zstd', { level: 3, checksum: false }), { detectsFlips: false });
describeBytesCodec('zstd with checksum', bindBytes('zstd', { level: 3, checksum: true }), {
  detectsFlips: true,
});
describeBytesCodec('lz4', bindBytes('numcodecs.lz4', {}), { detectsFlips: false });
describeBytesCodec('bz2', bindBytes('numcodecs.bz2', { level: 1 }), { detectsFlips: true });
describeBytesCodec('lzma', bindBytes('numcodecs.lzma', { format: 1, check: 1, preset: 1 }), {
  detectsFlips: true,
});
describeBytesCodec('lzma alone', bindBytes('numcodecs.lzma', { format: 2, preset: 1 }), {
  detectsFlips: false,
});
for (const cname of ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'])
  for (const shuffle of ['noshuffle', 'shuffle', 'bitshuffle'])
    describeBytesCodec(
      `blosc ${cname} ${shuffle}`,
      bindBytes('blosc', { cname, clevel: 5, shuffle, typesize: 4, blocksize: 0 }, int32),
      { detectsFlips: false },
    );

describe('fixtures of numcodecs', () => {
  const objects = ['var_utf8', 'var_bytes', 'json', 'ragged'];
  const cases = numcodecsCases.filter((c) => !objects.includes(c.layout.kind));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_id, c) => {
    const expected = base64Bytes(c.expected);
    const { name, options } = overBytes(c.codec);
    const rep = chunkRep({ name: 'raw_bytes', itemSize: expected.length / c.items }, [c.items]);
    const decoded = bindBytes(name, options, rep).decode(fixtureBytes(`peers/${c.path}`), {
      kind: 'exact',
      bytes: expected.length,
    });
    expect(decoded.slice()).toEqual(expected);
  });
});

describe('gzip', () => {
  const gzip = bindBytes('gzip', { level: 5 });
  const [a, b] = [new TextEncoder().encode('one, '), new TextEncoder().encode('two')];
  const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

  test('the contents of several members are concatenated', () => {
    const members = joined(gzip.encode(a), gzip.encode(b));
    expect(gzip.decode(members, { kind: 'exact', bytes: 8 }).slice()).toEqual(joined(a, b));
  });

  test('zeros after the last member are ignored', () => {
    const padded = joined(gzip.encode(a), new Uint8Array(100));
    expect(gzip.decode(padded, { kind: 'exact', bytes: 5 }).slice()).toEqual(a);
  });

  test('a result larger than the expected size or the limit is an error', () => {
    const bomb = gzip.encode(new Uint8Array(2 ** 26));
    expect(() => gzip.decode(bomb, { kind: 'exact', bytes: 16 })).toThrow(/more than 16 bytes; expected 16/);
    expect(() => gzip.decode(bomb, { kind: 'atMost', bytes: 1000 })).toThrow(/at most 1000 are allowed/);
  });
});

describe('options', () => {
  test.each([
    ['gzip', { level: 10 }, /"level" is 10; expected an integer from -1 to 9/],
    ['gzip', { level: '5' }, /"level" is "5"/],
    ['zstd', { level: 23 }, /-131072 to 22/],
    ['zstd', { level: 1, checksum: 1 }, /true or false/],
    ['blosc', { cname: 'lzo', clevel: 5, shuffle: 'shuffle', typesize: 4 }, /"cname" is "lzo"/],
    [
      'blosc',
      { cname: 'lz4', clevel: 5, shuffle: 'bytes', typesize: 4 },
      /"noshuffle", "shuffle", "bitshuffle"/,
    ],
    ['blosc', { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 0 }, /"typesize" is 0/],
    ['numcodecs.blosc', { shuffle: 3 }, /-1, 0, 1 or 2/],
    ['numcodecs.bz2', { level: 0 }, /1 to 9/],
    ['numcodecs.lzma', { format: 4 }, /"format" is 4/],
    ['numcodecs.lzma', { format: 3 }, /"filters" is missing/],
    ['numcodecs.pickle', { protocol: 5 }, /unpickling executes code/],
  ])('%s %j is rejected', (name, options, message) => {
    expect(() => bindBytes(name, options)).toThrow(message);
  });

  test('shuffle -1 is bit shuffle for single bytes, and byte shuffle for larger elements', () => {
    // Byte 2 of a Blosc header: bit 0 means byte shuffle, bit 2 bit shuffle.
    const flags = (rep: ReturnType<typeof chunkRep>): number =>
      (bindBytes('numcodecs.blosc', { shuffle: -1 }, rep).encode(new Uint8Array(1024))[2] ?? 0) & 0b101;
    expect(flags(chunkRep('uint8', [1024]))).toBe(0b100);
    expect(flags(int32)).toBe(0b001);
  });

  test('unknown filters of raw LZMA are rejected when decoding and encoding', () => {
    const codec = bindBytes('numcodecs.lzma', { format: 3, filters: [{ id: 0 }] });
    expect(() => codec.decode(new Uint8Array(20), { kind: 'exact', bytes: 4 })).toThrow(MetadataError);
    expect(() => codec.encode(new Uint8Array(4))).toThrow('unknown filter 0');
  });

  test('blosc with snappy can be bound, but not encode', () => {
    const codec = bindBytes('blosc', { cname: 'snappy', clevel: 5, shuffle: 'shuffle', typesize: 4 });
    expect(() => codec.encode(new Uint8Array(4))).toThrow(/use "lz4" or "zstd"/);
  });

  test('blosc with snappy is read, in whole and in parts; changed bytes are errors or results of the right size', () => {
    const codec = bindBytes('blosc', { cname: 'snappy', clevel: 5, shuffle: 'shuffle', typesize: 4 });
    const cases: { values: string; encoded: string }[] = JSON.parse(
      Buffer.from(fixtureBytes('codec/snappy-cases.json')).toString(),
    );
    expect(cases).toHaveLength(5);
    for (const each of cases) {
      const [values, encoded] = [base64Bytes(each.values), base64Bytes(each.encoded)];
      const size = { kind: 'exact', bytes: values.length } as const;
      expect(codec.decode(encoded, size).slice()).toEqual(values);
      const needed = { start: 5000, end: 5004 };
      expect(codec.decode(encoded, size, undefined, needed).slice(5000, 5004)).toEqual(
        values.slice(5000, 5004),
      );
      for (let at = 0; at < encoded.length; at += 37) {
        const changed = encoded.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        try {
          expect(codec.decode(changed, size)).toHaveLength(values.length);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
        }
      }
    }
  });
});

// Node's Zstandard decodes only frames with a known content size. Its results equal those of the WebAssembly module.
describe('zstd', () => {
  beforeAll(async () => {
    await loadWasm('codecs');
  });

  function bytesOf(length: number): Uint8Array {
    return Uint8Array.from(
      { length },
      (_, i) => Math.floor(100 * Math.sin(i / 50)) + (((i * 7919) >> 5) % 7),
    );
  }

  const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);

  describe('the content size of a frame', () => {
    test.each([1, 200, 255, 256, 65_791, 65_792, 300_000])(
      'of %i bytes is known only for exactly one complete frame',
      (length) => {
        for (const checksum of [false, true]) {
          const frame = encodeZstd(bytesOf(length), { level: 3, checksum });
          expect(contentSizeOfFrame(frame)).toBe(length);
          expect(contentSizeOfFrame(frame.subarray(0, -1))).toBeUndefined();
          expect(contentSizeOfFrame(Uint8Array.of(...frame, 0))).toBeUndefined();
          expect(contentSizeOfFrame(Uint8Array.of(...skippable, ...frame))).toBeUndefined();
          expect(contentSizeOfFrame(Uint8Array.of(...frame, ...skippable))).toBeUndefined();
        }
      },
    );

    test('of arbitrary bytes is undefined or not negative', () => {
      const magic = [0x28, 0xb5, 0x2f, 0xfd];
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (rest) => {
          const size = contentSizeOfFrame(Uint8Array.of(...magic, ...rest));
          expect(size === undefined || size >= 0).toBe(true);
        }),
        { numRuns: 2000 },
      );
    });
  });

  describe.skipIf(nativeZstd === undefined)('native Zstandard', () => {
    const length = 300_000;
    const plain = bytesOf(length);
    const codec = numcodecsZstdCodec.create(
      { level: 3, checksum: true },
      chunkRep('uint8', [length]),
      createDefaultRegistry(),
    );

    test('decodes frames of the module, and the module decodes its frames', () => {
      expect(nativeZstd?.decode(encodeZstd(plain, { level: 3, checksum: true }), length)).toEqual(plain);
      for (const level of [-5, 0, 3, 19])
        for (const checksum of [false, true]) {
          const frame = nativeZstd?.encode(plain, level, checksum) ?? new Uint8Array(0);
          expect(contentSizeOfFrame(frame)).toBe(length);
          expect(new Uint8Array(decodeZstd(frame, { kind: 'exact', bytes: length }))).toEqual(plain);
        }
    });

    test.each([
      [
        'noise, which fills a second buffer',
        (i: number) => Math.floor(0x1_0000_0000 * Math.abs(Math.sin(i * i))),
      ],
      ['one value, which leaves most of the buffer unused', () => 7],
    ])('encodes %s', (_, valueOf) => {
      const values = Uint8Array.from({ length }, (_, i) => valueOf(i));
      const frame = nativeZstd?.encode(values, 3, false) ?? new Uint8Array(0);
      expect(frame.buffer.byteLength).toBeLessThanOrEqual(2 * frame.length);
      expect(new Uint8Array(decodeZstd(frame, { kind: 'exact', bytes: length }))).toEqual(values);
    });

    test('leaves damaged frames to the module', () => {
      const frame = encodeZstd(plain, { level: 3, checksum: true });
      const size = { kind: 'exact', bytes: length } as const;
      const wrong = frame.slice();
      wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
      expect(() => codec.decode(wrong, size)).toThrow('does not match the checksum');
      expect(() => codec.decode(Uint8Array.of(...frame, 1, 2, 3), size)).toThrow('not complete');
      expect(() => codec.decode(frame.subarray(0, -1), size)).toThrow('not complete');
      expect(() => codec.decode(frame, { kind: 'exact', bytes: length + 1 })).toThrow('bytes');
    });
  });
});
