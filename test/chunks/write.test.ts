/** Writes by threads, which run built files (`npm test` builds them), and events of changes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createCodecPool,
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  type CodecPool,
  type KeyStore,
  type Hierarchy,
  type StoredChange,
} from '../../server/zarr/index.js';
import { wrapStore } from '../../server/store/wrap.js';
import { filesUnder } from '../zarr/write/files-under.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
const all = { kind: 'all' } as const;
const shape = [130, 256, 128];
const values = Uint16Array.from({ length: 130 * 256 * 128 }, (_, i) => (i * i) >> 7);
const zstd = [
  { name: 'bytes', configuration: { endian: 'little' } },
  { name: 'zstd', configuration: { level: 1 } },
];
const layouts = {
  'raw chunks': { chunkShape: [64, 64, 128], codecs: zstd.slice(0, 1) },
  'compressed chunks': { chunkShape: [64, 64, 128], codecs: zstd },
  shards: { chunkShape: [16, 32, 32], shardShape: [64, 128, 128], codecs: zstd },
} as const;

let root = '';
beforeEach(() => {
  root = folderOfTest('encode');
});

/** Counts the files that threads have written. */
function counting(store: KeyStore): { readonly store: KeyStore; readonly seen: { committed: number } } {
  const seen = { committed: 0 };
  const stage: KeyStore['stage'] = async (key, options) => {
    const file = await store.stage?.(key, options);
    if (file === undefined) return undefined;
    return {
      ...file,
      commit: (...args) => {
        seen.committed++;
        return file.commit(...args);
      },
    };
  };
  return { store: wrapStore(store, { stage }), seen };
}

async function write(store: KeyStore, layout: keyof typeof layouts, pool: CodecPool | null, here = true) {
  const hierarchy = openHierarchy(store, { decoding: { pool, here } });
  const request = { shape, dtype: 'uint16', fillValue: 1, ...layouts[layout] };
  const array = await hierarchy.createArray('/a', request);
  const written = await array.select(all).write({ shape, data: values });
  await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 3, stop: 9 }] }).write(7);
  return { array, written };
}

const expected = values.slice().fill(7, 3 * 256 * 128, 9 * 256 * 128);

// In a full run, the build must exist.

const isSkipped = !existsSync(fileURLToPath(entry)) && process.env['ZARRQL_REQUIRE_ALL'] === undefined;
describe.skipIf(isSkipped)('writes in threads', () => {
  let pool: CodecPool;
  beforeAll(async () => {
    pool = createCodecPool({ threads: 1, entry });
    await pool.whenAvailable();
  });
  afterAll(() => pool.close());

  test.each(['raw chunks', 'compressed chunks', 'shards'] as const)(
    'store the same bytes as writes without threads: %s',
    async (layout) => {
      const { store, seen } = counting(createFilesystemStore({ label: 'threads', root: join(root, 'a') }));
      const { array, written } = await write(store, layout, pool, false);
      const other = createFilesystemStore({ label: 'alone', root: join(root, 'b') });
      expect(written).toEqual((await write(other, layout, null)).written);
      const block = await array.select(all).read();
      expect('bytes' in block && Buffer.compare(block.bytes, new Uint8Array(expected.buffer))).toBe(0);
      expect(filesUnder(join(root, 'a'))).toEqual(filesUnder(join(root, 'b')));
      expect(seen.committed > 0).toBe(layout !== 'shards');
      await Promise.all([store.close(), other.close()]);
    },
  );

  test('store the values in memory, without files', async () => {
    const { array } = await write(createMemoryStore({ label: 'm' }), 'compressed chunks', pool, false);
    const block = await array.select(all).read();
    expect('bytes' in block && Buffer.compare(block.bytes, new Uint8Array(expected.buffer))).toBe(0);
  });

  test('are executed by the store if a thread cannot create the file', async () => {
    const files = createFilesystemStore({ label: 'files', root });
    const discarded: string[] = [];
    const nowhere = join(root, 'no-such-folder', 'file');
    const store = wrapStore(files, {
      stage: async (key) => ({
        path: nowhere,
        commit: () => Promise.reject(new Error('the file is missing')),
        discard: async () => void discarded.push(key),
      }),
    });
    const { array } = await write(store, 'compressed chunks', pool, false);
    const block = await array.select(all).read();
    expect('bytes' in block && Buffer.compare(block.bytes, new Uint8Array(expected.buffer))).toBe(0);
    expect(discarded).not.toEqual([]);
    await store.close();
  });

  test('leave no file behind if they are cancelled', async () => {
    const files = createFilesystemStore({ label: 'files', root });
    const stop = new AbortController();
    const store = wrapStore(files, {
      stage: async (key, options) => {
        const file = await files.stage?.(key, options);
        if (key.endsWith('1/1/0')) stop.abort();
        return file;
      },
    });
    const array = await openHierarchy(store, { decoding: { pool, here: false } }).createArray('/a', {
      ...{ shape, dtype: 'uint16' },
      ...layouts['compressed chunks'],
    });
    const writing = array.select(all).write({ shape, data: values }, { signal: stop.signal });
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => filesIn(join(root, '.zarrql-tmp'))).toEqual([]);
    await store.close();
  });

  test('are not staged by a store that is configured with fsync', async () => {
    const store = createFilesystemStore({ label: 'files', root, fsync: true });
    expect(await store.stage?.('a/b')).toBeUndefined();
    await store.close();
  });
});

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

