/** The search for stores below a folder, also a hostile one. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeContents, findStores, type SearchOptions } from '../../server/cli/find-stores.js';
import { createMemoryStore, openStoreFromUrl, StoreUnavailableError } from '../../server/zarr/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const bounds = { depth: 4, maxStores: 100, isStore: async () => true };

/** Creates files; those whose names end in "!" are folders of groups. */
function folderWith(...paths: readonly string[]): string {
  const root = folderOfTest('folder-of-stores');
  for (const path of paths) {
    const file = path.endsWith('!') ? join(root, path.slice(0, -1), 'zarr.json') : join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"zarr_format":3,"node_type":"group"}');
  }
  return root;
}

const find = (folder: string, options: Partial<SearchOptions> = {}) =>
  findStores(openStoreFromUrl('f', folder), { ...bounds, folder, ...options });

test('finds stores of all formats and archives by their path, and searches no deeper', async () => {
  const root = folderWith(
    'a!',
    'a/inner!',
    'b/c.zarr!',
    'b/v2/.zgroup',
    'b/array/.zarray',
    'x/y.zarr.zip',
    'n.nc',
  );
  expect((await find(root)).paths).toEqual(['a', 'b/array', 'b/c.zarr', 'b/v2', 'x/y.zarr.zip']);
});

test('finds Icechunk repositories of both versions, by their first bytes', async () => {
  const root = folderWith('z!', 'other/repo', 'notes/refs/branch.main/ref.json');
  for (const [path, text] of [
    ['one/refs/branch.main/ref.json', '{"snapshot":"0000"}'],
    ['two/repo', 'ICE\u{1f9ca}CHUNK and more'],
  ] as const) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { paths, repositories } = await find(root);
  expect(paths).toEqual(['one', 'two', 'z']);
  expect([...repositories].toSorted()).toEqual(['one', 'two']);
});

test('an archive that is no store is ignored', async () => {
  const root = folderWith('good.zip', 'bad.zip');
  const isStore = async (path: string) => path === 'good.zip';
  expect((await find(root, { isStore })).paths).toEqual(['good.zip']);
});

test('depth and number are bounded', async () => {
  const root = folderWith('1/2/3/4!', '1/2/3/x/5!', 's1!', 's2!', 's3!');
  expect((await find(root)).paths).toEqual(['1/2/3/4', 's1', 's2', 's3']);
  expect(await find(root, { depth: 1 })).toMatchObject({ paths: ['s1', 's2', 's3'], limit: undefined });
  expect(await find(root, { maxStores: 2 })).toMatchObject({
    paths: ['s1', 's2'],
    limit: 'more than 2 stores',
  });
  expect(await find(root, { maxFolders: 2 })).toMatchObject({
    paths: [],
    limit: 'more than 2 folders and archives',
  });
});

test('a folder with many archives opens no more than the search may examine', async () => {
  const root = folderWith(...Array.from({ length: 100 }, (_, i) => `${i}.zip`));
  let opened = 0;
  const isStore = async () => ++opened > 1_000;
  const found = await find(root, { maxFolders: 50, isStore });
  expect(found).toMatchObject({ paths: [], limit: 'more than 50 folders and archives' });
  expect(opened).toBeLessThanOrEqual(50);
  expect(await find(root, { maxStores: 20 })).toMatchObject({ limit: 'more than 20 stores' });
});

test('a folder with many folders does not hide its neighbours', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `a/${i}/x`);
  expect(await find(folderWith(...many, 'b/s!'), { maxFolders: 100 })).toMatchObject({
    paths: ['b/s'],
    limit: 'more than 100 folders and archives',
  });
});

test('links within the folder lead only to stores; loops end', async () => {
  const root = folderWith('a/s.zarr!', 'hidden/.s!');
  symlinkSync('.', join(root, 'loop'));
  symlinkSync('..', join(root, 'a', 'up'));
  symlinkSync('a', join(root, 'alias'));
  symlinkSync('a/s.zarr', join(root, 'latest'));
  expect((await find(root)).paths).toEqual(['a/s.zarr', 'latest']);
});

test('links out of the folder are followed only if the store may', async () => {
  const root = folderWith('a!');
  const other = folderWith('b!');
  symlinkSync(other, join(root, 'out'));
  symlinkSync(other, join(root, 'out2'));
  symlinkSync(dirname(root), join(root, 'above'));
  expect((await find(root)).paths).toEqual(['a']);
  const store = openStoreFromUrl('f', root, { filesystem: { followLinks: true } });
  expect((await findStores(store, { ...bounds, folder: root })).paths).toEqual(['a', 'out/b']);
});

test('a link to the root of the file system, which contains the folder, is not followed', async () => {
  const root = folderWith('a!');
  symlinkSync('/', join(root, 'everything'));
  const store = openStoreFromUrl('f', root, { filesystem: { followLinks: true } });
  const listed: string[] = [];
  const list: typeof store.list = async (prefix, options) => {
    listed.push(prefix);
    return store.list(prefix, options);
  };
  await findStores({ ...store, list }, { ...bounds, folder: root, depth: 1 });
  expect(listed).toEqual(['']);
});

test('names that cannot be shown are ignored, others are kept', async () => {
  const root = folderWith('with space é!', 'tab\there!', 'right\u202Eleft!', '"quoted"!', '.git/x!');
  expect((await find(root)).paths).toEqual(['"quoted"', 'with space é']);
});

test.skipIf(process.getuid?.() === 0)('an unreadable folder is reported, and hides no other', async () => {
  const root = folderWith('a!', 'closed/b!');
  chmodSync(join(root, 'closed'), 0);
  expect(await find(root)).toMatchObject({ paths: ['a'], unread: ['closed'] });
  chmodSync(join(root, 'closed'), 0o700);
});

test('a folder that fails is reported, and hides no other', async () => {
  const memory = createMemoryStore({ label: 'm' });
  for (const key of ['a/zarr.json', 'b/c/zarr.json', 'd/zarr.json']) await memory.set(key, new Uint8Array(1));
  const list: typeof memory.list = async (prefix, options) => {
    if (prefix === 'b') throw new StoreUnavailableError('no answer');
    return memory.list(prefix, options);
  };
  expect(await findStores({ ...memory, list }, bounds)).toMatchObject({ paths: ['a', 'd'], unread: ['b'] });
});

test('says what a folder without stores contains', async () => {
  const { top } = await find(folderWith('x/y.nc', 'a.csv', 'b.csv'));
  expect(describeContents(top)).toBe('it contains 1 folder and 2 files: "x/", "a.csv", "b.csv"');
  expect(describeContents({ keys: [], folders: [] })).toBe('it is empty');
});
