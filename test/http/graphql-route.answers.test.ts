/** Remembered answers behind the checks of the HTTP server, none of which they bypass. */
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import type { HttpConfig } from '../../server/http/options.js';
import { createHttpServer } from '../../server/http/server.js';
import { createGateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { token } from './access-rights.js';
import { array, group } from './real-gateway.js';
import { loggerTo } from './serving.js';

const members = '{ store(name: "s") { group(path: "/") { members { nodes { path attributes } } } } }';

async function serving(http: Partial<HttpConfig> = {}) {
  const store = createMemoryStore({ label: 's' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  await put('zarr.json', group());
  await put('open/zarr.json', array([4], { note: 'x'.repeat(2000) }));
  await put('secret/zarr.json', array());
  await put('long/zarr.json', array([1_000_000]));
  const log: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const gateway = createGateway({ stores: [{ name: 's', store }], metrics });
  const server = createHttpServer({
    config: parseConfig({ port: 0, graphiql: false, ...http }),
    gateway,
    logger: loggerTo(log),
    metrics,
  });
  const url = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await gateway.close();
  });
  const hits = async (): Promise<number> =>
    Number(/^zarrql_answer_lookups_total\{outcome="hit"\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);
  const ask = (headers: Record<string, string> = {}, query = members) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  return { server, url, log, hits, ask };
}

const auth = (read: readonly string[]): HttpConfig['auth'] =>
  parseConfig({
    auth: {
      roles: { reader: { read: [...read] }, all: { read: ['*'] } },
      tokens: [token('reader', ['reader']), token('all', ['all'])],
    },
  }).auth;

test('callers receive what their roles permit, also after the roles have changed', async () => {
  const { server, hits, ask } = await serving({ auth: auth(['s/open']) });
  const open = '{ store(name: "s") { array(path: "open") { path } } }';
  const textOf = async (name: string, query: string): Promise<string> =>
    (await ask({ authorization: `Bearer ${name}-secret` }, query)).text();
  const shown = '{"data":{"store":{"array":{"path":"/open"}}}}';
  for (let i = 0; i < 4; i++) {
    expect(await textOf('all', open)).toBe(shown);
    expect(await textOf('reader', open)).toBe(shown);
    expect(await textOf('all', members)).toContain('/secret');
    expect(await textOf('reader', members)).toContain('NOT_FOUND');
  }
  expect(await hits()).toBe(6);
  expect((await ask({ authorization: 'Bearer other' }, open)).status).toBe(401);
  expect((await ask({}, open)).status).toBe(401);
  server.change({ auth: { value: auth(['s/secret']) } });
  for (let i = 0; i < 4; i++) expect(await textOf('reader', open)).toContain('NOT_FOUND');
  server.change({ auth: { value: auth(['s']) } });
  expect(await textOf('reader', members)).toContain('/secret');
});

test('are logged and compressed, and have the headers of their request', async () => {
  const { log, hits, ask } = await serving({ corsOrigins: ['https://page.example'] });
  const plain = await (await ask({ 'accept-encoding': 'identity' })).text();
  for (let i = 0; i < 3; i++) await (await ask({ 'accept-encoding': 'identity' })).text();
  const before = log.length;
  const response = await ask({
    'accept-encoding': 'gzip',
    origin: 'https://page.example',
    'x-request-id': 'mine',
  });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('access-control-allow-origin')).toBe('https://page.example');
  expect(response.headers.get('x-request-id')).toBe('mine');
  expect(await response.text()).toBe(plain);
  const other = await ask({ 'accept-encoding': 'identity', origin: 'https://other.example' });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  expect(await other.text()).toBe(plain);
  await expect.poll(() => log.length).toBe(before + 2);
  expect(log.at(before)).toMatchObject({ id: 'mine', kind: 'query', status: 200 });
  expect(await hits()).toBe(4);
});

test('are charged to their client', async () => {
  const { hits, ask } = await serving({ maxClientCost: 60 });
  const sum = '{ store(name: "s") { array(path: "long") { slice { reduce(by: SUM) { values } } } } }';
  let refused = 0;
  // A response costs several units, which the client gets back only after seconds.
  for (let i = 0; i < 1000 && refused === 0; i++) {
    const response = await ask({}, sum);
    await response.text();
    if (response.status === 429) refused += 1;
  }
  expect(refused).toBe(1);
  expect(await hits()).toBeGreaterThan(0);
});

test('HEAD has the headers of GET, and no body', async () => {
  const { url, hits } = await serving();
  const target = `${url}?${new URLSearchParams({ query: members }).toString()}`;
  const accept = { accept: 'application/json', 'accept-encoding': 'gzip' };
  for (let i = 0; i < 3; i++) await (await fetch(target, { headers: accept })).text();
  const got = await fetch(target, { headers: accept });
  const head = await fetch(target, { method: 'HEAD', headers: accept });
  expect(await head.text()).toBe('');
  for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'content-encoding'])
    expect(head.headers.get(name)).toBe(got.headers.get(name));
  const etag = got.headers.get('etag') ?? '';
  expect(etag).toContain('-gzip');
  expect((await fetch(target, { headers: { ...accept, 'if-none-match': etag } })).status).toBe(304);
  expect(await hits()).toBe(4);
});
