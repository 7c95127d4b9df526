/** A change bus over a real Redis server: order, exactly one delivery, gaps, and hostile messages. */
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectRedis } from '../../../server/redis/connection.js';
import type {
  ChangeBus,
  DeliveredChange,
  StoreChange,
} from '../../../server/resolvers/changes/change-bus.js';
import {
  createRedisChangeBus,
  parseChange,
  printChange,
} from '../../../server/resolvers/changes/redis-change-bus.js';
import { startRedis, type RedisServer } from '../../setup/redis.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

async function server(args: readonly string[] = []) {
  const started = await startRedis({ own: true, args });
  if ('missing' in started) throw new Error(started.missing);
  onTestFinished(() => started.stop());
  return started;
}

const ignored = { count: 0 };

async function replica({ url }: RedisServer) {
  const redis = await connectRedis(
    { url, prefix: 'test', timeoutMs: 300 },
    {
      metrics: { ended() {}, ignored: () => void ignored.count++ },
      log: { info() {}, warn() {} },
    },
  );
  const bus = await createRedisChangeBus(redis, 3000);
  const close = (): void => {
    bus.close();
    redis.close();
  };
  onTestFinished(close);
  return { bus, redis, close };
}

function listen(bus: ChangeBus, after?: string) {
  const changes: DeliveredChange[] = [];
  const log = { changes, missed: 0, paths: () => changes.map(({ path }) => path) };
  bus.subscribe(
    { changed: (change) => void changes.push(change), missed: () => void log.missed++, closed() {} },
    after,
  );
  return log;
}

