/** GraphQL over WebSocket: the protocol, its limits, and the end of connections. */
import { describe, expect, test } from 'vitest';
import { fullAccess } from '../../../server/index.js';
import { parseConfig } from '../../../server/config.js';
import { auth, token } from '../access-rights.js';
import { group, realGateway } from '../real-gateway.js';
import { serve, takeTurns, until } from '../serving.js';
import { start } from '../sse-client.js';
import { connect, open } from './socket-client.js';

const stores = '{ stores { nodes { name } } }';
const changes = 'subscription { changes(store: "m") { kind path } }';
const create = (path: string) =>
  `mutation { createGroup(input: { store: "m", path: "${path}" }) { group { path } } }`;

describe('operations', () => {
  test('queries, mutations and subscriptions run over one connection', async () => {
    const { port, bus, log } = await start();
    const client = await open(port);
    client.subscribe('events', changes);
    await until(() => bus.listeners() === 1);
    client.subscribe('query', stores);
    expect(await client.ended('query')).toEqual([
      { id: 'query', type: 'next', payload: { data: { stores: { nodes: [{ name: 'm' }, { name: 'n' }] } } } },
      { id: 'query', type: 'complete' },
    ]);
    client.subscribe('mutation', create('a'));
    expect(await client.ended('mutation')).toMatchObject([
      { type: 'next', payload: { data: { createGroup: { group: { path: '/a' } } } } },
      { type: 'complete' },
    ]);
    await until(() => client.messages.filter(({ id }) => id === 'events').length === 2);
    expect(client.messages.filter(({ id }) => id === 'events')).toMatchObject([
      { type: 'next', payload: { data: { changes: { kind: 'CREATED', path: '/' } } } },
      { type: 'next', payload: { data: { changes: { kind: 'CREATED', path: '/a' } } } },
    ]);
    client.send({ id: 'events', type: 'complete' });
    await until(() => bus.listeners() === 0);
    await until(() => log.filter(({ method }) => method === 'WS').length === 3);
    expect(log.filter(({ method }) => method === 'WS')).toMatchObject([
      { kind: 'query', status: 200, path: '/graphql' },
      { kind: 'mutation', status: 200 },
      { kind: 'subscription', status: 499, aborted: true },
    ]);
  });

  test('an operation that is not executed gets an error message', async () => {
    const { port } = await start();
    const client = await open(port);
    client.subscribe('a', '{ unknown }');
    client.subscribe('b', '{ stores');
    client.send({ id: 'c', type: 'subscribe', payload: 7 });
    client.send({ id: 'd', type: 'subscribe', payload: { query: stores, unknown: 1 } });
    client.send({ id: 'e', type: 'subscribe' });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const [message, ...others] = await client.ended(id);
      expect(message).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'BAD_INPUT' } }] });
      expect(others).toEqual([]);
    }
    client.subscribe('a', stores);
    await until(() => client.messages.some(({ id, type }) => id === 'a' && type === 'complete'));
  });

  test('a failed field is part of the result', async () => {
    const { port } = await start();
    const client = await open(port);
    client.subscribe('a', '{ stores { nodes { name } } store(name: "x") { name } }');
    expect(await client.ended('a')).toMatchObject([
      { type: 'next', payload: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } },
      { type: 'complete' },
    ]);
  });

  test('integers beyond 2^53 in variables are rejected', async () => {
    const { port } = await start();
    const client = await open(port);
    client.send(
      '{"id":"a","type":"subscribe","payload":{"query":"{ stores { nodes { name } } }","variables":{"x":9007199254740993}}}',
    );
    expect(await client.closed).toMatchObject({
      code: 4400,
      reason: expect.stringContaining('9007199254740993'),
    });
  });

  test('a result of many megabytes arrives complete while others wait for their turn', async () => {
    const { port } = await start();
    const client = await open(port);
    client.subscribe(
      'make',
      'mutation { createArray(input: { store: "m", path: "big", shape: [600000], dtype: "float64", chunkShape: [100000] }) { array { path } } }',
    );
    await client.ended('make');
    client.subscribe('big', '{ store(name: "m") { array(path: "big") { slice { values } } } }');
    client.subscribe('small', stores);
    const [big] = await client.ended('big');
    expect(big?.payload.data.store.array.slice.values).toHaveLength(600_000);
    expect(await client.ended('small')).toHaveLength(2);
  });
});

