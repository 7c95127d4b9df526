/**
 * Reads every case of the matrix. The cases follow the specifications, and other implementations have
 * confirmed their values.
 */
import { describe, expect, test, afterAll } from 'vitest';
import { createGateway } from '../../server/index.js';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectedJson, sizeOfLayout, type Layout } from '../resolvers/expected-json.js';
import { execute } from '../resolvers/gateway-client.js';
import { fixtures } from '../setup/fixtures.js';
import { expectCase, jsonEntries, readCases, openFixture } from './cases.js';
import { type Case, sameValues } from './expected-layout.js';

interface GroupCase {
  readonly id: string;
  readonly path: string;
  readonly type: 'group';
  readonly attributes: unknown;
  /** Every node of the store, bypassing stale consolidated metadata. */
  readonly tree: Record<string, 'group' | 'array'>;
}

const cases = readCases<Case | GroupCase>('matrix');

describe('matrix', () => {
  const arrays = cases.filter((c): c is Case => !('type' in c));
  test('the fixtures contain the expected cases', () => expect(arrays.length).toBeGreaterThan(800));
  test.each(arrays.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(`${fixtures}matrix`, c));
});

describe('groups of the matrix', () => {
  const groups = cases.filter((c) => 'type' in c);
  test.each(groups.map((c) => [c.id, c] as const))('%s', async (id, c) => {
    const hierarchy = openHierarchy(await openFixture(`${fixtures}matrix/${c.path}`));
    const root = await hierarchy.group('/');
    expect(jsonEntries(root.meta.attributes)).toEqual(jsonEntries(c.attributes));
    const nodesOf = async (refresh: boolean): Promise<Record<string, string>> => {
      const found: [string, string][] = [['', 'group']];
      for await (const entry of hierarchy.walk('/', { recursive: true, refresh }))
        found.push([entry.path.slice(1), entry.kind]);
      return Object.fromEntries(found);
    };
    expect(await nodesOf(true)).toEqual(c.tree);
    const { 'a/x': _, ...listed } = c.tree;
    expect(await nodesOf(false)).toEqual(id.includes('stale') ? listed : c.tree);
  });
});

describe('the matrix through the gateway', async () => {
  // Includes zip files and groups. Compares bytes by `base64`, values of variable-length types as JSON, and the tree of
  // nodes by `members`.
  interface ArrayCase extends Case {
    readonly layout: Layout;
  }
  interface GroupCase {
    readonly id: string;
    readonly path: string;
    readonly type: 'group';
    readonly tree: Record<string, 'group' | 'array'>;
  }

  const cases = readCases<ArrayCase | GroupCase>('matrix');
  const paths = [...new Set(cases.map((c) => c.path))];
  const gateway = createGateway({
    stores: await Promise.all(
      paths.map(async (path) => ({ name: path, store: await openFixture(`${fixtures}matrix/${path}`) })),
    ),
  });
  afterAll(() => gateway.close());

  const bytesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { shape slice { base64 { data shape } } } }
}`;
  const valuesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { shape slice { shape values } } }
}`;
  const treeDocument = `query ($store: String!, $refresh: Boolean!) {
  store(name: $store) { group { members(recursive: true, refresh: $refresh) { totalCount nodes { path kind } } } }
}`;

  describe('matrix through the gateway: arrays', () => {
    const arrays = cases.filter((c): c is ArrayCase => !('type' in c));

    test.each(arrays.map((c) => [c.id, c] as const))('%s', async (_, c) => {
      const location = { store: c.path, path: `/${c.node}` };
      const expected = Buffer.from(c.expected ?? '', 'base64');
      const width = sizeOfLayout(c.layout);
      if (width === undefined) {
        const { data, errors } = await execute(gateway, valuesDocument, location);
        expect(errors).toEqual([]);
        expect(data.store.array.shape).toEqual(c.shape);
        expect(data.store.array.slice.values).toEqual(expectedJson(expected, c.shape, c.layout));
        return;
      }
      const { data, errors } = await execute(gateway, bytesDocument, location);
      expect(errors).toEqual([]);
      expect(data.store.array.shape).toEqual(c.shape);
      expect(data.store.array.slice.base64.shape).toEqual(c.shape);
      const got = Buffer.from(data.store.array.slice.base64.data, 'base64');
      if (!sameValues(got, expected, c, width)) expect(got.toString('base64')).toBe(c.expected);
    });
  });

  describe('matrix through the gateway: groups', () => {
    const groups = cases.filter((c) => 'type' in c);

    test.each(groups.map((c) => [c.id, c] as const))('%s', async (id, c) => {
      const listed = async (refresh: boolean): Promise<Record<string, string>> => {
        const { data, errors } = await execute(gateway, treeDocument, { store: c.path, refresh });
        expect(errors).toEqual([]);
        const nodes: { path: string; kind: string }[] = data.store.group.members.nodes;
        return Object.fromEntries(nodes.map(({ path, kind }) => [path.slice(1), kind.toLowerCase()]));
      };
      const { '': root, ...below } = c.tree;
      expect(root).toBe('group');
      expect(await listed(true)).toEqual(below);
      // Stale consolidated metadata is used unless `refresh` is set.
      const { 'a/x': _, ...stale } = below;
      expect(await listed(false)).toEqual(id.includes('stale') ? stale : below);
    });
  });
});
