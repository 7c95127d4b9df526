/** The connection to a real Redis server that is killed, stopped, full, read-only, or rejects the password. */
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectRedis, type RedisConnection } from '../../server/redis/connection.js';
import { RedisError } from '../../server/redis/redis-error.js';
import { redisScript } from '../../server/redis/script.js';
import { startRedis, type RedisServerOptions } from '../setup/redis.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

async function server(options: RedisServerOptions = {}) {
  const started = await startRedis({ own: true, ...options });
  if ('missing' in started) throw new Error(started.missing);
  onTestFinished(() => started.stop());
  return started;
}

const logged: string[] = [];
const outcomes: string[] = [];
afterEach(() => {
  logged.length = 0;
  outcomes.length = 0;
});

async function connected(url: string, options: { password?: string; timeoutMs?: number } = {}) {
  const redis = await connectRedis(
    { url, prefix: 'test', timeoutMs: 300, ...options },
    {
      metrics: { ignored() {}, ended: (command, outcome) => outcomes.push(`${command} ${outcome}`) },
      log: {
        info: (details, message) => logged.push(`${JSON.stringify(details)} ${message}`),
        warn: (details, message) => logged.push(`${JSON.stringify(details)} ${message}`),
      },
    },
  );
  onTestFinished(() => redis.close());
  return redis;
}

const read = (redis: RedisConnection) => redis.run('get', (client) => client.get('test:a'));
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 20 });

describe.skipIf(!available)('a Redis server', () => {
  test('runs commands and scripts, also after a restart that loses the scripts', async () => {
    const { url, restart } = await server();
    const redis = await connected(url);
    expect(redis.failure).toBeUndefined();
    expect(await read(redis)).toBeNull();
    const script = redisScript("return {KEYS[1], ARGV[1], redis.call('INCR', KEYS[1])}");
    expect(await redis.runScript('count', script, ['test:n'], ['x'])).toEqual(['test:n', 'x', 1]);
    expect(await redis.runScript('count', script, ['test:n'], ['x'])).toEqual(['test:n', 'x', 2]);
    await restart();
    await until(() => expect(redis.failure).toBeUndefined());
    await vi.waitFor(async () =>
      expect(await redis.runScript('count', script, ['test:n'], ['x'])).toEqual(['test:n', 'x', 1]),
    );
  });

  test('fails commands at once while the server is away, and notices its return', async () => {
    const { url, kill, restart } = await server();
    const redis = await connected(url);
    const changes: unknown[] = [];
    redis.watch(() => changes.push(redis.failure));
    await kill();
    await until(() => expect(redis.failure).toBe('unreachable'));
    await expect(read(redis)).rejects.toEqual(new RedisError('unreachable'));
    expect(outcomes.at(-1)).toBe('get skipped');
    await restart();
    await until(() => expect(redis.failure).toBeUndefined());
    expect(await read(redis)).toBeNull();
    expect(changes).toEqual(['unreachable', undefined]);
  });

  test('a server that was stopped (SIGSTOP) fails commands at the deadline, later ones at once', async () => {
    const { url, pause, resume } = await server();
    const redis = await connected(url, { timeoutMs: 200 });
    pause();
    await expect(Promise.all([read(redis), read(redis)])).rejects.toMatchObject({ failure: 'timeout' });
    await until(() => expect(redis.failure).toBeDefined());
    outcomes.length = 0;
    await expect(read(redis)).rejects.toBeInstanceOf(RedisError);
    expect(outcomes).toContain('get skipped');
    resume();
    await until(() => expect(redis.failure).toBeUndefined());
    expect(await read(redis)).toBeNull();
  });

  test('a full server and a replica serve reads; writes say why they fail', async () => {
    const { url } = await server();
    const redis = await connected(url);
    const write = () => redis.run('set', (client) => client.set('test:a', 'b'));
    await redis.run('config', (client) => client.config('SET', 'maxmemory', '1'));
    await expect(write()).rejects.toMatchObject({ failure: 'outOfMemory' });
    expect(redis.failure).toBe('outOfMemory');
    expect(await read(redis)).toBeNull();
    await redis.run('config', (client) => client.config('SET', 'maxmemory', '0'));
    await until(() => expect(redis.failure).toBeUndefined());
    await redis.run('config', (client) => client.replicaof('127.0.0.1', '1'));
    await redis.run('config', (client) => client.config('SET', 'replica-serve-stale-data', 'yes'));
    await expect(write()).rejects.toMatchObject({ failure: 'readOnly' });
    await until(() => expect(redis.failure).toBe('readOnly'));
    await until(async () => expect(await read(redis)).toBeNull());
    await until(() => redis.run('config', (client) => client.replicaof('NO', 'ONE')));
    await until(() => expect(redis.failure).toBeUndefined());
  });

  test('a rejected password is shown as such, and neither the password nor the right one is logged', async () => {
    const { url } = await server({ args: ['--requirepass', 'right-secret'] });
    const wrong = await connected(url, { password: 'wrong-secret' });
    await until(() => expect(wrong.failure).toBe('refused'));
    await expect(read(wrong)).rejects.toMatchObject({ failure: 'refused' });
    const none = await connected(url);
    await until(() => expect(none.failure).toBe('refused'));
    const right = await connected(url, { password: 'right-secret' });
    expect(right.failure).toBeUndefined();
    expect(logged.join('\n')).not.toContain('secret');
  });
});

test('a server that accepts connections and never replies delays the start by the deadline only', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket).size);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const redis = await connected(`redis://127.0.0.1:${address.port}`, { timeoutMs: 100 });
  expect(redis.failure).toBeDefined();
  await expect(read(redis)).rejects.toBeInstanceOf(RedisError);
  expect(outcomes).toContain('get skipped');
});

test('a server that replies with something else is unavailable', async () => {
  const http = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const redis = await connected(`redis://127.0.0.1:${address.port}`, { timeoutMs: 100 });
  await expect(read(redis)).rejects.toBeInstanceOf(RedisError);
});
