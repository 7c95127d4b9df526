/** Looking up stores, groups and arrays by name, path and id. */
import { afterAll, describe, expect, test } from 'vitest';
import { execute, memoryGateway, sampleGateway } from '../gateway-client.js';
import { nodeTree } from './node-tree.js';

const gateway = sampleGateway();
afterAll(() => gateway.close());

const tree = await memoryGateway(nodeTree);

describe('stores', () => {
  test('are listed in pages, in the order of configuration', async () => {
    const page = 'nodes { name kind writable } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount';
    const one = await execute(gateway, `{ stores(first: 2) { ${page} } }`);
    expect(one.data.stores.nodes.map((store: { name: string }) => store.name)).toEqual([
      'coads',
      'navy_winds_v2',
    ]);
    expect(one.data.stores.nodes[0]).toMatchObject({ kind: 'FILESYSTEM', writable: false });
    expect(one.data.stores).toMatchObject({
      totalCount: 3,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
    const two = await execute(gateway, `query ($a: String) { stores(first: 2, after: $a) { ${page} } }`, {
      a: one.data.stores.pageInfo.endCursor,
    });
    expect(two.data.stores.nodes.map((store: { name: string }) => store.name)).toEqual(['etopo20_sharded']);
    expect(two.data.stores.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('an unknown store name suggests similar names', async () => {
    const { data, errors } = await execute(gateway, '{ store(name: "COADS") { id } gateway { version } }');
    expect(data.store).toBeNull();
    expect(data.gateway.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions['code']).toBe('NOT_FOUND');
    expect(errors[0]?.message).toMatch(/^no store has this name; the nearest are "coads", /);
    expect(errors[0]?.extensions['store']).toBe('COADS');
  });
});

describe('paths', () => {
  test('paths with and without a leading slash are equal', async () => {
    const { data } = await execute(
      tree,
      '{ store(name: "m") { x: array(path: "a/temp") { id path name } y: array(path: "/a/temp") { id } } }',
    );
    expect(data.store.x).toMatchObject({ path: '/a/temp', name: 'temp' });
    expect(data.store.x.id).toBe(data.store.y.id);
  });

  test('paths can be relative to a group', async () => {
    const { data, errors } = await execute(
      tree,
      '{ store(name: "m") { group(path: "a") { group(path: "b") { path array(path: "temp") { path parent { path parent { parent { path } } } } } array(path: "b/temp") { path } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.store.group.group).toEqual({
      path: '/a/b',
      array: { path: '/a/b/temp', parent: { path: '/a/b', parent: { parent: { path: '/' } } } },
    });
    expect(data.store.group.array.path).toBe('/a/b/temp');
  });

  test.each([
    [
      'node(path: "a/tmp")',
      'NOT_FOUND',
      'no node at this path; the nearest are "/a/temp", "/a/b" (store "m", path "/a/tmp")',
    ],
    ['array(path: "a/tmp")', 'NOT_FOUND', 'no array at this path; the nearest are "/a/temp"'],
    ['array(path: "a/b")', 'NOT_FOUND', ''],
    ['group(path: "a/temp")', 'NOT_FOUND', ''],
    ['node(path: "../../x")', 'BAD_INPUT', ''],
    ['node(path: "bad")', 'INVALID_METADATA', ''],
  ])('%s is %s', async (field, code, near) => {
    const { data, errors } = await execute(tree, `{ store(name: "m") { x: ${field} { path } name } }`);
    expect(data.store).toEqual({ x: null, name: 'm' });
    expect(errors[0]?.extensions).toMatchObject({ code, store: 'm' });
    expect(errors[0]?.message).toContain(near);
  });

  test('only the first errors of many missing nodes suggest names, because suggestions require a listing', async () => {
    const fields = Array.from({ length: 40 }, (_, i) => `n${i}: array(path: "a/tmp${i}") { path }`);
    const { errors } = await execute(tree, `{ store(name: "m") { ${fields.join(' ')} } }`);
    const near = errors.filter(({ message }) => message.includes('nearest'));
    expect([errors.length, near.length]).toEqual([40, 3]);
    const last = errors.find(({ path }) => path?.at(-1) === 'n39');
    expect(last?.message).toBe('no array at this path (store "m", path "/a/tmp39")');
  });

  test.each([
    ['chunk(index: [9, 0]) { key }', 'BAD_SELECTION'],
    ['slice { field(name: "x") { shape } }', 'BAD_SELECTION'],
  ])('the error of %s states the store and the path', async (field, code) => {
    const { errors } = await execute(tree, `{ store(name: "m") { array(path: "a/temp") { ${field} } } }`);
    expect(errors[0]?.extensions).toMatchObject({ code, store: 'm', path: '/a/temp' });
  });

  test.each([
    ['group(path: "a") { members(first: -1) { totalCount } }', 'BAD_INPUT', '/a'],
    ['search(after: "no cursor") { totalCount }', 'BAD_INPUT', '/'],
  ])('the error of %s states the store and the path', async (field, code, path) => {
    const { errors } = await execute(tree, `{ store(name: "m") { ${field} } }`);
    expect(errors[0]?.extensions).toMatchObject({ code, store: 'm', path });
  });

  test('a folder without metadata is not a parent', async () => {
    const { data, errors } = await execute(
      tree,
      '{ store(name: "m") { array(path: "folder/hidden") { parent { path } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.store.array.parent).toBeNull();
  });
});

describe('node(id)', () => {
  test('returns the object of each id, and an error for an unknown id', async () => {
    const first = await execute(tree, '{ store(name: "m") { id node { id } array(path: "a/temp") { id } } }');
    const { store } = first.data;
    const ids = [
      store.id,
      store.node.id,
      store.array.id,
      'bm9wZQ',
      Buffer.from('node:m:/x').toString('base64url'),
    ];
    const { data, errors } = await execute(
      tree,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ZarrNode { path } } }',
      { ids },
    );
    expect(data.nodes).toEqual([
      { __typename: 'Store', id: store.id },
      { __typename: 'ZarrGroup', id: store.node.id, path: '/' },
      { __typename: 'ZarrArray', id: store.array.id, path: '/a/temp' },
      null,
      null,
    ]);
    expect(errors.map((error) => [error.path, error.extensions['code']])).toEqual(
      expect.arrayContaining([
        [['nodes', 3], 'NOT_FOUND'],
        [['nodes', 4], 'NOT_FOUND'],
      ]),
    );
  });
});

describe('names that begin with "__"', () => {
  const v2 = memoryGateway({
    '.zgroup': { zarr_format: 2 },
    'obs/.zgroup': { zarr_format: 2 },
    'obs/__categories/.zgroup': { zarr_format: 2 },
    'obs/__categories/cell/.zarray': {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: '|i1',
      fill_value: 5,
      order: 'C',
      filters: null,
      compressor: null,
    },
  });
  test('open by path and by id, as listed', async () => {
    const gateway = await v2;
    const { data, errors } = await execute(
      gateway,
      '{ store(name: "m") { group(path: "obs/__categories") { id members { nodes { id path } } } array(path: "obs/__categories/cell") { id slice { values } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.store.array.slice.values).toEqual([5]);
    expect(data.store.group.members.nodes).toEqual([
      { id: data.store.array.id, path: '/obs/__categories/cell' },
    ]);
    const again = await execute(gateway, 'query ($id: ID!) { node(id: $id) { ... on ZarrNode { path } } }', {
      id: data.store.array.id,
    });
    expect(again.data.node).toEqual({ path: '/obs/__categories/cell' });
  });
});

describe('attributes and documents', () => {
  test('are available together and individually', async () => {
    const { data } = await execute(
      tree,
      '{ store(name: "m") { node { attributes t: attribute(name: "title") n: attribute(name: "a.b") c: attribute(name: "constructor") metadata zarrFormat version } } }',
    );
    expect(data.store.node).toMatchObject({
      attributes: { title: 'top', 'a.b': null, big: 1 },
      t: 'top',
      n: null,
      c: null,
      metadata: { 'zarr.json': { node_type: 'group' } },
      zarrFormat: 3,
    });
  });
});
