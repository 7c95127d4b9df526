/** Names of nodes that replicas share through a real Redis server. */
import { deflateRawSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../server/redis/connection.js';
import { createSharedNames, type NameListing, type SharedName } from '../../server/redis/shared-names.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { startRedis } from '../setup/redis.js';

const found = await startRedis({ own: true });
const server = 'missing' in found ? undefined : found;
afterAll(() => server?.stop());

let tests = 0;
const listing: NameListing = { listedAtMs: 1000, nextAtMs: 2000, lastChange: 'x.1' };

async function open() {
  const ignored: string[] = [];
  const prefix = `names${tests++}`;
  const redis = await connectRedis(
    { url: server?.url ?? '', prefix, timeoutMs: 500 },
    { metrics: { ignored: (kind) => ignored.push(kind), ended() {} }, log: { info() {}, warn() {} } },
  );
  const raw = new Redis(server?.port ?? 0);
  onTestFinished(() => {
    redis.close();
    raw.disconnect();
  });
  return {
    redis,
    raw,
    prefix,
    ignored,
    names: createSharedNames(redis, 'store'),
    other: createSharedNames(redis, 'store'),
  };
}

describe.skipIf(server === undefined)('with Redis', () => {
  test('names of any length and script arrive in order, in several blocks; only the last listing is kept', async () => {
    const { names, other, raw, prefix } = await open();
    const many: SharedName[] = [['group', ''], ...Array.from({ length: 20_000 }, (_, i): SharedName => ['array', `a/ä\n${String(i).padStart(6, '0')}`]), ['group', 'z'.repeat(3000)]]; // prettier-ignore
    expect(await other.latest()).toBeUndefined();
    for (let i = 0; i < 2; i++) await names.publish(listing, many, 60_000);
    const latest = await other.latest();
    expect(latest).toEqual(listing);
    const blocks = (latest && (await other.read(latest))) ?? [];
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.flat()).toEqual(many);
    expect(await raw.keys(`${prefix}:names:*`)).toHaveLength(1 + blocks.length);
    expect(await createSharedNames((await open()).redis, 'store').latest()).toBeUndefined();
  });

  test('one replica at a time lists', async () => {
    const { names, other } = await open();
    expect([await names.claim(), await names.claim(), await other.claim()]).toEqual([true, true, false]);
    await other.release();
    expect(await other.claim()).toBe(false);
    await names.release();
    expect(await other.claim()).toBe(true);
    expect(await names.now()).toBeGreaterThan(1_600_000_000_000);
  });

  test('what no replica has written is ignored', async () => {
    const { names, raw, prefix, ignored } = await open();
    await names.publish(listing, [['group', '']], 60_000);
    const keys = await raw.keys(`${prefix}:names:*`);
    const block = keys.find((key) => key.endsWith(':0')) ?? '';
    const head = keys.find((key) => key !== block) ?? '';
    const heads = ['[]', '{', 'x'.repeat(2000), '{"version":"../../../../../..","blocks":1,"listedAtMs":1,"nextAtMs":1}', `{"version":"${'a'.repeat(16)}","blocks":1e9,"listedAtMs":1,"nextAtMs":1}`, `{"version":"${'a'.repeat(16)}","blocks":1,"listedAtMs":-1,"nextAtMs":1,"__proto__":{}}`]; // prettier-ignore
    const good = await raw.get(head);
    for (const bad of heads) {
      await raw.set(head, bad);
      expect(await names.latest()).toBeUndefined();
    }
    expect(ignored).toHaveLength(heads.length);
    await raw.set(head, good ?? '');
    const bomb = deflateRawSync(Buffer.alloc(2 ** 26));
    for (const bad of [Buffer.from('x'), bomb, deflateRawSync('xno kind'), deflateRawSync('')]) {
      await raw.set(block, bad);
      const latest = await names.latest();
      expect(latest && (await names.read(latest))).toBeUndefined();
    }
    await raw.del(block);
    const latest = await names.latest();
    expect(latest && (await names.read(latest))).toBeUndefined();
  });

  test('without Redis, nothing is shared, and nothing fails', async () => {
    const { names, redis } = await open();
    redis.close();
    expect([await names.now(), await names.latest(), await names.claim()]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    await names.publish(listing, [['group', '']], 1000);
    await names.release();
  });
});

test.each([
  ['not sorted', ['b', 'a']],
  ['repeated', ['a', 'a']],
  ['outside of the store', ['..', 'a']],
  ['no path', ['a//b']],
  ['absolute', ['/a']],
])('names that are %s are not taken', async (_, paths) => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 's' }));
  const names = paths.map((path): SharedName => ['array', path]);
  await expect(hierarchy.adoptNames([names], () => [])).rejects.toThrow('not sorted paths');
});
