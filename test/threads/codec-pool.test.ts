/** The decoding threads run built files: `npm test` builds them first. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BytesToBytesCodec } from '../../server/format/codec/codec.js';
import {
  createChunkCache,
  createCodecPool,
  createDefaultRegistry,
  createFilesystemStore,
  createMemoryStore,
  get,
  openHierarchy,
  type CodecPool,
  type Decoding,
  type KeyStore,
} from '../../server/zarr/index.js';
import { folderOfSuite } from '../setup/temporary-folder.js';

const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
const rows = 64;
const columns = 4096;

/** Writes 16 chunks of 64 KiB with zstd, in shards of four if `sharded`. @returns the values */
async function zstdArray(store: KeyStore, sharded: boolean, decoding: Decoding = {}) {
  const hierarchy = openHierarchy(store, { decoding });
  await hierarchy.createArray('/', {
    shape: [rows, columns],
    dtype: 'int32',
    chunkShape: [4, columns],
    ...(sharded ? { shardShape: [16, columns] } : {}),
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'zstd', configuration: { level: 1, checksum: true } },
    ],
  });
  const data = Int32Array.from({ length: rows * columns }, (_, i) => (i * 2_654_435_761) >> 7);
  const array = await hierarchy.array('/');
  await array.select({ kind: 'all' }).write({
    dtype: { name: 'int32', itemSize: 4 },
    shape: [rows, columns],
    bytes: new Uint8Array(data.buffer),
  });
  return data;
}

async function bytesOf(store: KeyStore, key: string): Promise<Buffer> {
  return Buffer.from((await get(store, key))?.bytes ?? []);
}

test('the program of the threads is built', () => {
  expect(existsSync(fileURLToPath(entry)), 'run `npm run build` first; `npm test` does').toBe(true);
});

