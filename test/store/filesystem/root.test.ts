import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openHierarchy } from '../../../server/zarr/index.js';
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { createRootIdentity } from '../../../server/store/filesystem/root-identity.js';
import { get } from '../../../server/store/define-reading.js';
import type { KeyStore } from '../../../server/store/store.js';
import { collect, text } from '../../contracts/store-reading.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

let folder = '';
let root = '';
beforeEach(async () => {
  folder = folderOfTest('root');
  root = join(folder, 'disk', 'store');
  await mkdir(root, { recursive: true });
});

/** The names in the root except the folders of locks and of temporary files, which timers remove. */
async function namesInRoot(): Promise<string[]> {
  return (await readdir(root)).filter((name) => !name.startsWith('.zarrql-'));
}

const outage = { code: 'STORE_UNAVAILABLE', where: { store: 'test' } };

describe.each([
  ['has been deleted with its parents', () => rename(join(folder, 'disk'), join(folder, 'away'))],
  ['has been deleted', () => rename(root, join(folder, 'away'))],
  [
    'is empty, as a mount point without its disk',
    async () => {
      await rename(root, join(folder, 'away'));
      await mkdir(root);
    },
  ],
])('a folder that %s', (_, unmount) => {
  const operations: Record<string, (store: KeyStore) => Promise<unknown>> = {
    'reading an existing object': (store) => get(store, 'g/zarr.json'),
    'reading an absent object': (store) => get(store, 'g/c/0'),
    'reading absent objects together': (store) =>
      store.getMany([{ key: 'g/c/0' }, { key: 'g/c/1', range: { offset: 0, length: 1 } }], () => {}),
    'comparing objects': (store) =>
      store.getMany([{ key: 'g/c/0' }, { key: 'g/zarr.json', ifNoneMatch: 'x' }], () => {}),
    listing: (store) => store.list(''),
    'listing below': (store) => store.list('g'),
    walking: (store) => collect(store.walk('')),
    writing: (store) => store.set('g/zarr.json', text('x')),
    deleting: (store) => store.delete(['g/zarr.json']),
    'deleting a prefix': (store) => store.deletePrefix('g'),
    locking: async (store) => store.withLock?.('x', async () => undefined),
    'making a group': (store) => openHierarchy(store).createGroup('/h'),
    'opening a node': (store) => openHierarchy(store).node('/g'),
  };
  test.each(Object.keys(operations))('%s is an outage, and no folder is created', async (name) => {
    const store = createFilesystemStore({ label: 'test', root });
    await openHierarchy(store).createGroup('/g');
    const before = await namesInRoot();
    await unmount();
    const unmounted = await namesInRoot().catch(() => undefined);
    for (let at = 0; at < 2; at++) await expect(operations[name]?.(store)).rejects.toMatchObject(outage);
    expect(await namesInRoot().catch(() => undefined)).toEqual(unmounted);
    // The disk is mounted again.
    await rm(join(folder, 'disk'), { recursive: true, force: true });
    const isAway = (await readdir(join(folder, 'away'))).includes('store');
    if (!isAway) await mkdir(join(folder, 'disk'));
    await rename(join(folder, 'away'), isAway ? join(folder, 'disk') : root);
    expect(await namesInRoot()).toEqual(before);
    expect(await get(store, 'g/zarr.json')).toBeDefined();
    await store.close();
  });
});

test('a recreated store, or a link to another one, is read', async () => {
  const store = createFilesystemStore({ label: 'test', root });
  await store.set('zarr.json', text('old'));
  const other = createFilesystemStore({ label: 'other', root: join(folder, 'other') });
  await other.set('zarr.json', text('new'));
  await rm(root, { recursive: true });
  await rename(join(folder, 'other'), root);
  expect((await get(store, 'zarr.json'))?.bytes).toEqual(text('new'));
  await rename(root, join(folder, 'linked'));
  await symlink(join(folder, 'linked'), root);
  expect((await get(store, 'zarr.json'))?.bytes).toEqual(text('new'));
});

test('a missing folder is created by the first write if allowed', async () => {
  const missing = join(folder, 'new', 'store');
  const strict = createFilesystemStore({ label: 'test', root: missing, create: false });
  await expect(get(strict, 'x')).rejects.toMatchObject(outage);
  await expect(strict.set('x', text('x'))).rejects.toMatchObject(outage);
  await expect(openHierarchy(strict).createGroup('/')).rejects.toMatchObject(outage);
  expect(await readdir(folder)).toEqual(['disk']);
  const store = createFilesystemStore({ label: 'test', root: missing });
  expect(await get(store, 'x')).toBeUndefined();
  await store.set('x', text('x'));
  expect(await get(store, 'x')).toBeDefined();
});

describe('another disk', () => {
  const stats = { dev: 1, ino: 2, birthtimeMs: 3 };
  afterEach(() => vi.doUnmock('node:fs'));

  test('is detected, and remounting the same disk is accepted', async () => {
    vi.resetModules();
    vi.doMock('node:fs', () => ({
      statSync: () => ({ ...stats }),
      readdirSync: () => ['zarr.json'],
      realpathSync: { native: () => '/disk' },
    }));
    const mocked = await import('../../../server/store/filesystem/root-identity.js');
    const identity = mocked.createRootIdentity('/disk', true, () => 0);
    identity.check();
    stats.dev = 7; // The device number of network disks changes with each mount.
    identity.check();
    Object.assign(stats, { dev: 9, ino: 5 });
    expect(() => identity.check()).toThrow(/another disk/);
    expect(identity.isStale()).toBe(true);
    Object.assign(stats, { dev: 7, ino: 2 });
    identity.check();
  });
});

test('a check of the root is valid for a second, and repeated until it succeeds', async () => {
  let now = 0;
  const identity = createRootIdentity(root, true, () => now);
  await rename(root, join(folder, 'away'));
  expect(identity.isStale()).toBe(false);
  now = 1000;
  expect(identity.isStale()).toBe(true);
  expect(() => identity.check()).toThrow(/no longer exists/);
  // After a failed check, every operation repeats the check.
  expect(identity.isStale()).toBe(true);
  await rename(join(folder, 'away'), root);
  identity.check();
  expect(identity.isStale()).toBe(false);
});
