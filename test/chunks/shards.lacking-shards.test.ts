/** Shards without inner chunks of a read are reported with their version, so that a change between two reads is noticed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  type KeyStore,
} from '../../server/zarr/index.js';
import { wrapStore } from '../../server/store/wrap.js';

const folders: string[] = [];

async function folderStore(): Promise<KeyStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zarrql-lacking-'));
  folders.push(folder);
  return createFilesystemStore({ label: 'm', root: folder });
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const limits = {
  maxOutputBytes: 10,
  maxDecodedBytes: 2 ** 20,
  maxChunks: 100,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};

describe.each([
  ['a memory store', async () => createMemoryStore({ label: 'm' })],
  // Without `locate`, nothing is read directly.
  ['files', async () => wrapStore(await folderStore(), {})],
  ['direct reads of files', folderStore],
] as const)('%s', (_, createStore) => {
  async function sharded(): ReturnType<ReturnType<typeof openHierarchy>['createArray']> {
    const hierarchy = openHierarchy(await createStore());
    return hierarchy.createArray('/a', { shape: [40], chunkShape: [10], shardShape: [40], dtype: 'uint8' });
  }

  test('a read reports an absent shard, and a shard without the inner chunk', async () => {
    const array = await sharded();
    const versions: (string | undefined)[] = [];
    const onVersion = (_object: object, version: string | undefined) => void versions.push(version);
    const part = array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 0, stop: 5 }] });
    await part.read({ onVersion });
    expect(versions).toEqual([undefined]);
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 30, stop: 40 }] }).write(7);
    await part.read({ onVersion });
    await part.read({ onVersion });
    expect(versions).toEqual([undefined, expect.any(String), expect.any(String)]);
  });

  test.each([
    ['absent', undefined],
    ['stored', 30],
  ])('a write after a block without stored elements is a conflict (shard %s)', async (_state, first) => {
    const array = await sharded();
    const slice = array.select({ kind: 'all' });
    if (first !== undefined)
      await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: first }] }).write(7);
    const blocks = slice.stream({ limits })[Symbol.asyncIterator]();
    await blocks.next();
    await slice.write(9);
    await expect(blocks.next()).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
