import { describe, expect, test } from 'vitest';
import { bytesCodec } from '../../../server/zarr/codec/array/bytes.js';
import { resolveChain } from '../../../server/zarr/codec/chain.js';
import type { Codec } from '../../../server/zarr/codec/codec.js';
import { createDefaultRegistry } from '../../../server/zarr/codec/registry.js';
import { chunkRep } from './chunk-rep.js';

describe('registry', () => {
  test('every name in metadata of other implementations', () => {
    const numcodecs = [
      'adler32', 'base64', 'blosc', 'bz2', 'categorize', 'crc32', 'crc32c', 'fletcher32', 'gzip', 'jenkins_lookup3',
      'json2', 'lz4', 'lzma', 'msgpack2', 'pickle', 'shuffle', 'vlen-array', 'vlen-bytes', 'vlen-utf8', 'zlib', 'zstd',
    ]; // prettier-ignore
    const filters = ['astype', 'bitround', 'delta', 'fixedscaleoffset', 'packbits', 'quantize'];
    const names = [
      'bitround',
      'bytes',
      'cast_value',
      'packbits',
      'scale_offset',
      'sharding_indexed',
      'transpose',
      ...numcodecs.flatMap((name) => [name, `numcodecs.${name}`]),
      ...filters.flatMap((name) => [`numcodecs.${name}`, `v2.${name}`]),
    ];
    expect([...createDefaultRegistry().codecs.keys()].sort()).toEqual(names.sort());
  });

  test("the caller's entries take precedence, including for inner chunks of a shard", () => {
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

  test('sizes through a chain', () => {
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
