/** Read and write permissions over HTTP, and their configuration. */
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { auth, hash, token } from './access-rights.js';

const stores = {
  shared: {
    'zarr.json': group({ title: 'shared' }),
    'open/zarr.json': group(),
    'open/temperature/zarr.json': array(),
    'closed/zarr.json': array(),
  },
  tenants: {
    'zarr.json': group(),
    'a/zarr.json': group(),
    'a/mine/zarr.json': array(),
    'b/zarr.json': group({ secret: 'of b' }),
    'b/theirs/zarr.json': array(),
    'ab/zarr.json': group(),
  },
  hidden: { 'zarr.json': group() },
};

function gatewayWith(more: object = {}): Promise<RealGateway> {
  return realGateway(stores, { auth: parseConfig({ auth: { ...auth, ...more } }).auth });
}

const codes = (json: { errors?: { extensions: { code: string } }[] }): string[] =>
  (json.errors ?? []).map(({ extensions }) => extensions.code);

describe('a token', () => {
  test.each([
    ['none', {}],
    ['an unknown one', { authorization: 'Bearer guess' }],
    ['an expired one', { authorization: 'Bearer old-secret' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a long one', { authorization: `Bearer ${'x'.repeat(10_000)}` }],
    ['the hash of one', { authorization: `Bearer ${hash('admin-secret')}` }],
  ])('%s: 401 and no data', async (_, headers) => {
    const gateway = await gatewayWith();
    const response = await gateway.query('{ gateway { version } }', { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="zarrql"/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(codes(response.json)).toEqual(['UNAUTHENTICATED']);
    expect(response.json.data).toBeUndefined();
  });

  test('that is valid can read what its roles permit, and its name is logged', async () => {
    const gateway = await gatewayWith();
    const response = await gateway.query('{ stores { totalCount nodes { name } } }', {
      token: 'reader-secret',
    });
    expect(response.json.data.stores).toEqual({
      totalCount: 2,
      nodes: [{ name: 'shared' }, { name: 'tenants' }],
    });
    expect(gateway.log.find(({ msg }) => msg === 'request')).toMatchObject({ caller: 'reader' });
    expect(JSON.stringify(gateway.log)).not.toContain('secret');
  });

  test('is not needed for the anonymous role', async () => {
    const gateway = await gatewayWith({ anonymous: ['public'] });
    const { json } = await gateway.query('{ stores { nodes { name search { nodes { path } } } } }');
    expect(json.data.stores.nodes).toEqual([
      { name: 'shared', search: { nodes: [{ path: '/open' }, { path: '/open/temperature' }] } },
    ]);
    const bad = await gateway.query('{ gateway { version } }', { token: 'guess' });
    expect(bad.status).toBe(401);
  });

  test('is not needed for health; metrics need a role', async () => {
    const { url } = await gatewayWith();
    const at = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, url), { headers }).then(({ status }) => status);
    expect(await at('/livez')).toBe(200);
    expect(await at('/metrics')).toBe(401);
    expect(await at('/metrics', { authorization: 'Bearer reader-secret' })).toBe(403);
    expect(await at('/metrics', { authorization: 'Bearer admin-secret' })).toBe(200);
  });

  test('is not required for the page of GraphiQL, but for other media types of its URL', async () => {
    const gateway = await realGateway(stores, {
      auth: parseConfig({ auth }).auth,
      graphiql: true,
      gateway: { graphiql: {} },
    });
    const page = await gateway.get({ query: '{ stores { nodes { name } } }' }, { accept: 'text/html' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).not.toContain('tenants');
    for (const accept of ['*/*', 'application/json, text/html;q=0.1']) {
      const other = await gateway.get({ query: '{ stores { nodes { name } } }' }, { accept });
      expect(other.status).toBe(401);
    }
  });
});

describe('nodes that a caller may not read do not exist', () => {
  test.each([
    ['a store', '{ x: store(name: "hidden") { name } }'],
    ['a group', '{ x: store(name: "tenants") { group(path: "/b") { attributes } } }'],
    ['a path', '{ x: store(name: "tenants") { node(path: "/b/theirs") { path } } }'],
    ['a name with the same beginning', '{ x: store(name: "tenants") { group(path: "/ab") { path } } }'],
    ['the root above', '{ x: store(name: "tenants") { group { members { nodes { path } } } } }'],
    [
      'a path with dots',
      '{ x: store(name: "tenants") { group(path: "/a") { array(path: "../b/theirs") { path } } } }',
    ],
    ['a slice', '{ x: slices(requests: [{ store: "tenants", path: "/b/theirs" }]) { values } }'],
    ['a node by its id', `{ x: node(id: "${Buffer.from('node:tenants:/b').toString('base64url')}") { id } }`],
    [
      'a store by its id',
      `{ x: nodes(ids: ["${Buffer.from('store:hidden:/').toString('base64url')}"]) { id } }`,
    ],
  ])('%s', async (_, query) => {
    const gateway = await gatewayWith();
    const { json } = await gateway.query(query, { token: 'reader-secret' });
    const [code] = codes(json);
    expect(['NOT_FOUND', 'BAD_INPUT']).toContain(code);
    const [{ message }] = json.errors;
    // Suggested names do not include hidden nodes.
    expect(message).not.toMatch(/nearest[^(]*"(hidden|\/b|\/ab)/);
    // Callers with permission find the node.
    const { json: other } = await gateway.query(query, { token: 'admin-secret' });
    if (code === 'NOT_FOUND') expect(codes(other)).not.toContain('NOT_FOUND');
  });

  test('in lists, searches, counts or as a parent', async () => {
    const gateway = await gatewayWith();
    const { json } = await gateway.query(
      `{ tenants: store(name: "tenants") {
          search { totalCount nodes { path } }
          group(path: "/a") { parent { path } members(recursive: true) { nodes { path parent { path } } } }
        } }`,
      { token: 'reader-secret' },
    );
    expect(json.errors).toBeUndefined();
    expect(json.data.tenants.search.nodes).toEqual([{ path: '/a' }, { path: '/a/mine' }]);
    expect(json.data.tenants.group).toEqual({
      parent: null,
      members: { nodes: [{ path: '/a/mine', parent: { path: '/a' } }] },
    });
  });

  test('in consolidated metadata, counted or shown', async () => {
    const members = { a: group(), 'a/mine': array(), b: group({ secret: 'of b' }) };
    const root = {
      ...group(),
      consolidated_metadata: { kind: 'inline', must_understand: false, metadata: members },
    };
    const gateway = await realGateway({ tenants: { ...stores.tenants, 'zarr.json': root } });
    // Unlike configured roles, the rights of an embedding program can hide descendants of a visible group.
    const shown = await rootGroupWithoutB(root);
    expect(JSON.stringify(shown)).not.toContain('of b');
    expect(shown.metadata['zarr.json'].consolidated_metadata.metadata).toHaveProperty(['a/mine']);
    expect(shown.members).toEqual({ totalCount: 1, nodes: [{ path: '/a' }] });
    const { json } = await gateway.query('{ store(name: "tenants") { group { metadata } } }');
    expect(JSON.stringify(json)).toContain('of b');
  });

  test('for maxListedNodes, however many there are', async () => {
    const consolidated = (members: Record<string, object>): Record<string, object> => ({
      ...members,
      'zarr.json': {
        ...group(),
        consolidated_metadata: {
          kind: 'inline',
          must_understand: false,
          metadata: Object.fromEntries(
            Object.entries(members).map(([key, document]) => [key.replace('/zarr.json', ''), document]),
          ),
        },
      },
    });
    const hidden: Record<string, object> = { 'a/zarr.json': group(), 'a/mine/zarr.json': array() };
    // Names that sort before and after "a/", and groups without a metadata document.
    for (const name of ['0', 'a-b', 'a0', 'b', 'b-c', 'b0'])
      for (let i = 0; i < 100; i++) {
        hidden[`${name}/zarr.json`] = group();
        hidden[`${name}/x${i}/zarr.json`] = array();
        hidden[`${name}${i}/deep/x/zarr.json`] = array();
      }
    for (const tenants of [consolidated(hidden), hidden]) {
      const gateway = await realGateway(
        { tenants },
        {
          auth: parseConfig({ auth: { ...auth, roles: { ...auth.roles, readers: { read: ['tenants/a'] } } } })
            .auth,
          gateway: { limits: { maxListedNodes: 1000 } },
        },
      );
      const { json } = await gateway.query(
        '{ store(name: "tenants") { search { totalCount nodes { path } pageInfo { hasNextPage } } } }',
        { token: 'reader-secret' },
      );
      expect(json.errors).toBeUndefined();
      const { nodes, pageInfo } = json.data.store.search;
      expect(nodes).toEqual([{ path: '/a' }, { path: '/a/mine' }]);
      expect(pageInfo.hasNextPage).toBe(false);
    }
  });

  test('ids and names of readable nodes work as usual', async () => {
    const gateway = await gatewayWith();
    const { json } = await gateway.query(
      '{ store(name: "tenants") { array(path: "a/mine") { id slice { values } } } node(id: "bm9kZTp0ZW5hbnRzOi9hL21pbmU") { ... on ZarrNode { path } } }',
      { token: 'reader-secret' },
    );
    expect(json.errors).toBeUndefined();
    expect(json.data.store.array.slice.values).toEqual([7, 7, 7, 7]);
    expect(json.data.node.path).toBe('/a/mine');
  });
});

interface RootGroup {
  readonly metadata: {
    readonly 'zarr.json': { readonly consolidated_metadata: { readonly metadata: object } };
  };
  readonly members: object;
}

/** Fields of the root group for a caller who may read everything except `/b`. */
async function rootGroupWithoutB(root: object): Promise<RootGroup> {
  const store = createMemoryStore({ label: 'tenants' });
  await store.set('zarr.json', Buffer.from(JSON.stringify(root)));
  const gateway = createGateway({ stores: [{ name: 'tenants', store }] });
  const allowed = (_: string, path: string): boolean => path !== '/b' && !path.startsWith('/b/');
  const { data } = await gateway.execute(
    {
      document: '{ store(name: "tenants") { group { metadata members { totalCount nodes { path } } } } }',
    },
    { ...fullAccess, mayRead: allowed, mayEnter: allowed },
  );
  return JSON.parse(JSON.stringify(data)).store.group;
}

describe('writing', () => {
  const create = (store: string, path: string) =>
    `mutation { createGroup(input: { store: "${store}", path: "${path}" }) { group { path } } }`;
  const change = (store: string, path: string) =>
    `mutation { setAttributes(input: { store: "${store}", path: "${path}", set: { a: 1 } }) { node { attributes } } }`;

  test.each([
    ['reader', create('tenants', '/a/new'), 'FORBIDDEN'],
    ['reader', change('shared', '/open'), 'FORBIDDEN'],
    ['reader', change('tenants', '/b'), 'NOT_FOUND'],
    ['writer', change('shared', '/open'), 'FORBIDDEN'],
    ['writer', change('hidden', '/'), 'NOT_FOUND'],
    ['writer', change('tenants', '/b'), 'NOT_FOUND'],
  ])('%s: %s is %s', async (who, mutation, code) => {
    const gateway = await gatewayWith();
    const { json } = await gateway.query(mutation, { token: `${who}-secret` });
    expect(codes(json)).toEqual([code]);
    const { json: after } = await gateway.query(
      '{ store(name: "tenants") { search { nodes { path } } group(path: "/b") { attributes } } }',
      { token: 'admin-secret' },
    );
    expect(after.data.store.search.nodes).toHaveLength(6);
    expect(after.data.store.group.attributes).toEqual({ secret: 'of b' });
  });

  test('a caller with permission can write', async () => {
    const gateway = await gatewayWith();
    const made = await gateway.query(create('tenants', '/a/new'), { token: 'writer-secret' });
    expect(made.json).toEqual({ data: { createGroup: { group: { path: '/a/new' } } } });
  });
});

describe('the configuration', () => {
  const problem = (more: object): string => {
    try {
      parseConfig({ auth: { ...auth, ...more } });
    } catch (error) {
      return String(error);
    }
    return '';
  };

  test('reports unknown roles, hashes that are not SHA-256, invalid paths, and missing or repeated tokens', () => {
    expect(problem({ anonymous: ['nobody'] })).toContain('auth.anonymous.0: expected one of the roles "all"');
    expect(problem({ tokens: [{ name: 'x', sha256: 'plain', roles: ['all'] }] })).toContain('zarrql token');
    expect(problem({ roles: { all: { read: ['a b'] } } })).toContain('expected a store');
    expect(problem({ tokens: [] })).toContain('otherwise no caller can be authenticated');
    expect(problem({ tokens: [token('a', ['all']), token('a', ['all'])] })).toContain('the same hash');
  });
});
