/** Change events of a hierarchy: exactly the stored changes, even after a failure. */
import { beforeEach, expect, test } from 'vitest';
import {
  createMemoryStore,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
  type StoredChange,
} from '../../../server/zarr/index.js';

let told: StoredChange[] = [];
beforeEach(() => {
  told = [];
});

function hierarchyOf(store: KeyStore = createMemoryStore({ label: 'm' })): Hierarchy {
  return openHierarchy(store, { changed: (change) => told.push(change) });
}

/** A store whose writes fail for keys that match. */
function refusing(pattern: RegExp): KeyStore {
  const store = createMemoryStore({ label: 'm' });
  return {
    ...store,
    set: (key, ...rest) =>
      pattern.test(key) ? Promise.reject(new Error('no room')) : store.set(key, ...rest),
  };
}

const request = { shape: [4], dtype: 'int8', chunkShape: [1] };

test('creations, parent groups first', async () => {
  await hierarchyOf().createArray('/a/b', request);
  expect(told).toEqual(['/', '/a', '/a/b'].map((path) => ({ kind: 'created', path })));
});

test('no event for kept nodes, rejected writes and empty writes', async () => {
  const hierarchy = hierarchyOf();
  await hierarchy.createArray('/b', request);
  told = [];
  await hierarchy.createArray('/b', request, { ifExists: 'keep' });
  await expect(hierarchy.createArray('/b', request)).rejects.toThrow('already');
  await expect(hierarchy.setAttributes('/b', { set: {} }, { ifVersion: 'x' })).rejects.toThrow('version');
  const array = await hierarchy.array('/b');
  await expect(array.select({ kind: 'all' }).write([1, 2])).rejects.toThrow('broadcast');
  await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 0 }] }).write([]);
  expect(told).toEqual([]);
});

test('replaced nodes are deleted first, if they exist', async () => {
  const hierarchy = hierarchyOf();
  await hierarchy.createGroup('/', {});
  told = [];
  await hierarchy.createArray('/a', request, { ifExists: 'replace' });
  await hierarchy.createArray('/a', request, { ifExists: 'replace' });
  expect(told.map(({ kind }) => kind)).toEqual(['created', 'deleted', 'created']);
});

test('nodes created before the failure', async () => {
  const hierarchy = hierarchyOf(refusing(/^a\/b\//));
  await expect(hierarchy.createArray('/a/b', request)).rejects.toThrow('no room');
  expect(told).toEqual(['/', '/a'].map((path) => ({ kind: 'created', path })));
});

test('values that may have been stored if a write fails', async () => {
  const hierarchy = hierarchyOf(refusing(/c\/2$/));
  const array = await hierarchy.createArray('/', request);
  told = [];
  await expect(array.select({ kind: 'all' }).write(1)).rejects.toThrow('no room');
  expect(told).toEqual([{ kind: 'data', path: '/', region: [{ start: 0, stop: 4 }] }]);
  told = [];
  const other = hierarchyOf(refusing(/c\/5$/));
  await other.createArray('/', request);
  told = [];
  await expect(other.append('/', [1, 2, 3])).rejects.toThrow('no room');
  expect(told).toEqual([]); // beyond the end, where they are invisible
  const appending = hierarchyOf();
  await appending.createArray('/', request);
  told = [];
  await appending.append('/', [1, 2, 3]);
  expect(told).toEqual([{ kind: 'resized', path: '/' }, { kind: 'data', path: '/', region: [{ start: 4, stop: 7 }] }]); // prettier-ignore
});

test('a node cannot replace a metadata document', async () => {
  for (const path of ['/zarr.json', '/a/.zarray', '/.zgroup/b'])
    await expect(hierarchyOf().createGroup(path), path).rejects.toMatchObject({ code: 'BAD_INPUT' });
  expect(told).toEqual([]);
});