describe('protocol', () => {
  const cases: [string, (object | string | Buffer)[], number][] = [
    ['text that is not JSON', ['{'], 4400],
    ['a list', ['[]'], 4400],
    ['an unknown type', [{ type: 'x' }], 4400],
    [
      'an operation before the initialisation',
      [{ id: '1', type: 'subscribe', payload: { query: stores } }],
      4401,
    ],
    ['a second initialisation', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
    ['a binary message', [Buffer.from('{"type":"connection_init"}')], 4400],
    [
      'a message above maxBodyBytes',
      [JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(1000) } })],
      1009,
    ],
  ];
  test.each(cases)('%s closes the connection', async (_name, messages, code) => {
    const { port } = await start();
    const client = await connect(port);
    for (const message of messages) {
      if (Buffer.isBuffer(message)) client.socket.send(message);
      else client.send(message);
    }
    expect(await client.closed).toMatchObject({ code });
  });

  test.each([
    ['a duplicate id', { id: 'a', type: 'subscribe', payload: { query: changes } }, 4409],
    ['an empty id', { id: '', type: 'subscribe', payload: { query: stores } }, 4400],
    ['a long id', { id: 'x'.repeat(201), type: 'subscribe', payload: { query: stores } }, 4400],
    ['an operation without an id', { type: 'subscribe', payload: { query: stores } }, 4400],
  ])('%s closes the connection and ends its operations', async (_name, message, code) => {
    const { port, bus } = await start();
    const client = await open(port);
    client.subscribe('a', changes);
    await until(() => bus.listeners() === 1);
    client.send(message);
    expect(await client.closed).toMatchObject({ code });
    await until(() => bus.listeners() === 0);
  });

  test('a ping gets a pong, before and after the initialisation', async () => {
    const { port } = await start();
    const client = await connect(port);
    client.send({ type: 'ping', payload: { a: 1 } });
    client.send({ type: 'connection_init' });
    client.send({ type: 'pong' });
    client.send({ type: 'ping' });
    await client.received(3);
    expect(client.messages.map(({ type }) => type).toSorted()).toEqual(['connection_ack', 'pong', 'pong']);
    const ponged = new Promise((resolve) => client.socket.on('pong', (data) => resolve(data.toString())));
    client.socket.ping('abc');
    expect(await ponged).toBe('abc');
  });

  test('a client that does not initialise is disconnected', async () => {
    const { port } = await start({}, fullAccess, { receiveTimeoutMs: 1000 });
    const client = await connect(port);
    expect(await client.closed).toMatchObject({ code: 4408 });
  });

  test('a client that does not respond to pings is disconnected', async () => {
    const { port, bus } = await start({}, fullAccess, { idleTimeoutMs: 4000 });
    const [silent, live] = [await open(port, undefined, { autoPong: false }), await open(port)];
    silent.subscribe('a', changes);
    live.subscribe('a', changes);
    await until(() => bus.listeners() === 2);
    expect(await silent.closed).toMatchObject({ code: 1006 });
    await until(() => bus.listeners() === 1);
    live.subscribe('b', stores);
    expect(await live.ended('b')).toHaveLength(2);
  });
});

describe('limits', () => {
  test('of operations per connection', async () => {
    const { port, bus } = await start({}, fullAccess, { maxConnectionOperations: 2 });
    const client = await open(port);
    for (const id of ['a', 'b', 'c']) client.subscribe(id, changes);
    expect(await client.ended('c')).toMatchObject([
      {
        type: 'error',
        payload: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxConnectionOperations' } }],
      },
    ]);
    await until(() => bus.listeners() === 2);
    client.send({ id: 'a', type: 'complete' });
    await until(() => bus.listeners() === 1);
    client.subscribe('d', stores);
    expect(await client.ended('d')).toHaveLength(2);
  });

  test('of connections per client', async () => {
    const { port } = await start({}, fullAccess, { maxClientConnections: 2 });
    const [first] = [await open(port), await open(port)];
    await expect(connect(port)).rejects.toThrow(/^429 .*maxClientConnections/);
    first?.socket.close();
    await first?.closed;
    await takeTurns(port, 3);
    await open(port);
  });

  test('of subscriptions, requests and cost per client are those of requests', async () => {
    const { port } = await start({ maxClientSubscriptions: 1 }, fullAccess, {
      maxClientRequests: 2,
      maxClientCost: 4,
    });
    const client = await open(port);
    client.subscribe('a', changes);
    client.subscribe('b', changes);
    expect(await client.ended('b')).toMatchObject([
      { type: 'error', payload: [{ extensions: { limit: 'maxClientSubscriptions' } }] },
    ]);
    client.subscribe('c', changes);
    client.subscribe('d', stores);
    expect(await client.ended('d')).toMatchObject([
      { type: 'error', payload: [{ extensions: { limit: 'maxClientRequests' } }] },
    ]);
    await client.ended('c');
    client.subscribe('e', stores);
    await client.ended('e');
    client.subscribe('f', stores);
    expect(await client.ended('f')).toMatchObject([
      {
        type: 'error',
        payload: [{ extensions: { limit: 'maxClientCost', retryAfterSeconds: expect.any(Number) } }],
      },
    ]);
  });

  test('of memory: it is released when an operation has ended', async () => {
    const { port, gateway } = await start();
    const client = await open(port);
    const before = gateway.memory.stats().heldBytes;
    client.subscribe('a', stores);
    await client.ended('a');
    await until(() => gateway.memory.stats().heldBytes === before);
    expect(before).toBeGreaterThan(0);
  });
});