describe.skipIf(!existsSync(fileURLToPath(entry)))('decoding threads', () => {
  let pool: CodecPool;
  beforeAll(async () => {
    pool = createCodecPool({ threads: 2, entry });
    while (!pool.usable) await pool.whenAvailable();
  });
  afterAll(() => pool.close());

  test.each([
    ['chunks', false, true],
    ['chunks, none decoded here', false, false],
    ['inner chunks of shards', true, true],
  ])('return the values that were written: %s', async (_, sharded, here) => {
    const store = createMemoryStore({ label: 'threads' });
    const data = await zstdArray(store, sharded);
    const array = await openHierarchy(store, { decoding: { pool, here } }).array('/');
    for (let round = 0; round < 3; round++) {
      const block = await array.select({ kind: 'dims', dims: [{ kind: 'slice', step: -1 }] }).read();
      const expected = new Int32Array(data.length);
      for (let row = 0; row < rows; row++)
        expected.set(data.subarray(row * columns, (row + 1) * columns), (rows - 1 - row) * columns);
      expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(expected.buffer))).toBe(true);
    }
  });

  test('return the selected parts of chunks', async () => {
    const store = createMemoryStore({ label: 'threads' });
    const data = await zstdArray(store, false);
    const array = await openHierarchy(store, { decoding: { pool, here: false } }).array('/');
    const dims = [
      { kind: 'slice', step: 4 },
      { kind: 'slice', start: 7, stop: 99 },
    ] as const;
    const block = await array.select({ kind: 'dims', dims }).read();
    const expected = Int32Array.from({ length: (rows / 4) * 92 }, (_, i) => {
      const [row, column] = [Math.floor(i / 92) * 4, 7 + (i % 92)];
      return data[row * columns + column] ?? 0;
    });
    expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(expected.buffer))).toBe(true);
  });

  test.each([
    ['all chunks fit', 16, false],
    ['chunks are evicted, and their memory is reused', 9, false],
    ['inner chunks of shards are evicted', 9, true],
  ])('return the values of chunks that are cached: %s', async (_, cached, sharded) => {
    const store = createMemoryStore({ label: 'threads' });
    const data = await zstdArray(store, sharded);
    const chunkCache = createChunkCache(cached * (4 * 4 * columns + 512));
    const array = await openHierarchy(store, { decoding: { pool, here: false }, chunkCache }).array('/');
    for (let round = 0; round < 5; round++) {
      const firsts = [0, 4, 16, 32, 60];
      const reads = firsts.map((start) =>
        array.select({ kind: 'dims', dims: [{ kind: 'slice', start, step: 3 }] }).read(),
      );
      for (const [i, block] of (await Promise.all(reads)).entries()) {
        const start = firsts[i] ?? 0;
        const expected = new Int32Array(Math.ceil((rows - start) / 3) * columns);
        for (let row = start; row < rows; row += 3)
          expected.set(data.subarray(row * columns, (row + 1) * columns), ((row - start) / 3) * columns);
        expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(expected.buffer))).toBe(true);
      }
    }
  });

  test.each([
    ['chunks', false],
    ['shards', true],
  ])('encode to the same bytes as the calling thread: %s', async (_, sharded) => {
    const alone = createMemoryStore({ label: 'alone' });
    const threaded = createMemoryStore({ label: 'threads' });
    await zstdArray(alone, sharded);
    await zstdArray(threaded, sharded, { pool, here: true });
    for await (const { key } of alone.walk(''))
      expect((await bytesOf(threaded, key)).equals(await bytesOf(alone, key))).toBe(true);
  });

  test.each(['numcodecs.bz2', 'numcodecs.lzma', 'gzip', 'numcodecs.lz4'])('support %s', async (name) => {
    const store = createMemoryStore({ label: 'threads' });
    const level = name === 'gzip' || name === 'numcodecs.bz2' ? { level: 1 } : {};
    const hierarchy = openHierarchy(store, { decoding: { pool, here: false } });
    const array = await hierarchy.createArray('/', {
      shape: [rows, columns],
      dtype: 'int32',
      chunkShape: [8, columns],
      codecs: [
        { name: 'bytes', configuration: { endian: 'little' } },
        { name, configuration: level },
      ],
    });
    const data = Int32Array.from({ length: rows * columns }, (_, i) => i >> 3);
    await array.select({ kind: 'all' }).write({ shape: [rows, columns], data });
    const block = await array.select({ kind: 'all' }).read();
    expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(data.buffer))).toBe(true);
  });

  // A thread has only built-in codecs, and added codecs with a module.
  test.each(['mine', 'numcodecs.zlib'])(
    'leave an added codec without a module to the calling thread: %s',
    async (name) => {
      const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 255);
      const mine: BytesToBytesCodec = {
        kind: 'bytes-to-bytes',
        name,
        create: () => ({ encodedSize: (decoded) => decoded, decode: flip, encode: flip }),
      };
      const store = createMemoryStore({ label: 'mine' });
      const registry = createDefaultRegistry([[name, mine]]);
      const hierarchy = openHierarchy(store, { registry, decoding: { pool, here: false } });
      const array = await hierarchy.createArray('/', {
        shape: [rows, columns],
        dtype: 'int32',
        chunkShape: [4, columns],
        codecs: [
          { name: 'bytes', configuration: { endian: 'little' } },
          { name: 'zstd', configuration: { level: 1, checksum: false } },
          name,
        ],
      });
      const data = Int32Array.from({ length: rows * columns }, (_, i) => i);
      await array.select({ kind: 'all' }).write({ shape: [rows, columns], data });
      const block = await array.select({ kind: 'all' }).read();
      expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(data.buffer))).toBe(true);
    },
  );

  test.each([
    ['values of fixed size', 'int32', 'bytes'],
    ['values of variable length', 'string', 'vlen-utf8'],
  ])(
    'leave a slow added codec without a module to the calling thread, one chunk per turn: %s',
    async (_, dtype, inner) => {
      let turn = 0;
      const turns: number[] = [];
      const slow: BytesToBytesCodec = {
        kind: 'bytes-to-bytes',
        name: 'slow',
        // Decoding a chunk would block the event loop for too long.
        nsPerByte: 1e6,
        create: () => ({
          encodedSize: (decoded) => decoded,
          encode: (bytes) => bytes,
          decode(bytes) {
            turns.push(turn);
            for (const ends = performance.now() + 5; performance.now() < ends;);
            return bytes;
          },
        }),
      };
      const store = createMemoryStore({ label: 'slow' });
      const registry = createDefaultRegistry([['slow', slow]]);
      const hierarchy = openHierarchy(store, { registry, decoding: { pool, here: false } });
      const array = await hierarchy.createArray('/', {
        shape: [24, 8],
        dtype,
        chunkShape: [1, 8],
        codecs: [inner === 'bytes' ? { name: inner, configuration: { endian: 'little' } } : inner, 'slow'],
      });
      const all = { kind: 'all' } as const;
      if (dtype === 'string') await array.select(all).write('text');
      else await array.select(all).write(7);
      let counting: NodeJS.Immediate = setImmediate(function count() {
        turn++;
        counting = setImmediate(count);
      });
      onTestFinished(() => clearImmediate(counting));
      const reads = await Promise.all([array.select(all).read(), array.select(all).read()]);
      for (const { shape } of reads) expect(shape).toEqual([24, 8]);
      expect(turns).toHaveLength(48);
      // The first chunk may arrive in the turn before that of the second.
      expect(new Set(turns).size).toBeGreaterThanOrEqual(47);
    },
  );

  describe('return the values of files to concurrent reads', () => {
    const root = folderOfSuite('decoder');

    test.each([
      ['chunks', false, true],
      ['chunks, none decoded here', false, false],
      ['inner chunks of shards', true, true],
      ['inner chunks of shards, none decoded here', true, false],
    ])('%s', async (name, sharded, here) => {
      const store = createFilesystemStore({ label: 'files', root: join(root, name) });
      const data = await zstdArray(store, sharded);
      const array = await openHierarchy(store, { decoding: { pool, here } }).array('/');
      const reads = Array.from({ length: 6 }, () => array.select({ kind: 'all' }).read());
      for (const block of await Promise.all(reads))
        expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(data.buffer))).toBe(true);
    });
  });

  test('that are closed during a read leave the rest to the calling thread', async () => {
    const store = createMemoryStore({ label: 'threads' });
    const data = await zstdArray(store, false);
    const lost = createCodecPool({ threads: 1, entry });
    while (!lost.usable) await lost.whenAvailable();
    const array = await openHierarchy(store, { decoding: { pool: lost, here: false } }).array('/');
    const reading = array.select({ kind: 'all' }).read();
    const closing = new Promise((resolve) => setImmediate(() => resolve(lost.close())));
    const block = await reading;
    await closing;
    expect('bytes' in block && Buffer.from(block.bytes).equals(Buffer.from(data.buffer))).toBe(true);
  });

  test('report the key of a corrupt chunk, and continue afterwards', async () => {
    const store = createMemoryStore({ label: 'threads' });
    await zstdArray(store, false);
    const hierarchy = openHierarchy(store, { decoding: { pool, here: false } });
    const array = await hierarchy.array('/');
    const key = 'c/3/0';
    let stored = new Uint8Array();
    await store.getMany([{ key }], (_, result) => {
      if (typeof result === 'object') stored = result.bytes.slice();
    });
    const broken = stored.slice();
    broken.set([(broken.at(-1) ?? 0) ^ 1], broken.length - 1);
    await store.set(key, broken);
    await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({
      code: expect.stringMatching(/CODEC_ERROR|CHECKSUM_MISMATCH/),
      where: { key },
    });
    await store.set(key, stored);
    await expect(array.select({ kind: 'all' }).read()).resolves.toMatchObject({ shape: [rows, columns] });
  });

  test('reject a cancelled read', async () => {
    const store = createMemoryStore({ label: 'threads' });
    await zstdArray(store, false);
    const array = await openHierarchy(store, { decoding: { pool, here: false } }).array('/');
    const controller = new AbortController();
    const reading = array.select({ kind: 'all' }).read({ signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
