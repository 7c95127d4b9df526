/** Two gateways over one folder, which behave as one through a real Redis server. */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectReplicas } from '../server/gateway/replicas.js';
import { createGateway, fullAccess, type Gateway } from '../server/index.js';
import { connectRedis } from '../server/redis/connection.js';
import { openStoreFromUrl } from '../server/store/open-store.js';
import { startRedis } from './setup/redis.js';
import { folderOfTest } from './setup/temporary-folder.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

const HOUR = 3_600_000;
const keys = ['a key that is not in Redis'];
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

async function run(gateway: Gateway, document: string): Promise<unknown> {
  const result = await gateway.execute({ document }, fullAccess);
  if (result.errors !== undefined) throw new Error(JSON.stringify(result.errors));
  return result.data;
}

/** Gateways whose caches trust what they have read for an hour. */
async function replicas(count: number, { shared = true, watchMs = 0, searchIndexMs = 0 } = {}) {
  const server = await startRedis({ own: true });
  if ('missing' in server) throw new Error(server.missing);
  onTestFinished(() => server.stop());
  const folder = folderOfTest('replicas');
  const gateways: Gateway[] = [];
  /** Number of decoded chunks of each gateway. */
  const decoded: number[] = [];
  const logged: string[] = [];
  for (let i = 0; i < count; i++) {
    const redis = await connectRedis(
      { url: server.url, prefix: 'test', timeoutMs: 500 },
      { log: { info() {}, warn() {} } },
    );
    onTestFinished(() => redis.close());
    const store = openStoreFromUrl('s', folder, { readonly: false, maxAgeMs: HOUR, cacheBytes: 2 ** 20 });
    decoded.push(0);
    const chunksDecoded = (chunks: number): void => {
      decoded[i] = (decoded[i] ?? 0) + chunks;
    };
    const gateway = createGateway({
      metrics: { chunksDecoded },
      logger: { error() {}, warn() {}, info: (_, message) => logged.push(`${i}: ${message}`) },
      stores: [{ name: 's', store, writable: true, watchMs, searchIndexMs }],
      ...(shared
        ? {
            replicas: await connectReplicas(redis, {
              waitMs: 2000,
              documentBytes: 2 ** 20,
              resultBytes: 2 ** 20,
              keys,
            }),
          }
        : {}),
    });
    onTestFinished(() => gateway.close());
    gateways.push(gateway);
  }
  return { gateways, server, decoded, logged };
}

const create = `mutation { createGroup(input: { store: "s", path: "/", zarrFormat: 3 }) { group { path } }
  createArray(input: { store: "s", path: "/a", shape: ["4"], dtype: "int32", chunkShape: ["2"] }) { array { path } } }`;
const write = (value: number) =>
  `mutation { writeSlice(input: { store: "s", path: "/a", values: [${value}, ${value}, ${value}, ${value}] }) { array { path } } }`;
const values = '{ store(name: "s") { array(path: "/a") { shape slice { values } } } }';
const valuesOf = async (gateway: Gateway) => JSON.stringify(await run(gateway, values));

