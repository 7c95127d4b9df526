/** Listing the members of groups, and searching stores. */
import { afterAll, describe, expect, test } from 'vitest';
import { execute, memoryGateway, sampleGateway } from '../gateway-client.js';
import { nodeTree } from './node-tree.js';

const gateway = sampleGateway();
afterAll(() => gateway.close());

const tree = await memoryGateway(nodeTree);

describe('members', () => {
  const paths = (connection: { nodes: ({ path: string } | null)[] }) =>
    connection.nodes.map((node) => node?.path);

  test('lists nodes in order of their paths, with null for an invalid node', async () => {
    const { data, errors } = await execute(
      tree,
      '{ store(name: "m") { group { consolidated members { nodes { path } edges { node { path } } totalCount } } } }',
    );
    expect(paths(data.store.group.members)).toEqual(['/a', '/a-b', undefined]);
    expect(data.store.group.members.edges.map((edge: { node: unknown }) => edge.node)).toEqual([
      { path: '/a' },
      { path: '/a-b' },
      null,
    ]);
    expect(errors.map((error) => error.extensions['code'])).toEqual(['INVALID_METADATA', 'INVALID_METADATA']);
  });

  test('lists nodes recursively, in pages, each once', async () => {
    const found: (string | undefined)[] = [];
    let after: string | null = null;
    for (let page = 0; page < 10; page++) {
      const query =
        'query ($a: String) { store(name: "m") { group { members(recursive: true, first: 2, after: $a, match: "a**") { nodes { path } pageInfo { endCursor hasNextPage } } } } }';
      const { data } = await execute(tree, query, { a: after });
      const { members } = data.store.group;
      found.push(...paths(members));
      after = members.pageInfo.endCursor;
      if (!members.pageInfo.hasNextPage) break;
    }
    expect(found).toEqual(['/a', '/a-b', '/a/b', '/a/b/temp', '/a/temp']);
  });

  test('filters nodes by kind and by pattern, relative to the group', async () => {
    const { data } = await execute(
      tree,
      `{ store(name: "m") { group(path: "a") {
      arrays: members(kind: ARRAY) { nodes { path } }
      stars: members(recursive: true, match: "*/temp") { nodes { path } }
      none: members(match: "x*") { nodes { path } totalCount pageInfo { startCursor endCursor hasNextPage } }
    } } }`,
    );
    expect(paths(data.store.group.arrays)).toEqual(['/a/temp']);
    expect(paths(data.store.group.stars)).toEqual(['/a/b/temp']);
    expect(data.store.group.none.pageInfo).toEqual({
      startCursor: null,
      endCursor: null,
      hasNextPage: false,
    });
  });

  test('of consolidated metadata are counted', async () => {
    const { data } = await execute(
      gateway,
      '{ store(name: "coads") { group { consolidated members(first: 0) { totalCount nodes { path } pageInfo { hasNextPage } } t: members(match: "*T", first: 1) { totalCount nodes { path } } } } }',
    );
    expect(data.store.group).toEqual({
      consolidated: true,
      members: { totalCount: 10, nodes: [], pageInfo: { hasNextPage: true } },
      t: { totalCount: 2, nodes: [{ path: '/AIRT' }] },
    });
  });

  test.each([
    ['first: -1', 'BAD_INPUT'],
    ['first: 1001', 'LIMIT_EXCEEDED'],
    ['after: "?"', 'BAD_INPUT'],
    [`match: "${'a'.repeat(1001)}"`, 'BAD_INPUT'],
  ])('with %s is %s', async (argument, code) => {
    const { data, errors } = await execute(
      tree,
      `{ store(name: "m") { group { members(${argument}) { totalCount } } } }`,
    );
    expect(data.store.group.members).toBeNull();
    expect(errors[0]?.extensions['code']).toBe(code);
  });
});

describe('search', () => {
  const search = async (conditions: string) => {
    const { data } = await execute(tree, `{ store(name: "m") { search(${conditions}) { nodes { path } } } }`);
    return data.store.search.nodes.map((node: { path: string } | null) => node?.path);
  };

  test.each([
    ['match: "**/temp"', ['/a/b/temp', '/a/temp']],
    ['match: "/a/*"', ['/a/b', '/a/temp']],
    ['match: "/"', ['/']],
    ['kind: ARRAY, match: "**id**"', ['/folder/hidden']],
    ['dtype: "float32"', ['/a/temp']],
    ['dtype: "<i8"', ['/a/b/temp']],
    ['dimension: "time"', ['/a/temp']],
    ['attribute: { name: "units" }', ['/a/b/temp', '/a/temp']],
    ['attribute: { name: "units", equals: "K" }', ['/a/temp']],
    ['attribute: { name: "n", equals: 1.0 }', ['/a/temp']],
    ['attribute: { name: "n", equals: { x: [1, 2] } }', ['/a/b/temp']],
    ['attribute: { name: "a.b", equals: null }', ['/']],
    ['attribute: { name: "toString" }', []],
    ['kind: GROUP, first: 3', ['/', '/a', '/a-b']],
  ])('%s', async (conditions, expected) => {
    expect(await search(conditions)).toEqual(expected);
  });
});
