import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesCodec } from '../../server/format/codec/array/bytes.js';
import { resolveChain } from '../../server/format/codec/chain.js';
import { adler32, fletcher32, jenkinsLookup3 } from '../../server/format/codec/checksum/number-checksums.js';
import * as node from '../../server/format/codec/checksum/crc-node.js';
import * as table from '../../server/format/codec/checksum/crc-table.js';
import type { Codec } from '../../server/format/codec/codec.js';
import { createDefaultRegistry } from '../../server/format/codec/registry.js';
import { parseNumpyType } from '../../server/core/dtype/notation.js';
import { describeBytesCodec } from '../contracts/codec.js';
import { chunkRep, bindArray, bindBytes } from './codec/chunk-rep.js';
import { base64Bytes, fixtureLines, type NumcodecsConfig, overBytes } from './codec/fixture-lines.js';

describe('registry', () => {
  test('contains exactly these names', () => {
    const numcodecs = [
      'adler32', 'base64', 'blosc', 'bz2', 'categorize', 'crc32', 'crc32c', 'fletcher32', 'gzip', 'jenkins_lookup3',
      'json2', 'lz4', 'lzma', 'msgpack2', 'pcodec', 'pickle', 'shuffle', 'vlen-array', 'vlen-bytes', 'vlen-utf8', 'zlib', 'zstd',
    ]; // prettier-ignore
    const filters = ['astype', 'bitround', 'delta', 'fixedscaleoffset', 'packbits', 'quantize'];
    const names = [
      'bitround',
      'bytes',
      'cast_value',
      'conditional',
      'endian',
      'n5_default',
      'packbits',
      'reshape',
      'scale_offset',
      'sharding_indexed',
      'transpose',
      ...numcodecs.flatMap((name) => [name, `numcodecs.${name}`]),
      ...filters.flatMap((name) => [`numcodecs.${name}`, `v2.${name}`]),
      'v2.pcodec',
      'internal.widened',
    ];
    expect([...createDefaultRegistry().codecs.keys()].sort()).toEqual(names.sort());
  });

  test('an added codec is bound for the inner chunks of a shard, and belongs to its registry only', () => {
    let bound = 0;
    const mine: Codec = {
      kind: 'array-to-bytes',
      name: 'mine',
      create(_configuration, rep, registry) {
        bound++;
        return bytesCodec.create({ endian: 'little' }, rep, registry);
      },
    };
    const registry = createDefaultRegistry([['mine', mine]]);
    const index = [{ name: 'bytes', configuration: { endian: 'little' } }];
    const configuration = { chunk_shape: [2], codecs: ['mine'], index_codecs: index };
    resolveChain(registry, [{ name: 'sharding_indexed', configuration }], chunkRep('int32', [4]));
    expect(bound).toBe(1);
    expect(createDefaultRegistry().codecs.has('mine')).toBe(false);
  });

  test('each codec of a chain changes the size or its bound', () => {
    const specs = [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'crc32c', configuration: {} },
      { name: 'zstd', configuration: { level: 1 } },
      { name: 'crc32c', configuration: {} },
    ];
    const { sizes } = resolveChain(createDefaultRegistry(), specs, chunkRep('int32', [1000, 1000]));
    expect(sizes).toEqual([
      { kind: 'exact', bytes: 4_000_000 },
      { kind: 'exact', bytes: 4_000_004 },
      { kind: 'atMost', bytes: 8_065_544 },
      { kind: 'atMost', bytes: 8_065_548 },
    ]);
  });
});

// Bytes that numcodecs encoded (test/fixtures/codec/make_numcodecs_cases.py) are decoded, and the same values are
// encoded.

interface Case {
  readonly codec: NumcodecsConfig;
  readonly dtype: string;
  readonly values: string;
  readonly encoded: string;
  readonly decoded: string | null;
}

const cases = fixtureLines<Case>('codec/numcodecs-cases.jsonl');
/** Codecs whose encoders may write other bytes for the same values. */
const compressors = ['gzip', 'zlib', 'zstd', 'lz4', 'bz2', 'lzma', 'blosc'];
const titles = cases.map((c, i) => [`${i} ${JSON.stringify(c.codec)} ${c.dtype}`, c] as const);

/** The representation of a chunk of these bytes. Its data type has no byte order. */
function repOf(c: Case, bytes: Uint8Array) {
  const { dtype } = parseNumpyType(c.dtype);
  return chunkRep(dtype, [bytes.length / (dtype.itemSize ?? 1)]);
}

describe('the bytes-to-bytes form of v2', () => {
  test.each(titles)('%s', (_title, c) => {
    const values = base64Bytes(c.values);
    const encoded = base64Bytes(c.encoded);
    const decoded = c.decoded === null ? values : base64Bytes(c.decoded);
    const { name, options } = overBytes(c.codec, c.dtype);
    const codec = bindBytes(name, options, repOf(c, values));
    const size = { kind: 'exact', bytes: decoded.length } as const;
    expect(codec.decode(encoded, size).slice()).toEqual(decoded);
    const ours = codec.encode(values);
    if (compressors.includes(c.codec.id)) expect(codec.decode(ours, size).slice()).toEqual(decoded);
    else expect(new Uint8Array(ours)).toEqual(encoded);
    const bound = codec.encodedSize({ kind: 'exact', bytes: values.length });
    if (bound.kind === 'exact') expect(bound.bytes).toBe(encoded.length);
    else expect(bound.bytes).toBeGreaterThanOrEqual(encoded.length);
  });
});

describe('the array-to-array form of v3', () => {
  const arrays = titles.filter(
    ([, c]) => overBytes(c.codec).name.startsWith('v2.') && !JSON.stringify(c).includes('">'),
  );
  test('the fixtures contain more than 150 cases', () => expect(arrays.length).toBeGreaterThan(150));

  test.each(arrays)('%s', (_title, c) => {
    const values = base64Bytes(c.values);
    const encoded = base64Bytes(c.encoded);
    const decoded = c.decoded === null ? values : base64Bytes(c.decoded);
    const { id, ...options } = c.codec;
    const codec = bindArray(`numcodecs.${id}`, options, repOf(c, values));
    expect(new Uint8Array(codec.encode(values))).toEqual(encoded);
    expect(new Uint8Array(codec.decode(encoded))).toEqual(decoded);
    const { shape, dtype } = codec.encodedRep;
    expect(shape.reduce((a, b) => a * b, 1) * (dtype.itemSize ?? NaN)).toBe(encoded.length);
  });
});

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

  test('adler32, jenkins_lookup3, and fletcher32 of no bytes', () => {
    expect(adler32(new TextEncoder().encode('Wikipedia'))).toBe(0x11e60398);
    // The comments in Bob Jenkins' lookup3.c: "Four score and seven years ago" with 0 and with 1.
    const speech = new TextEncoder().encode('Four score and seven years ago');
    expect(jenkinsLookup3(speech, 0)).toBe(0x17770551);
    expect(jenkinsLookup3(speech, 1)).toBe(0xcd628161);
    expect(fletcher32(new Uint8Array(0))).toBe(0);
  });

  test('the native CRCs equal those computed by table', () => {
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

  test('corrupt input and invalid options are rejected', () => {
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
