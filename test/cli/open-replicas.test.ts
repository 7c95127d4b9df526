/** Gateways whose Redis is absent, silent, or rejects the password: requests are answered, and the state is shown. */
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startRedis } from '../setup/redis.js';
import { serveStores } from './running.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

const stores = ['--store', 'coads=examples/data/coads.zarr', '--store', 'm=memory:', '--allow-write', 'm'];
const limits = ['--max-client-cost', '100000', '--redis-timeout-ms', '200'];

async function serve(redis: string, env: Readonly<Record<string, string>> = {}) {
  const running = await serveStores([...stores, ...limits, '--redis', redis], env);
  const at = (path: string): Promise<string> =>
    fetch(new URL(path, running.address)).then((response) => response.text());
  const run = async (query: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query });
    return (await fetch(running.address, { method: 'POST', headers, body })).text();
  };
  return { ...running, at, run };
}

const read = '{ store(name: "coads") { array(path: "SST") { shape } } }';
const write = 'mutation { createGroup(input: { store: "m", path: "/g", zarrFormat: 3 }) { group { path } } }';

async function expectAnswersAlone(
  { at, run }: Awaited<ReturnType<typeof serve>>,
  reason: RegExp,
): Promise<void> {
  expect(await run(read)).toContain('"shape":[');
  expect(await run(write)).toContain('"path":"/g"');
  await vi.waitFor(async () => expect(await at('/readyz')).toMatch(reason), 10_000);
  const metrics = await at('/metrics');
  expect(metrics).toContain('zarrql_redis_up 0');
  expect(metrics).toMatch(/zarrql_redis_commands_total\{command="admit",outcome="skipped"\} \d/);
}

test('without a server', async () => {
  const gateway = await serve('redis://127.0.0.1:1');
  await expectAnswersAlone(gateway, /^ok, but Redis is unavailable \(unreachable\)/);
});

test('with a server that never replies', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const address = silent.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const gateway = await serve(`redis://127.0.0.1:${address.port}`);
  await expectAnswersAlone(gateway, /^ok, but Redis is unavailable \((timeout|unreachable)\)/);
});

describe.skipIf(!available)('with a server that requires a password', () => {
  test('a wrong one is shown as the reason, and logged nowhere; the right one works, also for links', async () => {
    const server = await startRedis({ own: true, args: ['--requirepass', 'right-secret'] });
    if ('missing' in server) throw new Error(server.missing);
    onTestFinished(() => server.stop());
    const wrong = await serve(server.url, { ZARRQL_REDIS_PASSWORD: 'wrong-secret' });
    await expectAnswersAlone(wrong, /^ok, but Redis is unavailable \(refused\)/);
    wrong.child.kill('SIGTERM');
    expect((await wrong.ended).stderr).not.toContain('secret');
    const right = [
      await serve(server.url, { ZARRQL_REDIS_PASSWORD: 'right-secret' }),
      await serve(server.url, { ZARRQL_REDIS_PASSWORD: 'right-secret' }),
    ];
    const [a, b] = right;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    expect(await a.at('/readyz')).toBe('ok\n');
    expect(await a.at('/metrics')).toContain('zarrql_redis_up 1');
    const link = await a.run(
      '{ store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 40, 60:62" }) { href(format: RAW) } } } }',
    );
    const href = /"href":"([^"]+)"/.exec(link)?.[1] ?? '';
    const file = await fetch(new URL(href, b.address));
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBe(8);
    // Redis is stopped while both are in use.
    server.pause();
    expect(await a.run(read)).toContain('"shape":[');
    await vi.waitFor(async () => expect(await a.at('/readyz')).toContain('Redis is unavailable'), 10_000);
    expect(await b.run(write)).toContain('"path":"/g"');
    server.resume();
    await vi.waitFor(async () => expect(await a.at('/readyz')).toBe('ok\n'), 15_000);
    for (const { child } of right) child.kill('SIGTERM');
    for (const { ended } of right) expect((await ended).stderr).not.toContain('secret');
  });
});
