import { expect, test } from 'vitest';
import {
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  runToEnd,
  type KeyStore,
} from '../../../server/zarr/index.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CachedChunk } from '../../../server/chunks/read/chunk-cache.js';
import { get } from '../../../server/store/define-reading.js';
import { wrapStore } from '../../../server/store/wrap.js';

const document = (compressed: boolean) => ({
  zarr_format: 3,
  node_type: 'array',
  shape: [4],
  data_type: 'uint8',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: 'default' },
  fill_value: 9,
  codecs: [{ name: 'bytes' }, ...(compressed ? [{ name: 'crc32c' }] : [])],
});

/** A store that counts the chunks that it returns. */
async function watchedStore(): Promise<{ store: KeyStore; reads: () => number; base: KeyStore }> {
  const base = createMemoryStore({ label: 'watched' });
  await base.set('zarr.json', Buffer.from(JSON.stringify(document(false))));
  await base.set('c/0', Uint8Array.of(1, 2));
  let reads = 0;
  const store = wrapStore(base, {
    getMany: (requests, each, options) =>
      base.getMany(
        requests,
        (i, result) => {
          if (requests[i]?.key.startsWith('c/') === true && typeof result === 'object') reads++;
          each(i, result);
        },
        options,
      ),
  });
  return { store, reads: () => reads, base };
}

async function values(hierarchy: ReturnType<typeof openHierarchy>): Promise<number[]> {
  const block = await (await hierarchy.array('/')).select({ kind: 'all' }).read();
  return 'bytes' in block ? [...block.bytes] : [];
}

test('a chunk is read once until its object changes, appears or disappears', async () => {
  const { store, reads, base } = await watchedStore();
  const hierarchy = openHierarchy(store, { chunkCache: createChunkCache(1000) });
  expect(await values(hierarchy)).toEqual([1, 2, 9, 9]);
  expect(await values(hierarchy)).toEqual([1, 2, 9, 9]);
  expect(reads()).toBe(1);
  await base.set('c/0', Uint8Array.of(5, 6));
  expect(await values(hierarchy)).toEqual([5, 6, 9, 9]);
  await base.set('c/1', Uint8Array.of(7, 8));
  expect(await values(hierarchy)).toEqual([5, 6, 7, 8]);
  await base.delete(['c/0']);
  expect(await values(hierarchy)).toEqual([9, 9, 7, 8]);
  expect(reads()).toBe(3);
});

test('concurrent reads share one request', async () => {
  const { store, reads } = await watchedStore();
  const hierarchy = openHierarchy(store, { chunkCache: createChunkCache(1_000_000) });
  const all = await Promise.all(Array.from({ length: 8 }, () => values(hierarchy)));
  expect(all).toEqual(Array.from({ length: 8 }, () => [1, 2, 9, 9]));
  expect(reads()).toBe(1);
});

test('an array with changed metadata does not use the cached chunks', async () => {
  const { store, base } = await watchedStore();
  const hierarchy = openHierarchy(store, { chunkCache: createChunkCache(1000) });
  expect(await values(hierarchy)).toEqual([1, 2, 9, 9]);
  await base.set('zarr.json', Buffer.from(JSON.stringify(document(true))));
  await expect(values(hierarchy)).rejects.toMatchObject({ code: 'CODEC_ERROR' });
});

test('the caller owns the result: changing it does not change the cache', async () => {
  const { store } = await watchedStore();
  const hierarchy = openHierarchy(store, { chunkCache: createChunkCache(1000) });
  const block = await (await hierarchy.array('/')).select({ kind: 'all' }).read();
  if ('bytes' in block) block.bytes.fill(0);
  expect(await values(hierarchy)).toEqual([1, 2, 9, 9]);
});

test('the memory of an evicted chunk is reused when nothing refers to it, and not before', () => {
  const size = 2 ** 16;
  const chunks = createChunkCache(10 * (size + 512)).chunksOf('a');
  const locationOf = (i: number) => ({ object: [i], entries: [] });
  const keep = (i: number): void => {
    const bytes = new Uint8Array(size).fill(i);
    runToEnd(chunks.keep(locationOf(i), `v${i}`, { values: { bytes }, strides: [1] }, false));
  };
  const bytesOf = (cached: CachedChunk | undefined): Uint8Array =>
    cached !== undefined && 'bytes' in cached.chunk.values ? cached.chunk.values.bytes : new Uint8Array(0);
  const memory = new Set<ArrayBufferLike>();
  const lent: { readonly i: number; readonly cached: CachedChunk }[] = [];
  for (let i = 0; i < 200; i++) {
    keep(i);
    const cached = chunks.get(locationOf(i));
    expect(bytesOf(cached).every((value) => value === i)).toBe(true);
    memory.add(bytesOf(cached).buffer);
    if (cached !== undefined && i % 3 === 0) lent.push({ i, cached });
    else cached?.release();
    for (const { i: number, cached: other } of lent) expect(bytesOf(other)[size - 1]).toBe(number);
    if (lent.length > 5) lent.shift()?.cached.release();
  }
  // At most 10 entries of the cache, 6 lent chunks that were evicted, and the chunk that is being added.
  expect(memory.size).toBeLessThanOrEqual(10 + 6 + 1);
});

