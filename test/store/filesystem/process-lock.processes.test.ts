/** Stores that lock their folder, used by several processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { toTypedArray } from '../../../server/core/dtype/arrays.js';
import { openHierarchy } from '../../../server/zarr/hierarchy.js';
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { get } from '../../../server/store/define-reading.js';
import type { KeyStore } from '../../../server/store/store.js';
import { withCache } from '../../../server/store/with-cache.js';
import { withMetrics } from '../../../server/store/with-metrics.js';
import { describeStore, text } from '../../contracts/store.js';
import { collect } from '../../contracts/store-reading.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

const program = fileURLToPath(new URL('lock-process.ts', import.meta.url));
const all = { kind: 'all' } as const;
let root = '';
const locked = (): KeyStore => createFilesystemStore({ label: 'test', root, lock: true });

describeStore('filesystem with a lock', {
  async open(contents) {
    root = folderOfTest('lock');
    const store = locked();
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
});

function run(...args: string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', program, root, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function endOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return output;
}

describe('between processes', () => {
  beforeEach(() => {
    root = folderOfTest('lock');
  });

  test('concurrent writes to parts of one chunk are all preserved', async () => {
    const hierarchy = openHierarchy(locked());
    await hierarchy.createArray('/parts', { shape: [400], dtype: 'int32', chunkShape: [400] });
    await Promise.all([endOf(run('parts', '0', '400')), endOf(run('parts', '1', '400'))]);
    const read = await (await hierarchy.array('/parts')).select(all).read();
    expect([...toTypedArray(read)]).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
  });

  test('values appended during a concurrent truncation are preserved', async () => {
    const hierarchy = openHierarchy(locked());
    const length = 600;
    const array = await hierarchy.createArray('/grown', { shape: [length], dtype: 'int32', chunkShape: [1] });
    await array.select(all).write(new Int32Array(length).fill(-1));
    const appending = run('append', '15');
    const output = endOf(appending);
    if (appending.stdout !== null) await once(appending.stdout, 'data');
    await endOf(run('shrink', '10'));
    const read = toTypedArray(await (await hierarchy.array('/grown')).select(all).read());
    const appends = (await output).split('\n').filter((line) => / /.test(line));
    const after = toTypedArray(await (await hierarchy.array('/grown')).select(all).read());
    expect(read.length).toBeGreaterThanOrEqual(10);
    expect(appends).toHaveLength(15);
    for (const written of appends) {
      const [start = 0, value = 0] = written.split(' ').map(Number);
      expect({ start, value: after[start] }).toEqual({ start, value });
    }
  });

  test('the lock of a killed process is released immediately', async () => {
    const child = run('die', 'name');
    if (child.stdout !== null) await once(child.stdout, 'data');
    const store = locked();
    const signal = AbortSignal.timeout(300);
    await expect(store.withLock?.('name', async () => 1, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await store.withLock?.('name', async () => 1)).toBe(1);
  });

  test('conditions apply to writes by other stores in the same folder', async () => {
    const stores = [locked(), locked(), locked()];
    const { version = '' } = (await stores[0]?.set('a', text('first'))) ?? {};
    for (const store of stores) expect(store.can.conditionalWrite).toBe(true);
    const results = await Promise.allSettled(
      stores.map((store, at) => store.set('a', text(`${at}`), { ifMatch: version })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('lock files are not part of the store', async () => {
    const store = locked();
    await store.withLock?.('x', async () => {
      await store.set('a', text('a'));
      expect(await store.list('')).toEqual({ keys: ['a'], folders: [] });
      expect(await collect(store.walk(''))).toEqual([{ key: 'a', bytes: 1 }]);
      const [file = ''] = await readdir(join(root, '.zarrql-locks'));
      expect(await get(store, `.zarrql-locks/${file}`)).toBeUndefined();
      await expect(store.set('.zarrql-locks/x', text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
    });
    await store.close();
    expect(await readdir(root)).toEqual(['a']);
  });

  test('a write without the lock is detected and preserved', async () => {
    const noticed: string[] = [];
    const store = createFilesystemStore({ label: 'test', root, onForeignWrite: (key) => noticed.push(key) });
    await openHierarchy(store).createArray('/', {
      shape: [4],
      dtype: 'int8',
      chunkShape: [4],
      codecs: ['bytes'],
    });
    let isFirst = true;
    const meddling: KeyStore = {
      ...store,
      async set(key, ...rest) {
        if (isFirst) await writeFile(join(root, key), Uint8Array.of(1, 2, 3, 4));
        isFirst = false;
        return store.set(key, ...rest);
      },
    };
    await mkdir(join(root, 'c'));
    await writeFile(join(root, 'c/0'), Uint8Array.of(9, 9, 9, 9));
    const array = await openHierarchy(meddling).array('/');
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 1 }] }).write([7]);
    expect([...((await get(store, 'c/0'))?.bytes ?? [])]).toEqual([7, 2, 3, 4]);
    expect(noticed).toEqual(['c/0']);
  });

  test('wrappers pass the lock through', async () => {
    const wrapped = withCache(withMetrics(locked(), { ended: () => {} }), { maxBytes: 0, maxAgeMs: 1 });
    const inside = wrapped.withLock?.('x', async () => {
      const signal = AbortSignal.timeout(100);
      await expect(locked().withLock?.('x', async () => {}, { signal })).rejects.toMatchObject({
        code: 'ABORTED',
      });
      return 'held';
    });
    expect(await inside).toBe('held');
  });

  test('the lock is on by default, and not used for reading', () => {
    expect(createFilesystemStore({ label: 'test', root }).can.conditionalWrite).toBe(true);
    expect(createFilesystemStore({ label: 'test', root, readonly: true }).withLock).toBeUndefined();
    const store = createFilesystemStore({ label: 'test', root, lock: false });
    expect(store.withLock).toBeUndefined();
    expect(store.can.conditionalWrite).toBe(false);
  });
});
