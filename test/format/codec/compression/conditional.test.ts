import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../server/core/bytes/json.js';
import { isZarrError } from '../../../../server/core/errors.js';
import { describeBytesCodec } from '../../../contracts/codec.js';
import { resolveChain } from '../../../../server/format/codec/chain.js';
import { createDefaultRegistry } from '../../../../server/format/codec/registry.js';
import { decodingNsPerByte, encodingNsPerByte } from '../../../../server/format/codec/speed.js';
import { bindBytes, chunkRep } from '../chunk-rep.js';

const gzip = { name: 'gzip', configuration: { level: 5 } };
const shuffle = { name: 'numcodecs.shuffle', configuration: { elementsize: 4 } };
const noise = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7919 * (i + 13)) >> 3);
const smooth = new Uint8Array(1000).fill(3);
const exactly = (bytes: number) => ({ kind: 'exact', bytes }) as const;

describeBytesCodec('conditional', bindBytes('conditional', { codecs: [gzip] }), { detectsFlips: false });
describeBytesCodec('conditional with a checksum', bindBytes('conditional', { codecs: [gzip, 'crc32c'] }), { detectsFlips: false }); // prettier-ignore

describe('conditional', () => {
  const codec = bindBytes('conditional', { codecs: [shuffle, gzip, 'crc32c'] });

  test('bits of the first byte tell which codecs apply, in the order of the list', () => {
    const encoded = codec.encode(smooth);
    expect(encoded[0]).toBe(0b111);
    expect(encoded.length).toBeLessThan(100);
    expect(codec.decode(encoded, exactly(1000))).toEqual(smooth);
  });

  test('a compressor that would enlarge the chunk is left out; other codecs are applied', () => {
    const encoded = bindBytes('conditional', { codecs: ['crc32c', gzip] }).encode(noise);
    expect(encoded[0]).toBe(0b01);
    expect(encoded).toHaveLength(1 + 1000 + 4);
    expect(bindBytes('conditional', { codecs: ['crc32c', gzip] }).decode(encoded, exactly(1000))).toEqual(
      noise,
    );
  });

  test('a chunk that was written when the list was shorter', () => {
    const before = bindBytes('conditional', { codecs: [gzip], header_bits: 16 });
    const after = bindBytes('conditional', { codecs: [gzip, 'crc32c', shuffle], header_bits: 16 });
    expect(after.decode(before.encode(smooth), exactly(1000))).toEqual(smooth);
  });

  test('by hand, as the specification describes it', () => {
    const stored = Uint8Array.of(0, 0, 1, 2, 3);
    expect(bindBytes('conditional', { codecs: [gzip], header_bits: 16 }).decode(stored, exactly(3))).toEqual(
      Uint8Array.of(1, 2, 3),
    );
    const empty = bindBytes('conditional', { codecs: [] });
    expect(empty.decode(Uint8Array.of(9), exactly(1))).toEqual(Uint8Array.of(9));
  });

  const codeOf = (run: () => unknown): unknown => {
    try {
      run();
      return undefined;
    } catch (error) {
      return isZarrError(error) ? error.code : error;
    }
  };

  test.each([
    ['no header', new Uint8Array(0), 'CODEC_ERROR'],
    ['a codec that is not listed', Uint8Array.of(0b1000, 1, 2, 3), 'CODEC_ERROR'],
    ['another size', Uint8Array.of(0, 1, 2), 'CODEC_ERROR'],
    ['a damaged codec', Uint8Array.of(0b010, 1, 2, 3), 'CODEC_ERROR'],
  ])('%s', (_, stored, code) => {
    expect(codeOf(() => codec.decode(stored, exactly(3)))).toBe(code);
  });

  test('codecs that enlarge a chunk many times over need no memory, and are not written', () => {
    const codecs = [...Array.from({ length: 40 }, (): JsonValue => 'base64'), 'zstd'];
    const bomb = bindBytes('conditional', { codecs });
    const all = Uint8Array.of(255, 255, 255, 255, 255, 1, ...new Array<number>(20).fill(0));
    expect(codeOf(() => bomb.decode(all, exactly(2 ** 20)))).toBe('LIMIT_EXCEEDED');
    expect(codeOf(() => bomb.decode(all, { kind: 'atMost', bytes: 2 ** 20 }))).toBe('CODEC_ERROR');
    expect(codeOf(() => bomb.encode(new Uint8Array(2 ** 20)))).toBe('LIMIT_EXCEEDED');
    expect(bomb.encodedSize(exactly(2 ** 20)).bytes).toBeLessThan(2.2 * 2 ** 20);
  });

  test('its time and the sizes within it are those of the codecs that it contains', () => {
    const chainOf = (codecs: readonly JsonValue[]) =>
      resolveChain(
        createDefaultRegistry(),
        [
          { name: 'bytes', configuration: { endian: 'little' } },
          { name: 'conditional', configuration: { codecs: [...codecs] } },
        ],
        chunkRep('int32', [1000]),
      );
    const [one, three] = [chainOf([gzip]), chainOf([gzip, gzip, gzip])];
    expect(decodingNsPerByte(three)).toBeCloseTo(3 * decodingNsPerByte(one));
    expect(encodingNsPerByte(three)).toBeCloseTo(3 * encodingNsPerByte(one));
  });

  const rejected: readonly (readonly [string, JsonObject])[] = [
    ['no list', {}],
    ['codecs over arrays', { codecs: ['transpose'] }],
    ['itself', { codecs: [{ name: 'conditional', configuration: { codecs: [] } }] }],
    ['an unknown codec', { codecs: ['acme.none'] }],
    ['too few bits', { codecs: Array.from({ length: 9 }, (): JsonValue => gzip), header_bits: 8 }],
    ['bits that are no bytes', { codecs: [gzip], header_bits: 12 }],
    ['too many bits', { codecs: [gzip], header_bits: 2 ** 40 }],
    ['an unknown option', { codecs: [gzip], mode: 1 }],
    ['too many codecs', { codecs: Array.from({ length: 65 }, (): JsonValue => gzip) }],
  ];
  test.each(rejected)('%s is rejected', (_, configuration) => {
    expect(['INVALID_METADATA', 'UNSUPPORTED', 'LIMIT_EXCEEDED']).toContain(
      codeOf(() => bindBytes('conditional', configuration)),
    );
  });
});
