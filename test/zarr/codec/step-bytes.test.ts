/** Codecs can expand a chunk during decoding: limits and memory count the largest intermediate size. */
import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';
import { needOfRead } from '../../../server/memory/read-memory.js';

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

test('a step of eight times the bytes is part of the cost', async () => {
  const plain = (await arrayOf([])).select({ kind: 'all' });
  const wide = (await arrayOf([astype('<f8', '|u1'), astype('|u1', '<f8')])).select({ kind: 'all' });
  expect(plain.cost()).toMatchObject({ chunkBytes: 1024, stepBytes: 1024 });
  expect(wide.cost()).toMatchObject({ chunkBytes: 1024, stepBytes: 8192 });
  expect(needOfRead(wide).inFlightBytes).toBe(8 * needOfRead(plain).inFlightBytes);
});

test('a step above maxDecodedBytes is refused before anything is read', async () => {
  const limits = { maxOutputBytes: 2 ** 20, maxDecodedBytes: 4096, maxChunks: 10, maxReducedBytes: 2 ** 40 };
  const wide = await arrayOf([astype('<f8', '|u1'), astype('|u1', '<f8')]);
  await expect(wide.select({ kind: 'all' }).read({ limits })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    excess: [{ limit: 'maxDecodedBytes', allowed: 4096, needed: 8192 }],
  });
});
