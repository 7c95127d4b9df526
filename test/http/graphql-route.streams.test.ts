/** Streams of events over HTTP: formats, termination and limits. */
import { describe, expect, test } from 'vitest';
import { fullAccess } from '../../server/index.js';
import { ask as askPlain, until } from './serving.js';
import { openEvents } from './sse-client.js';
import { start } from './subscribing.js';

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

  test('a connection without reads is closed eventually', async () => {
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

  test('a gateway that shuts down completes them and accepts no new ones', async () => {
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
    const { status, body } = await askPlain(port, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: document }),
    });
    expect(status).toBe(406);
    expect(JSON.parse(body).errors[0].message).toContain('"Accept: text/event-stream"');
    await until(() => bus.listeners() === 0);
  });

  test('queries can be sent as events', async () => {
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
