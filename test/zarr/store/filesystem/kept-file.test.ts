/** Several parts of one file share one open file, which is closed afterwards. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFilesystemStore } from '../../../../server/zarr/index.js';
import { createRootConfinement } from '../../../../server/zarr/store/filesystem/root-confinement.js';
import { KeptFile } from '../../../../server/zarr/store/filesystem/kept-file.js';
import { readPlainFile } from '../../../../server/zarr/store/filesystem/read-inline.js';
import { folderOfSuite } from '../../../setup/temporary-folder.js';

const root = folderOfSuite('kept');
const content = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7919) >> 5);
writeFileSync(join(root, 'a'), content);
writeFileSync(join(root, 'b'), content.toReversed());

/** The open files of the store. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${file}`);
      return path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [];
    } catch {
      return [];
    }
  });
}

/** Ranges that are too far apart to be coalesced. */
const offsets = [0, 50_000, 100_000, 150_000];
const requests = (keys: readonly string[]): { key: string; range: { offset: number; length: number } }[] =>
  offsets.flatMap((offset) => keys.map((key) => ({ key, range: { offset, length: 10 } })));

describe.skipIf(process.platform !== 'linux')('parts of one file', () => {
  const store = createFilesystemStore({ label: 'kept', root, readonly: true, foldsCase: false });

  test('are read with at most one file open', () => {
    const kept = new KeptFile();
    const boundary = createRootConfinement(root, { mustExist: true, isOpen: false });
    for (const { key, range } of requests(['a', 'a', 'b'])) {
      const memory = { maxBytes: undefined, pool: undefined, kept };
      const answer = readPlainFile(join(root, key), { key, range }, boundary, memory, Infinity);
      const expected = key === 'a' ? content : content.toReversed();
      expect(typeof answer === 'object' && answer.bytes).toEqual(
        expected.slice(range.offset, range.offset + range.length),
      );
      expect(openFiles()).toEqual([key]);
    }
    kept.close();
    expect(openFiles()).toEqual([]);
  });

  test('leave none open', async () => {
    await store.getMany(requests(['a', 'b']), () => {});
    await expect.poll(openFiles).toEqual([]);
  });

  test('leave none open after a failure', async () => {
    const failing = store.getMany(requests(['a']), (i) => {
      if (i === 2) throw new Error('not wanted');
    });
    await expect(failing).rejects.toThrow('not wanted');
    // A read through the thread pool may still be in flight.
    await expect.poll(openFiles).toEqual([]);
  });
});
