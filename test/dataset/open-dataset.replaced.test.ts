/** Opening datasets and nodes while another writer replaces them, between two reads of one opening. */
import { expect, test } from 'vitest';
import { openDataset } from '../../server/dataset/open-dataset.js';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../server/zarr/index.js';
import { wrapStore } from '../../server/store/wrap.js';

const array = { shape: [2], dtype: 'int8', dimensionNames: ['x'] } as const;

/** A store with the dataset /g, whose listings of /g are followed by changes of another writer. */
async function replaceable() {
  const base = createMemoryStore({ label: 'm' });
  const writer = openHierarchy(base);
  const create = async (attributes = {}): Promise<void> => {
    await writer.createGroup('/g', { attributes });
    for (const name of ['/g/a', '/g/b']) await writer.createArray(name, array);
  };
  await create();
  /** Each is called once, in order: after a listing of /g, and before a read. */
  const afterListing: (() => Promise<void>)[] = [];
  const beforeReading: (() => Promise<void>)[] = [];
  const store: KeyStore = wrapStore(base, {
    async list(prefix, options) {
      const listing = await base.list(prefix, options);
      if (prefix === 'g') await afterListing.shift()?.();
      return listing;
    },
    async getMany(requests, each, options) {
      if (afterListing.length === 0) await beforeReading.shift()?.();
      return base.getMany(requests, each, options);
    },
  });
  const remove = (path: string): Promise<void> => writer.deleteNode(path, { recursive: true });
  const hierarchy = openHierarchy(store);
  const group = await hierarchy.group('/g');
  const open = async (): Promise<string[]> => [
    ...(await openDataset(hierarchy, group, undefined, undefined)).variables.keys(),
  ];
  return { writer, hierarchy, create, remove, open, afterListing, beforeReading };
}

test('a dataset that is deleted while it is opened is a conflict', async () => {
  const { remove, open, afterListing } = await replaceable();
  afterListing.push(() => remove('/g'));
  await expect(open()).rejects.toMatchObject({ code: 'CONFLICT', where: { path: '/g' } });
});

test('a dataset that is recreated while it is opened is read again, once', async () => {
  const { create, remove, open, afterListing } = await replaceable();
  const replace = async (): Promise<void> => {
    await remove('/g');
    await create();
    await remove('/g/b');
  };
  afterListing.push(replace);
  expect(await open()).toEqual(['a']);
  afterListing.push(replace, replace);
  await expect(open()).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a member that is recreated while it is opened is not missing', async () => {
  const { writer, remove, open, afterListing, beforeReading } = await replaceable();
  const recreate = async (): Promise<void> => {
    await writer.createArray('/g/b', array);
  };
  // The documents of the members take two reads.
  afterListing.push(() => remove('/g/b'));
  beforeReading.push(async () => {}, recreate);
  expect(await open()).toEqual(['a', 'b']);
});

test('folders without metadata are not conflicts', async () => {
  const { writer, open } = await replaceable();
  await writer.store.set('g/notes/readme', Uint8Array.of(1));
  expect(await open()).toEqual(['a', 'b']);
});

test('a node that is absent when it is opened, but listed afterwards, is a conflict', async () => {
  const { writer, hierarchy, remove } = await replaceable();
  await remove('/g/b');
  const found = await hierarchy.node('/g/b');
  expect(found).toBeUndefined();
  expect(await hierarchy.absenceNote('/g/b')).toContain('/g/a');
  await writer.createArray('/g/b', array);
  await expect(hierarchy.absenceNote('/g/b')).rejects.toMatchObject({
    code: 'CONFLICT',
    where: { path: '/g/b' },
  });
});
