/**
 * Chunks that would block the serving thread are sent to decoding threads. The threads run built files:
 * `npm test` builds them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCodecPool,
  createMemoryStore,
  openHierarchy,
  type CodecPool,
  type KeyStore,
} from '../../server/zarr/index.js';
import { changed } from '../setup/changed.js';
import { folderOfSuite } from '../setup/temporary-folder.js';

const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
const mib = 2 ** 20;
const folder = folderOfSuite('threads');

/** A thread's program. */
function program(name: string, text: string): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { parentPort } from 'node:worker_threads';\n${text}`);
  return pathToFileURL(path);
}

const starts = 'parentPort.postMessage({ id: 0, outcomes: [] });';

/** The pool, and the numbers of chunks that it received. */
function spied(pool: CodecPool) {
  const seen = { decoded: 0, encoded: 0 };
  const spy = changed(pool, {
    run: (read, chunks, ...rest) => {
      if ('encoded' in chunks) seen.decoded += chunks.encoded.length;
      return pool.run(read, chunks, ...rest);
    },
    reserve: (...args) => {
      const reserved = pool.reserve(...args);
      if (reserved !== undefined) seen.encoded++;
      return reserved;
    },
    encodeLarge: (...args) => {
      const encoding = pool.encodeLarge(...args);
      if (encoding !== undefined) seen.encoded++;
      return encoding;
    },
  });
  return { spy, seen };
}

async function arrayOf(store: KeyStore, bytes: number, codecs: string[], pool: CodecPool | null) {
  const hierarchy = openHierarchy(store, { decoding: { pool, here: false } });
  return hierarchy.createArray('/', {
    shape: [4, bytes / 4],
    dtype: 'uint8',
    chunkShape: [4, bytes / 4],
    codecs: [{ name: 'bytes' }, ...codecs.map((name) => ({ name }))],
  });
}

const corner = {
  kind: 'dims',
  dims: [
    { kind: 'index', index: 3 },
    { kind: 'slice', start: 1, stop: 9, step: 2 },
  ],
} as const;

describe.skipIf(!existsSync(fileURLToPath(entry)))('large chunks', () => {
  let pool: CodecPool;
  beforeAll(async () => {
    pool = createCodecPool({ threads: 1, entry });
    await pool.whenAvailable();
  });
  afterAll(() => pool.close());

  test.each([
    ['bz2', ['numcodecs.bz2']],
    ['checksums alone', ['crc32c']],
    ['zstd', ['zstd']],
  ])('are decoded and encoded in threads: %s', async (_, codecs) => {
    const { spy, seen } = spied(pool);
    const bytes = 20 * mib;
    const array = await arrayOf(createMemoryStore({ label: 'm' }), bytes, codecs, spy);
    const row = Uint8Array.from({ length: bytes / 4 }, (_, i) => i >> 12);
    await array.select({ kind: 'all' }).write({ shape: [1, bytes / 4], data: row });
    expect(seen.encoded).toBe(1);
    expect(await array.select(corner).read()).toMatchObject({
      bytes: row.slice(1, 9).filter((_, i) => i % 2 === 0),
    });
    expect(seen.decoded).toBe(1);
    // Writing a part of an existing chunk decodes it in a thread, too.
    await array.select(corner).write(9);
    expect(seen.decoded).toBe(2);
    expect(await array.select(corner).read()).toMatchObject({ bytes: new Uint8Array(4).fill(9) });
  });

  test('that are stored uncompressed are copied inline', async () => {
    const { spy, seen } = spied(pool);
    const bytes = 20 * mib;
    const array = await arrayOf(createMemoryStore({ label: 'm' }), bytes, [], spy);
    const row = Uint8Array.from({ length: bytes / 4 }, (_, i) => i * 7);
    await array.select({ kind: 'all' }).write({ shape: [1, bytes / 4], data: row });
    const block = await array.select({ kind: 'all' }).read();
    const expected = Buffer.concat([row, row, row, row]);
    expect('bytes' in block && expected.equals(block.bytes)).toBe(true);
    expect(seen).toEqual({ decoded: 0, encoded: 0 });
  });

  test('of 80 MiB can be read several times by the same pool', async () => {
    const bytes = 80 * mib;
    const array = await arrayOf(createMemoryStore({ label: 'm' }), bytes, ['zstd'], pool);
    await array.select({ kind: 'all' }).write(5);
    for (let i = 0; i < 3; i++)
      expect(await array.select(corner).read()).toMatchObject({ bytes: new Uint8Array(4).fill(5) });
    expect(pool.isOver).toBe(false);
  });

  test('a process that waits for a thread stays alive', () => {
    const index = new URL('../../dist/server/zarr/index.js', import.meta.url);
    const text = `import { createCodecPool } from ${JSON.stringify(index.href)};
      const pool = createCodecPool({ threads: 1 });
      await pool.whenAvailable();
      console.log('ready');`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: 'ready\n', status: 0 });
  });

  test('that are corrupt are reported with their key', async () => {
    const store = createMemoryStore({ label: 'm' });
    const array = await arrayOf(store, 20 * mib, ['numcodecs.bz2'], pool);
    await store.set('c/0/0', new Uint8Array(100));
    await expect(array.select(corner).read()).rejects.toMatchObject({
      code: 'CODEC_ERROR',
      where: { key: 'c/0/0' },
    });
  });
});

describe('threads', () => {
  async function stored(bytes: number) {
    const store = createMemoryStore({ label: 'm' });
    const array = await arrayOf(store, bytes, ['numcodecs.bz2'], null);
    await array.select({ kind: 'all' }).write(5);
    return store;
  }
  const open = (store: KeyStore, pool: CodecPool) =>
    openHierarchy(store, { decoding: { pool, here: false } }).array('/');

  test('terminated by a chunk are replaced, and the chunk is not decoded inline', async () => {
    const store = await stored(2 * mib);
    const dies = program(
      'dies',
      `${starts}\nparentPort.on('message', (m) => m.kind === 'job' && process.exit(1));`,
    );
    const pool = createCodecPool({ threads: 1, entry: dies });
    const array = await open(store, pool);
    await expect(array.select(corner).read()).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    await pool.whenAvailable();
    expect(pool.usable).toBe(true);
    await pool.close();
  });

  test('that never start leave only fast chunks to the calling thread', async () => {
    const pool = createCodecPool({ threads: 1, entry: program('broken', 'throw new Error("no")') });
    const quick = await open(await stored(64 * 1024), pool);
    expect(await quick.select(corner).read()).toMatchObject({ bytes: new Uint8Array(4).fill(5) });
    expect(pool.isOver).toBe(true);
    const slow = await open(await stored(2 * mib), pool);
    await expect(slow.select(corner).read()).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    await pool.close();
  });

  test('that are stuck do not delay cancelled reads, and are replaced', async () => {
    const store = await stored(2 * mib);
    const stuck = program(
      'stuck',
      `${starts}\nparentPort.on('message', (m) => { while (m.kind === 'job'); });`,
    );
    const pool = createCodecPool({ threads: 1, entry: stuck });
    await pool.whenAvailable();
    const array = await open(store, pool);
    // The first chunks occupy the thread, and the others wait for capacity.
    const controllers = Array.from({ length: 6 }, () => new AbortController());
    const reads = controllers.map(({ signal }) => array.select(corner).read({ signal }));
    const settled = Promise.allSettled(reads);
    await new Promise((resolve) => setImmediate(resolve));
    for (const controller of controllers) controller.abort();
    for (const read of await settled)
      expect(read).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
    await pool.whenAvailable();
    expect(pool.usable).toBe(true);
    await pool.close();
  });
});
