import { describe, expect, test } from 'vitest';
import { resolveChain } from '../../../server/format/codec/chain.js';
import type {
  ArrayToArray,
  ArrayToBytes,
  BytesToBytes,
  Codec,
  CodecSpec,
} from '../../../server/format/codec/codec.js';
import { decodeChunk } from '../../../server/format/codec/run-chain.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { chunkRep } from './chunk-rep.js';

const rep = chunkRep('uint8', [2, 3]);
const bytes: CodecSpec = { name: 'bytes', configuration: {} };
const mine: CodecSpec = { name: 'mine', configuration: {} };
const same = (input: Uint8Array): Uint8Array => input;

const toArray = (bound: ArrayToArray): Codec => ({
  kind: 'array-to-array',
  name: 'mine',
  create: () => bound,
});
const toBytes = (bound: ArrayToBytes): Codec => ({
  kind: 'array-to-bytes',
  name: 'mine',
  create: () => bound,
});
const compressor = (bound: Partial<BytesToBytes>): Codec => ({
  kind: 'bytes-to-bytes',
  name: 'mine',
  create: () => ({ encodedSize: (decoded) => decoded, decode: same, encode: same, ...bound }),
});

function chainWith(codec: Codec, specs: readonly CodecSpec[]) {
  return resolveChain(createDefaultRegistry([['mine', codec]]), specs, rep);
}

describe('results of custom codecs are checked', () => {
  test.each<[string, Codec, CodecSpec[]]>([
    [
      'too few values',
      toArray({ encodedRep: rep, decode: (b) => b.subarray(1), encode: same }),
      [mine, bytes],
    ],
    [
      'too few bytes of values',
      toBytes({
        encodedSize: { kind: 'exact', bytes: 6 },
        decode: () => ({ bytes: new Uint8Array(5) }),
        encode: () => new Uint8Array(6),
      }),
      [mine],
    ],
    ['too few bytes', compressor({ decode: (b) => b.subarray(1) }), [bytes, mine]],
    ['too many bytes', compressor({ decode: () => new Uint8Array(7) }), [bytes, mine]],
  ])('decoded: %s', (_, codec, specs) => {
    const chain = chainWith(codec, specs);
    expect(() => decodeChunk(chain, new Uint8Array(6), 100)).toThrow(/codec "mine": .* expected 6/);
  });

  test.each([NaN, -1, 0.5, Infinity])('the encoded size %s is rejected', (size) => {
    const codec = compressor({ encodedSize: () => ({ kind: 'exact', bytes: size }) });
    expect(() => chainWith(codec, [bytes, mine])).toThrow(/codec "mine": invalid encoded size: kind exact/);
  });

  test.each([[[0, 0]], [[0]], [[1, 0]]])('the permutation %j is rejected', (permutation) => {
    const codec = toArray({ encodedRep: rep, permutation, decode: same, encode: same });
    expect(() => chainWith(codec, [mine, bytes])).toThrow(/codec "mine": invalid permutation/);
  });

  test('an error of create that is not a ZarrError becomes INVALID_METADATA', () => {
    const codec: Codec = {
      kind: 'bytes-to-bytes',
      name: 'mine',
      create() {
        throw new TypeError('no key');
      },
    };
    expect(() => chainWith(codec, [bytes, mine])).toThrow(
      expect.objectContaining({ code: 'INVALID_METADATA', detail: 'codec "mine": no key' }),
    );
  });
});

describe('properties of a chain', () => {
  const url = 'file:///codec.js';
  const withModule = { ...compressor({}), module: { url, export: 'codec' } };
  const sharded: CodecSpec = {
    name: 'sharding_indexed',
    configuration: {
      chunk_shape: [1, 3],
      codecs: ['bytes', 'mine'],
      index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    },
  };

  test('an added codec without a module excludes only its own chains from decoding threads', () => {
    expect(chainWith(compressor({}), [bytes])).toMatchObject({ isStandard: true, modules: new Map() });
    expect(chainWith(compressor({}), [bytes, mine]).modules).toBeUndefined();
    expect(chainWith(compressor({}), [sharded]).modules).toBeUndefined();
  });

  test('a chain lists the modules of its codecs, including those of inner chunks', () => {
    for (const specs of [[bytes, mine], [sharded]]) {
      const { isStandard, modules } = chainWith(withModule, specs);
      expect(isStandard).toBe(false);
      expect([...(modules ?? [])]).toEqual([['mine', { url, export: 'codec' }]]);
    }
  });

  test('partial decoding requires the built-in "bytes"', () => {
    const zstd: CodecSpec = { name: 'zstd', configuration: {} };
    expect(chainWith(compressor({}), [bytes, zstd]).partialDecode).toBe(true);
    const own = createDefaultRegistry([
      ['bytes', toBytes({ encodedSize: { kind: 'exact', bytes: 6 }, decode: (b) => ({ bytes: b }), encode: () => new Uint8Array(6) })],
    ]); // prettier-ignore
    expect(resolveChain(own, [bytes, zstd], rep).partialDecode).toBe(false);
  });
});

test.each([
  ['a relative URL', { ...compressor({}), module: { url: './codec.js', export: 'codec' } }],
  ['a file path', { ...compressor({}), module: { url: '/codec.js', export: 'codec' } }],
])('%s is rejected', (_, codec) => {
  expect(() => createDefaultRegistry([['mine', codec]])).toThrow(/codec "mine": the URL of its module/);
});
