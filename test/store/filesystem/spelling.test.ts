import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { createSpelling } from '../../../server/store/filesystem/spelling.js';
import { get } from '../../../server/store/define-reading.js';
import type { KeyStore } from '../../../server/store/store.js';
import { describeStore, text } from '../../contracts/store.js';
import { collect } from '../../contracts/store-reading.js';

let root = '';
const fresh = async (): Promise<void> => void (root = await mkdtemp(join(tmpdir(), 'zarrql-spelling-')));
const clear = (): Promise<void> => rm(root, { recursive: true, force: true });
const folding = (): KeyStore => createFilesystemStore({ label: 'test', root, foldsCase: true });

describeStore('filesystem that is taken for one that folds case', {
  async open(contents) {
    await fresh();
    const store = folding();
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
  close: clear,
});

/** Links simulate a case-insensitive file system: "A" leads to "a". */
describe('case-insensitive file systems', () => {
  beforeEach(async () => {
    await fresh();
    await mkdir(join(root, 'dir'));
    await writeFile(join(root, 'dir', 'a'), 'a');
    await symlink('a', join(root, 'dir', 'A'));
    await symlink('dir', join(root, 'Dir'));
  });
  afterEach(clear);

  test('a key with different case finds nothing', async () => {
    const store = folding();
    expect(await get(store, 'dir/a')).toBeDefined();
    for (const key of ['dir/A', 'Dir/a', 'Dir/A'])
      expect({ key, value: await get(store, key) }).toEqual({ key });
    const { version = '' } = (await get(store, 'dir/a')) ?? {};
    const demanding = store.getMany([{ key: 'dir/A', ifMatch: version }], () => {});
    await expect(demanding).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await store.list('Dir')).toEqual({ keys: [], folders: [] });
    expect(await collect(store.walk('Dir'))).toEqual([]);
  });

  test('nothing is overwritten or deleted with different case', async () => {
    const store = folding();
    for (const key of ['dir/A', 'Dir/a', 'Dir/new', 'Dir/deep/er/new'])
      await expect(store.set(key, text('x'))).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringMatching(/case-insensitive, and "dir/),
      });
    await store.delete(['dir/A', 'Dir/a']);
    await store.deletePrefix('Dir');
    expect(await readFile(join(root, 'dir', 'a'), 'utf8')).toBe('a');
    expect(await readdir(join(root, 'dir'))).toEqual(['A', 'a']);
    await store.set('dir/new', text('x'));
  });

  test('links to other names are followed', async () => {
    await symlink('a', join(root, 'dir', 'b'));
    expect(await get(folding(), 'dir/b')).toBeDefined();
  });
});

describe('names that a platform does not support', () => {
  test.each(['CON', 'a/nul.txt', 'com1', 'a:b', 'a/b?', 'x.', 'x ', 'a/<b>', 'lpt9.json/c'])(
    '%j is rejected on Windows, but not on Linux',
    async (key) => {
      const spelling = createSpelling({ root: '/nowhere', platform: 'win32' });
      expect(spelling.cannotExistNow(key)).toBe(true);
      expect(await spelling.cannotExist(key)).toBe(true);
      await expect(spelling.assertFree(key)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      const linux = createSpelling({ root: '/nowhere', platform: 'linux' });
      expect(await linux.cannotExist(key)).toBe(false);
      await linux.assertFree(key);
    },
  );
  test.each(['zarr.json', 'console/c/0', 'a.b', 'nullable', '.zgroup', 'é'])(
    '%j is accepted on Windows',
    async (key) => {
      const spelling = createSpelling({ root: '/nowhere', platform: 'win32' });
      expect(await spelling.cannotExist(key)).toBe(false);
    },
  );
});

test('whether the file system is case-sensitive is detected with an existing file', async () => {
  await fresh();
  const spelling = createSpelling({ root });
  expect(spelling.cannotExistNow('x')).toBeUndefined();
  expect(await spelling.cannotExist('x')).toBe(false);
  expect(spelling.cannotExistNow('x')).toBeUndefined(); // There is no file to test with.
  await writeFile(join(root, 'probe'), '');
  await writeFile(join(root, 'PROBE'), '');
  const isSensitive = (await readdir(root)).length === 2;
  await spelling.cannotExist('x');
  expect(spelling.cannotExistNow('x')).toBe(isSensitive ? false : undefined);
  await clear();
});
