/** Reads of local files on the calling thread. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isZarrError, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { parseSelection } from '../../../server/zarr/index.js';
import type { LocalFiles, ReadRequest } from '../../../server/store/store.js';
import { filesAt, temporaryFolder } from './threads.js';

const decoding = { decoding: { pool: null } };

/** A store that records the requests of direct reads, and can replace methods of its local files. */
function spied(
  store: KeyStore,
  change: (files: LocalFiles, requests: ReadRequest[]) => Partial<LocalFiles> = () => ({}),
): { readonly store: KeyStore; readonly requests: ReadRequest[] } {
  const requests: ReadRequest[] = [];
  const locate: KeyStore['locate'] = async (keys, options) => {
    const located = await store.locate?.(keys, options);
    if (located === undefined) return undefined;
    const { files, parts } = located;
    const readNow: LocalFiles['readNow'] = (request, memory) => {
      requests.push(request);
      return files.readNow(request, memory);
    };
    return { files: { ...files, readNow, ...change(files, requests) }, parts };
  };
  return { store: { ...store, locate }, requests };
}

async function rowsIn(store: KeyStore, shardShape?: number[]): Promise<void> {
  const array = await openHierarchy(store, decoding).createArray('/', {
    shape: [32, 64],
    dtype: 'int32',
    chunkShape: [2, 64],
    ...(shardShape === undefined ? {} : { shardShape }),
    fillValue: -1,
    // Uncompressed, so that bytes of another position are valid values.
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  });
  await array.select().write({ shape: [32, 64], data: rowsOf(0) });
}

function rowsOf(base: number): Int32Array {
  return Int32Array.from({ length: 32 * 64 }, (_, i) => base + Math.floor(i / 64));
}

describe('serial reads', () => {
  const root = temporaryFolder();

  test('read adjacent inner chunks of a shard together', async () => {
    const files = filesAt(join(root, 'together'));
    await rowsIn(files, [16, 64]);
    const { store, requests } = spied(files);
    const array = await openHierarchy(store, decoding).array('/');
    const block = await array.select().read();
    expect('bytes' in block && new Int32Array(block.bytes.buffer, 0, 32 * 64)).toEqual(rowsOf(0));
    expect(requests.map(({ key }) => key).sort()).toEqual(['c/0/0', 'c/1/0']);
    expect(requests.every(({ range, ifMatch }) => range !== undefined && ifMatch !== undefined)).toBe(true);
  });

  test('do not use the cached index of a shard that was replaced', async () => {
    const path = join(root, 'replaced');
    await rowsIn(filesAt(path), [16, 64]);
    const array = await openHierarchy(filesAt(path), decoding).array('/');
    const slice = array.select(parseSelection('3:9, 5'));
    expect(await slice.read()).toHaveProperty('shape', [6]);
    // The first two inner chunks now equal the fill value and are not stored, so that the old index is wrong.
    const other = await openHierarchy(filesAt(path), decoding).array('/');
    await other
      .select(parseSelection('0:4'))
      .write({ shape: [4, 64], data: new Int32Array(4 * 64).fill(-1) });
    const block = await slice.read();
    expect('bytes' in block && [...new Int32Array(block.bytes.buffer, 0, 6)]).toEqual([-1, 4, 5, 6, 7, 8]);
  });

  test('leave a slow disk to the pipeline', async () => {
    const files = filesAt(join(root, 'slow'));
    await rowsIn(files);
    const { store, requests } = spied(files, (_, seen) => ({ isSlow: () => seen.length >= 3 }));
    const array = await openHierarchy(store, decoding).array('/');
    const block = await array.select().read();
    expect('bytes' in block && new Int32Array(block.bytes.buffer, 0, 32 * 64)).toEqual(rowsOf(0));
    expect(requests).toHaveLength(3);
  });

  test('end when they are cancelled', async () => {
    const files = filesAt(join(root, 'cancelled'));
    await rowsIn(files);
    const controller = new AbortController();
    const { store, requests } = spied(files, ({ readNow }, seen) => ({
      readNow(request, memory) {
        seen.push(request);
        if (seen.length === 5) controller.abort();
        return readNow(request, memory);
      },
    }));
    const array = await openHierarchy(store, decoding).array('/');
    const failure = await array
      .select()
      .read({ signal: controller.signal })
      .catch((error: unknown) => error);
    expect(isZarrError(failure, 'ABORTED')).toBe(true);
    expect(requests).toHaveLength(5);
  });

  test('report the same versions of objects as the pipeline', async () => {
    const path = join(root, 'versions');
    await rowsIn(filesAt(path), [16, 64]);
    const versionsOf = async (store: KeyStore): Promise<Map<string, string | undefined>> => {
      const versions = new Map<string, string | undefined>();
      const array = await openHierarchy(store, decoding).array('/');
      await array.select().read({ onVersion: ({ key }, version) => void versions.set(key, version) });
      return versions;
    };
    const { locate: _, ...pipeline } = filesAt(path);
    const expected = await versionsOf(pipeline);
    expect(expected.size).toBe(2);
    expect(await versionsOf(filesAt(path))).toEqual(expected);
  });
});
