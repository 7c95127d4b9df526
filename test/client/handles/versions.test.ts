/** The history of a store by the SDK. */
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
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
    { name: 'plain', store: await memoryStore({ 'zarr.json': group() }) },
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
