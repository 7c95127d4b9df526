/** Hanging disks: how many of Node's threads a store uses, and how long callers wait. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFilesystemStore } from '../../server/store/filesystem.js';
import { isLocalFolder } from '../../server/store/filesystem/inline-budget.js';
import { createThreads } from '../../server/store/filesystem/options.js';
import { describeStore } from '../contracts/store.js';

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zarrql-hanging-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describeStore('a folder that is not on a disk of this machine', {
  open: async (contents) => {
    const root = await newFolder();
    for (const [key, bytes] of Object.entries(contents)) {
      await mkdir(dirname(join(root, key)), { recursive: true });
      await writeFile(join(root, key), bytes);
    }
    return createFilesystemStore({ label: 'test', root, isLocal: false });
  },
});

describe('threads', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a hanging store leaves one thread free, fails in time, and recovers with the disk', async () => {
    const threads = createThreads(1000, 16, 4);
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const hang = (): Promise<string> => {
      most = Math.max(most, ++running);
      return new Promise((resolve) => {
        ends.push(() => {
          running--;
          resolve('read');
        });
      });
    };
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, () => threads.run(undefined, hang)));
    await vi.advanceTimersByTimeAsync(1000);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'STORE_UNAVAILABLE', isOutage: true },
      });
    // The calls still hang, but no caller waits for them.
    expect({ running, most }).toEqual({ running: 3, most: 3 });
    const next = threads.run(undefined, hang);
    await vi.advanceTimersByTimeAsync(500);
    expect(running).toBe(3);
    for (const end of ends.splice(0)) end();
    await vi.advanceTimersByTimeAsync(0);
    for (const end of ends.splice(0)) end();
    expect(await next).toBe('read');
    expect(most).toBe(3);
  });
  test('with one thread there is one slot; large objects may take longer', async () => {
    expect(createThreads(1000, 16, 1).count).toBe(1);
    expect(createThreads(1000, 2, 64).count).toBe(2);
    const threads = createThreads(1000, 16, 4);
    const writing = threads.run(
      undefined,
      () => new Promise((resolve) => setTimeout(() => resolve('written'), 5000)),
      10 * 2 ** 20,
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(await writing).toBe('written');
  });
});

test.skipIf(process.platform !== 'linux')(
  'unknown file systems are not local, and a missing folder is like its parent',
  async () => {
    expect(isLocalFolder('/proc')).toBe(false);
    const folder = await newFolder();
    expect(isLocalFolder(join(folder, 'not', 'there'))).toBe(isLocalFolder(folder));
  },
);
