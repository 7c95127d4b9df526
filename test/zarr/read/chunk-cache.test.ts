import { expect, test } from 'vitest';
import {
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  type KeyStore,
} from '../../../server/zarr/index.js';
import { wrapStore } from '../../../server/zarr/store/wrap.js';

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

/** A store that counts reads of whole chunks. */
async function watchedStore(): Promise<{ store: KeyStore; reads: () => number; base: KeyStore }> {
  const base = createMemoryStore({ label: 'watched' });
  await base.set('zarr.json', Buffer.from(JSON.stringify(document(false))));
  await base.set('c/0', Uint8Array.of(1, 2));
  let reads = 0;
  const store = wrapStore(base, {
    getMany: (requests, each, options) =>
      base.getMany(
        requests,
        (i, answer) => {
          if (requests[i]?.key.startsWith('c/') === true && typeof answer === 'object') reads++;
          each(i, answer);
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

test('reads side by side share the work', async () => {
  const { store, reads } = await watchedStore();
  const hierarchy = openHierarchy(store, { chunkCache: createChunkCache(1_000_000) });
  const all = await Promise.all(Array.from({ length: 8 }, () => values(hierarchy)));
  expect(all).toEqual(Array.from({ length: 8 }, () => [1, 2, 9, 9]));
  expect(reads()).toBe(1);
});

test('other metadata is another array: nothing of the old one is used', async () => {
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
