/** Budgets of clients over three replicas and a real Redis server. */
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTokenBuckets, REQUEST_UNITS } from '../../server/http/rate-limits.js';
import { connectRedis } from '../../server/redis/connection.js';
import { createSharedBudgets } from '../../server/redis/shared-budgets.js';
import { startRedis } from '../setup/redis.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

async function replicas(count: number, limits: { maxClientRequests: number; maxClientCost: number }) {
  const server = await startRedis({ own: true });
  if ('missing' in server) throw new Error(server.missing);
  onTestFinished(() => server.stop());
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const redis = await connectRedis(
        { url: server.url, prefix: 'test', timeoutMs: 300 },
        { log: { info() {}, warn() {} } },
      );
      const budgets = createSharedBudgets(redis, limits, 'secret', REQUEST_UNITS);
      onTestFinished(() => {
        budgets.close();
        redis.close();
      });
      return { redis, buckets: createTokenBuckets(limits, undefined, budgets) };
    }),
  );
  return { server, all };
}

type Buckets = ReturnType<typeof createTokenBuckets>;

/** The admission; undefined if the request is refused. */
async function admit(buckets: Buckets, client = 'address 10.1.2.3') {
  const admission = buckets.admit(client);
  if ('status' in admission) return undefined;
  const refusal = await admission.refusal;
  if (refusal === undefined) return admission;
  admission.end();
  return undefined;
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe.skipIf(!available)('budgets of all replicas', () => {
  test('admit as much as one replica would, also for requests at the same time', async () => {
    const { all } = await replicas(3, { maxClientRequests: 0, maxClientCost: 100 });
    const requests = Array.from({ length: 300 }, (_, i) => all[i % 3]?.buckets);
    const started = performance.now();
    const admitted = await Promise.all(requests.map(async (buckets) => buckets && admit(buckets)));
    const refilled = ((performance.now() - started) / 60_000) * 100;
    const count = admitted.filter((admission) => admission !== undefined).length;
    expect(count).toBeGreaterThanOrEqual(100);
    expect(count).toBeLessThanOrEqual(101 + Math.ceil(refilled));
    const [first] = all;
    if (first === undefined) throw new Error('no replicas');
    expect(await admit(first.buckets, 'another client')).toBeDefined();
  });

  test('charge the cost of a request to all', async () => {
    const { all } = await replicas(2, { maxClientRequests: 0, maxClientCost: 100 });
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error('no replicas');
    (await admit(a.buckets))?.charge?.(1000);
    await until(async () => expect(await admit(b.buckets)).toBeUndefined());
    const refused = b.buckets.admit('address 10.1.2.3');
    const problem = 'status' in refused ? refused : await refused.refusal;
    expect(problem).toMatchObject({
      status: 429,
      extensions: { limit: 'maxClientCost', allowed: 100 },
    });
    expect(Number(problem?.extensions?.['retryAfterSeconds'])).toBeGreaterThan(500);
  });

  test('continue with what the client has left when Redis disappears', async () => {
    const { all, server } = await replicas(2, { maxClientRequests: 0, maxClientCost: 100 });
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error('no replicas');
    for (let i = 0; i < 80; i++) expect(await admit(a.buckets)).toBeDefined();
    expect(await admit(b.buckets)).toBeDefined();
    await server.kill();
    let count = 0;
    while ((await admit(b.buckets)) !== undefined) count++;
    expect(count).toBeGreaterThanOrEqual(15);
    expect(count).toBeLessThanOrEqual(25);
  });

  test('count concurrent requests of all, and release those that have ended', async () => {
    const { all } = await replicas(3, { maxClientRequests: 2, maxClientCost: 0 });
    const [a, b, c] = all;
    if (a === undefined || b === undefined || c === undefined) throw new Error('no replicas');
    const first = await admit(a.buckets);
    expect(first).toBeDefined();
    expect(await admit(b.buckets)).toBeDefined();
    expect(await admit(c.buckets)).toBeUndefined();
    first?.end();
    await until(async () => expect(await admit(c.buckets)).toBeDefined());
    expect(await admit(a.buckets)).toBeUndefined();
  });

  test('hold for each replica while Redis is away, and damaged values refuse nobody', async () => {
    const { all, server } = await replicas(2, { maxClientRequests: 0, maxClientCost: 10 });
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error('no replicas');
    const admin = new Redis(server.url);
    await admit(a.buckets);
    const keys = await admin.keys('*cost*');
    expect(keys).toHaveLength(1);
    expect(keys.join()).not.toContain('10.1');
    for (const key of keys) await admin.hset(key, 'left', 'nothing', 'at', '1e400');
    expect(await admit(a.buckets)).toBeDefined();
    for (const key of keys) await admin.set(key, 'not a hash');
    expect(await admit(a.buckets)).toBeDefined();
    admin.disconnect();
    await server.kill();
    const counts = await Promise.all(
      [a, b].map(async ({ buckets }) => {
        let count = 0;
        while ((await admit(buckets, 'client')) !== undefined) count++;
        return count;
      }),
    );
    expect(counts).toEqual([10, 10]);
  });
});
