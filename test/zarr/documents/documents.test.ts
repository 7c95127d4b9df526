/** Store requests for reopening nodes, precedence among formats, and unreadable documents. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterEach, describe } from 'vitest';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  createFilesystemStore,
} from '../../../server/zarr/index.js';
import { DocumentReader } from '../../../server/zarr/documents/documents.js';

const v3Group = (attributes: object): Uint8Array =>
  Buffer.from(JSON.stringify({ zarr_format: 3, node_type: 'group', attributes }));
const v2Group = Buffer.from('{"zarr_format": 2}');

/** A store that records the requested keys. */
function watched(store: KeyStore): { readonly store: KeyStore; requestedKeys(): string[] } {
  let keys: string[] = [];
  const getMany: KeyStore['getMany'] = (requests, each, options) => {
    keys.push(...requests.map(({ key }) => key));
    return store.getMany(requests, each, options);
  };
  return {
    store: { ...store, getMany },
    requestedKeys() {
      const requestedKeys = keys;
      keys = [];
      return requestedKeys.sort();
    },
  };
}

test('a known node of format 3 takes one request per level', async () => {
  const { store, requestedKeys } = watched(createMemoryStore({ label: 'm' }));
  await store.set('zarr.json', v3Group({}));
  await store.set('a/zarr.json', v3Group({ at: 1 }));
  const hierarchy = openHierarchy(store);
  await hierarchy.group('/a');
  expect(requestedKeys().length).toBeGreaterThan(2);
  expect((await hierarchy.group('/a')).meta.attributes).toEqual({ at: 1 });
  expect(requestedKeys()).toEqual(['a/zarr.json', 'zarr.json']);
});

test('documents of format 2 apply only while there is no zarr.json', async () => {
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', v3Group({ format: 3 }));
  const hierarchy = openHierarchy(store);
  const before = await hierarchy.group('/');
  await store.set('.zgroup', v2Group);
  await store.set('.zattrs', Buffer.from('{"format": 2}'));
  const beside = await hierarchy.group('/');
  expect(beside.meta.attributes).toEqual({ format: 3 });
  expect(beside.version).toBe(before.version);
  await store.delete(['zarr.json']);
  expect((await hierarchy.group('/')).meta.attributes).toEqual({ format: 2 });
  await store.set('zarr.json', v3Group({ format: 3 }));
  expect((await hierarchy.group('/')).meta.attributes).toEqual({ format: 3 });
});

test('precedence does not depend on cached state', async () => {
  const store = createMemoryStore({ label: 'm' });
  await store.set('.zgroup', v2Group);
  await store.set('zarr.json', v3Group({}));
  const hierarchy = openHierarchy(store);
  const versions = [await hierarchy.versionOf('/'), await hierarchy.versionOf('/')];
  expect(versions[1]).toBe(versions[0]);
  const written = await hierarchy.setAttributes('/', { set: { a: 1 } }, { ifVersion: versions[0] });
  expect(written.meta.attributes).toEqual({ a: 1 });
});

// An unreadable node or a cycle of links must not affect the listing of other nodes.
describe('unreadable documents', () => {
  const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} });
  const folders: string[] = [];

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** A store in a folder with the groups "/", "/a" and "/z". */
  function makeStore(): string {
    const root = mkdtempSync(join(tmpdir(), 'zarrql-'));
    folders.push(root);
    for (const name of ['', 'a', 'z']) makeGroup(root, name);
    return root;
  }

  function makeGroup(root: string, name: string): void {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'zarr.json'), group);
  }

  async function listed(root: string): Promise<{ paths: string[]; failed: Record<string, string> }> {
    const hierarchy = openHierarchy(createFilesystemStore({ label: 's', root, readonly: true }));
    const paths: string[] = [];
    const failed: Record<string, string> = {};
    for await (const entry of hierarchy.walk('/', { recursive: true, throughFolders: true })) {
      paths.push(entry.path);
      try {
        entry.open();
      } catch (error) {
        failed[entry.path] = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
      }
    }
    return { paths, failed };
  }

  describe('a zarr.json that is', () => {
    test.each<[string, string, (path: string) => void]>([
      ['a link to nothing', 'STORE_UNAVAILABLE', (path) => symlinkSync('nowhere', path)],
      ['a link out of the store', 'STORE_DENIED', (path) => symlinkSync('/etc/hostname', path)],
      ['a link to itself', 'STORE_UNAVAILABLE', (path) => symlinkSync('zarr.json', path)],
      ['a pipe', 'STORE_DENIED', (path) => void execFileSync('mkfifo', [path])],
      ['no JSON', 'INVALID_METADATA', (path) => writeFileSync(path, '{')],
      [
        'too long',
        'LIMIT_EXCEEDED',
        (path) => writeFileSync(path, `{"attributes": "${'x'.repeat(17 * 2 ** 20)}"}`),
      ],
    ])('%s is the error of its node alone', async (_, code, make) => {
      const root = makeStore();
      mkdirSync(join(root, 'bad'));
      make(join(root, 'bad', 'zarr.json'));
      expect(await listed(root)).toEqual({ paths: ['/a', '/bad', '/z'], failed: { '/bad': code } });
    });
  });

  describe('links to folders', () => {
    test('that are cyclic are not followed', async () => {
      const root = makeStore();
      symlinkSync('.', join(root, 'self'));
      symlinkSync('..', join(root, 'a', 'up'));
      symlinkSync('../z', join(root, 'a', 'other'));
      symlinkSync('../a', join(root, 'z', 'other'));
      expect((await listed(root)).paths).toEqual(['/a', '/a/other', '/z', '/z/other']);
    });

    test('do not multiply without end', async () => {
      const root = makeStore();
      for (let level = 0; level < 40; level++) {
        makeGroup(root, `d${level}`);
        for (const name of ['x', 'y']) symlinkSync(`../d${level + 1}`, join(root, `d${level}`, name));
      }
      const { paths } = await listed(root);
      // From each of the 40 groups, at most four consecutive links are followed.
      expect(paths.length).toBeLessThan(40 * 2 ** 5);
      expect(paths).toContain('/d0/x/y/x/y');
    });
  });

  test('errors of invalid nodes are cached in a short form', async () => {
    const store = createMemoryStore({ label: 'm' });
    await store.set('zarr.json', Buffer.from(`{"${'k'.repeat(10_000)}": 1, "${'k'.repeat(10_000)}": 2}`));
    const [documents] = await new DocumentReader(store).read([''], ['zarr.json'], undefined);
    const content = documents?.['zarr.json']?.content;
    expect(content).toMatchObject({ failure: { code: 'INVALID_METADATA', key: 'zarr.json' } });
    expect(JSON.stringify(content).length).toBeLessThan(500);
  });
});
