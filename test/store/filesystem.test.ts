import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isZarrError } from '../../server/core/errors.js';
import { createFilesystemStore } from '../../server/store/filesystem.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { describeStore, text, type Contents } from '../contracts/store.js';
import { collect } from '../contracts/store-reading.js';

let folder = '';
let root = '';

async function fill(contents: Contents): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-store-'));
  root = join(folder, 'root');
  await mkdir(root);
  for (const [key, bytes] of Object.entries(contents)) {
    await mkdir(dirname(join(root, key)), { recursive: true });
    await writeFile(join(root, key), bytes);
  }
}

const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });

describeStore('filesystem', {
  async open(contents) {
    await fill(contents);
    return createFilesystemStore({ label: 'test', root });
  },
  close: removeFolder,
});

describeStore('filesystem with fsync and one permit', {
  async open(contents) {
    await fill(contents);
    return createFilesystemStore({ label: 'test', root, fsync: true, concurrency: 1 });
  },
  close: removeFolder,
});

describeStore('filesystem, read-only', {
  async open(contents) {
    await fill(contents);
    return createFilesystemStore({ label: 'test', root, readonly: true });
  },
  close: removeFolder,
  lacks: { write: 'it is opened read-only' },
});

describe('filesystem', () => {
  let store: KeyStore;
  beforeEach(async () => {
    await fill({ 'in/x': text('inside'), 'zarr.json': text('{}') });
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside', 'secret'), 'secret');
    await mkdir(join(folder, 'root-and-more'));
    await writeFile(join(folder, 'root-and-more', 'secret'), 'secret');
    store = createFilesystemStore({ label: 'test', root });
  });
  afterEach(removeFolder);
  const denied = { code: 'STORE_DENIED' };

  describe('links', () => {
    test.each(['outside', 'root-and-more'])(
      'a folder link to %s is rejected and not listed',
      async (target) => {
        await symlink(join(folder, target), join(root, 'link'));
        await expect(get(store, 'link/secret')).rejects.toMatchObject(denied);
        await expect(get(store, 'link/none')).rejects.toMatchObject(denied);
        await expect(store.list('link')).rejects.toMatchObject(denied);
        expect(await store.list('')).toEqual({ keys: ['zarr.json'], folders: ['in'] });
        await expect(store.set('link/new', text('x'))).rejects.toMatchObject(denied);
        await expect(store.set('link/sub/new', text('x'))).rejects.toMatchObject(denied);
        await expect(store.delete(['link/secret'])).rejects.toMatchObject(denied);
        await expect(store.deletePrefix('link/sub')).rejects.toMatchObject(denied);
        expect(await readdir(join(folder, target))).toEqual(['secret']);
      },
    );
    test('relative and chained outward links are rejected', async () => {
      await symlink('../outside/secret', join(root, 'file'));
      await symlink('file', join(root, 'chain'));
      for (const key of ['file', 'chain']) await expect(get(store, key)).rejects.toMatchObject(denied);
      const keys: string[] = [];
      for await (const object of store.walk('')) keys.push(object.key);
      expect(keys).toEqual(['in/x', 'zarr.json']);
    });
    test('links within the store are followed', async () => {
      await symlink('in', join(root, 'alias'));
      await symlink('in/x', join(root, 'y'));
      for (const key of ['alias/x', 'y']) {
        const value = await get(store, key);
        expect(Buffer.from(value?.bytes ?? []).toString()).toBe('inside');
        let result: unknown;
        await store.getMany(
          [{ key, ifNoneMatch: value?.version ?? '' }],
          (_, response) => (result = response),
        );
        expect(result).toBe('unchanged');
      }
      expect(await store.list('')).toEqual({ keys: ['y', 'zarr.json'], folders: ['alias', 'in'] });
    });
    test('a folder that becomes an outward link is detected', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      expect(await get(store, 'in/x')).toBeDefined();
      await rename(join(root, 'in'), join(root, 'was'));
      await symlink(join(folder, 'outside'), join(root, 'in'));
      vi.advanceTimersByTime(1100); // The check of a folder is valid for a second.
      await expect(get(store, 'in/secret')).rejects.toMatchObject(denied);
    });
    test('cyclic links do not cause an endless listing', async () => {
      await symlink('..', join(root, 'in', 'up'));
      await symlink('loop', join(root, 'loop'));
      const keys: string[] = [];
      for await (const object of store.walk('')) keys.push(object.key);
      expect(keys).toEqual(['in/x', 'zarr.json']);
      await expect(get(store, 'loop')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
    test('a dangling link is not treated as absent, and writes to it stay inside the root', async () => {
      await symlink(join(folder, 'outside', 'new'), join(root, 'dangling'));
      await expect(get(store, 'dangling')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await store.set('dangling', text('x'));
      expect(await readdir(join(folder, 'outside'))).toEqual(['secret']);
      await symlink(join(folder, 'outside', 'newfolder'), join(root, 'danglingfolder'));
      await expect(store.set('danglingfolder/x', text('x'))).rejects.toMatchObject({ name: /Error$/ });
      expect(await readdir(join(folder, 'outside'))).toEqual(['secret']);
    });
    test('deleting a prefix does not follow links', async () => {
      await symlink(join(folder, 'outside'), join(root, 'in', 'link'));
      await store.deletePrefix('in');
      expect(await readdir(join(folder, 'outside'))).toEqual(['secret']);
      await store.close();
      expect(await readdir(root)).toEqual(['zarr.json']);
    });
    test('the root can be a link whose target changes', async () => {
      const link = join(folder, 'current');
      await symlink(root, link);
      const linked = createFilesystemStore({ label: 'test', root: link, readonly: true });
      expect(await get(linked, 'in/x')).toBeDefined();
      await mkdir(join(folder, 'next', 'in2'), { recursive: true });
      await writeFile(join(folder, 'next', 'in2', 'x'), 'next');
      await rm(link);
      await symlink(join(folder, 'next'), link);
      expect(await get(linked, 'in2/x')).toBeDefined();
    });
  });

  test('pipes and devices are rejected without blocking', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(get(store, 'pipe')).rejects.toMatchObject(denied);
    await symlink('/dev/zero', join(root, 'zero'));
    await expect(get(store, 'zero')).rejects.toMatchObject(denied);
    expect((await store.list('')).keys).toEqual(['zarr.json']);
    const complete = collect(store.walk('', { isComplete: true }));
    await expect(complete).rejects.toMatchObject({ ...denied, where: { store: 'test', key: 'pipe' } });
  });

  test.skipIf(process.getuid?.() === 0)('unreadable objects are denied, not absent', async () => {
    await chmod(join(root, 'in', 'x'), 0);
    await expect(get(store, 'in/x')).rejects.toMatchObject(denied);
  });

  test.skipIf(process.getuid?.() === 0)('an empty folder that may not be deleted is kept', async () => {
    await chmod(root, 0o500);
    await store.delete(['in/x']);
    expect(await readdir(join(root, 'in'))).toEqual([]);
    await chmod(root, 0o700);
  });

  test('messages never contain the path of the root', async () => {
    await symlink(join(folder, 'outside'), join(root, 'link'));
    await symlink('loop', join(root, 'loop'));
    const failures = [
      () => get(store, 'link/secret'),
      () => get(store, 'loop'),
      () => store.set('zarr.json/below', text('x')),
      () => store.set('in', text('x')),
      () => store.set('n'.repeat(300), text('x')),
    ];
    for (const fail of failures) {
      const message = await fail().then(
        () => 'no failure',
        (error: unknown) => String(error),
      );
      expect(message).not.toContain(folder);
      expect(message).toContain('store "test"');
    }
  });

  test('names that the file system rejects are an input error', async () => {
    for (const key of ['n'.repeat(300), 'zarr.json/below', 'in'])
      await expect(store.set(key, text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await store.close(); // Removes the folder of locks.
    expect(await readdir(root)).toEqual(['in', 'zarr.json']);
    expect(await readdir(join(root, 'in'))).toEqual(['x']);
  });

  test('a replaced file has another version, even with equal time and size', async () => {
    const time = new Date(1_700_000_000_000);
    await utimes(join(root, 'in', 'x'), time, time);
    const before = await get(store, 'in/x');
    await writeFile(join(root, 'in', 'y'), 'INSIDE');
    await utimes(join(root, 'in', 'y'), time, time);
    await rename(join(root, 'in', 'y'), join(root, 'in', 'x'));
    const after = await get(store, 'in/x');
    expect(after?.version).not.toBe(before?.version);
  });

  test('a file that grows during a read is read again or rejected', async () => {
    const path = join(root, 'grows');
    writeFileSync(path, Buffer.alloc(100_000, 1));
    for (let round = 0; round < 30; round++) {
      const reading = get(store, 'grows');
      setImmediate(() => appendFileSync(path, Buffer.alloc(1000, round)));
      const outcome = await reading.then(
        (value) => value?.bytes.length === value?.total,
        (error: unknown) => isZarrError(error, 'CONFLICT'),
      );
      expect(outcome).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('a huge sparse file is rejected by its size, but can be read in part', async () => {
    execFileSync('truncate', ['-s', '8T', join(root, 'huge')]);
    await expect(get(store, 'huge', { maxBytes: 1e9 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    await expect(get(store, 'huge')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const tail = await getRange(store, 'huge', { suffix: 3 });
    expect(tail).toMatchObject({ total: 2 ** 43, bytes: new Uint8Array(3) });
  });

  test('temporary files of interrupted writes are hidden', async () => {
    const name = '.zarrql-0123456789abcdef.tmp';
    await writeFile(join(root, 'in', name), 'half');
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'x'), 'half');
    expect(await store.list('')).toEqual({ keys: ['zarr.json'], folders: ['in'] });
    expect(await store.list('in')).toEqual({ keys: ['in/x'], folders: [] });
    expect(await get(store, `in/${name}`)).toBeUndefined();
    expect(await get(store, `${name}/x`)).toBeUndefined();
    await expect(store.set(`in/${name}`, text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('a write leaves no files besides the object', async () => {
    await store.set('in/z', text('x'));
    await expect(store.set('in/z', text('y'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await readdir(join(root, 'in'))).toEqual(['x', 'z']);
    expect(readFileSync(join(root, 'in', 'z'), 'utf8')).toBe('x');
  });

  test.each([
    ['at once', false, 10],
    ['through the thread pool', false, 2 ** 21],
    ['with fsync', true, 10],
  ])(
    'a write that fails %s leaves nothing behind, and a write whose folder was deleted recreates it',
    async (_, fsync, size) => {
      const writing = createFilesystemStore({ label: 'd', root, fsync });
      const bytes = new Uint8Array(size);
      await writing.set('f/a/b', bytes);
      await expect(writing.set('f/a', bytes)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      expect(await readdir(join(root, 'f'))).toEqual(['a']);
      await rm(join(root, 'f'), { recursive: true });
      await writing.set('f/a/b', bytes);
      expect(await readdir(join(root, 'f'), { recursive: true })).toEqual(['a', 'a/b']);
    },
  );

  test('a missing root is an error for read-only stores, otherwise an empty store', async () => {
    const gone = join(folder, 'gone');
    const reader = createFilesystemStore({ label: 'test', root: gone, readonly: true });
    await expect(get(reader, 'zarr.json')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(get(reader, 'a/b/c')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(reader.list('')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const writer = createFilesystemStore({ label: 'test', root: gone });
    expect(await get(writer, 'zarr.json')).toBeUndefined();
    await writer.set('a/b', text('x'));
    expect(await get(writer, 'a/b')).toBeDefined();
  });
});
