/** The single connection mode of graphql-sse: reservations, operations, limits, and the end of streams. */
import { request as httpRequest } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../server/config.js';
import { fullAccess } from '../../../server/index.js';
import { auth, token as tokenOf } from '../access-rights.js';
import { group, realGateway } from '../real-gateway.js';
import { type HttpReply, send, until } from '../serving.js';
import { start } from '../sse-client.js';

const stores = '{ stores { nodes { name } } }';
const changes = 'subscription { changes(store: "m") { kind path } }';
const json = { 'content-type': 'application/json' };

interface Event {
  readonly event: string;
  // The payload depends on the operation; tests access it without types.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

interface Stream {
  readonly token: string;
  readonly events: Event[];
  readonly status: number;
  closed(): boolean;
  pause(): void;
  leave(): void;
  post(id: unknown, query: string, more?: object): Promise<HttpReply>;
  stop(id: string): Promise<HttpReply>;
  /** The events of an operation, when it has ended. */
  ended(id: string): Promise<Event[]>;
}

async function reserve(port: number, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await send(port, { method: 'PUT', headers });
  expect(status).toBe(201);
  return body;
}

/** Opens a reserved stream. */
function open(port: number, token: string, headers: Record<string, string> = {}): Promise<Stream> {
  const own = { ...headers, 'x-graphql-event-stream-token': token };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path: '/graphql',
        agent: false,
        headers: { ...own, accept: 'text/event-stream' },
      },
      (incoming) => {
        let [text, closed] = ['', false];
        const events: Event[] = [];
        incoming.setEncoding('utf8');
        incoming.on('error', () => {});
        incoming.on('close', () => {
          closed = true;
        });
        incoming.on('data', (part: string) => {
          text += part;
          const blocks = text.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            const match = /^event: (\w+)\ndata: (.*)$/s.exec(block);
            if (match !== null) events.push({ event: match[1] ?? '', data: JSON.parse(match[2] ?? '') });
          }
        });
        const stream: Stream = {
          token,
          events,
          status: incoming.statusCode ?? 0,
          closed: () => closed,
          pause: () => void incoming.pause(),
          leave: () => void outgoing.destroy(),
          post: (operationId, query, more = {}) =>
            send(port, {
              method: 'POST',
              headers: { ...own, ...json },
              body: JSON.stringify({ query, extensions: { operationId }, ...more }),
            }),
          stop: (id) => send(port, { method: 'DELETE', path: `/graphql?operationId=${id}`, headers: own }),
          async ended(id) {
            const all = (): Event[] => events.filter(({ data }) => data.id === id);
            await until(() => all().some(({ event }) => event === 'complete'));
            return all();
          },
        };
        resolve(stream);
      },
    );
    outgoing.on('error', reject);
    onTestFinished(() => void outgoing.destroy());
    outgoing.end();
  });
}

const connect = async (port: number, headers: Record<string, string> = {}): Promise<Stream> =>
  open(port, await reserve(port, headers), headers);

