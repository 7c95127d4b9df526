/** Codecs are loaded before their first use, and decoding steps share scratch memory. */
import { describe, expect, test } from 'vitest';
import { resolveChain } from '../../../server/format/codec/chain.js';
import type { CodecSpec } from '../../../server/format/codec/codec.js';
import { decodeChunk, encodeChunk, scratchFor } from '../../../server/format/codec/run-chain.js';
import {
  createDefaultRegistry,
  createMemoryStore,
  openHierarchy,
  type BytesToBytesCodec,
} from '../../../server/zarr/index.js';
import { bindBytes, chunkRep } from './chunk-rep.js';

/** A codec that inverts bits and throws unless it was loaded. */
function createInvert(): { readonly codec: BytesToBytesCodec; failures: number; loads: number } {
  let isLoaded = false;
  const run = (bytes: Uint8Array): Uint8Array => {
    if (!isLoaded) throw new Error('not loaded');
    return bytes.map((byte) => ~byte);
  };
  const state = {
    failures: 0,
    loads: 0,
    codec: {
      kind: 'bytes-to-bytes',
      name: 'test.invert',
      load() {
        if (isLoaded) return undefined;
        state.loads++;
        if (state.failures-- > 0) return Promise.reject(new Error('no connection'));
        return Promise.resolve().then(() => void (isLoaded = true));
      },
      create: () => ({ encodedSize: (size) => size, decode: run, encode: run }),
    } satisfies BytesToBytesCodec,
  };
  return state;
}

const bytes = { name: 'bytes', configuration: { endian: 'little' } };
const invert = { name: 'test.invert', configuration: {} };
const chains = {
  plain: [bytes, invert],
  sharded: [
    {
      name: 'sharding_indexed',
      configuration: { chunk_shape: [2], codecs: [bytes, invert], index_codecs: [bytes, invert] },
    },
  ],
};

describe.each(Object.entries(chains))('%s', (_, codecs) => {
  test('a codec is loaded before the first write, and before the first read', async () => {
    const store = createMemoryStore({ label: 'test' });
    const data = Int16Array.of(1, 2, 3, 4);
    for (const isWrite of [true, false]) {
      const { codec } = createInvert();
      const hierarchy = openHierarchy(store, { registry: createDefaultRegistry([['test.invert', codec]]) });
      const array = isWrite
        ? await hierarchy.createArray('/x', { shape: [4], dtype: 'int16', chunkShape: [4], codecs })
        : await hierarchy.array('/x');
      if (isWrite) await array.select({ kind: 'all' }).write({ shape: [4], data });
      else {
        const block = await array.select({ kind: 'all' }).read();
        expect('bytes' in block && new Int16Array(block.bytes.slice().buffer)).toEqual(data);
      }
    }
  });
});

test('a codec that cannot be loaded fails its reads, and the next read retries', async () => {
  const state = createInvert();
  const registry = createDefaultRegistry([['test.invert', state.codec]]);
  const hierarchy = openHierarchy(createMemoryStore({ label: 'test' }), { registry });
  const request = { shape: [2], dtype: 'int16', chunkShape: [2], codecs: chains.plain };
  const array = await hierarchy.createArray('/x', request);
  state.failures = 1;
  const read = () => array.select({ kind: 'all' }).read();
  await expect(read()).rejects.toMatchObject({
    code: 'CODEC_ERROR',
    detail: expect.stringContaining('no connection'),
  });
  expect((await read()).shape).toEqual([2]);
  expect(state.loads).toBe(2);
});

// Decoders return views that are valid until the next decode. The tests below decode while such a view is in
// use: inner chunks of a decoded shard, and steps of a chain.

const registry = createDefaultRegistry();
const little: CodecSpec = { name: 'bytes', configuration: { endian: 'little' } };
const big: CodecSpec = { name: 'bytes', configuration: { endian: 'big' } };
const shuffle: CodecSpec = { name: 'numcodecs.shuffle', configuration: { elementsize: 4 } };
const specJson = ({ name, configuration }: CodecSpec) => ({ name, configuration });

test('decodes a shard that a further codec encodes, with its inner chunks in reverse order', () => {
  const [count, length] = [8, 100];
  const configuration = {
    chunk_shape: [length],
    codecs: [specJson(big), specJson(shuffle)],
    index_codecs: [specJson(little)],
  };
  const specs = [{ name: 'sharding_indexed', configuration }, shuffle];
  const chain = resolveChain(registry, specs, chunkRep('int32', [count * length]));
  const values = Int32Array.from({ length: count * length }, (_, i) => Math.imul(i + 1, 2654435761));
  const plain = resolveChain(registry, specs.slice(0, 1), chunkRep('int32', [count * length]));
  const shard = encodeChunk(plain, { bytes: new Uint8Array(values.buffer) });

  const chunkBytes = 4 * length;
  const reversed = shard.slice();
  const index = new BigUint64Array(reversed.slice(count * chunkBytes).buffer);
  for (let i = 0; i < count; i++) {
    const to = (count - 1 - i) * chunkBytes;
    reversed.set(shard.subarray(i * chunkBytes, (i + 1) * chunkBytes), to);
    index[2 * i] = BigInt(to);
  }
  reversed.set(new Uint8Array(index.buffer), count * chunkBytes);

  const stored = bindBytes('numcodecs.shuffle', shuffle.configuration).encode(reversed);
  const decoded = decodeChunk(chain, stored, 1e6).values;
  expect('bytes' in decoded && new Int32Array(decoded.bytes.slice().buffer)).toEqual(values);
});

describe('steps of a chain', () => {
  const values = Uint8Array.from({ length: 4000 }, (_, i) => (i * 7) >> 2);
  const zstd: CodecSpec = { name: 'zstd', configuration: { level: 1 } };
  const blosc: CodecSpec = {
    name: 'blosc',
    configuration: { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 },
  };
  const delta: CodecSpec = { name: 'v2.delta', configuration: { dtype: '>i4' } };
  test.each([
    [[big, shuffle, shuffle]],
    [[big, shuffle, zstd, blosc, zstd]],
    [[big, delta, shuffle, { name: 'gzip', configuration: { level: 1 } }]],
    [[little, shuffle, shuffle, shuffle, zstd]],
  ])('round-trip: %j', (specs) => {
    const chain = resolveChain(registry, specs, chunkRep('int32', [1000]));
    const stored = encodeChunk(chain, { bytes: values });
    for (const into of [undefined, new Uint8Array(4000)]) {
      const decoded = decodeChunk(chain, stored, 1e6, into).values;
      expect('bytes' in decoded && decoded.bytes.slice()).toEqual(values);
    }
  });

  test('scratch memory does not overlap its source', () => {
    const first = scratchFor(new Uint8Array(1), 100);
    const second = scratchFor(first, 100);
    const third = scratchFor(second, 100_000);
    expect(second.buffer).not.toBe(first.buffer);
    expect(third.buffer).not.toBe(second.buffer);
    expect(third.length).toBe(100_000);
  });
});
