/** Results of computations over HTTP: lines, statistics in subscriptions, validators, and the result cache. */
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type AnyNDArray } from '../../client/index.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createChunkCache, createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { array, group, realGateway } from './real-gateway.js';
import { until } from './serving.js';
import { openEvents } from './sse-client.js';

const POINTS = 1_000_000;
const CHUNK = 100_000;
const CHARTS = 20;

/** Creates `v0` to `v19` along `time` (hours since 2000), each with one spike. */
async function weatherStore(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'weather' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  const document = (data_type: string, attributes: object = {}) => ({
    ...array([POINTS], attributes),
    data_type,
    dimension_names: ['time'],
    fill_value: 0,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [CHUNK] } },
  });
  await put('zarr.json', group());
  await put('time/zarr.json', document('int32', { units: 'hours since 2000-01-01' }));
  for (let v = 0; v < CHARTS; v++) await put(`v${v}/zarr.json`, document('float64'));
  for (let c = 0; c < POINTS / CHUNK; c++) {
    const hours = Int32Array.from({ length: CHUNK }, (_, i) => c * CHUNK + i);
    await store.set(`time/c/${c}`, Buffer.from(hours.buffer));
    const values = Float64Array.from(hours, (hour) => Math.sin(hour * 1.7) + hour / POINTS);
    if (c === 3) values[12_345] = 99_999;
    const bytes = Buffer.from(values.buffer);
    for (let v = 0; v < CHARTS; v++) await store.set(`v${v}/c/${c}`, bytes);
  }
  return store;
}

const names = Array.from({ length: CHARTS }, (_, v) => `v${v}`);
const charts = `{ store(name: "weather") { dataset { ${names
  .map((name) => `${name}: variable(name: "${name}") { slice { line(width: 800) { x { dtype { name } values } y { values } } } }`)
  .join(' ')} } } }`; // prettier-ignore

interface Charts {
  readonly store: {
    readonly dataset: Record<
      string,
      { readonly slice: { readonly line: Record<'x' | 'y', { readonly values: AnyNDArray }> } }
    >;
  };
}

test('twenty lines over a million points each take less than 1.1 MB', async () => {
  const store = await weatherStore();
  const metrics = createMetrics();
  const decoded = async (): Promise<number> =>
    Number(/^zarrql_chunks_decoded_total (\d+)$/m.exec(await metrics.text())?.[1]);
  // The default of `zarrql serve`: chunks of the lines do not evict those of the coordinate.
  const engine = { chunkCache: createChunkCache(256 * 2 ** 20) };
  const stores = [{ name: 'weather', store }];
  const { url } = await realGateway({}, { gateway: { metrics, stores, engine } });
  const read = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/cbor' },
      body: JSON.stringify({ query: charts }),
    });
  const bytes = new Uint8Array(await (await read()).arrayBuffer());
  expect(bytes.length).toBeGreaterThan(800_000);
  expect(bytes.length).toBeLessThan(1_100_000);
  const cold = await decoded();
  expect(cold).toBeGreaterThanOrEqual(20 * 10);

  // The second response has equal bytes, and only versions are read.
  expect(Buffer.compare(new Uint8Array(await (await read()).arrayBuffer()), bytes)).toBe(0);
  expect(await decoded()).toBe(cold);
  expect(await metrics.text()).toContain('zarrql_result_cache_lookups_total{outcome="hit"} 20');

  const client = createClient({ url });
  const { store: response } = await client.request<Charts, Record<never, never>>(charts, {});
  for (const name of names) {
    const { x, y } = response.dataset[name]?.slice.line ?? expect.fail(`no ${name}`);
    expect(x.values.shape).toEqual(y.values.shape);
    expect(x.values.size).toBeLessThanOrEqual(4 * 800);
    const values = [...y.values].map(Number);
    expect(Math.max(...values)).toBe(99_999);
    expect(Math.min(...values)).toBeLessThan(-0.99);
    const positions = [...x.values].map(Number);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
  }
}, 120_000);

