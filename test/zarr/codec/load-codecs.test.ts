/** Codecs with a `load` method are loaded before chunks are decoded or encoded. */
import { describe, expect, test } from 'vitest';
import {
  createDefaultRegistry,
  createMemoryStore,
  openHierarchy,
  type BytesToBytesCodec,
} from '../../../server/zarr/index.js';

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
  test('before the first write, and before the first read', async () => {
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
