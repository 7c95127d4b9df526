/** Subscriptions over HTTP, as used by browsers and programs. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Gateway, fullAccess } from '../../server/index.js';
import { execute } from '../resolvers/gateway-client.js';
import { until, send } from './serving.js';
import { type Events, openEvents, start } from './sse-client.js';

async function change(gateway: Gateway, fields: string): Promise<void> {
  const { errors } = await execute(gateway, `mutation { ${fields} }`);
  expect(errors).toEqual([]);
}

const make = (path: string, more = 'shape: [4], dtype: "int64"') =>
  `createArray(input: { store: "m", path: "${path}", ${more} }) { array { path } }`;

function changesOf({ events }: Events): unknown[] {
  return events.filter(({ event }) => event === 'next').map(({ data }) => JSON.parse(data).data?.changes);
}

describe('in parts, as Apollo Client reads them', () => {
  const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';
  const subscription = 'subscription { changes(store: "m") { kind path } }';

  async function post(
    port: number,
    query: string,
    signal: AbortSignal,
    accepted = accept,
  ): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: accepted },
      body: JSON.stringify({ query }),
      signal,
    });
  }

  test('each event is the payload of a part, and an idle stream has empty parts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port, gateway, bus } = await start();
    const response = await post(port, subscription, new AbortController().signal);
    expect(response.headers.get('content-type')).toBe(
      'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
    );
    while (bus.listeners() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(12_000);
    await change(gateway, make('a'));
    gateway.endStreams();
    const parts = (await response.text()).split('\r\n--graphql');
    expect(parts.at(0)).toBe('');
    expect(parts.at(-1)).toBe('--\r\n');
    const bodies = parts.slice(1, -1).map((part) => {
      const [head, body = ''] = part.split('\r\n\r\n');
      expect(head).toBe('\r\nContent-Type: application/json; charset=utf-8');
      return JSON.parse(body);
    });
    expect(bodies).toEqual([
      {},
      { payload: { data: { changes: { kind: 'CREATED', path: '/' } } } },
      { payload: { data: { changes: { kind: 'CREATED', path: '/a' } } } },
    ]);
  });

  test('a client that leaves ends the subscription', async () => {
    const { port, bus, gateway } = await start();
    const controller = new AbortController();
    expect((await post(port, subscription, controller.signal)).status).toBe(200);
    await until(() => bus.listeners() === 1);
    controller.abort();
    await until(() => bus.listeners() === 0 && gateway.memory.stats().heldBytes === 0);
  });

  test('an invalid document and a query get a single result', async () => {
    const { port } = await start();
    const { signal } = new AbortController();
    const invalid = await post(port, 'subscription { unknown }', signal);
    expect(invalid.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await invalid.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_INPUT' } }] });
    const query = '{ stores { nodes { name } } }';
    const only = await post(port, query, signal, 'multipart/mixed;subscriptionSpec=1.0');
    expect(await only.text()).toContain('\r\n\r\n{"payload":{"data":{"stores"');
  });

  test.each([
    'multipart/mixed',
    'multipart/mixed;subscriptionSpec=2.0',
    'multipart/mixed;incrementalSpec=v0.2',
  ])('not for %s', async (accepted) => {
    const { port } = await start();
    const response = await post(port, subscription, new AbortController().signal, accepted);
    expect(response.status).toBe(406);
    expect(await response.text()).toContain('subscriptionSpec=1.0');
  });
});

describe('changes', () => {
  test('two subscribers receive the changes of a third client, once and in order', async () => {
    const { port, gateway } = await start();
    const document =
      'subscription { changes(store: "m") { kind path ... on DataChange { region { start stop } } } }';
    const subscribers = await Promise.all([
      openEvents(port, document),
      openEvents(port, document, { method: 'GET' }),
    ]);
    await change(
      gateway,
      `a: ${make('g/a')}
       b: writeSlice(input: { store: "m", path: "g/a", select: { text: "-1:0:-2" }, values: 7 }) { chunksWritten }
       c: appendToArray(input: { store: "m", path: "g/a", values: [1, 2] }) { array { shape } }
       d: resizeArray(input: { store: "m", path: "g/a", shape: [2] }) { array { shape } }
       e: setAttributes(input: { store: "m", path: "g/a", set: { a: 1 } }) { node { path } }
       f: ${make('g/a', 'shape: [2], dtype: "int64", ifExists: KEEP')}
       g: ${make('g/a', 'shape: [1], dtype: "int8", ifExists: REPLACE')}
       h: consolidateMetadata(input: { store: "m" }) { group { path } }
       i: deleteNode(input: { store: "m", path: "g", recursive: true }) { path }
       j: createGroup(input: { store: "n" }) { group { path } }`,
    );
    const expected = [
      { kind: 'CREATED', path: '/' },
      { kind: 'CREATED', path: '/g' },
      { kind: 'CREATED', path: '/g/a' },
      { kind: 'DATA', path: '/g/a', region: [{ start: 1, stop: 4 }] },
      { kind: 'RESIZED', path: '/g/a' },
      { kind: 'DATA', path: '/g/a', region: [{ start: 4, stop: 6 }] },
      { kind: 'RESIZED', path: '/g/a' },
      { kind: 'UPDATED', path: '/g/a' },
      { kind: 'DELETED', path: '/g/a' },
      { kind: 'CREATED', path: '/g/a' },
      { kind: 'UPDATED', path: '/' },
      { kind: 'DELETED', path: '/g' },
    ];
    for (const subscriber of subscribers) {
      await until(() => subscriber.events.length >= expected.length);
      expect(changesOf(subscriber)).toEqual(expected);
      expect(subscriber.incoming.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': expect.stringContaining('no-store'),
        vary: expect.stringContaining('Accept'),
      });
    }
  });

  test('an event contains the current node with exact values of int64', async () => {
    const { port, gateway } = await start();
    await change(gateway, make('a'));
    const subscriber = await openEvents(
      port,
      `subscription { changes(store: "m", path: "a") { kind node { version ... on ZarrArray { shape slice { values } } } } }`,
    );
    const seen: unknown[] = [];
    for (const value of ['9007199254740993', '-9223372036854775808', '5']) {
      await change(
        gateway,
        `writeSlice(input: { store: "m", path: "a", values: "${value}" }) { chunksWritten }`,
      );
      seen.push([value, value, value, value]);
      await until(() => subscriber.events.length >= seen.length);
    }
    await change(gateway, 'resizeArray(input: { store: "m", path: "a", shape: [1] }) { array { path } }');
    await until(() => subscriber.events.length >= 4);
    expect(changesOf(subscriber).map((one) => (one as { node: { slice: unknown } }).node.slice)).toEqual(
      [...seen, ['5']].map((values) => ({ values })),
    );
    const versions = changesOf(subscriber).map((one) => (one as { node: { version: unknown } }).node.version);
    expect(new Set(versions).size).toBe(2);
  });

  test('each event has the limits of one request', async () => {
    const { port, gateway } = await start({ limits: { maxChunks: 1 } });
    await change(gateway, make('a'));
    const subscriber = await openEvents(
      port,
      'subscription { changes(store: "m") { node { ... on ZarrArray { slice { values } } } } }',
    );
    for (let i = 1; i <= 3; i++) {
      await change(gateway, `writeSlice(input: { store: "m", path: "a", values: ${i} }) { chunksWritten }`);
      await until(() => subscriber.events.length >= i);
    }
    expect(subscriber.events.map(({ data }) => JSON.parse(data).errors)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('of one node include those of its descendants and parents', async () => {
    const { port, gateway, bus } = await start();
    const subscriber = await openEvents(
      port,
      'subscription { changes(store: "m", path: "g/a") { kind path node { path } } }',
    );
    await until(() => bus.listeners() === 1);
    await change(gateway, `a: ${make('g/ab')} b: ${make('g/a')} c: ${make('b')}`);
    await change(gateway, 'deleteNode(input: { store: "m", path: "b" }) { path }');
    await change(gateway, 'deleteNode(input: { store: "m", path: "g", recursive: true }) { path }');
    await change(gateway, 'createGroup(input: { store: "m", path: "g/a/x" }) { group { path } }');
    await until(() => subscriber.events.length >= 4);
    // Does not compare the node of the DELETED event, which may have been recreated before the event is resolved.
    expect(changesOf(subscriber)).toMatchObject([
      { kind: 'CREATED', path: '/g/a' },
      { kind: 'DELETED', path: '/g/a' },
      { kind: 'CREATED', path: '/g/a', node: { path: '/g/a' } },
      { kind: 'CREATED', path: '/g/a/x', node: { path: '/g/a/x' } },
    ]);
  });

  test('an unknown store and an invalid path are errors that end the stream', async () => {
    const { port, bus } = await start();
    for (const [field, code] of [
      ['changes(store: "x")', 'NOT_FOUND'],
      ['changes(store: "m", path: "a//b")', 'BAD_INPUT'],
    ] as const) {
      const { events, closed } = await openEvents(port, `subscription { ${field} { kind } }`);
      await closed;
      expect(events.map(({ event }) => event)).toEqual(['next', 'complete']);
      expect(JSON.parse(events[0]?.data ?? '').errors[0].extensions.code).toBe(code);
    }
    expect(bus.listeners()).toBe(0);
  });

  test('only of readable nodes, while they are readable', async () => {
    let allowed = true;
    const mayRead = (store: string, path: string) => store === 'm' && allowed && path !== '/secret';
    const { port, gateway, bus } = await start(
      {},
      { mayRead, mayEnter: () => allowed, mayWrite: () => false },
    );
    const subscriber = await openEvents(port, 'subscription { changes(store: "m") { path } }');
    await until(() => bus.listeners() === 1);
    await change(gateway, `a: ${make('secret')} b: ${make('open')}`);
    await until(() => subscriber.events.length >= 2);
    expect(changesOf(subscriber)).toEqual([{ path: '/' }, { path: '/open' }]);
    allowed = false;
    await change(gateway, make('more'));
    await subscriber.closed;
    expect(subscriber.events.slice(2).map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(JSON.parse(subscriber.events[2]?.data ?? '').errors[0].extensions.code).toBe('NOT_FOUND');
    expect(bus.listeners()).toBe(0);
  });
});

describe('streams', () => {
  const document = 'subscription { changes(store: "m") { kind path } }';

  test('a subscriber that stops reading is dropped, and the others continue', async () => {
    const { port, bus } = await start();
    const [idle, busy] = [await openEvents(port, document), await openEvents(port, document)];
    await until(() => bus.listeners() === 2);
    idle.incoming.pause();
    const path = `/${'x'.repeat(50_000)}`;
    let sent = 0;
    while (bus.listeners() === 2) {
      for (let i = 0; i < 50; i++) bus.publish({ store: 'm', kind: 'updated', path });
      sent += 50;
      await until(() => busy.events.length === sent);
    }
    expect(bus.listeners()).toBe(1);
    idle.incoming.resume();
    await idle.closed;
    const [last, end] = idle.events.slice(-2);
    expect(end?.event).toBe('complete');
    expect(JSON.parse(last?.data ?? '').errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxWaitingChanges',
    });
    expect(idle.events.length).toBeLessThan(sent);
    bus.publish({ store: 'm', kind: 'updated', path: '/last' });
    await until(() => busy.events.length > sent);
  });

  test('a connection whose client does not read is closed', async () => {
    const { port, bus, log } = await start({}, fullAccess, { idleTimeoutMs: 1000 });
    const idle = await openEvents(port, document);
    await until(() => bus.listeners() === 1);
    idle.incoming.pause();
    // Exceeds the system's buffers of a connection.
    for (let i = 0; i < 900; i++)
      bus.publish({ store: 'm', kind: 'updated', path: `/${'x'.repeat(50_000)}` });
    await until(() => log.some(({ msg, aborted }) => msg === 'request' && aborted === true));
    await until(() => bus.listeners() === 0);
    expect(idle.incoming.isPaused()).toBe(true);
  });

  test('subscribers that disconnect are removed', async () => {
    const { port, bus } = await start();
    const subscribers = await Promise.all([
      openEvents(port, document),
      openEvents(port, document, { method: 'GET' }),
    ]);
    await until(() => bus.listeners() === 2);
    for (const subscriber of subscribers) subscriber.leave();
    await until(() => bus.listeners() === 0);
    expect(subscribers.map(({ events }) => events)).toEqual([[], []]);
  });

  test('a gateway that shuts down completes streams and accepts no new ones', async () => {
    const { port, gateway, bus, server } = await start();
    const subscriber = await openEvents(port, document);
    await until(() => bus.listeners() === 1);
    gateway.endStreams();
    const closing = server.close();
    await subscriber.closed;
    expect(subscriber.events.at(-1)).toEqual({ event: 'complete', data: '' });
    await closing;
    const late = await gateway.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: document }),
      }),
      fullAccess,
    );
    expect(await late.text()).toBe(':\n\nevent: complete\ndata: \n\n');
    expect(bus.listeners()).toBe(0);
  });

  test('start immediately, before the first event', async () => {
    const { port } = await start();
    const subscriber = await openEvents(port, document, { accept: '*/*' });
    await until(() => subscriber.comments() > 0);
    expect(subscriber.events).toEqual([]);
  });

  test('clients that do not accept events get an error', async () => {
    const { port, bus } = await start();
    const { status, body } = await send(port, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: document }),
    });
    expect(status).toBe(406);
    expect(JSON.parse(body).errors[0].message).toContain('"Accept: text/event-stream"');
    await until(() => bus.listeners() === 0);
  });

  test('the response to a query can be a stream of events', async () => {
    const { port } = await start();
    const { incoming, events, closed } = await openEvents(port, '{ stores { nodes { name } } }');
    await closed;
    expect(incoming.statusCode).toBe(200);
    expect(events).toEqual([
      { event: 'next', data: '{"data":{"stores":{"nodes":[{"name":"m"},{"name":"n"}]}}}' },
      { event: 'complete', data: '' },
    ]);
  });
});
