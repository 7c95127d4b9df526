/**
 * Arrays on disk, read directly by threads and without threads. The threads run built files: `npm test` builds them.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import {
  createChunkCache,
  createCodecPool,
  createFilesystemStore,
  openHierarchy,
  type CodecPool,
  type Hierarchy,
  type KeyStore,
  isZarrError,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { changed } from '../../setup/changed.js';

export const entry = new URL('../../../dist/server/threads/worker.js', import.meta.url);
export const isBuilt = existsSync(fileURLToPath(entry));

/** Reproducible pseudo-random numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A folder for the tests of a file. */
export function temporaryFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'zarrql-direct-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function filesAt(root: string): KeyStore {
  return createFilesystemStore({ label: 'files', root, foldsCase: false });
}

/** A pool that counts the jobs of direct reads. */
export interface CountedPool {
  readonly pool: CodecPool;
  taskCount(): number;
}

export function counted(pool: CodecPool): CountedPool {
  let taskCount = 0;
  const run: CodecPool['run'] = (read, chunks, ...rest) => {
    if ('spans' in chunks) taskCount++;
    return pool.run(read, chunks, ...rest);
  };
  return { pool: changed(pool, { run }), taskCount: () => taskCount };
}

/** Starts threads that every possible read uses, even if it takes longer. */
export async function startPool(threads = 2, program = entry): Promise<CodecPool> {
  const pool = Object.assign(createCodecPool({ threads, entry: program }), { isPreferred: true });
  while (!pool.usable && !pool.isOver) await pool.whenAvailable();
  return pool;
}

/**
 * One store read by the pipeline, by this thread, by threads alone, by threads together with this one, and by threads for a
 * cache.
 */
export function hierarchiesOf(
  store: KeyStore,
  pool: CodecPool,
): Record<'inline' | 'serial' | 'threads' | 'both' | 'kept', Hierarchy> {
  return {
    // Without `locate`, nothing is read directly.
    inline: openHierarchy(wrapStore(store, {}), { decoding: { pool: null } }),
    serial: openHierarchy(store, { decoding: { pool: null } }),
    threads: openHierarchy(store, { decoding: { pool, here: false } }),
    both: openHierarchy(store, { decoding: { pool, here: true } }),
    kept: openHierarchy(store, { decoding: { pool, here: false }, chunkCache: createChunkCache(2 ** 28) }),
  };
}

// Arrays whose values identify their row, for tests of reads by threads.

export const rows = 64;
export const columns = 512;
export const all = { kind: 'all' } as const;

/**
 * Writes 16 chunks of 4 rows, in 4 shards if `sharded`. Every value of a row is `base + row`. Only arrays of the
 * default width are compressed.
 */
export async function rowsAt(
  store: KeyStore,
  sharded: boolean,
  base = 0,
  width = columns,
): Promise<ZarrArray> {
  const hierarchy = openHierarchy(store, { decoding: { pool: null } });
  const array = await hierarchy.createArray('/', {
    shape: [rows, width],
    dtype: 'int32',
    chunkShape: [4, width],
    ...(sharded ? { shardShape: [16, width] } : {}),
    fillValue: -1,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      ...(width === columns ? [{ name: 'zstd', configuration: { level: 1, checksum: true } }] : []),
    ],
  });
  await fill(array, base, width);
  return array;
}

async function fill(array: ZarrArray, base: number, width: number): Promise<void> {
  const data = Int32Array.from({ length: rows * width }, (_, i) => base + Math.floor(i / width));
  await array.select(all).write({ shape: [rows, width], data });
}

/** The error of a read that must fail. */
export async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    await reading;
  } catch (error) {
    if (isZarrError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the read did not fail');
}
