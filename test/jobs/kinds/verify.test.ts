import { expect, test } from 'vitest';
import { get } from '../../../server/zarr/index.js';
import { createCounted, run, testStores } from '../memory-stores.js';

const job = { kind: 'verify', source: { store: 'a', path: '/', steps: [] } };

test('all chunks are decoded, and each broken one is named', async () => {
  const { stores, source } = testStores();
  await source.createGroup('/', { zarrFormat: 3 });
  const codecs = [{ name: 'bytes' }, { name: 'crc32c' }];
  await createCounted(source, '/x', { shape: [6, 4], chunkShape: [2, 2], dtype: 'int8', codecs });
  await createCounted(source, '/s', {
    shape: [8, 4],
    chunkShape: [2, 2],
    shardShape: [4, 4],
    dtype: 'int8',
    codecs,
  });
  expect(await run(stores, job)).toMatchObject({ broken: [], failed: [] });
  const { store } = source;
  const change = async (key: string, edit: (bytes: Uint8Array) => Uint8Array): Promise<void> => {
    const stored = await get(store, key);
    await store.set(key, edit(Uint8Array.from(stored?.bytes ?? [])));
  };
  await change('x/c/1/0', (bytes) => bytes.with(0, 99));
  await change('x/c/2/1', (bytes) => bytes.subarray(0, 3));
  // The last 4 bytes are the checksum of the shard's index.
  await change('s/c/1/0', (bytes) => bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1));
  await store.set('bad/zarr.json', new TextEncoder().encode('{'));
  const { broken, failed, done, tasks } = await run(stores, job);
  expect({ failed, left: tasks - done }).toEqual({ failed: [], left: 0 });
  const named = broken.map(({ path, key, code }) => [path, key, code]);
  expect(named).toContainEqual(['/x', 'x/c/1/0', 'CHECKSUM_MISMATCH']);
  expect(named.filter(([path]) => path === '/x')).toHaveLength(2);
  expect(named.filter(([path]) => path === '/s').every(([, key]) => key === 's/c/1/0')).toBe(true);
  expect(named.filter(([path]) => path === '/s').length).toBeGreaterThan(0);
  expect(named.filter(([path]) => path === '/bad')).toHaveLength(1);
});

test('a broken chunk is named once, though chunks of different lengths are in several tasks', async () => {
  const { stores, source } = testStores();
  const request = {
    shape: [24, 512, 512],
    dtype: 'float64',
    chunkLengths: [[1, [3, 7], 2], 512, 512],
  } as const;
  const codecs = [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'zstd', configuration: { level: 1, checksum: false } },
  ];
  await (await source.createArray('/x', { ...request, codecs })).select().write(1);
  const broken = [1, 2, 3, 4, 5, 6].map((i) => `x/c/${i}/0/0`);
  for (const key of broken) await source.store.set(key, new Uint8Array(4));
  const outcome = await run(stores, job);
  expect(outcome.tasks).toBeGreaterThan(1);
  expect(outcome.broken).toHaveLength(broken.length);
  expect(new Set(outcome.broken.map(({ key }) => key))).toEqual(new Set(broken));
});