const change = (path: string): StoreChange => ({ store: 's', kind: 'updated', path });
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe.skipIf(!available)('replicas', () => {
  test('receive all changes once, in one order, with equal ids', async () => {
    const at = await server();
    const [a, b] = [await replica(at), await replica(at)];
    const [ofA, ofB] = [listen(a.bus), listen(b.bus)];
    for (let i = 0; i < 300; i++) {
      a.bus.publish(change(`/a${i}`));
      b.bus.publish(change(`/b${i}`));
    }
    await Promise.all([a.bus.settled?.(), b.bus.settled?.()]);
    await until(() => expect([ofA.changes.length, ofB.changes.length]).toEqual([600, 600]));
    expect(ofA.changes.map(({ id }) => id)).toEqual(ofB.changes.map(({ id }) => id));
    expect(new Set(ofA.changes.map(({ id }) => id)).size).toBe(600);
    expect(ofA.changes.filter(({ isForeign }) => isForeign).every(({ path }) => path.startsWith('/b'))).toBe(
      true,
    );
    expect(ofA.paths().filter((path) => path.startsWith('/a'))).toEqual(
      Array.from({ length: 300 }, (_, i) => `/a${i}`),
    );
    expect([ofA.missed, ofB.missed]).toEqual([0, 0]);
  });

  test('a subscriber continues on another replica, also on one that has started since', async () => {
    const at = await server();
    const a = await replica(at);
    const first = listen(a.bus);
    for (const path of ['/1', '/2', '/3']) a.bus.publish(change(path));
    await until(() => expect(first.changes).toHaveLength(3));
    const after = first.changes[0]?.id;
    a.close();
    const b = await replica(at);
    expect(listen(b.bus, after).paths()).toEqual(['/2', '/3']);
    expect(listen(b.bus, 'unknown')).toMatchObject({ changes: [], missed: 1 });
  });

  test('a short outage of a server that keeps its data delays changes and loses none', async () => {
    const at = await server();
    const [a, b] = [await replica(at), await replica(at)];
    const [ofA, ofB] = [listen(a.bus), listen(b.bus)];
    a.bus.publish(change('/before'));
    await until(() => expect(ofB.changes).toHaveLength(1));
    at.pause();
    for (let i = 0; i < 50; i++) a.bus.publish(change(`/during${i}`));
    await a.bus.settled?.();
    expect(ofA.changes).toHaveLength(1);
    at.resume();
    await until(() => expect([ofA.changes.length, ofB.changes.length]).toEqual([51, 51]));
    expect(ofB.paths()).toEqual(ofA.paths());
    expect([ofA.missed, ofB.missed]).toEqual([0, 0]);
  });

  test('without Redis, each replica delivers its changes and says that others may be missing', async () => {
    const at = await server();
    const [a, b] = [await replica(at), await replica(at)];
    const [ofA, ofB] = [listen(a.bus), listen(b.bus)];
    await at.kill();
    a.bus.publish(change('/alone'));
    await until(() => expect([ofA.missed, ofB.missed]).toEqual([1, 1]));
    expect(ofA.paths()).toEqual(['/alone']);
    expect(ofB.paths()).toEqual([]);
    await at.restart();
    // The server has lost its data, so all are told again. What was missed is sent then, or already known by then.
    await until(() => expect([ofA.missed, ofB.missed]).toEqual([2, 2]));
    b.bus.publish(change('/again'));
    await until(() => expect(ofA.paths().at(-1)).toBe('/again'));
  });

  test('a server that restarts without data within moments is noticed, and so is a stream that was cut', async () => {
    const at = await server();
    const [a, b] = [await replica(at), await replica(at)];
    const ofB = listen(b.bus);
    a.bus.publish(change('/1'));
    await until(() => expect(ofB.changes).toHaveLength(1));
    await at.restart();
    await until(() => expect(ofB.missed).toBe(1));
    await until(async () => {
      a.bus.publish(change('/2'));
      await a.bus.settled?.();
      expect(ofB.changes.length).toBeGreaterThan(1);
    });
    const admin = new Redis(at.url);
    onTestFinished(() => admin.disconnect());
    await admin.flushall();
    await until(() => expect(ofB.missed).toBe(2));
  });

  test('a change that two replicas find is published once', async () => {
    const at = await server();
    const [a, b] = [await replica(at), await replica(at)];
    const ofA = listen(a.bus);
    for (const { bus } of [a, b]) bus.publish(change('/found'), 'version 1');
    for (const { bus } of [a, b]) bus.publish(change('/found'), 'version 2');
    await Promise.all([a.bus.settled?.(), b.bus.settled?.()]);
    b.bus.publish(change('/end'));
    await until(() => expect(ofA.paths()).toEqual(['/found', '/found', '/end']));
  });

  test('untrusted messages are ignored and counted, and do not stop later ones', async () => {
    const at = await server();
    const a = await replica(at);
    const ofA = listen(a.bus);
    const admin = new Redis(at.url);
    onTestFinished(() => admin.disconnect());
    ignored.count = 0;
    const id = 'AAAAAAAAAAA.1';
    const send = (...fields: string[]) => admin.xadd('test:changes', '*', ...fields);
    await send('x', 'y');
    await send('i', id, 'm', '{');
    await send('i', 'id', 'm', printChange(change('/a')));
    await send('i', id, 'm', 'x'.repeat(100_000));
    await send('i', id, 'm', printChange(change('/a')), 'more', 'fields');
    await send('i', 'AAAAAAAAAAA.2', 'm', JSON.stringify({ ...change('/a/../b') }));
    a.bus.publish(change('/ours'));
    await until(() => expect(ofA.paths()).toEqual(['/ours']));
    expect(ignored.count).toBe(6);
    await admin.set('test:changes', 'not a stream');
    a.bus.publish(change('/later'));
    await until(() => expect(ofA.paths()).toContain('/later'));
  });
});

test('only texts of changes are read', () => {
  const whole: StoreChange = {
    store: 's',
    kind: 'data',
    path: '/a/b',
    region: [{ start: 0, stop: 5 }],
    commit: { snapshot: 'ABC0', parent: 'ABC1' },
  };
  expect(parseChange(printChange(whole))).toEqual(whole);
  const broken: Readonly<Record<string, unknown>>[] = [
    { store: '' },
    { store: 5 },
    { store: 's'.repeat(300) },
    { kind: 'toString' },
    { kind: 'exploded' },
    { path: 'a' },
    { path: '/a/../b' },
    { path: `/a\0` },
    { path: '/a/' },
    { region: [[5, 0]] },
    { region: [[0, 1, 2]] },
    { region: [[0, 1e300]] },
    { region: [[-1, 1]] },
    { region: 'all' },
    { region: Array.from({ length: 100 }, () => [0, 1]) },
    { commit: { snapshot: 'ABC' } },
    { commit: { snapshot: '../x', parent: 'A' } },
    { value: 7 },
  ];
  const good = { store: 's', kind: 'data', path: '/a', region: [[0, 1]] };
  expect(parseChange(JSON.stringify(good))).toBeDefined();
  for (const part of broken)
    expect(parseChange(JSON.stringify({ ...good, ...part })), JSON.stringify(part)).toBeUndefined();
  for (const text of ['', 'null', '[]', '{}', '"x"', '{"store":"s"}'])
    expect(parseChange(text)).toBeUndefined();
});
