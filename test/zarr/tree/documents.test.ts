/** Store requests for reopening nodes, and precedence among formats. */
import { expect, test } from 'vitest';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../../server/zarr/index.js';

const v3Group = (attributes: object): Uint8Array =>
  Buffer.from(JSON.stringify({ zarr_format: 3, node_type: 'group', attributes }));
const v2Group = Buffer.from('{"zarr_format": 2}');

/** A store that records the requested keys. */
function watched(store: KeyStore): { readonly store: KeyStore; asked(): string[] } {
  let keys: string[] = [];
  const getMany: KeyStore['getMany'] = (requests, each, options) => {
    keys.push(...requests.map(({ key }) => key));
    return store.getMany(requests, each, options);
  };
  return {
    store: { ...store, getMany },
    asked() {
      const asked = keys;
      keys = [];
      return asked.sort();
    },
  };
}

test('a known node of format 3 takes one request per level', async () => {
  const { store, asked } = watched(createMemoryStore({ label: 'm' }));
  await store.set('zarr.json', v3Group({}));
  await store.set('a/zarr.json', v3Group({ at: 1 }));
  const hierarchy = openHierarchy(store);
  await hierarchy.group('/a');
  expect(asked().length).toBeGreaterThan(2);
  expect((await hierarchy.group('/a')).meta.attributes).toEqual({ at: 1 });
  expect(asked()).toEqual(['a/zarr.json', 'zarr.json']);
});

test('when its document is removed, the others apply again', async () => {
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
