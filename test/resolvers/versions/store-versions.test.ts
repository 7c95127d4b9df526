/** Snapshots in GraphQL: `at`, history, differences, links, one snapshot per request, and permissions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import { array, commit, createRepository, floats, group, type Written } from '../../store/icechunk/write-repository.js'; // prettier-ignore
import type { KeyStore } from '../../../server/zarr/index.js';
import { execute, memoryStore } from '../gateway-client.js';

let written: Written;
let gateway: Gateway;
let files: KeyStore;
const ids: string[] = [];

async function save(message: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  ids.push(await commit(written, message, values));
  for (const [key, bytes] of written.objects) await files.set(key, bytes);
}

beforeAll(async () => {
  written = await createRepository();
  files = await written.objects.store('files');
  await save('first', {
    'zarr.json': group({ title: 'one' }),
    't/zarr.json': { ...array([2, 4], [1, 2], { units: 'K' }), dimension_names: ['time', 'x'] },
    't/c/0/0': floats(1, 2),
    't/c/1/1': floats(3, 4),
    'secret/zarr.json': array([1], [1]),
  });
  await written.repository.createTag('v1', ids[0] ?? '');
  await save('second', {
    't/c/0/0': floats(10, 20),
    'secret/c/0': floats(7),
    'late/zarr.json': array([1], [1]),
  });
  const store = createIcechunkStore({ label: 'ice', files, maxAgeMs: 0, deadlineMs: 10_000 });
  gateway = createGateway({
    stores: [
      { name: 'ice', store },
      { name: 'plain', store: await memoryStore({ 'zarr.json': group() }) },
    ],
  });
});
afterAll(() => gateway.close());

const values = (text = '') => `array(path: "t") { slice(select: { text: "${text}" }) { values } }`;

test('a store is read at its branch, a tag, a snapshot and a time', async () => {
  const [first = '', second = ''] = ids;
  const { data, errors } = await execute(
    gateway,
    `query($first: String!) {
      now: store(name: "ice") { kind name snapshot { id message } ${values('0, :2')} }
      tag: store(name: "ice", at: { tag: "v1" }) { name snapshot { id parent } ${values('0, :2')} }
      old: store(name: "ice", at: { snapshot: $first }) { ${values('0, :2')} }
      then: store(name: "ice", at: { time: "2999-01-01" }) { snapshot { id } }
    }`,
    { first },
  );
  expect(errors).toEqual([]);
  expect(data.now).toEqual({
    kind: 'ICECHUNK',
    name: 'ice',
    snapshot: { id: second, message: 'second' },
    array: { slice: { values: [10, 20] } },
  });
  expect(data.tag).toMatchObject({
    name: 'ice',
    snapshot: { id: first },
    array: { slice: { values: [1, 2] } },
  });
  expect(data.old.array.slice.values).toEqual([1, 2]);
  expect(data.then.snapshot.id).toBe(second);
});

test('errors of versions', async () => {
  const codeOf = async (fields: string) => {
    const { errors } = await execute(gateway, `{ ${fields} }`);
    return errors.map(({ extensions }) => extensions['code']);
  };
  expect(await codeOf('store(name: "plain", at: { branch: "main" }) { id }')).toEqual(['UNSUPPORTED']);
  expect(await codeOf('store(name: "plain") { versions { tags } }')).toEqual(['UNSUPPORTED']);
  expect(await codeOf('store(name: "plain") { snapshot { id } }')).toEqual([]);
  expect(await codeOf('store(name: "ice", at: { branch: "nope" }) { id }')).toEqual(['NOT_FOUND']);
  expect(await codeOf('store(name: "ice", at: { time: "1999" }) { id }')).toEqual(['BAD_INPUT']);
  expect(await codeOf('store(name: "ice", at: { time: "1999-01-01" }) { id }')).toEqual(['NOT_FOUND']);
  expect(await codeOf('store(name: "ice", at: { snapshot: "x" }) { id }')).toEqual(['BAD_INPUT']);
  expect(await codeOf('store(name: "ice@AAAAAAAAAAAAAAAAAAA0") { array(path: "t") { id } }')).toEqual([
    'NOT_FOUND',
  ]);
  expect(await codeOf('store(name: "plain@AAAAAAAAAAAAAAAAAAA0") { id }')).toEqual(['NOT_FOUND']);
  expect(await codeOf('store(name: "ice") { history(first: -1) { id } }')).toEqual(['BAD_INPUT']);
  expect(await codeOf('store(name: "ice") { history(after: "x") { id } }')).toEqual(['BAD_INPUT']);
});

test('history, names and differences', async () => {
  const [first = '', second = ''] = ids;
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "ice") {
      versions { branches tags }
      history(first: 2) { id message }
      diff(from: { tag: "v1" }) { added removed moved { from } changed { path metadata chunks region { start stop } } }
      none: diff(from: { branch: "main" }) { added changed { path } }
    } }`,
  );
  expect(errors).toEqual([]);
  expect(data.store.versions).toEqual({ branches: ['main'], tags: ['v1'] });
  expect(data.store.history).toEqual([
    { id: second, message: 'second' },
    { id: first, message: 'first' },
  ]);
  expect(data.store.diff).toEqual({
    added: ['/late'],
    removed: [],
    moved: [],
    changed: [
      { path: '/secret', metadata: false, chunks: 1, region: [{ start: 0, stop: 1 }] },
      { path: '/t', metadata: false, chunks: 1, region: [{ start: 0, stop: 1 }, { start: 0, stop: 2 }] }, // prettier-ignore
    ],
  });
  expect(data.store.none).toEqual({ added: [], changed: [] });
  const page = await execute(gateway, '{ store(name: "ice") { history(first: 1, after: $id) { id } } }'.replace('$id', `"${second}"`)); // prettier-ignore
  expect(page.data.store.history).toEqual([{ id: first }]);
});

test('ids and links of a snapshot lead back to it; links of the branch to its current state', async () => {
  const { data } = await execute(
    gateway,
    `{ old: store(name: "ice", at: { tag: "v1" }) { array(path: "t") { id slice(select: { text: "0, 0" }) { href(format: CSV) } } }
       now: store(name: "ice") { array(path: "t") { id slice(select: { text: "0, 0" }) { href(format: CSV) } } } }`,
  );
  const again = await execute(
    gateway,
    'query($old: ID!, $now: ID!) { old: node(id: $old) { ...v } now: node(id: $now) { ...v } } fragment v on ZarrArray { slice(select: { text: "0, 0" }) { values } }',
    { old: data.old.array.id, now: data.now.array.id },
  );
  expect([again.data.old.slice.values, again.data.now.slice.values]).toEqual([1, 10]);
  const read = async (href: string) => {
    const token = href.split('/')[2] ?? '';
    const response = await gateway.fetch(
      new Request(`http://localhost/files/${token}/values.csv`),
      fullAccess,
    );
    return response.text();
  };
  expect(await read(data.old.array.slice.href)).toContain('1');
  expect(await read(data.now.array.slice.href)).toContain('10');
});

test('one request sees one snapshot, whatever is committed meanwhile', async () => {
  const fields = Array.from(
    { length: 30 },
    (_, i) => `s${i}: store(name: "ice") { ${values('0, 0')} snapshot { id } }`,
  );
  const running = Array.from({ length: 8 }, () => execute(gateway, `{ ${fields.join('\n')} }`));
  for (let round = 0; round < 3; round++) await save(`round ${round}`, { 't/c/0/0': floats(round, round) });
  for (const { data, errors } of await Promise.all(running)) {
    expect(errors).toEqual([]);
    const seen = new Set(
      Object.values<{ snapshot: { id: string } }>(data).map(({ snapshot }) => snapshot.id),
    );
    expect(seen.size).toBe(1);
    const read = new Set(Object.values<{ array: { slice: { values: number } } }>(data).map(({ array: { slice } }) => slice.values)); // prettier-ignore
    expect(read.size).toBe(1);
  }
});

test('rights are those of the store in all of its snapshots', async () => {
  const rights: CallerRights = {
    mayRead: (store, path) => store === 'ice' && path !== '/secret',
    mayEnter: (store) => store === 'ice',
    mayWrite: () => false,
  };
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ a: store(name: "ice", at: { tag: "v1" }) { node(path: "secret") { path } ${values('0, 0')} }
          b: store(name: "ice") { node(path: "secret") { path } diff(from: { tag: "v1" }) { changed { path } } }
          c: store(name: "plain") { id } d: slices(requests: [{ store: "ice@${ids[0] ?? ''}", path: "/secret" }]) { values } }`,
      }),
    }),
    rights,
  );
  const { data, errors } = await response.json();
  expect(data.a.array.slice.values).toBe(1);
  expect(data.b.diff.changed).toEqual([{ path: '/t' }]);
  expect(errors.map((error: { path: string[]; extensions: { code: string } }) => [error.path.join('.'), error.extensions.code]).toSorted()).toEqual([
    ['a.node', 'NOT_FOUND'],
    ['b.node', 'NOT_FOUND'],
    ['c', 'NOT_FOUND'],
    ['d.0', 'NOT_FOUND'],
  ]); // prettier-ignore
});

test('all entries of a request see one snapshot: lists of stores, ids of datasets, and paths', async () => {
  const { data: ids } = await execute(gateway, '{ store(name: "ice") { dataset { id } } }');
  const read = 'dataset { variable(name: "t") { slice(select: { text: "0, 0" }) { values } } }';
  const fields = Array.from({ length: 20 }, (_, i) => [
    `l${i}: stores(first: 1) { nodes { ${read} snapshot { id } } }`,
    `d${i}: node(id: $id) { ... on Dataset { variable(name: "t") { slice(select: { text: "0, 0" }) { values } } } }`,
    `p${i}: store(name: "ice") { ${values('0, 0')} }`,
  ]).flat();
  const query = `query($id: ID!) { ${fields.join('\n')} }`;
  const running = Array.from({ length: 8 }, () => execute(gateway, query, { id: ids.store.dataset.id }));
  for (let round = 100; round < 104; round++)
    await save(`round ${round}`, { 't/c/0/0': floats(round, round) });
  for (const { text, errors } of await Promise.all(running)) {
    expect(errors).toEqual([]);
    const seen = [...text.matchAll(/"values":([\d.]+)/g)].map(([, value]) => value);
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(1);
  }
});

test('requests read snapshots only, never the branch itself', async () => {
  const store = createIcechunkStore({ label: 'ice', files, maxAgeMs: 0, deadlineMs: 10_000 });
  const refusing = {
    ...store,
    getMany: async () => {
      throw new Error('the branch was read');
    },
  };
  const own = createGateway({ stores: [{ name: 'ice', store: refusing }] });
  const { data: ids } = await execute(own, '{ store(name: "ice") { dataset { id } } }');
  const { errors } = await execute(
    own,
    `query($id: ID!) {
      node(id: $id) { ... on Dataset { variable(name: "t") { slice { values } } } }
      stores(first: 1) { nodes {
        node(path: "t") { path } group(path: "/") { path } array(path: "t") { path }
        dataset(path: "/") { id } variable(path: "t") { name } slice(text: "t[0, 0]") { values }
        search(first: 1) { nodes { path } }
      } }
    }`,
    { id: ids.store.dataset.id },
  );
  expect(errors).toEqual([]);
  await own.close();
});

test('callers of a part of a store see no messages, and moves across its border as new and removed nodes', async () => {
  const [snapshot] = ids.slice(-1);
  const session = await written.repository.rearrangeSession('main');
  await session.moveNode('/late', '/hidden');
  await session.moveNode('/secret', '/shown');
  ids.push(await session.commit('moved /secret'));
  for (const [key, bytes] of written.objects) await files.set(key, bytes);
  const ask = async (allowed: readonly string[]) => {
    const response = await gateway.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          query: `{ store(name: "ice") { snapshot { message } history(first: 1) { message }
            diff(from: { snapshot: "${snapshot}" }) { added removed moved { from to } } } }`,
        }),
      }),
      { mayRead: (_, path) => allowed.includes(path), mayEnter: () => true, mayWrite: () => false },
    );
    return (await response.json()).data.store;
  };
  expect(await ask(['/late', '/shown'])).toEqual({
    snapshot: { message: null },
    history: [{ message: null }],
    diff: { added: ['/shown'], removed: ['/late'], moved: [] },
  });
  expect(await ask(['/', '/late', '/hidden'])).toEqual({
    snapshot: { message: 'moved /secret' },
    history: [{ message: 'moved /secret' }],
    diff: { added: [], removed: [], moved: [{ from: '/late', to: '/hidden' }] },
  });
});

test('the name of a store must not look like that of a snapshot', async () => {
  const store = await memoryStore({});
  expect(() => createGateway({ stores: [{ name: 'ice@AAAAAAAAAAAAAAAAAAA0', store }] })).toThrow(
    /names of snapshots/,
  );
});

test('the schema of the store reads one snapshot, too', async () => {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql/ice', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ a: t { values } b: t { values } }' }),
    }),
    fullAccess,
  );
  const { data, errors } = await response.json();
  expect(errors).toBeUndefined();
  expect(data.a).toEqual(data.b);
});
