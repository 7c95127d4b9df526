/** Arrays on disk, read directly by threads and without threads. The threads run built files: `npm test` builds them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import {
  createCodecPool,
  createFilesystemStore,
  openHierarchy,
  type CodecPool,
  type Hierarchy,
  type KeyStore,
} from '../../../../server/zarr/index.js';
import { wrapStore } from '../../../../server/zarr/store/wrap.js';

export const entry = new URL('../../../../dist/server/zarr/read/pool/worker.js', import.meta.url);
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

/** Makes every possible read direct during the tests of a file. */
export function alwaysDirect(): void {
  let before: string | undefined;
  beforeAll(() => {
    before = process.env['ZARRQL_DIRECT'];
    process.env['ZARRQL_DIRECT'] = 'always';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['ZARRQL_DIRECT'];
    else process.env['ZARRQL_DIRECT'] = before;
  });
}

export function filesAt(root: string): KeyStore {
  return createFilesystemStore({ label: 'files', root, foldsCase: false });
}

/** A pool that counts the requests of direct reads for its threads. */
export interface CountedPool {
  readonly pool: CodecPool;
  asked(): number;
}

export function counted(pool: CodecPool): CountedPool {
  let asked = 0;
  const directThreads = (): ReturnType<CodecPool['directThreads']> => {
    asked++;
    return pool.directThreads();
  };
  return { pool: { ...pool, directThreads }, asked: () => asked };
}

export async function startPool(threads = 2, program = entry): Promise<CodecPool> {
  const pool = createCodecPool({ threads, entry: program });
  while (!pool.usable && !pool.isOver) await pool.whenAvailable();
  return pool;
}

/** One store read by the pipeline, by this thread, by threads alone, and by threads and this one. */
export function hierarchiesOf(
  store: KeyStore,
  pool: CodecPool,
): Record<'inline' | 'serial' | 'threads' | 'both', Hierarchy> {
  return {
    // Without `locate`, nothing is read directly.
    inline: openHierarchy(wrapStore(store, {}), { decoding: { pool: null } }),
    serial: openHierarchy(store, { decoding: { pool: null } }),
    threads: openHierarchy(store, { decoding: { pool, here: false } }),
    both: openHierarchy(store, { decoding: { pool, here: true } }),
  };
}