describe.skipIf(!available)('replicas', () => {
  test('one replica lists the names of nodes, and the others take them; searches see the changes of all', async () => {
    const { gateways, logged, server } = await replicas(3, { searchIndexMs: HOUR });
    const [a, b, c] = gateways;
    if (a === undefined || b === undefined || c === undefined) throw new Error('no gateways');
    const listed = 'names of nodes listed';
    const taken = 'names of nodes taken from another replica';
    const counts = () => [listed, taken].map((what) => logged.filter((line) => line.endsWith(what)).length);
    await until(() => expect(counts()).toEqual([1, 2]));
    await run(a, create);
    const search = async (gateway: Gateway, match: string) =>
      JSON.stringify(
        await run(gateway, `{ store(name: "s") { search(match: "${match}") { nodes { path } } } }`),
      );
    for (const gateway of gateways)
      await until(async () => expect(await search(gateway, '**')).toContain('"/a"'));
    await run(b, 'mutation { deleteNode(input: { store: "s", path: "/a" }) { path } }');
    for (const gateway of gateways)
      await until(async () => expect(await search(gateway, '**')).not.toContain('"/a"'));
    // After Redis has lost everything, all of them need names that were listed later.
    logged.length = 0;
    await server.restart();
    await until(() => expect(counts().reduce((sum, count) => sum + count, 0)).toBe(3));
    expect(await search(c, '**')).toContain('"nodes":[{"path":"/"}]');
  });

  test('caches notice the writes of other replicas, whose entries they would trust for an hour', async () => {
    const { gateways } = await replicas(2);
    const [a, b] = gateways;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    await run(a, create);
    for (let value = 1; value <= 5; value++) {
      await run(a, write(value));
      await until(async () => expect(await valuesOf(b)).toContain(`[${value},${value},${value},${value}]`));
    }
    await run(
      b,
      'mutation { resizeArray(input: { store: "s", path: "/a", shape: ["2"] }) { array { path } } }',
    );
    await until(async () => expect(await valuesOf(a)).toContain('"values":[5,5]'));
    await run(a, 'mutation { deleteNode(input: { store: "s", path: "/a" }) { path } }');
    await until(async () => expect(valuesOf(b)).rejects.toThrow('no array'));
  });

  test('without Redis, they do not', async () => {
    const { gateways } = await replicas(2, { shared: false });
    const [a, b] = gateways;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    await run(a, create);
    await run(a, write(1));
    expect(await valuesOf(b)).toContain('[1,1,1,1]');
    await run(a, write(2));
    expect(await valuesOf(b)).toContain('[1,1,1,1]');
  });

  test('everything is compared with the store when events may be missing, and writes work without Redis', async () => {
    const { gateways, server } = await replicas(2);
    const [a, b] = gateways;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    await run(a, create);
    await run(a, write(1));
    await until(async () => expect(await valuesOf(b)).toContain('[1,1,1,1]'));
    await server.kill();
    await run(a, write(2));
    await until(async () => expect(await valuesOf(b)).toContain('[2,2,2,2]'));
  });

  test.each([0, 50])('each subscriber receives each change once (watchMs %i)', async (watchMs) => {
    const { gateways } = await replicas(3, { watchMs });
    const [a, b, c] = gateways;
    if (a === undefined || b === undefined || c === undefined) throw new Error('no gateways');
    await run(a, create);
    const seen = new Map<Gateway, string[]>();
    for (const gateway of gateways) {
      const ids: string[] = [];
      seen.set(gateway, ids);
      collect(gateway, ids).catch((error: unknown) => ids.push(String(error)));
    }
    // Subscriptions begin with a request.
    await until(async () => {
      await run(
        a,
        'mutation { setAttributes(input: { store: "s", path: "/a", set: { n: 0 } }) { node { path } } }',
      );
      for (const ids of seen.values()) expect(ids.length).toBeGreaterThan(0);
    });
    // Those above may arrive later at others: the changes to count begin after one of another kind.
    await run(a, write(-1));
    await until(() => {
      for (const ids of seen.values()) expect(ids.at(-1)).toContain('"DATA"');
    });
    const marks = new Map([...seen].map(([gateway, ids]) => [gateway, ids.length]));
    for (let i = 0; i < 10; i++) {
      await run(i % 2 === 0 ? b : c, write(i));
      await run(
        i % 2 === 0 ? c : b,
        `mutation { setAttributes(input: { store: "s", path: "/a", set: { n: ${i} } }) { node { path } } }`,
      );
    }
    await until(() => {
      for (const [gateway, ids] of seen)
        expect(ids.length - (marks.get(gateway) ?? 0)).toBeGreaterThanOrEqual(20);
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const last = [...seen.values()].map((ids) => ids.slice(-20));
    expect(last[1]).toEqual(last[0]);
    expect(last[2]).toEqual(last[0]);
    for (const [gateway, ids] of seen) {
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length - (marks.get(gateway) ?? 0)).toBe(20);
    }
  });
});

describe.skipIf(!available)('shared', () => {
  test('documents that a client persisted at one replica are known to others', async () => {
    const { gateways } = await replicas(2);
    const [a, b] = gateways;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    await run(a, create);
    const query = '{ store(name: "s") { array(path: "/a") { shape } } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const persistedQuery = { version: 1, sha256Hash };
    const send = async (gateway: Gateway, body: object): Promise<string> => {
      const request = new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, extensions: { persistedQuery } }),
      });
      return (await gateway.fetch(request, fullAccess)).text();
    };
    expect(await send(b, {})).toContain('PersistedQueryNotFound');
    expect(await send(a, { query })).toContain('"shape":[4]');
    await until(async () => expect(await send(b, {})).toContain('"shape":[4]'));
  });

  test('results of slow computations are found by other replicas, and never outdated ones', async () => {
    const { gateways, server, decoded } = await replicas(2);
    const [a, b] = gateways;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    await run(a, create.replace('shape: ["4"]', 'shape: ["4000"]'));
    const fill = (value: number) =>
      `mutation { writeSlice(input: { store: "s", path: "/a", values: ${value} }) { array { path } } }`;
    const quantiles = '{ store(name: "s") { array(path: "/a") { slice { reduce(by: MEAN) { values } } } } }';
    await run(a, fill(1));
    const first = JSON.stringify(await run(a, quantiles));
    const admin = new Redis(server.url);
    onTestFinished(() => admin.disconnect());
    await until(async () => expect(await admin.keys('test:result:*')).toHaveLength(1));
    expect(JSON.stringify(await run(b, quantiles))).toBe(first);
    expect(decoded[1]).toBe(0);
    await run(a, fill(2));
    await until(async () => expect(JSON.stringify(await run(b, quantiles))).toBe(first.replace('1', '2')));
    expect(decoded[1]).toBeGreaterThan(0);
  });
});

/** Appends `id kind` of each change. */
async function collect(gateway: Gateway, ids: string[]): Promise<void> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { changes(store: "s") { id kind path } }' }),
    }),
    fullAccess,
  );
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined && data !== '') ids.push(data);
    }
  }
}