test('a chunk in memory that the cache provided is not copied', () => {
  const size = 2 ** 16;
  const chunks = createChunkCache(10 * (size + 512)).chunksOf('a');
  const location = { object: [0], entries: [] };
  const keep = (bytes: Uint8Array, isCallers: boolean): boolean =>
    runToEnd(chunks.keep(location, 'v', { values: { bytes }, strides: [1] }, isCallers));
  const kept = (): unknown => chunks.get(location)?.chunk.values;
  const loan = chunks.lend(size);
  const provided = loan?.memory ?? new Uint8Array(0);
  expect(provided).toHaveLength(size);
  loan?.end();
  expect(keep(provided.fill(1), true)).toBe(true);
  expect(kept()).toEqual({ bytes: provided });
  expect(kept()).toHaveProperty('bytes.buffer', provided.buffer);
  // Memory of others, and memory that is larger than the chunk, which the size of the cache would not count.
  for (const [bytes, isCallers] of [
    [new Uint8Array(size), false] as const,
    [new Uint8Array(2 * size).subarray(size), true] as const,
  ]) {
    expect(keep(bytes.fill(2), isCallers)).toBe(false);
    bytes.fill(3);
    expect(kept()).toEqual({ bytes: new Uint8Array(size).fill(2) });
  }
  const large = 2 * size;
  expect(chunks.lend(large)).toBeUndefined();
  expect(keep(new Uint8Array(large), true)).toBe(false);
});

test('lent memory is that of evicted chunks, and counts towards the size of the cache', () => {
  const size = 2 ** 16;
  const count = 10;
  const chunks = createChunkCache(count * (size + 512)).chunksOf('a');
  const locationOf = (i: number) => ({ object: [i], entries: [] });
  const keep = (i: number, bytes: Uint8Array): void =>
    void runToEnd(chunks.keep(locationOf(i), 'v', { values: { bytes }, strides: [1] }, true));
  const memory = new Set<ArrayBufferLike>();
  for (let i = 0; i < 100; i++) {
    const loan = chunks.lend(size);
    loan?.end();
    if (loan !== undefined) keep(i, loan.memory);
    if (loan !== undefined) memory.add(loan.memory.buffer);
  }
  expect(memory.size).toBe(count);
  const kept = (): number =>
    Array.from({ length: 200 }, (_, i) => chunks.has(locationOf(i))).filter(Boolean).length;
  for (let i = 0; i < 100; i++) {
    // Three chunks are decoded at a time. The second one fails, and its memory is lost.
    const loans = [0, 1, 2].map(() => chunks.lend(size));
    expect(kept()).toBeLessThanOrEqual(count - loans.length);
    for (const [j, loan] of loans.entries()) {
      if (loan === undefined) throw new Error('the chunk is small enough');
      loan.end();
      if (j === 0) keep(i, loan.memory);
      if (j === 2) loan.end(loan.memory);
    }
  }
  // Memory that was not returned does not make the cache smaller.
  for (let i = 100; i < 120; i++) {
    const loan = chunks.lend(size);
    loan?.end();
    if (loan !== undefined) keep(i, loan.memory);
  }
  expect(kept()).toBe(count);
});

const little = { name: 'bytes', configuration: { endian: 'little' } };

test('a shard that is replaced while two reads share one of its chunks is read in one state', async () => {
  const base = createMemoryStore({ label: 'replaced' });
  const configuration = { chunk_shape: [2], codecs: [{ name: 'bytes' }], index_codecs: [little] };
  const stored = await openHierarchy(base).createArray('/', {
    ...{ shape: [4], dtype: 'uint8', chunkShape: [4], codecs: [{ name: 'sharding_indexed', configuration }] },
  });
  await stored.select({ kind: 'all' }).write(2);
  const after = (await get(base, 'c/0'))?.bytes ?? new Uint8Array(0);
  await stored.select({ kind: 'all' }).write(1);
  let [open, isWaiting] = [(): void => undefined, false];
  const opened = new Promise<void>((resolve) => (open = resolve));
  const store = wrapStore(base, {
    async getMany(requests, each, options) {
      if (requests[0]?.key === 'c/0' && !isWaiting) {
        isWaiting = true;
        await opened;
      }
      return base.getMany(requests, each, options);
    },
  });
  const array = await openHierarchy(store, { chunkCache: createChunkCache(1000) }).array('/');
  const first = array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] }).read();
  while (!isWaiting) await nextTurn();
  const both = array.select({ kind: 'all' }).read();
  // Enough turns for the second read to send the requests that do not wait for the first read.
  for (let i = 0; i < 20; i++) await nextTurn();
  await base.set('c/0', after);
  open();
  expect(await first).toMatchObject({ bytes: Uint8Array.of(2, 2) });
  expect(await both).toMatchObject({ bytes: Uint8Array.of(2, 2, 2, 2) });
});

test('a large chunk is copied in pieces of a megabyte', () => {
  const chunks = createChunkCache(2 ** 26).chunksOf('a');
  const location = { object: [0], entries: [] };
  const bytes = new Uint8Array(3 * 2 ** 20).map((_, i) => i % 251);
  const steps = chunks.keep(location, 'v', { values: { bytes }, strides: [1] }, false);
  expect([...steps]).toHaveLength(2);
  const kept = chunks.get(location)?.chunk.values;
  expect(kept).toEqual({ bytes });
});