describe('operations', () => {
  test('queries, mutations and subscriptions share one stream', async () => {
    const { port, bus, log, metrics } = await start();
    const stream = await connect(port);
    expect(stream.status).toBe(200);
    expect((await stream.post('events', changes)).status).toBe(202);
    await until(() => bus.listeners() === 1);
    await stream.post('q', stores);
    expect(await stream.ended('q')).toEqual([
      {
        event: 'next',
        data: { id: 'q', payload: { data: { stores: { nodes: [{ name: 'm' }, { name: 'n' }] } } } },
      },
      { event: 'complete', data: { id: 'q' } },
    ]);
    await stream.post('m', 'mutation { createGroup(input: { store: "m", path: "a" }) { group { path } } }');
    expect(await stream.ended('m')).toHaveLength(2);
    await until(() => stream.events.filter(({ data }) => data.id === 'events').length === 2);
    expect(await metrics.text()).toMatch(/zarrql_event_streams_open 1\n/);
    expect((await stream.stop('events')).status).toBe(200);
    await until(() => bus.listeners() === 0);
    await until(() => log.filter(({ method }) => method === 'SSE').length === 3);
    expect(log.filter(({ method }) => method === 'SSE')).toMatchObject([
      { kind: 'query', status: 200, path: '/graphql' },
      { kind: 'mutation', status: 200 },
      { kind: 'subscription', status: 499, aborted: true },
    ]);
    expect(JSON.stringify(log)).not.toContain(stream.token);
  });

  test('the parts of an operation with @defer are separate results', async () => {
    const { port } = await start();
    const stream = await connect(port);
    await stream.post('d', '{ stores { nodes { name } } ... @defer { gateway { version } } }');
    const payloads = (await stream.ended('d')).map(({ data }) => data.payload);
    expect(payloads[0]).toMatchObject({ data: { stores: {} }, pending: [{}], hasNext: true });
    expect(payloads.at(-2)).toMatchObject({ incremental: [{ data: { gateway: {} } }], hasNext: false });
  });

  test('an operation before the stream is opened is kept for it', async () => {
    const { port } = await start();
    const token = await reserve(port);
    const headers = { ...json, 'x-graphql-event-stream-token': token };
    const body = JSON.stringify({ query: stores, extensions: { operationId: 'early' } });
    expect((await send(port, { method: 'POST', headers, body })).status).toBe(202);
    expect(await (await open(port, token)).ended('early')).toHaveLength(2);
  });

  test('an operation that is not executed gets a result with errors', async () => {
    const { port } = await start();
    const stream = await connect(port);
    await stream.post('a', '{ unknown }');
    expect(await stream.ended('a')).toMatchObject([
      { event: 'next', data: { payload: { errors: [{ extensions: { code: 'BAD_INPUT' } }] } } },
      { event: 'complete' },
    ]);
  });

  test('a token in the URL names the stream, and other parameters of this name are ignored', async () => {
    const { port } = await start();
    const token = await reserve(port);
    const response = await fetch(`http://127.0.0.1:${port}/graphql?token=${token}`, {
      headers: { accept: 'text/event-stream' },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await response.body?.cancel();
    const query = encodeURIComponent(stores);
    expect((await send(port, { path: `/graphql?token=abc&query=${query}` })).status).toBe(200);
  });

  test('a result of many megabytes arrives complete', async () => {
    const { port } = await start();
    const stream = await connect(port);
    await stream.post(
      'make',
      'mutation { createArray(input: { store: "m", path: "b", shape: [600000], dtype: "float64" }) { array { path } } }',
    );
    await stream.ended('make');
    await stream.post('big', '{ store(name: "m") { array(path: "b") { slice { values } } } }');
    await stream.post('small', stores);
    const [big] = await stream.ended('big');
    expect(big?.data.payload.data.store.array.slice.values).toHaveLength(600_000);
    expect(await stream.ended('small')).toHaveLength(2);
  });
});

describe('rejected', () => {
  const unknown = { 'x-graphql-event-stream-token': 'x'.repeat(43) };

  test('requests for a stream that does not exist', async () => {
    const { port } = await start();
    const body = JSON.stringify({ query: stores, extensions: { operationId: 'a' } });
    for (const sent of [
      { headers: { ...unknown, accept: 'text/event-stream' } },
      { method: 'POST', headers: { ...unknown, ...json }, body },
      { method: 'DELETE', path: '/graphql?operationId=a', headers: unknown },
      { method: 'DELETE', path: '/graphql?operationId=a' },
    ])
      expect((await send(port, sent)).status).toBe(404);
  });

  test('a second response of one stream, and an id that is in use', async () => {
    const { port, bus } = await start();
    const stream = await connect(port);
    expect((await open(port, stream.token)).status).toBe(409);
    await stream.post('a', changes);
    await until(() => bus.listeners() === 1);
    expect((await stream.post('a', stores)).status).toBe(409);
    expect(bus.listeners()).toBe(1);
  });

  test('malformed requests', async () => {
    const { port, gateway } = await start();
    const stream = await connect(port);
    const before = gateway.memory.stats().heldBytes;
    const headers = { ...json, 'x-graphql-event-stream-token': stream.token };
    const post = async (body: string, more: object = {}) =>
      (await send(port, { method: 'POST', headers: { ...headers, ...more }, body })).status;
    expect((await stream.post(undefined, stores)).status).toBe(400);
    expect((await stream.post('', stores)).status).toBe(400);
    expect((await stream.post('x'.repeat(201), stores)).status).toBe(400);
    expect((await stream.post(7, stores)).status).toBe(400);
    expect(await post('{')).toBe(400);
    expect(await post(`[{"query":"${stores}"}]`)).toBe(400);
    expect(await post('{}', { 'content-type': 'text/plain' })).toBe(415);
    expect(await post(JSON.stringify({ query: 'x'.repeat(2000) }))).toBe(413);
    const own = { 'x-graphql-event-stream-token': stream.token };
    expect((await send(port, { method: 'DELETE', headers: own })).status).toBe(400);
    const token = { 'x-graphql-event-stream-token': await reserve(port) };
    expect((await send(port, { headers: { ...token, accept: 'application/json' } })).status).toBe(406);
    await until(() => gateway.memory.stats().heldBytes > before);
    expect(stream.events).toEqual([]);
    await stream.post('ok', stores);
    expect(await stream.ended('ok')).toHaveLength(2);
  });

  test('a stream of another client', async () => {
    const files = { 'zarr.json': group() };
    const { url } = await realGateway({ shared: files }, { auth: parseConfig({ auth }).auth });
    const port = Number(new URL(url).port);
    const reader = { authorization: 'Bearer reader-secret' };
    const stream = await connect(port, reader);
    const admin = { authorization: 'Bearer admin-secret', 'x-graphql-event-stream-token': stream.token };
    const body = JSON.stringify({ query: stores, extensions: { operationId: 'a' } });
    expect((await send(port, { method: 'POST', headers: { ...admin, ...json }, body })).status).toBe(404);
    expect(
      (await send(port, { method: 'DELETE', path: '/graphql?operationId=a', headers: admin })).status,
    ).toBe(404);
    expect((await send(port, { method: 'PUT' })).status).toBe(401);
    await stream.post('a', stores);
    expect(await stream.ended('a')).toMatchObject([
      { data: { payload: { data: { stores: { nodes: [{ name: 'shared' }] } } } } },
      { event: 'complete' },
    ]);
  });
});

test('browsers may send the methods after a preflight request', async () => {
  const { port } = await start();
  const { headers } = await send(port, {
    method: 'OPTIONS',
    headers: { origin: 'https://page.example', 'access-control-request-method': 'PUT' },
  });
  expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS');
});

describe('limits', () => {
  test('of reservations per client, shared with WebSockets', async () => {
    const { port } = await start({}, fullAccess, { maxClientConnections: 2 });
    const [first] = [await connect(port), await reserve(port)];
    const refused = await send(port, { method: 'PUT' });
    expect(refused.status).toBe(429);
    expect(refused.body).toContain('maxClientConnections');
    first.leave();
    let status = 429;
    while (status === 429) ({ status } = await send(port, { method: 'PUT' }));
    expect(status).toBe(201);
  });

  test('of operations per stream', async () => {
    const { port, bus } = await start({}, fullAccess, { maxConnectionOperations: 2 });
    const stream = await connect(port);
    await stream.post('a', changes);
    await stream.post('b', changes);
    const refused = await stream.post('c', stores);
    expect(refused.status).toBe(429);
    expect(refused.body).toContain('maxConnectionOperations');
    await until(() => bus.listeners() === 2);
    await stream.stop('a');
    await until(() => bus.listeners() === 1);
    while ((await stream.post('d', stores)).status === 429);
    expect(await stream.ended('d')).toHaveLength(2);
  });

  test('of requests and cost per client are those of requests', async () => {
    const { port, bus } = await start({}, fullAccess, { maxClientRequests: 1, maxClientCost: 3 });
    const stream = await connect(port);
    await stream.post('a', changes);
    await until(() => bus.listeners() === 1);
    const busy = await stream.post('b', stores);
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '1']);
    await stream.stop('a');
    await until(() => bus.listeners() === 0);
    let reply = busy;
    while (reply.body.includes('maxClientRequests')) reply = await stream.post('c', stores);
    expect(reply.status).toBe(202);
    await stream.ended('c');
    while (reply.status === 202 || reply.body.includes('maxClientRequests'))
      reply = await stream.post('d', stores);
    expect(reply.body).toContain('maxClientCost');
  });

  test('a stream that is not opened in time expires, with its operations', async () => {
    const { port, bus, gateway } = await start({}, fullAccess, { receiveTimeoutMs: 1000 });
    const token = await reserve(port);
    const headers = { ...json, 'x-graphql-event-stream-token': token };
    const body = JSON.stringify({ query: changes, extensions: { operationId: 'a' } });
    await send(port, { method: 'POST', headers, body });
    await until(() => bus.listeners() === 1);
    await until(() => bus.listeners() === 0);
    expect((await open(port, token)).status).toBe(404);
    await until(() => gateway.memory.stats().heldBytes === 0);
  });
});

