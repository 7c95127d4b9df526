/** Large entries of an archive are not inflated synchronously, so that they do not block the event loop. */
import { expect, test, vi } from 'vitest';
import type * as Zlib from 'node:zlib';
import { createMemoryStore } from '../../../server/store/memory.js';
import { get, getRange } from '../../../server/store/define-reading.js';
import { createZipStore } from '../../../server/store/zip.js';
import { buildZip, type ZipPart } from '../build-zip.js';

const { sync } = vi.hoisted(() => ({ sync: { longest: 0 } }));
vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof Zlib>();
  const inflateRawSync: typeof zlib.inflateRawSync = (...args) => {
    const bytes = zlib.inflateRawSync(...args);
    sync.longest = Math.max(sync.longest, bytes.length);
    return bytes;
  };
  // Older versions of Node have no Zstandard, but a mock needs all names that are read from it.
  const absent = { zstdCompressSync: undefined, zstdDecompressSync: undefined };
  return { ...absent, ...zlib, inflateRawSync };
});

const bytes = Uint8Array.from({ length: 6 * 2 ** 20 + 17 }, (_, i) => i >> 10);

async function zipOf(part: Partial<ZipPart>) {
  const store = createMemoryStore({ label: 'm' });
  await store.set('a.zip', buildZip([{ name: 'a', bytes, ...part }, { name: 'small', bytes: bytes.slice(0, 9), deflate: true }])); // prettier-ignore
  return createZipStore({ label: 'z', source: { store, key: 'a.zip' } });
}

test.each([
  ['deflated', true],
  ['stored', false],
])('%s entries are read completely and in part', async (_, deflate) => {
  const store = await zipOf({ deflate });
  const whole = await get(store, 'a');
  expect(Buffer.compare(whole?.bytes ?? new Uint8Array(), bytes)).toBe(0);
  const part = await getRange(store, 'a', { offset: 5_000_000, length: 1000 });
  expect(part?.bytes).toEqual(bytes.slice(5_000_000, 5_001_000));
  expect((await get(store, 'small'))?.bytes).toEqual(bytes.slice(0, 9));
  if (deflate) expect(sync.longest).toBe(9);
  expect(sync.longest).toBeLessThan(2 ** 20);
});

test.each([
  ['a wrong checksum', { crc: 1, deflate: true }, 'CHECKSUM_MISMATCH'],
  ['a wrong checksum, stored', { crc: 1 }, 'CHECKSUM_MISMATCH'],
  ['more bytes than declared', { size: bytes.length - 1, deflate: true }, 'CODEC_ERROR'],
  ['fewer bytes than declared', { size: bytes.length + 1, deflate: true }, 'CODEC_ERROR'],
  ['bytes that are not deflated', { method: 8, size: bytes.length }, 'CODEC_ERROR'],
])('%s: an error with the key', async (_, part, code) => {
  const store = await zipOf(part);
  await expect(get(store, 'a')).rejects.toMatchObject({ code, where: { store: 'z', key: 'a' } });
});

test('a cancelled read is aborted', async () => {
  const store = await zipOf({ deflate: true });
  await get(store, 'small');
  const controller = new AbortController();
  const reading = get(store, 'a', { signal: controller.signal });
  setImmediate(() => controller.abort());
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
});
