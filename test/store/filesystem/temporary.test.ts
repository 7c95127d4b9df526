/** Leftovers of killed writers are removed, files of live writers are kept. */
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { createTemporaryFiles } from '../../../server/store/filesystem/temporary.js';
import { thisProcess } from '../../../server/store/process-identity.js';
import { get } from '../../../server/store/define-reading.js';
import { text } from '../../contracts/store.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

let root = '';
const folder = (): string => join(root, '.zarrql-tmp');

beforeEach(async () => {
  root = folderOfTest('temporary');
});

test('a sweep removes files of dead processes, and files of other machines that are unchanged for a minute', async () => {
  const { machine, process } = thisProcess();
  const old = new Date(Date.now() - 120_000);
  const names = {
    dead: `${machine}.4194999-1.a`,
    mine: `${machine}.${process}.b`,
    foreign: '000000000000.1-1.c',
    abandoned: '000000000000.1-1.d',
    folder: `${machine}.4194999-1.e`,
  };
  await mkdir(join(folder(), names.folder, 'c'), { recursive: true });
  await writeFile(join(folder(), names.folder, 'c', '0'), 'x');
  for (const name of [names.dead, names.mine, names.foreign, names.abandoned])
    await writeFile(join(folder(), name), 'x');
  for (const name of [names.mine, names.abandoned]) await utimes(join(folder(), name), old, old);
  await createTemporaryFiles(root).sweep();
  expect((await readdir(folder())).toSorted()).toEqual([names.foreign, names.mine]);
});

test('opening a store for writing sweeps it; reading it does not', async () => {
  await mkdir(folder());
  const left = join(folder(), `${thisProcess().machine}.4194999-1.a`);
  await writeFile(left, 'x');
  const reader = createFilesystemStore({ label: 'r', root, readonly: true });
  expect(await reader.list('')).toEqual({ keys: [], folders: [] });
  await reader.close();
  expect(await readdir(folder())).toHaveLength(1);
  const store = createFilesystemStore({ label: 'w', root });
  await expect.poll(() => readdir(root)).toEqual([]);
  await store.close();
});

test('a writer succeeds even if its temporary folder is removed, and leaves no files behind', async () => {
  const store = createFilesystemStore({ label: 'w', root });
  for (let i = 0; i < 20; i++) {
    const removing = rm(folder(), { recursive: true, force: true });
    await store.set(`a/${i}`, text('x'));
    await removing;
  }
  expect((await store.list('a')).keys).toHaveLength(20);
  await store.deletePrefix('a');
  await store.set('b', text('y'));
  await store.close();
  expect(await readdir(root)).toEqual(['b']);
});

test('a link instead of the folder does not lead outside', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'zarrql-outside-'));
  try {
    await symlink(outside, folder());
    await writeFile(join(outside, `${thisProcess().machine}.4194999-1.a`), 'x');
    const store = createFilesystemStore({ label: 'w', root });
    await expect(store.set('a', text('x'))).rejects.toMatchObject({ code: 'STORE_DENIED' });
    expect(await get(store, 'a')).toBeUndefined();
    await createTemporaryFiles(root).sweep();
    expect(await readdir(outside)).toHaveLength(1);
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});
