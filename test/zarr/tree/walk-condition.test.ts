/** Store requests of a first and second search without consolidated metadata. */
import { expect, test } from 'vitest';
import { parseNodeFilter } from '../../../server/resolvers/nodes/node-filter.js';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../../server/zarr/index.js';

const group = Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{}}');

async function makeStore(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  const names = ['', ...['a', 'b', 'c'].flatMap((top) => [top, `${top}/x`, `${top}/y`, `${top}/x/deep`])];
  for (const name of names) await store.set(name === '' ? 'zarr.json' : `${name}/zarr.json`, group);
  return store;
}

/** A store that records list and read requests. */
function watched(store: KeyStore) {
  const listed: string[] = [];
  const read: string[] = [];
  const conditional: boolean[] = [];
  const getMany: KeyStore['getMany'] = (requests, each, options) => {
    for (const { key, ifNoneMatch } of requests) {
      read.push(key);
      conditional.push(ifNoneMatch !== undefined);
    }
    return store.getMany(requests, each, options);
  };
  const list: KeyStore['list'] = (prefix, options) => {
    listed.push(prefix);
    return store.list(prefix, options);
  };
  return { store: { ...store, getMany, list }, listed, read, conditional };
}

async function search(store: KeyStore, match: string): Promise<string[]> {
  const { where } = parseNodeFilter({ match }, '/');
  const found: string[] = [];
  for await (const { path } of openHierarchy(store).walk('/', {
    recursive: true,
    throughFolders: true,
    where,
  }))
    found.push(path);
  return found;
}

test.each([
  ['b/x/*', ['/b/x/deep'], ['b/x', 'b/x/deep']],
  ['b/*', ['/b/x', '/b/y'], ['b']],
  ['*/y', ['/a/y', '/b/y', '/c/y'], ['', 'a', 'a/y', 'b', 'b/y', 'c', 'c/y']],
  ['c', ['/c'], ['', 'c']],
  ['nothing/there', [], ['nothing']],
])('%j lists only folders that can match', async (match, paths, folders) => {
  const { store, listed, read } = watched(await makeStore());
  expect(await search(store, match)).toEqual(paths);
  expect(listed.filter((folder) => !folders.includes(folder))).toEqual([]);
  const first = match.split('/')[0] ?? '';
  if (!first.includes('*'))
    expect(read.filter((key) => key.includes('/') && !key.startsWith(first))).toEqual([]);
});

test('every pattern finds the same nodes as a filter over all nodes', async () => {
  const store = await makeStore();
  const everything = await search(store, '**');
  for (const match of ['**/deep', 'a/**', '*', '**/x', 'a/**/deep', 'b/x', 'a*/*', '**', '*/x/*', '/c/y']) {
    const { where } = parseNodeFilter({ match }, '/');
    expect(await search(store, match), match).toEqual(
      everything.filter((path) => where.matches(path, 'group')),
    );
  }
});

test('a second search only revalidates documents', async () => {
  const { store, read, conditional } = watched(await makeStore());
  await search(store, '**/deep');
  read.length = conditional.length = 0;
  await search(store, '**/deep');
  expect(conditional.length).toBeGreaterThan(12);
  expect(read.filter((_, i) => conditional[i] === false).filter((key) => key.endsWith('zarr.json'))).toEqual(
    [],
  );
});
