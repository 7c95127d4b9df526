import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { ask, serve, until, type Fetch } from './serving.js';

const ok: Fetch = async () => Response.json({ data: { a: 1 } });

// The trap: a balancer that learns of the end by refused connections has already lost requests.
test('an end that is announced turns readiness first; new connections are served, and closed', async () => {
  const { port, server } = await serve(ok);
  const agent = new Agent({ keepAlive: true });
  const kept = await ask(port, { agent });
  expect(kept.headers.connection).toBe('keep-alive');
  const announced = server.announceEnd(3_600_000);
  expect(await ask(port, { path: '/readyz' })).toMatchObject({ status: 503, body: 'draining\n' });
  for (const asked of [{}, { agent }, { path: '/livez' }])
    expect(await ask(port, asked)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await server.close();
  // It does not outlast the close that it announces.
  await announced;
  await expect(ask(port)).rejects.toThrow(/ECONNREFUSED/);
});

test('an announced end lasts for the delay', async () => {
  const { port, server } = await serve(ok);
  await server.announceEnd(1);
  expect(await ask(port, { path: '/readyz' })).toMatchObject({ status: 503 });
});

test('closing lets requests under way end, and takes no new ones', async () => {
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
  await new Promise((resolve) => setImmediate(resolve));
  await expect(ask(port, { path: '/readyz' })).rejects.toThrow(/ECONNREFUSED/);
  answerNow();
  expect(await answer).toMatchObject({ status: 200, body: '{"late":true}' });
  await closed;
});

test('closing cuts off what does not end in time', async () => {
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
