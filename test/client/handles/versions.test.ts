/** The history of a store by the SDK. */
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { memoryStore } from '../../resolvers/gateway-client.js';
import { array, commit, createRepository, floats, group } from '../../store/icechunk/write-repository.js';

const written = await createRepository();
const first = await commit(written, 'first', {
  'zarr.json': group(),
  't/zarr.json': array([4], [2]),
  't/c/0': floats(1, 2),
});
await written.repository.createTag('v1', first);
const second = await commit(written, 'second', { 't/c/1': floats(3, 4) });
const gateway = createGateway({
  stores: [
    {
      name: 'ice',
      store: createIcechunkStore({
        label: 'ice',
        files: await written.objects.store('files'),
        maxAgeMs: 0,
        deadlineMs: 10_000,
      }),
    },
    { name: 'plain', store: await memoryStore({ 'zarr.json': group() }), writable: true },
    {
      name: 'new',
      store: createIcechunkStore({
        label: 'new',
        files: await memoryStore({}),
        maxAgeMs: 0,
        deadlineMs: 10_000,
        writable: true,
      }),
      writable: true,
    },
  ],
});
afterAll(() => gateway.close());
const client = createClient({
  url: 'http://localhost/graphql',
  fetch: (url, init) => gateway.fetch(new Request(url, init), fullAccess),
});

test('reads a version, the history and differences', async () => {
  const store = client.store('ice');
  const old = await store.at({ tag: 'v1' });
  expect(old.store).toBe(`ice@${first}`);
  expect([...(await old.array('t', { dtype: 'float32' }).slice()).data]).toEqual([1, 2, 0, 0]);
  expect([...(await store.array('t', { dtype: 'float32' }).slice()).data]).toEqual([1, 2, 3, 4]);
  expect((await old.at({ branch: 'main' })).store).toBe(`ice@${second}`);
  expect(await store.versions()).toEqual({ branches: ['main'], tags: ['v1'] });
  const history = await store.history({ first: 2 });
  expect(history.map(({ id, message, parent }) => [id, message, parent])).toMatchObject([
    [second, 'second', first],
    [first, 'first', expect.any(String)],
  ]);
  expect(await store.history({ after: second, first: 1 })).toMatchObject([{ id: first }]);
  expect(await store.diff({ tag: 'v1' })).toEqual({
    added: [],
    removed: [],
    moved: [],
    changed: [{ path: '/t', metadata: false, chunks: 1, region: [{ start: 2, stop: 4 }] }],
  });
  expect((await store.diff({ snapshot: first }, { tag: 'v1' })).changed).toEqual([]);
});

test('a store without a history has no versions', async () => {
  const plain = client.store('plain');
  await expect(plain.versions()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(plain.at({ branch: 'main' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(client.store('ice').at({ tag: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('subscribers learn of commits by others, with their regions', async () => {
  const base = await written.objects.store('files');
  let looks = 0;
  const files = wrapStore(base, {
    async getMany(requests, each, options) {
      await base.getMany(requests, each, options);
      if (requests.some(({ key }) => key === 'repo')) looks += 1;
    },
  });
  const watched = createGateway({
    stores: [
      {
        name: 'ice',
        store: createIcechunkStore({ label: 'ice', files, maxAgeMs: 60_000, deadlineMs: 10_000 }),
        watchMs: 50,
      },
    ],
  });
  const other = createClient({
    url: 'http://localhost/graphql',
    fetch: (url, init) => watched.fetch(new Request(url, init), fullAccess),
  });
  const changes = other.store('ice').changes()[Symbol.asyncIterator]();
  const next = async (count: number) => {
    const events: unknown[] = [];
    while (events.length < count) events.push((await changes.next()).value);
    return events;
  };
  const first3 = next(3);
  // The watcher has to see the state before the commit. Opening the repository takes a few reads.
  await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(8);
  await commit(written, 'by another program', {
    't/zarr.json': array([6], [2]),
    't/c/0': floats(7, 8),
    'g/zarr.json': group(),
    'g/new/zarr.json': array([1], [1]),
  });
  for (const [key, bytes] of written.objects) await files.set(key, bytes);
  const seen = [...(await first3), ...(await next(1))];
  expect(seen).toMatchObject([
    { kind: 'CREATED', path: '/g', region: null },
    { kind: 'CREATED', path: '/g/new', region: null },
    { kind: 'RESIZED', path: '/t', region: null },
    { kind: 'DATA', path: '/t', region: [{ start: 0, stop: 2 }] },
  ]);
  // Readers see the commit when its event arrives, although the snapshot of the branch may be a minute old.
  expect([...(await other.store('ice').array('t', { dtype: 'float32' }).slice()).data].slice(0, 2)).toEqual([
    7, 8,
  ]);
  await changes.return?.();
  await watched.close();
});

test('changes a repository with messages, and creates branches and tags', async () => {
  const store = client.store('new');
  await store.createRepository();
  const made = await store.createArray('a', { shape: [2], dtype: 'int32', message: 'create a' });
  await made.write({}, [1, 2], { message: 'write a' });
  await made.append([3], { message: 'append' });
  const tagged = await store.createTag('v1');
  await made.resize([1], { message: 'resize' });
  await made.setAttributes({ units: 'm' }, { message: 'attributes' });
  await store.createGroup('g', { message: 'group' });
  await store.group('g').delete();
  const messages = (await store.history()).map(({ message }) => message);
  expect(messages.toReversed()).toEqual([
    'Repository initialized',
    'create a',
    'write a',
    'append',
    'resize',
    'attributes',
    'group',
    'deleteNode /g',
  ]);
  const old = await store.at({ tag: 'v1' });
  expect(old.store).toBe(`new@${tagged}`);
  expect([...(await old.array('a', { dtype: 'int32' }).slice()).data]).toEqual([1, 2, 3]);
  // The snapshot of the handle, not the current one.
  expect(await old.createBranch('from-v1')).toBe(tagged);
  expect(await store.createBranch('dev', { from: { tag: 'v1' } })).toBe(tagged);
  expect(await store.versions()).toEqual({ branches: ['dev', 'from-v1', 'main'], tags: ['v1'] });
  await expect(store.createTag('v1', { at: { branch: 'dev' } })).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
  });
  await expect(old.createGroup('x')).rejects.toMatchObject({ code: 'READ_ONLY' });
  await expect(client.store('plain').createGroup('x', { message: 'm' })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
  });
  const both = await client.request('mutation { a: createGroup(input: { store: "new", path: "x", message: "both" }) { group { path } } b: createGroup(input: { store: "new", path: "y", message: "both" }) { group { path } } }'); // prettier-ignore
  expect(both).toEqual({ a: { group: { path: '/x' } }, b: { group: { path: '/y' } } });
  expect((await store.history({ first: 1 }))[0]?.message).toBe('both');
});