describe('access', () => {
  const files = { 'zarr.json': group() };
  async function secured(more: object = {}) {
    const { url, log } = await realGateway(
      { shared: files, hidden: files },
      { auth: parseConfig({ auth: { ...auth, ...more } }).auth },
    );
    return { port: Number(new URL(url).port), log };
  }

  test.each([
    ['the payload', { authorization: 'Bearer reader-secret' }, {}],
    ['the payload, in headers', { headers: { Authorization: 'Bearer reader-secret' } }, {}],
    ['the handshake', undefined, { headers: { authorization: 'Bearer reader-secret' } }],
    [
      'the payload, instead of that of the handshake',
      { authorization: 'Bearer reader-secret' },
      { headers: { authorization: 'Bearer guess' } },
    ],
  ])('by a token in %s', async (_name, payload, options) => {
    const { port, log } = await secured();
    const client = await open(port, payload, options);
    client.subscribe('a', stores);
    expect(await client.ended('a')).toMatchObject([
      { payload: { data: { stores: { nodes: [{ name: 'shared' }] } } } },
      { type: 'complete' },
    ]);
    await until(() => log.some(({ method }) => method === 'WS'));
    expect(log.find(({ method }) => method === 'WS')).toMatchObject({ caller: 'reader' });
    expect(JSON.stringify(log)).not.toContain('secret');
  });

  test.each([
    ['no token', undefined],
    ['an unknown one', { authorization: 'Bearer guess' }],
    ['an expired one', { authorization: 'Bearer old-secret' }],
  ])('%s closes the connection', async (_name, payload) => {
    const { port } = await secured();
    const client = await connect(port);
    client.send({ type: 'connection_init', payload });
    client.subscribe('a', stores);
    const { code } = await client.closed;
    expect([4401, 4403]).toContain(code);
    expect(client.messages).toEqual([]);
  });

  test('the anonymous role needs no token', async () => {
    const { port } = await secured({ anonymous: ['public'] });
    const client = await open(port);
    client.subscribe('a', stores);
    expect(await client.ended('a')).toHaveLength(2);
  });

  test('a connection ends when its token expires', async () => {
    const expires = new Date(Date.now() + 1500).toISOString();
    const { port } = await secured({ tokens: [token('short', ['all'], expires)] });
    const client = await open(port, { authorization: 'Bearer short-secret' });
    client.subscribe('a', 'subscription { changes(store: "shared") { path } }');
    expect(await client.closed).toEqual({ code: 4403, reason: 'the token has expired' });
  });
});