describe('the end of streams', () => {
  test('a client that disconnects ends its operations and releases its memory', async () => {
    const { port, bus, gateway, log } = await start();
    const stream = await connect(port);
    await stream.post('a', changes);
    await until(() => bus.listeners() === 1);
    stream.leave();
    await until(() => bus.listeners() === 0 && gateway.memory.stats().heldBytes === 0);
    expect((await open(port, stream.token)).status).toBe(404);
    expect(log).toContainEqual(expect.objectContaining({ method: 'GET', aborted: true }));
  });

  test('a token that expires ends the stream that it opened', async () => {
    const expires = new Date(Date.now() + 1500).toISOString();
    const { url } = await realGateway(
      { shared: { 'zarr.json': group() } },
      { auth: parseConfig({ auth: { ...auth, tokens: [tokenOf('short', ['all'], expires)] } }).auth },
    );
    const port = Number(new URL(url).port);
    const stream = await connect(port, { authorization: 'Bearer short-secret' });
    await stream.post('a', 'subscription { changes(store: "shared") { path } }');
    await until(stream.closed);
    expect(stream.events).toEqual([]);
  });

  test('a shutdown ends idle streams, and others when their operations have ended', async () => {
    const { port, bus, gateway, server } = await start();
    const [idle, busy, unopened] = [await connect(port), await connect(port), await reserve(port)];
    await busy.post('a', changes);
    await until(() => bus.listeners() === 1);
    const closing = server.close();
    await until(idle.closed);
    expect(busy.closed()).toBe(false);
    gateway.endStreams();
    expect(await busy.ended('a')).toEqual([{ event: 'complete', data: { id: 'a' } }]);
    await until(busy.closed);
    await closing;
    expect(unopened).toHaveLength(43);
  });

  test('a shutdown ends operations that do not finish in time', async () => {
    const { port, bus, server } = await start({}, fullAccess, { drainTimeoutMs: 20 });
    const stream = await connect(port);
    await stream.post('a', changes);
    await until(() => bus.listeners() === 1);
    await server.close();
    await until(() => stream.closed() && bus.listeners() === 0);
    expect(stream.events).toEqual([]);
  });

  test('memory stays bounded for a client that does not read', async () => {
    const { port, bus, gateway, log } = await start({}, fullAccess, {
      idleTimeoutMs: 1000,
      maxBodyBytes: 10_000,
    });
    const stream = await connect(port);
    await stream.post('a', changes);
    await until(() => bus.listeners() === 1);
    stream.pause();
    for (let i = 0; i < 900; i++)
      bus.publish({ store: 'm', kind: 'updated', path: `/${'x'.repeat(50_000)}` });
    await until(() => log.some(({ kind, aborted }) => kind === 'subscription' && aborted === true));
    await until(() => bus.listeners() === 0 && gateway.memory.stats().heldBytes === 0);
    expect(stream.events.length).toBeLessThan(900);
  });
});
