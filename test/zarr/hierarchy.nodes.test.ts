/** Searches without consolidated metadata, and consolidated metadata in long documents. */
import { expect, test, describe } from 'vitest';
import { parseNodeFilter } from '../../server/resolvers/nodes/node-filter.js';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../server/zarr/index.js';

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
  const paths: string[] = [];
  for await (const { path } of openHierarchy(store).walk('/', {
    recursive: true,
    throughFolders: true,
    where,
  }))
    paths.push(path);
  return paths;
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

test('each pattern finds the same nodes as a filter over all nodes', async () => {
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

// In a long group document, consolidated metadata is located without parsing it. Short and long documents must give
// the same nodes.

const array = (shape: number[]) => ({
  ...{ zarr_format: 3, node_type: 'array', shape, data_type: 'uint8', fill_value: 0 },
  chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: 'default' },
  codecs: [{ name: 'bytes' }],
});

/**
 * Lists a store with a document that describes 40 arrays, and another array with its own document. The attributes of
 * each described array have about `padding` characters.
 */
async function open(padding: number, change: (text: string) => string = (text) => text) {
  const paths = Array.from({ length: 40 }, (_, i) => `a${i}`);
  const attributes = { long: 'é"\\u0041\\\\'.repeat(padding / 8) };
  const metadata = Object.fromEntries(paths.map((path, i) => [path, { ...array([i + 1]), attributes }]));
  const text = JSON.stringify({
    ...{ zarr_format: 3, node_type: 'group', attributes: { title: 'é', of: 1 } },
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
  });
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', Buffer.from(change(text)));
  await store.set('stored/zarr.json', Buffer.from(JSON.stringify(array([7]))));
  const warnings: string[] = [];
  const hierarchy = openHierarchy(store, { warn: (_, warning) => warnings.push(warning) });
  const shapes: Record<string, unknown> = {};
  const list = async (): Promise<void> => {
    for await (const entry of hierarchy.walk('/')) {
      try {
        const node = entry.open();
        shapes[entry.path] = node.kind === 'array' ? node.meta.shape : 'group';
      } catch (error) {
        shapes[entry.path] = error instanceof Error && 'code' in error ? error.code : error;
      }
    }
  };
  await list();
  return { attributes: (await hierarchy.group('/')).meta.attributes, shapes, warnings };
}

const [short, long] = [80, 8000];

describe.each([
  ['short', short],
  ['long', long],
])('a %s document', (_, padding) => {
  test('describes its nodes', async () => {
    const { attributes, shapes, warnings } = await open(padding);
    expect(attributes).toEqual({ title: 'é', of: 1 });
    expect(Object.keys(shapes)).toHaveLength(40);
    expect(shapes).toMatchObject({ '/a0': [1], '/a39': [40] });
    expect(warnings).toEqual([]);
  });
  test('with an unknown kind of consolidated metadata is a group whose nodes are found by listing', async () => {
    const { attributes, shapes, warnings } = await open(padding, (text) =>
      text.replace('"inline"', '"elsewhere"').replace('"must_understand":false,', ''),
    );
    expect(attributes).toEqual({ title: 'é', of: 1 });
    expect(shapes).toEqual({ '/stored': [7] });
    expect(warnings).toEqual([expect.stringContaining('elsewhere')]);
  });
  test('that is truncated is an error', async () => {
    await expect(open(padding, (text) => text.slice(0, -1))).rejects.toMatchObject({
      code: 'INVALID_METADATA',
    });
  });
});

test('an invalid member of a long document is the error of its node alone', async () => {
  const { shapes } = await open(long, (text) => text.replace('"shape":[3]', '"shape":[3],"shape":[4]'));
  expect(shapes).toMatchObject({ '/a1': [2], '/a2': 'INVALID_METADATA', '/a3': [4] });
});
