/** Reads by threads for the cache of decoded chunks. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createChunkCache,
  createFilesystemStore,
  openHierarchy,
  type Block,
  type CodecPool,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import {
  all,
  columns,
  counted,
  filesAt,
  isBuilt,
  rows,
  rowsAt,
  startPool,
  temporaryFolder,
  type CountedPool,
} from './threads.js';

/** Number of chunks, and size of a decoded one in bytes. */
const chunks = 16;
const chunkBytes = (rows / chunks) * columns * 4;

describe.skipIf(!isBuilt)('reads by threads for the cache', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  async function openCached(
    root: string,
    chunkCache = createChunkCache(2 ** 20),
  ): Promise<CountedPool & { array: ZarrArray; decoded: () => number }> {
    const spied = counted(pool);
    let decoded = 0;
    const hierarchy = openHierarchy(createFilesystemStore({ label: root, root, foldsCase: false }), {
      decoding: { pool: spied.pool, here: false },
      chunkCache,
      metrics: { chunksDecoded: (count) => void (decoded += count) },
    });
    return { ...spied, array: await hierarchy.array('/'), decoded: () => decoded };
  }

  const valuesOf = (block: Block): Int32Array => {
    if (!('bytes' in block)) throw new Error('the values have a fixed size');
    return new Int32Array(block.bytes.slice().buffer);
  };
  const rowValues = (base = 0): Int32Array =>
    Int32Array.from({ length: rows * columns }, (_, i) => base + Math.floor(i / columns));

  test.each([false, true])('decode each chunk once (sharded: %s)', async (sharded) => {
    const root = join(folder, `once ${sharded}`);
    await rowsAt(filesAt(root), sharded);
    const { array, taskCount, decoded } = await openCached(root);
    const reads = await Promise.all(Array.from({ length: 6 }, () => array.select(all).read()));
    for (const block of reads) expect(valuesOf(block)).toEqual(rowValues());
    expect(decoded()).toBe(chunks);
    const tasks = taskCount();
    expect(tasks).toBeGreaterThan(0);
    expect(valuesOf(await array.select(all).read())).toEqual(rowValues());
    expect([decoded(), taskCount()]).toEqual([chunks, tasks]);
  });

  test.each([false, true])('notice other versions of objects (sharded: %s)', async (sharded) => {
    const root = join(folder, `versions ${sharded}`);
    const store = filesAt(root);
    const stored = await rowsAt(store, sharded);
    const { array } = await openCached(root);
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 20 }] }).read();
    const data = rowValues(1000);
    await stored.select(all).write({ shape: [rows, columns], data });
    expect(valuesOf(await array.select(all).read())).toEqual(data);
    // Some cached chunks are absent now.
    rmSync(join(root, 'c/0'), { recursive: true });
    data.fill(-1, 0, (sharded ? 16 : 4) * columns);
    expect(valuesOf(await array.select(all).read())).toEqual(data);
  });

  test('cancelled and failed reads return the memory of the cache', async () => {
    // The cache has a quarter of the chunks, so that every read decodes.
    const count = 16;
    const cache = createChunkCache(4 * chunks * (chunkBytes + 512));
    const opened = [];
    for (let i = 0; i < count; i++) {
      const root = join(folder, `cancelled ${i}`);
      const stored = await rowsAt(filesAt(root), false);
      opened.push({ root, stored, ...(await openCached(root, cache)) });
    }
    for (const [i, { array, root, stored, taskCount }] of opened.entries()) {
      const controller = new AbortController();
      const reading = array.select(all).read({ signal: controller.signal });
      for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      await reading.catch(() => undefined);
      rmSync(join(root, 'c/3'), { recursive: true });
      writeFileSync(join(root, 'c/5/0'), new Uint8Array(50));
      await expect(array.select(all).read()).rejects.toThrow('c/5/0');
      await stored.select(all).write({ shape: [rows, columns], data: rowValues() });
      expect(valuesOf(await array.select(all).read())).toEqual(rowValues());
      expect(taskCount()).toBeGreaterThan(0);
    }
    // One after the other: memory that still counts as lent would evict the others.
    for (const { array, decoded } of opened.slice(0, 2)) {
      const readEach = async (): Promise<void> => {
        for (let row = 0; row < rows; row += rows / chunks)
          await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: row, stop: row + 1 }] }).read();
      };
      await readEach();
      const before = decoded();
      await readEach();
      expect(decoded()).toBe(before);
    }
  });
});
