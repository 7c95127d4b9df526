import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { send, serve, until, type Fetch, requestText } from './serving.js';

const ok: Fetch = async () => Response.json({ data: { a: 1 } });

// If a load balancer detects a shutdown only by refused connections, requests have already failed.
test('an announced shutdown turns readiness off first; new connections are served and closed', async () => {
  const { port, server, log } = await serve(ok);
  const agent = new Agent({ keepAlive: true });
  const kept = await send(port, { agent });
  expect(kept.headers.connection).toBe('keep-alive');
  const announced = server.announceEnd(3_600_000);
  expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 503, body: 'draining\n' });
  for (const sent of [{}, { agent }, { path: '/livez' }])
    expect(await send(port, sent)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await server.close();
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  // `close` ends the delay.
  await announced;
  await expect(send(port)).rejects.toThrow(/ECONNREFUSED/);
});

test('after the delay of an announced shutdown, readiness is still off', async () => {
  const { port, server } = await serve(ok);
  await server.announceEnd(1);
  expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 503 });
});

test('closing lets requests in flight finish and accepts no new ones', async () => {
  let respondNow = (): void => {};
  let sent = false;
  const { port, server } = await serve(
    () =>
      new Promise((resolve) => {
        sent = true;
        respondNow = () => {
          resolve(Response.json({ late: true }));
        };
      }),
  );
  const response = send(port);
  await until(() => sent);
  const closed = server.close();
  const isServed = (): Promise<boolean> =>
    send(port, { path: '/readyz' }).then(
      () => true,
      () => false,
    );
  while (await isServed());
  await expect(send(port, { path: '/readyz' })).rejects.toThrow(/ECONNREFUSED/);
  respondNow();
  expect(await response).toMatchObject({ status: 200, body: '{"late":true}' });
  await closed;
});

// Regression: browsers open connections in advance, and Ctrl-C waited for drainTimeoutMs.
test('a connection that has sent nothing does not delay the close', async () => {
  const { port, server } = await serve(ok, { drainTimeoutMs: 3_600_000 });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  expect(await send(port)).toMatchObject({ status: 200 });
  const ended = once(socket, 'close');
  await server.close();
  await ended;
});

// A connection waiting to be accepted is reset when the listening socket is closed.
test('connections that were established before the close are served', async () => {
  const { port, server } = await serve(ok);
  const sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1'));
  const received = sockets.map(async (socket) => {
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    await once(socket, 'close');
    return text;
  });
  const established = Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(requestText('/graphql'));
  await established;
  await server.close();
  for (const text of await Promise.all(received)) expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

test('closing aborts requests that do not finish in time', async () => {
  const signals: AbortSignal[] = [];
  const { port, server } = await serve(
    (request) => {
      signals.push(request.signal);
      return new Promise(() => {});
    },
    { drainTimeoutMs: 20 },
  );
  const failure = send(port).catch((error: unknown) => String(error));
  await until(() => signals.length > 0);
  await server.close();
  expect(signals[0]?.aborted).toBe(true);
  expect(await failure).toMatch(/hang up|ECONNRESET/);
});
