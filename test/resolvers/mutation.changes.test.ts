/** Mutations of existing nodes, several mutations in one request, and permissions. */
import { describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { execute } from './gateway-client.js';
import { array, codeOf, gatewayOf, run } from './mutating.js';

describe('other changes', () => {
  test('attributes are merged, removed and replaced', async () => {
    const gateway = gatewayOf();
    await run(gateway, array('a', 'shape: [1], dtype: "int8", attributes: { a: 1, b: 2 }'));
    const set = async (more: string) =>
      (
        await run(
          gateway,
          `setAttributes(input: { store: "m", path: "a", ${more} }) { node { kind attributes } }`,
        )
      ).made;
    expect(await set('set: { b: 3, c: null }')).toEqual({
      kind: 'ARRAY',
      attributes: { a: 1, b: 3, c: null },
    });
    expect(await set('remove: ["a", "nope"]')).toEqual({ kind: 'ARRAY', attributes: { b: 3, c: null } });
    expect(await set('set: { d: 4 }, replace: true')).toEqual({ kind: 'ARRAY', attributes: { d: 4 } });
    expect(
      await codeOf(gateway, 'setAttributes(input: { store: "m", path: "a", set: [1] }) { node { path } }'),
    ).toBe('BAD_INPUT');
    expect(
      await codeOf(gateway, 'setAttributes(input: { store: "m", path: "b", set: {} }) { node { path } }'),
    ).toBe('NOT_FOUND');
    expect(
      await codeOf(
        gateway,
        'setAttributes(input: { store: "m", path: "a", set: {}, ifVersion: "1" }) { node { path } }',
      ),
    ).toBe('CONFLICT');
  });

  test('arrays are resized and appended to', async () => {
    const gateway = gatewayOf();
    await run(gateway, array('a', 'shape: [2, 2], dtype: "int32", chunkShape: [2, 2]'));
    await run(
      gateway,
      'writeSlice(input: { store: "m", path: "a", values: [[1, 2], [3, 4]] }) { chunksWritten }',
    );
    const resize = (shape: string) =>
      `resizeArray(input: { store: "m", path: "a", shape: ${shape} }) { array { shape slice { values } } }`;
    expect((await run(gateway, resize('[3, 1]'))).made).toEqual({
      shape: [3, 1],
      slice: { values: [[1], [3], [0]] },
    });
    expect((await run(gateway, resize('[2, 2]'))).made).toEqual({
      shape: [2, 2],
      slice: {
        values: [
          [1, 0],
          [3, 0],
        ],
      },
    });
    expect(await codeOf(gateway, resize('[2]'))).toBe('BAD_INPUT');
    expect(await codeOf(gateway, resize('[2, -1]'))).toBe('BAD_INPUT');
    const append = (more: string) =>
      `appendToArray(input: { store: "m", path: "a", ${more} }) { array { slice { values } } }`;
    expect((await run(gateway, append('values: [[5, 6]]'))).made.slice.values).toEqual([
      [1, 0],
      [3, 0],
      [5, 6],
    ]);
    expect((await run(gateway, append('values: [[7], [8], [9]], axis: -1'))).made.slice.values).toEqual([
      [1, 0, 7],
      [3, 0, 8],
      [5, 6, 9],
    ]);
    for (const wrong of [
      'values: [[5, 6]]',
      'values: 5',
      'values: [[1, 2, 3]], axis: 2',
      'values: [["x", 1, 2]]',
    ])
      expect(await codeOf(gateway, append(wrong)), wrong).toBe('BAD_INPUT');
    expect(await codeOf(gateway, append('values: [[1, 2, 3]], ifVersion: "x"'))).toBe('CONFLICT');
    expect(await codeOf(gateway, append('values: [[1, 2, 3]], offset: 2'))).toBe('CONFLICT');
    expect(await codeOf(gateway, append('values: [[1, 2, 3]], offset: -3'))).toBe('BAD_INPUT');
    expect((await run(gateway, append('values: [[1, 2, 3]], offset: "3"'))).made.slice.values).toHaveLength(
      4,
    );
  });

  test('nodes are deleted, but a group with members only with `recursive`', async () => {
    const gateway = gatewayOf();
    await run(gateway, array('g/a'));
    const remove = (more: string) => `deleteNode(input: { store: "m", ${more} }) { deletedId path }`;
    expect(await codeOf(gateway, remove('path: "g"'))).toBe('CONFLICT');
    expect(await codeOf(gateway, remove('path: "h"'))).toBe('NOT_FOUND');
    expect(await codeOf(gateway, remove('path: "g/a", ifVersion: "x"'))).toBe('CONFLICT');
    const id = (await execute(gateway, '{ store(name: "m") { array(path: "g/a") { id } } }')).data.store.array
      .id;
    const { made } = await run(gateway, remove('path: "g/a"'));
    expect(made).toEqual({ deletedId: id, path: '/g/a' });
    expect((await execute(gateway, `{ node(id: "${id}") { id } }`)).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect((await run(gateway, remove('path: "/", recursive: true'))).made.path).toBe('/');
    expect(
      (await execute(gateway, '{ store(name: "m") { search { nodes { path } } } }')).data.store.search.nodes,
    ).toEqual([]);
  });

  test('every input accepts the id of the node in place of store and path', async () => {
    const gateway = gatewayOf();
    await run(gateway, 'createGroup(input: { store: "m" }) { group { id } }');
    const { made } = await run(
      gateway,
      'createArray(input: { store: "m", path: "a", shape: [1], dtype: "int8" }) { array { id parent { id } } }',
    );
    const at = `id: "${made.id}"`;
    for (const [field, expected] of [
      [`writeSlice(input: { ${at}, values: 7 }) { array { path } }`, { path: '/a' }],
      [`setAttributes(input: { ${at}, set: { u: 1 } }) { node { attributes } }`, { attributes: { u: 1 } }],
      [`resizeArray(input: { ${at}, shape: [2] }) { array { shape } }`, { shape: [2] }],
      [
        `appendToArray(input: { ${at}, values: [9] }) { array { slice { values } } }`,
        { slice: { values: [7, 0, 9] } },
      ],
      [
        `consolidateMetadata(input: { id: "${made.parent.id}" }) { group { consolidated } }`,
        { consolidated: true },
      ],
      [`deleteNode(input: { ${at} }) { path }`, { path: '/a' }],
      [`createGroup(input: { ${at} }) { group { path } }`, { path: '/a' }],
    ] as const) {
      const result = await run(gateway, field);
      expect(result.failures, field).toEqual([]);
      expect(result.made, field).toEqual(expected);
    }
    for (const [wrong, code] of [
      ['', 'BAD_INPUT'],
      ['path: "a"', 'BAD_INPUT'],
      [`${at}, store: "m"`, 'BAD_INPUT'],
      [`${at}, path: "a"`, 'BAD_INPUT'],
      ['store: "m"', 'BAD_INPUT'],
      ['id: "bm90IGFuIGlk"', 'NOT_FOUND'],
      [`id: "${Buffer.from('store:m:/').toString('base64url')}"`, 'NOT_FOUND'],
      [`id: "${Buffer.from('node:x:/a').toString('base64url')}"`, 'NOT_FOUND'],
    ])
      expect(await codeOf(gateway, `deleteNode(input: { ${wrong} }) { path }`), wrong).toBe(code);
  });

  test('consolidated metadata lists all nodes, and nodes created later are added', async () => {
    const gateway = gatewayOf();
    await run(gateway, array('g/a'));
    expect(
      (
        await run(
          gateway,
          'consolidateMetadata(input: { store: "m" }) { group { consolidated members(recursive: true) { totalCount } } }',
        )
      ).made,
    ).toEqual({ consolidated: true, members: { totalCount: 2 } });
    await run(gateway, array('g/b'));
    expect(
      (
        await execute(
          gateway,
          '{ store(name: "m") { group { members(recursive: true) { totalCount nodes { path } } } } }',
        )
      ).data.store.group.members,
    ).toEqual({ totalCount: 3, nodes: [{ path: '/g' }, { path: '/g/a' }, { path: '/g/b' }] });
    expect(
      await codeOf(gateway, 'consolidateMetadata(input: { store: "m", path: "g/a" }) { group { path } }'),
    ).toBe('NOT_FOUND');
  });
});

describe('several mutations in one request', () => {
  test('run in order, see earlier effects, and continue after a failure', async () => {
    const gateway = gatewayOf();
    const { data, errors } = await execute(
      gateway,
      `mutation {
      a: createArray(input: { store: "m", path: "x", shape: [1], dtype: "int8" }) { array { shape } }
      b: resizeArray(input: { store: "m", path: "x", shape: [2] }) { array { shape parent { path } } }
      c: createArray(input: { store: "m", path: "x", shape: [1], dtype: "int8" }) { array { shape } }
      d: writeSlice(input: { store: "m", path: "x", values: [1, 2] }) { array { slice { values } store { array(path: "x") { shape } } } }
      e: deleteNode(input: { store: "m", path: "x" }) { path }
      f: setAttributes(input: { store: "m", path: "x", set: {} }) { node { path } }
      g: createArray(input: { store: "m", path: "x", shape: [3], dtype: "float32" }) { array { store { array(path: "x") { shape dtype { name } } } } }
    }`,
    );
    expect(data).toEqual({
      a: { array: { shape: [1] } },
      b: { array: { shape: [2], parent: { path: '/' } } },
      c: null,
      d: { array: { slice: { values: [1, 2] }, store: { array: { shape: [2] } } } },
      e: { path: '/x' },
      f: null,
      g: { array: { store: { array: { shape: [3], dtype: { name: 'float32' } } } } },
    });
    expect(errors.map(({ path, extensions }) => [path?.[0], extensions['code']])).toEqual([
      ['c', 'ALREADY_EXISTS'],
      ['f', 'NOT_FOUND'],
    ]);
  });

  test('share one budget', async () => {
    const gateway = gatewayOf(undefined, { limits: { maxChunks: 10 } });
    await run(gateway, array('a', 'shape: [8], dtype: "int32", chunkShape: [1]'));
    const write = (name: string, select: string) =>
      `${name}: writeSlice(input: { store: "m", path: "a", select: { text: "${select}" }, values: 1 }) { chunksWritten }`;
    const { data, errors } = await execute(
      gateway,
      `mutation { ${write('a', '')} ${write('b', ':3')} ${write('c', ':2')} d: appendToArray(input: { store: "m", path: "a", values: [1] }) { array { shape } } }`,
    );
    expect(data).toEqual({ a: { chunksWritten: 8 }, b: null, c: { chunksWritten: 2 }, d: null });
    expect(errors.map(({ extensions }) => [extensions['code'], extensions['limit']])).toEqual([
      ['LIMIT_EXCEEDED', 'maxChunks'],
      ['LIMIT_EXCEEDED', 'maxChunks'],
    ]);
  });
});

describe('write permission', () => {
  const fields = [
    'createGroup(input: { store: "s", path: "n" }) { group { path } }',
    'createArray(input: { store: "s", path: "n", shape: [1], dtype: "int8" }) { array { path } }',
    'writeSlice(input: { store: "s", path: "a", values: 1 }) { chunksWritten }',
    'setAttributes(input: { store: "s", path: "a", set: {} }) { node { path } }',
    'resizeArray(input: { store: "s", path: "a", shape: [1] }) { array { path } }',
    'appendToArray(input: { store: "s", path: "a", values: [1] }) { array { path } }',
    'deleteNode(input: { store: "s", path: "a" }) { path }',
    'consolidateMetadata(input: { store: "s" }) { group { path } }',
  ];

  async function filled(): Promise<KeyStore> {
    const store = createMemoryStore({ label: 's' });
    const gateway = createGateway({ stores: [{ name: 's', store, writable: true }] });
    await run(
      gateway,
      'createArray(input: { store: "s", path: "a", shape: [1], dtype: "int8" }) { array { path } }',
    );
    return store;
  }

  test('a store that is not writable rejects writes and states how to enable them', async () => {
    const gateway = createGateway({ stores: [{ name: 's', store: await filled() }] });
    for (const field of fields) {
      const { failures } = await run(gateway, field);
      expect(failures[0]?.code, field).toBe('READ_ONLY');
      expect(failures[0]?.message).toContain('--allow-write s');
    }
  });

  test('callers without write permission get FORBIDDEN, and without read permission NOT_FOUND', async () => {
    const gateway = createGateway({ stores: [{ name: 's', store: await filled(), writable: true }] });
    for (const field of fields) {
      const { errors } = await gateway.execute(
        { document: `mutation { ${field} }` },
        { ...fullAccess, mayWrite: () => false },
      );
      expect(errors?.[0]?.extensions['code'], field).toBe('FORBIDDEN');
    }
    const hidden = await gateway.execute(
      { document: `mutation { ${fields[0]} }` },
      { ...fullAccess, mayRead: () => false },
    );
    expect(hidden.errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
  });

  test('the permission is checked for the path of the node', async () => {
    const gateway = createGateway({ stores: [{ name: 's', store: await filled(), writable: true }] });
    const paths: string[] = [];
    await gateway.execute(
      { document: `mutation { ${fields[3]} }` },
      { ...fullAccess, mayWrite: (store, path) => paths.push(`${store}:${path}`) > 0 },
    );
    expect(paths).toEqual(['s:/a']);
  });

  test('a mutation with GET is rejected and writes nothing', async () => {
    const gateway = createGateway({ stores: [{ name: 's', store: await filled(), writable: true }] });
    const query = encodeURIComponent(`mutation { ${fields[0]} }`);
    const response = await gateway.fetch(new Request(`http://localhost/graphql?query=${query}`), fullAccess);
    expect(response.status).toBe(405);
    expect(
      (await execute(gateway, '{ store(name: "s") { search { nodes { path } } } }')).data.store.search.nodes,
    ).toEqual([{ path: '/' }, { path: '/a' }]);
  });
});
