/** Bytes encoded by numcodecs are tested in registry.numcodecs.test.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adler32, fletcher32, jenkinsLookup3 } from '../../../../server/zarr/codec/checksum/sums.js';
import * as node from '../../../../server/zarr/codec/checksum/crc-node.js';
import * as table from '../../../../server/zarr/codec/checksum/crc-table.js';
import { describeBytesCodec } from '../../../contracts/codec.js';
import { bindBytes } from '../chunk-rep.js';

describeBytesCodec('crc32c', bindBytes('crc32c'), { detectsFlips: true });
describeBytesCodec('numcodecs.crc32c at the start', bindBytes('numcodecs.crc32c', { location: 'start' }), {
  detectsFlips: true,
});
for (const name of ['crc32', 'adler32', 'fletcher32', 'jenkins_lookup3'])
  describeBytesCodec(name, bindBytes(`numcodecs.${name}`), { detectsFlips: true });
describeBytesCodec('crc32 at the end', bindBytes('crc32', { location: 'end' }), { detectsFlips: true });

const digits = new TextEncoder().encode('123456789');

describe('known sums', () => {
  test('check values of the CRC catalogues', () => {
    expect(table.crc32c(digits)).toBe(0xe3069283);
    expect(table.crc32(digits)).toBe(0xcbf43926);
    // RFC 3720, B.4: 32 bytes of zeros, of ones, and counting up.
    expect(table.crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(table.crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
    expect(table.crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
  });

  test('adler32, jenkins', () => {
    expect(adler32(new TextEncoder().encode('Wikipedia'))).toBe(0x11e60398);
    // The comments in Bob Jenkins' lookup3.c: "Four score and seven years ago" with 0 and with 1.
    const speech = new TextEncoder().encode('Four score and seven years ago');
    expect(jenkinsLookup3(speech, 0)).toBe(0x17770551);
    expect(jenkinsLookup3(speech, 1)).toBe(0xcd628161);
    expect(fletcher32(new Uint8Array(0))).toBe(0);
  });

  test('the native CRCs and the plain ones agree', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (bytes, from) => {
        const part = bytes.subarray(from);
        expect(table.crc32(part)).toBe(node.crc32(part));
        expect(table.crc32c(part)).toBe(node.crc32c(part));
      }),
    );
  });
});

describe('checksum codecs', () => {
  test('crc32c is a little-endian suffix', () => {
    expect(bindBytes('crc32c').encode(digits)).toEqual(Uint8Array.of(...digits, 0x83, 0x92, 0x06, 0xe3));
  });

  test('errors', () => {
    const codec = bindBytes('crc32c');
    const stored = codec.encode(digits);
    stored[0] = 0;
    const size = { kind: 'exact', bytes: 9 } as const;
    expect(() => codec.decode(stored, size)).toThrow(/checksum mismatch: stored 0xe3069283, computed 0x/);
    expect(() => codec.decode(stored.subarray(0, 3), size)).toThrow(
      /3 bytes are stored; expected at least 4/,
    );
    expect(() => bindBytes('numcodecs.crc32', { location: 'middle' })).toThrow(/one of "start", "end"/);
    expect(() => bindBytes('numcodecs.fletcher32', { location: 'end' })).toThrow(/unknown option "location"/);
  });

  test('jenkins hashes its prefix first', () => {
    const whole = bindBytes('numcodecs.jenkins_lookup3').encode(Uint8Array.of(1, 2, 3));
    const prefixed = bindBytes('numcodecs.jenkins_lookup3', { prefix: [1, 2] }).encode(Uint8Array.of(3));
    expect(prefixed.subarray(-4)).toEqual(whole.subarray(-4));
  });
});
