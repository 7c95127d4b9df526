/** Cached results of reductions over HTTP: changed values, rights that end, links, and chunks rewritten meanwhile. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { array, group, realGateway } from './real-gateway.js';
import { openEvents } from './sse-client.js';
import { until } from './serving.js';

const files = { 'zarr.json': group(), 'a/zarr.json': array([4]) };
const fields = 'statistics { sum quantiles(q: [0.5]) } reduce(by: MAX) { values href }';
const query = `{ store(name: "data") { array(path: "a") { slice { ${fields} } } } }`;
const write = (values: readonly number[]): string =>
  `mutation { writeSlice(input: { store: "data", path: "a", values: [${values.join()}] }) { chunksWritten } }`;

test('a subscriber receives the statistics of the new values with each change', async () => {
  const gateway = await realGateway({ data: files });
  const watch =
    'subscription { changes(store: "data") { node { ... on ZarrArray { slice { statistics { sum } reduce(by: MAX) { values } } } } } }';
  const stream = await openEvents(Number(new URL(gateway.url).port), watch);
  const expected = [
    [1, 2, 3, 4],
    [1, 2, 3, 50],
    [9, 2, 3, 50],
  ];
  for (const [i, values] of expected.entries()) {
    const { json } = await gateway.query(write(values));
    expect(json.errors).toBeUndefined();
    await until(() => stream.events.length > i);
    // From the cache, for other clients.
    const { slice } = (await gateway.query(query)).json.data.store.array;
    expect(slice.statistics.sum).toBe(values.reduce((sum, value) => sum + value, 0));
    const event = JSON.parse(stream.events[i]?.data ?? '').data.changes.node.slice;
    expect([event.statistics.sum, event.reduce.values]).toEqual([slice.statistics.sum, Math.max(...values)]);
  }
  stream.leave();
});

test('a caller whose token has expired, or who may not read the array, gets no cached result', async () => {
  const token = (name: string, roles: string[], expires?: string): object => ({
    name,
    sha256: createHash('sha256').update(name).digest('hex'),
    roles,
    ...(expires === undefined ? {} : { expires }),
  });
  const expires = new Date(Date.now() + 4000).toISOString();
  const tokens = [token('admin', ['all']), token('short', ['all'], expires), token('other', ['ofB'])];
  const auth = { roles: { all: { write: ['*'] }, ofB: { read: ['data/b'] } }, tokens };
  const gateway = await realGateway({ data: files }, { auth: parseConfig({ auth }).auth });
  await gateway.query(write([5, 6, 7, 8]), { token: 'admin' });
  const asked = await gateway.query(query, { token: 'short' });
  expect(asked.json.data.store.array.slice.statistics.sum).toBe(26);
  await until(() => Date.now() > Date.parse(expires));
  const late = await gateway.query(query, { token: 'short' });
  expect([late.status, late.text.includes('"sum":26')]).toEqual([401, false]);
  const other = await gateway.query(query, { token: 'other' });
  expect(other.json.data.store).toEqual({ array: null });
  expect(other.text).not.toContain('"sum":26');
});

test('the link of a reduction has another ETag and other bytes after a write', async () => {
  const gateway = await realGateway({ data: files });
  await gateway.query(write([5, 6, 7, 8]));
  const { href } = (await gateway.query(query)).json.data.store.array.slice.reduce;
  const link = new URL(href, gateway.url);
  const before = await fetch(link);
  const etag = before.headers.get('etag') ?? expect.fail('no ETag');
  const old = await before.text();
  expect((await fetch(link, { headers: { 'if-none-match': etag } })).status).toBe(304);
  await gateway.query(write([5, 600, 7, 8]));
  const after = await fetch(link, { headers: { 'if-none-match': etag } });
  expect(after.status).toBe(200);
  expect(after.headers.get('etag')).not.toBe(etag);
  expect(await after.text()).not.toBe(old);
});

/** A store whose reads of chunks call `during` first. */
function interrupted(store: KeyStore, during: () => Promise<void>): KeyStore {
  return {
    ...store,
    async getMany(requests, each, options) {
      if (requests.some(({ key }) => key === 'a/c/0')) await during();
      await store.getMany(requests, each, options);
    },
  };
}

test('a chunk rewritten between two passes: the values before or after, or CONFLICT; never a mix', async () => {
  const inner = createMemoryStore({ label: 'data' });
  for (const [key, content] of Object.entries(files))
    await inner.set(key, Buffer.from(JSON.stringify(content)));
  const put = (value: number) =>
    inner.set('a/c/0', Buffer.from(Int32Array.of(value, value, value, value).buffer));
  let [value, isChanging] = [1, false];
  await put(value);
  const store = interrupted(inner, async () => {
    if (isChanging) await put(++value * 100_000);
  });
  const gateway = await realGateway({}, { gateway: { stores: [{ name: 'data', store }] } });
  isChanging = true;
  const { json } = await gateway.query(query);
  const slice = json.data.store.array?.slice;
  const { sum, quantiles } = slice?.statistics ?? {};
  if (sum === undefined || sum === null || quantiles === null || slice?.reduce === null)
    expect(json.errors[0].extensions.code).toBe('CONFLICT');
  else expect([sum, quantiles[0] * 4]).toEqual([sum, sum]);
  // Nothing of it is cached.
  isChanging = false;
  const settled = (await gateway.query(query)).json.data.store.array.slice;
  expect(settled.statistics).toEqual({ sum: value * 400_000, quantiles: [value * 100_000] });
  expect(settled.reduce.values).toBe(value * 100_000);
});

test('a cancelled reduction leaves nothing behind: the next request computes it', async () => {
  const inner = createMemoryStore({ label: 'data' });
  for (const [key, content] of Object.entries(files))
    await inner.set(key, Buffer.from(JSON.stringify(content)));
  await inner.set('a/c/0', Buffer.from(Int32Array.of(1, 2, 3, 4).buffer));
  const controller = new AbortController();
  let isFirst = true;
  const store = interrupted(inner, async () => {
    if (!isFirst) return;
    isFirst = false;
    controller.abort();
  });
  const { url, query: ask } = await realGateway({}, { gateway: { stores: [{ name: 'data', store }] } });
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json' };
  await expect(fetch(url, { method: 'POST', headers, body, signal: controller.signal })).rejects.toThrow(
    'abort',
  );
  const { statistics } = (await ask(query)).json.data.store.array.slice;
  expect(statistics).toEqual({ sum: 10, quantiles: [2.5] });
});