test('invalid arguments of a line are rejected', async () => {
  const files = { 'zarr.json': group(), 'a/zarr.json': { ...array([8, 3, 2]), dimension_names: ['x', 'y', 'z'] }, 'b/zarr.json': { ...array([8]), dimension_names: ['x'] }, 'x/zarr.json': { ...array([8]), dimension_names: ['x'] } }; // prettier-ignore
  const metrics = createMetrics();
  const { query } = await realGateway({ m: files }, { gateway: { metrics } });
  onTestFinished(async () => {
    expect(await metrics.text()).toContain('zarrql_chunks_decoded_total 0');
  });
  const cases: [string, string, string][] = [
    ['b', 'line(width: 0) { y { values } }', 'BAD_INPUT'],
    ['b', 'line(width: -5) { y { values } }', 'BAD_INPUT'],
    ['b', 'line(width: 100001) { y { values } }', 'BAD_INPUT'],
    ['b', 'line(width: 2147483647) { estimate { chunks } }', 'BAD_INPUT'],
    ['b', 'line(width: 8, along: "y") { y { values } }', 'BAD_SELECTION'],
    ['a', 'line(width: 8) { y { values } }', 'BAD_SELECTION'],
    ['a', 'slice(select: { text: "0, 0, 0" }) { line(width: 8) { y { values } } }', 'BAD_SELECTION'],
    ['b', 'line(width: 800, from: { deep: [[[1]]] }) { x { values } }', 'BAD_SELECTION'],
    ['b', 'line(width: 800, to: "tomorrow") { x { values } }', 'BAD_SELECTION'],
  ];
  for (const [name, call, code] of cases) {
    const { json } = await query(`{ store(name: "m") { array(path: "${name}") { slice { ${call} } } } }`);
    expect(json.errors?.map(({ extensions }: { extensions: object }) => extensions), call).toMatchObject([{ code }]); // prettier-ignore
  }
  const steps = Array.from({ length: 10_000 }, () => ({ reduce: { by: 'MEAN', over: ['x'] } }));
  const variables = { requests: [{ store: 'm', path: 'a', steps }] };
  const many = await query('query ($requests: [SliceRequest!]!) { slices(requests: $requests) { values } }', {
    variables,
  });
  expect(many.json.errors[0].extensions.code).toMatch(/^BAD_(INPUT|SELECTION)$/);
});

test('an estimate of a line states the exceeded limit; its values are rejected', async () => {
  const files = { 'zarr.json': group(), 'b/zarr.json': { ...array([8]), dimension_names: ['x'] } };
  const { query } = await realGateway({ m: files }, { gateway: { limits: { maxReducedBytes: 31 } } });
  const { json } = await query(
    '{ store(name: "m") { array(path: "b") { slice { line(width: 2) { estimate { reducedBytes allowed exceeded { limit } } y { dtype { name } values } } } } } }',
  );
  const { line } = json.data.store.array.slice;
  expect(line.estimate).toEqual({
    reducedBytes: 32,
    allowed: false,
    exceeded: [{ limit: 'maxReducedBytes' }],
  });
  expect(line.y).toEqual({ dtype: { name: 'int32' }, values: null });
  expect(json.errors[0].extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxReducedBytes' });
});

test('a line has an ETag that changes with the chunks', async () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  await put('zarr.json', group());
  await put('b/zarr.json', array([4]));
  const { get } = await realGateway({}, { gateway: { stores: [{ name: 'm', store }] } });
  const query = '{ store(name: "m") { array(path: "b") { slice { line(width: 1) { y { values } } } } } }';
  const first = await get({ query });
  expect(first.json.data.store.array.slice.line.y.values).toEqual([7, 7, 7, 7]);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  expect((await get({ query }, headers)).status).toBe(304);
  await store.set('b/c/0', Buffer.from(Int32Array.of(1, 2, 3, 4).buffer));
  const second = await get({ query }, headers);
  expect(second.json.data.store.array.slice.line.y.values).toEqual([1, 2, 3, 4]);
});

// Cached results of reductions over HTTP: changed values, rights that end, links, and chunks rewritten meanwhile.

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
    // Other clients get the same result.
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
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const tokens = [token('admin', ['all']), token('short', ['all'], expires), token('other', ['ofB'])];
  const auth = { roles: { all: { write: ['*'] }, ofB: { read: ['data/b'] } }, tokens };
  const gateway = await realGateway({ data: files }, { auth: parseConfig({ auth }).auth });
  await gateway.query(write([5, 6, 7, 8]), { token: 'admin' });
  const response = await gateway.query(query, { token: 'short' });
  expect(response.json.data.store.array.slice.statistics.sum).toBe(26);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires) + 1 });
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

test('a chunk rewritten between two passes results in the old values, the new values or CONFLICT, never a mix', async () => {
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
  // No result of the failed computation is cached.
  isChanging = false;
  const settled = (await gateway.query(query)).json.data.store.array.slice;
  expect(settled.statistics).toEqual({ sum: value * 400_000, quantiles: [value * 100_000] });
  expect(settled.reduce.values).toBe(value * 100_000);
});

test('after a cancelled reduction, the next request computes the result', async () => {
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
  const { url, query: send } = await realGateway({}, { gateway: { stores: [{ name: 'data', store }] } });
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json' };
  await expect(fetch(url, { method: 'POST', headers, body, signal: controller.signal })).rejects.toThrow(
    'abort',
  );
  const { statistics } = (await send(query)).json.data.store.array.slice;
  expect(statistics).toEqual({ sum: 10, quantiles: [2.5] });
});
