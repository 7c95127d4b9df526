import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { requestText } from './raw.js';
import { ask, serve, until, type Fetch } from './serving.js';

const ok: Fetch = async () => Response.json({ data: { a: 1 } });

// If a load balancer detects a shutdown only by refused connections, requests have already failed.
test('an announced shutdown turns readiness off first; new connections are served and closed', async () => {
  const { port, server, log } = await serve(ok);
  const agent = new Agent({ keepAlive: true });
  const kept = await ask(port, { agent });
  expect(kept.headers.connection).toBe('keep-alive');
  const announced = server.announceEnd(3_600_000);
  expect(await ask(port, { path: '/readyz' })).toMatchObject({ status: 503, body: 'draining\n' });
  for (const asked of [{}, { agent }, { path: '/livez' }])
    expect(await ask(port, asked)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await server.close();
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  // The delay ends when `close` is called again.
  await announced;
  await expect(ask(port)).rejects.toThrow(/ECONNREFUSED/);
});

test('an announced shutdown waits for the delay', async () => {
  const { port, server } = await serve(ok);
  await server.announceEnd(1);
  expect(await ask(port, { path: '/readyz' })).toMatchObject({ status: 503 });
});

test('closing lets requests in flight finish and accepts no new ones', async () => {
  let answerNow = (): void => {};
  let asked = false;
  const { port, server } = await serve(
    () =>
      new Promise((resolve) => {
        asked = true;
        answerNow = () => {
          resolve(Response.json({ late: true }));
        };
      }),
  );
  const answer = ask(port);
  await until(() => asked);
  const closed = server.close();
  const isServed = (): Promise<boolean> =>
    ask(port, { path: '/readyz' }).then(
      () => true,
      () => false,
    );
  while (await isServed());
  await expect(ask(port, { path: '/readyz' })).rejects.toThrow(/ECONNREFUSED/);
  answerNow();
  expect(await answer).toMatchObject({ status: 200, body: '{"late":true}' });
  await closed;
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
  const failure = ask(port).catch((error: unknown) => String(error));
  await until(() => signals.length > 0);
  await server.close();
  expect(signals[0]?.aborted).toBe(true);
  expect(await failure).toMatch(/hang up|ECONNRESET/);
});