// Events report the stored changes, even if a later step fails.
describe('events of changes', () => {
  let changes: StoredChange[] = [];
  beforeEach(() => {
    changes = [];
  });

  function hierarchyOf(store: KeyStore = createMemoryStore({ label: 'm' })): Hierarchy {
    return openHierarchy(store, { changed: (change) => changes.push(change) });
  }

  /** A store whose writes fail for keys that match. */
  function refusing(pattern: RegExp): KeyStore {
    const store = createMemoryStore({ label: 'm' });
    return {
      ...store,
      set: (key, ...rest) =>
        pattern.test(key) ? Promise.reject(new Error('no room')) : store.set(key, ...rest),
    };
  }

  const request = { shape: [4], dtype: 'int8', chunkShape: [1] };

  test('creations are reported, parent groups first', async () => {
    await hierarchyOf().createArray('/a/b', request);
    expect(changes).toEqual(['/', '/a', '/a/b'].map((path) => ({ kind: 'created', path })));
  });

  test('kept nodes, rejected writes and empty writes have no event', async () => {
    const hierarchy = hierarchyOf();
    await hierarchy.createArray('/b', request);
    changes = [];
    await hierarchy.createArray('/b', request, { ifExists: 'keep' });
    await expect(hierarchy.createArray('/b', request)).rejects.toThrow('already');
    await expect(hierarchy.setAttributes('/b', { set: {} }, { ifVersion: 'x' })).rejects.toThrow('version');
    const array = await hierarchy.array('/b');
    await expect(array.select({ kind: 'all' }).write([1, 2])).rejects.toThrow('broadcast');
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 0 }] }).write([]);
    expect(changes).toEqual([]);
  });

  test('replaced nodes are reported as deleted first, if they exist', async () => {
    const hierarchy = hierarchyOf();
    await hierarchy.createGroup('/', {});
    changes = [];
    await hierarchy.createArray('/a', request, { ifExists: 'replace' });
    await hierarchy.createArray('/a', request, { ifExists: 'replace' });
    expect(changes.map(({ kind }) => kind)).toEqual(['created', 'deleted', 'created']);
  });

  test('nodes created before a failure are reported', async () => {
    const hierarchy = hierarchyOf(refusing(/^a\/b\//));
    await expect(hierarchy.createArray('/a/b', request)).rejects.toThrow('no room');
    expect(changes).toEqual(['/', '/a'].map((path) => ({ kind: 'created', path })));
  });

  test('values that may have been stored are reported if a write fails', async () => {
    const hierarchy = hierarchyOf(refusing(/c\/2$/));
    const array = await hierarchy.createArray('/', request);
    changes = [];
    await expect(array.select({ kind: 'all' }).write(1)).rejects.toThrow('no room');
    expect(changes).toEqual([{ kind: 'data', path: '/', region: [{ start: 0, stop: 4 }] }]);
    changes = [];
    const other = hierarchyOf(refusing(/c\/5$/));
    await other.createArray('/', request);
    changes = [];
    await expect(other.append('/', [1, 2, 3])).rejects.toThrow('no room');
    // The stored values are beyond the end of the array, where readers do not see them.
    expect(changes).toEqual([]);
    const appending = hierarchyOf();
    await appending.createArray('/', request);
    changes = [];
    await appending.append('/', [1, 2, 3]);
    expect(changes).toEqual([{ kind: 'resized', path: '/' }, { kind: 'data', path: '/', region: [{ start: 4, stop: 7 }] }]); // prettier-ignore
  });

  test('a node cannot replace a metadata document', async () => {
    for (const path of ['/zarr.json', '/a/.zarray', '/.zgroup/b'])
      await expect(hierarchyOf().createGroup(path), path).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(changes).toEqual([]);
  });
});
