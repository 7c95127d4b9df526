/** Permissions of nodes that are not accessed by path: datasets, links to files, subscriptions. */
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';
import { openEvents } from './sse-client.js';
import { until } from './serving.js';

const token = (name: string, roles: string[], expires?: string): object => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  roles,
  ...(expires === undefined ? {} : { expires }),
});
const named = (names: string[], attributes: object = {}): object => ({
  ...array(
    names.map(() => 4),
    attributes,
  ),
  dimension_names: names,
});
const stores = {
  data: {
    'zarr.json': group(),
    'time/zarr.json': named(['time']),
    'a/zarr.json': group(),
    'a/x/zarr.json': named(['x']),
    'a/other/zarr.json': named(['x']),
    'a/values/zarr.json': named(['time', 'x'], { coordinates: '../b/height' }),
    'b/zarr.json': group(),
    'b/height/zarr.json': named(['x']),
  },
};

function gatewayWith(tokens: object[] = []): Promise<RealGateway> {
  const auth = {
    roles: { all: { write: ['*'] }, ofA: { read: ['data/a'] }, ofX: { read: ['data/a/x'] } },
    tokens: [token('admin', ['all']), token('a', ['ofA']), ...tokens],
  };
  return realGateway(stores, { auth: parseConfig({ auth }).auth });
}

describe('a dataset', () => {
  const query =
    '{ store(name: "data") { dataset(path: "/a") { dimensions { name coordinate { name array { path } } } variables { name coordinates { array { path } } } } root: dataset { children { nodes { path } } } } }';

  test('inherits nothing from groups that the caller may not read', async () => {
    const gateway = await gatewayWith();
    const whole = await gateway.query(query, { token: 'admin' });
    expect(whole.text).toContain('"/time"');
    const part = await gateway.query(query, { token: 'a' });
    expect(part.json.data.store.dataset.variables).toContainEqual(
      expect.objectContaining({ name: 'values' }),
    );
    for (const hidden of ['"/time"', '/b']) expect(JSON.stringify(part.json.data)).not.toContain(hidden);
    expect(part.json.data.store.root).toBeNull();
    expect(part.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('a link to a file', () => {
  const link = (path: string): string =>
    `{ store(name: "data") { array(path: "${path}") { slice { href } } } }`;

  test('is created with read permission, and needs no token afterwards', async () => {
    const gateway = await gatewayWith();
    const refused = await gateway.query(link('/b/height'), { token: 'a' });
    expect(refused.json.data.store.array).toBeNull();
    const { json } = await gateway.query(link('/a/x'), { token: 'a' });
    const { href } = json.data.store.array.slice;
    const path = href.slice(href.indexOf('/files/'));
    const file = await fetch(new URL(path, gateway.url));
    expect(file.status).toBe(200);
    await file.arrayBuffer();
    const forged = await fetch(new URL(`${path.slice(0, 20)}A${path.slice(21)}`, gateway.url));
    expect(forged.status).toBe(403);
  });

  test('is never logged, even if a proxy sends it to a wrong path', async () => {
    const gateway = await gatewayWith();
    const { json } = await gateway.query(link('/a/x'), { token: 'a' });
    const { href } = json.data.store.array.slice;
    for (const path of [href, `/zarr${href}`, href.replace('/files/', '/Files/')])
      await (await fetch(new URL(path, gateway.url))).arrayBuffer();
    await until(() => gateway.log.filter(({ method }) => method === 'GET').length === 3);
    const [, token = ''] = /\/files\/([^/]+)/.exec(href) ?? [];
    const [, signature = ''] = token.split('.');
    expect(signature.length).toBeGreaterThan(20);
    expect(JSON.stringify(gateway.log)).not.toContain(signature);
  });

  test('whose array has been deleted names no other node', async () => {
    const gateway = await gatewayWith([token('x', ['ofX'])]);
    const stored = await gateway.query(link('/a/x'), { token: 'x' });
    const decoded = await gateway.query(
      '{ store(name: "data") { dataset(path: "/a") { variable(name: "values") { slice { href } } } } }',
      { token: 'a' },
    );
    const hrefs = [
      stored.json.data.store.array.slice.href,
      decoded.json.data.store.dataset.variable.slice.href,
    ];
    for (const href of hrefs) expect((await fetch(new URL(href, gateway.url))).status).toBe(200);
    for (const path of ['/a/x', '/a/values'])
      await gateway.query(`mutation { deleteNode(input: { store: "data", path: "${path}" }) { path } }`, {
        token: 'admin',
      });
    for (const href of hrefs) {
      const gone = await fetch(new URL(href, gateway.url));
      expect(gone.status).toBe(404);
      expect(await gone.text()).not.toMatch(/nearest|other|\/time|\/b/);
    }
  });
});

describe('a stream of changes', () => {
  const watch = 'subscription { changes(store: "data") { path kind } }';
  const write = (path: string): string =>
    `mutation { setAttributes(input: { store: "data", path: "${path}", set: { a: 1 } }) { node { path } } }`;

  test('reports only readable nodes to a caller', async () => {
    const gateway = await gatewayWith();
    const port = Number(new URL(gateway.url).port);
    const open = (name: string) => openEvents(port, watch, { authorization: `Bearer ${name}` });
    const [all, part] = [await open('admin'), await open('a')];
    for (const path of ['/b', '/a', '/b/height', '/a/x'])
      await gateway.query(write(path), { token: 'admin' });
    await until(() => all.events.length >= 4 && part.events.length >= 2);
    const paths = (events: readonly { data: string }[]) =>
      events.map(({ data }) => JSON.parse(data).data.changes.path);
    expect(paths(all.events)).toEqual(['/b', '/a', '/b/height', '/a/x']);
    expect(paths(part.events)).toEqual(['/a', '/a/x']);
    all.leave();
    part.leave();
  });

  test('of an unreadable path is NOT_FOUND, and without a token 401', async () => {
    const gateway = await gatewayWith();
    const hidden = watch.replace('"data"', '"data", path: "/b"');
    const refused = await gateway.query(hidden, { token: 'a', headers: { accept: 'text/event-stream' } });
    expect(refused.text).toContain('NOT_FOUND');
    expect((await gateway.query(watch, { headers: { accept: 'text/event-stream' } })).status).toBe(401);
  });

  test('ends when its token expires', async () => {
    // The clock stands still until the stream has ended, so that a slow start cannot outlive the token.
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'] });
    const expiresAtMs = Date.now() + 200;
    const expires = new Date(expiresAtMs).toISOString();
    const gateway = await gatewayWith([token('short', ['all'], expires)]);
    const port = Number(new URL(gateway.url).port);
    const stream = await openEvents(port, watch, { authorization: 'Bearer short' });
    expect(stream.incoming.statusCode).toBe(200);
    await stream.closed;
    vi.setSystemTime(expiresAtMs);
    expect((await gateway.query('{ __typename }', { token: 'short' })).status).toBe(401);
  });
});