describe('the end of connections', () => {
  test('a client that disconnects ends its operations and releases its memory', async () => {
    const { port, gateway, bus, log, metrics } = await start();
    const client = await open(port);
    client.subscribe('a', changes);
    await until(() => bus.listeners() === 1);
    expect(await metrics.text()).toMatch(/zarrql_websockets_open 1\n/);
    client.socket.terminate();
    await until(() => bus.listeners() === 0 && log.some(({ status }) => status === 101));
    expect(gateway.memory.stats().heldBytes).toBe(0);
    expect(await metrics.text()).toMatch(
      /zarrql_websockets_open 0\n[^]*requests_total\{route="\/graphql",method="GET",status="101"\} 1|requests_total\{route="\/graphql",method="GET",status="101"\} 1[^]*zarrql_websockets_open 0\n/,
    );
  });

  test('a shutdown closes idle connections, and others when their operations have ended', async () => {
    const { port, gateway, server, bus } = await start();
    const [idle, busy] = [await open(port), await open(port)];
    busy.subscribe('a', changes);
    await until(() => bus.listeners() === 1);
    const closing = server.close();
    expect(await idle.closed).toMatchObject({ code: 1001 });
    busy.subscribe('b', stores);
    expect(await busy.ended('b')).toMatchObject([
      { type: 'error', payload: [{ extensions: { code: 'ABORTED' } }] },
    ]);
    gateway.endStreams();
    expect(await busy.ended('a')).toEqual([{ id: 'a', type: 'complete' }]);
    expect(await busy.closed).toMatchObject({ code: 1001 });
    await closing;
  });

  test('a shutdown ends operations that do not finish in time', async () => {
    const { port, server, bus } = await start({}, fullAccess, { drainTimeoutMs: 20 });
    const client = await open(port);
    client.subscribe('a', changes);
    await until(() => bus.listeners() === 1);
    await server.close();
    expect(await client.closed).toMatchObject({ code: 1006 });
    await until(() => bus.listeners() === 0);
  });

  test('a client that does not read is disconnected, and is not read from', async () => {
    const { port, bus, gateway, log } = await start({}, fullAccess, { idleTimeoutMs: 1000 });
    const idle = await open(port);
    idle.subscribe('a', changes);
    await until(() => bus.listeners() === 1);
    idle.socket.pause();
    for (let i = 0; i < 900; i++)
      bus.publish({ store: 'm', kind: 'updated', path: `/${'x'.repeat(50_000)}` });
    for (let i = 0; i < 50_000; i++) idle.send({ type: 'ping' });
    await until(() => log.some(({ kind, aborted }) => kind === 'subscription' && aborted === true));
    await until(() => bus.listeners() === 0 && gateway.memory.stats().heldBytes === 0);
    expect(idle.socket.isPaused).toBe(true);
  });

  test('nothing is read from a client that does not read, and its operations continue when it does', async () => {
    const { port, gateway, log } = await start({}, fullAccess, { maxBodyBytes: 20_000 });
    const client = await open(port);
    client.subscribe(
      'make',
      'mutation { createArray(input: { store: "m", path: "big", shape: [600000], dtype: "float64", chunkShape: [100000] }) { array { path } } }',
    );
    await client.ended('make');
    client.socket.pause();
    const results = 20;
    for (let i = 0; i < results; i++)
      client.subscribe(
        `big${i}`,
        '{ store(name: "m") { array(path: "big") { slice { base64 { data } } } } }',
      );
    // The first results fill the buffers of the connection.
    await until(() => gateway.memory.stats().heldBytes > 2 ** 20);
    await takeTurns(port);
    const ping = { type: 'ping', payload: 'x'.repeat(10_000) };
    for (let i = 0; i < 3000; i++) client.send(ping);
    await takeTurns(port);
    const [unread, held] = [client.socket.bufferedAmount, gateway.memory.stats().heldBytes];
    await takeTurns(port);
    expect(unread).toBeGreaterThan(2 ** 20);
    expect(client.socket.bufferedAmount).toBe(unread);
    expect(gateway.memory.stats().heldBytes).toBe(held);
    expect(held).toBeLessThan(gateway.memory.stats().maxBytes);
    const ended = (): number => log.filter(({ method, kind }) => method === 'WS' && kind === 'query').length;
    expect(ended()).toBeLessThan(results);
    client.socket.resume();
    await until(() => ended() === results && client.socket.bufferedAmount === 0);
    expect(client.messages.filter(({ type }) => type === 'complete')).toHaveLength(results + 1);
  });

  test('an operation that exceeds its time limit gets an error', async () => {
    const { port } = await serve(
      async () => Response.json({}),
      { requestTimeoutMs: 20 },
      {
        handleMessage: (_request) => new Promise(() => {}),
      },
    );
    const client = await open(port);
    client.subscribe('a', stores);
    expect(await client.ended('a')).toMatchObject([
      { type: 'error', payload: [{ extensions: { code: 'ABORTED' } }] },
    ]);
  });

  test('a partial message counts against the memory budget', async () => {
    const { port, gateway } = await start({}, fullAccess, { maxBodyBytes: 2 ** 20 });
    const client = await open(port);
    const before = gateway.memory.stats().heldBytes;
    client.socket.send('x'.repeat(300_000), { fin: false });
    await until(() => gateway.memory.stats().heldBytes >= before + 300_000);
    expect(client.messages).toEqual([]);
    client.socket.terminate();
    await until(() => gateway.memory.stats().heldBytes === 0);
  });
});
