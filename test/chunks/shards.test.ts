/** Cached shard indexes, and the size of chunks between codecs. */
import { describe, expect, test } from 'vitest';
import { needOfRead } from '../../server/memory/needs.js';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../server/zarr/index.js';
import { sharded, counted } from './shards/counted-shards.js';

const little = { name: 'bytes', configuration: { endian: 'little' } };

describe('cached indexes', () => {
  const elements = (...indices: number[]) =>
    ({ kind: 'dims', dims: [{ kind: 'indices', indices }] }) as const;

  /** Opens an array of one shard and caches the shard index. `set` changes elements through another hierarchy. */
  async function read(change: (base: KeyStore, seen: { reads: number }) => KeyStore = (base) => base) {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(256, 256, [little, { name: 'crc32c' }]));
    const writer = await openHierarchy(base).array('/');
    const set = (i: number, value: number): Promise<unknown> =>
      writer.select({ kind: 'dims', dims: [{ kind: 'index', index: i }] }).write(value);
    await set(7, 3);
    await set(9, 5);
    const { store, seen } = counted(base);
    const array = await openHierarchy(change(store, seen)).array('/');
    const valuesAt = async (...indices: number[]): Promise<number[]> => {
      const block = await array.select(elements(...indices)).read();
      return 'bytes' in block ? [...block.bytes] : [];
    };
    expect(await valuesAt(7)).toEqual([3]);
    seen.reads = 0;
    return { base, set, seen, valuesAt };
  }

  test('require no separate request', async () => {
    const { seen, valuesAt } = await read();
    expect(await valuesAt(9)).toEqual([5]);
    expect(seen.reads).toBe(1);
    expect(await valuesAt(1, 7, 9)).toEqual([0, 3, 5]);
    expect(seen.reads).toBe(3);
  });

  test('are read again after the shard was replaced', async () => {
    const { base, set, valuesAt } = await read();
    await set(7, 8);
    expect(await valuesAt(7)).toEqual([8]);
    // According to the cached index, inner chunk 8 is not stored.
    await set(8, 4);
    expect(await valuesAt(7, 8)).toEqual([8, 4]);
    await set(1, 6);
    expect(await valuesAt(1)).toEqual([6]);
    await base.delete(['c/0']);
    expect(await valuesAt(7, 8)).toEqual([0, 0]);
  });

  test('never mix the chunks of two states of a shard', async () => {
    let replace: (() => Promise<void>) | undefined;
    const { set, valuesAt } = await read((base) => ({
      ...base,
      async getMany(requests, each, options) {
        const [first, ...rest] = requests;
        if (replace === undefined || first?.ifMatch === undefined)
          return base.getMany(requests, each, options);
        await base.getMany([first], each, options);
        await replace();
        replace = undefined;
        await base.getMany(rest, (i, result) => each(i + 1, result), options);
      },
    }));
    replace = async () => {
      await set(7, 13);
      await set(9, 15);
    };
    expect(await valuesAt(7, 9)).toEqual([13, 15]);
  });
});

// Codecs can expand a chunk during decoding: limits and memory count the largest intermediate size.

const astype = (stored: string, decoded: string) => ({
  id: 'astype',
  encode_dtype: stored,
  decode_dtype: decoded,
});

async function arrayOf(filters: readonly object[], length = 1024) {
  const store = createMemoryStore({ label: 'm' });
  const document = {
    zarr_format: 2, shape: [length], chunks: [length], dtype: '|u1', fill_value: 0, order: 'C', filters,
    compressor: { id: 'gzip', level: 1 },
  }; // prettier-ignore
  await store.set('.zarray', Buffer.from(JSON.stringify(document)));
  return openHierarchy(store).array('/');
}

test('an intermediate size of eight times the chunk is part of the cost', async () => {
  const plain = (await arrayOf([])).select({ kind: 'all' });
  const wide = (await arrayOf([astype('<f8', '|u1'), astype('|u1', '<f8')])).select({ kind: 'all' });
  expect(plain.cost()).toMatchObject({ chunkBytes: 1024, stepBytes: 1024 });
  expect(wide.cost()).toMatchObject({ chunkBytes: 1024, stepBytes: 8192 });
  expect(needOfRead(wide).inFlightBytes).toBe(8 * needOfRead(plain).inFlightBytes);
});

test('an intermediate size above maxDecodedBytes is rejected', async () => {
  const limits = {
    maxOutputBytes: 2 ** 20,
    maxDecodedBytes: 4096,
    maxChunks: 10,
    maxReducedBytes: 2 ** 40,
    maxWork: 1e15,
  };
  const wide = await arrayOf([astype('<f8', '|u1'), astype('|u1', '<f8')]);
  await expect(wide.select({ kind: 'all' }).read({ limits })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    excess: [{ limit: 'maxDecodedBytes', allowed: 4096, needed: 8192 }],
  });
});
