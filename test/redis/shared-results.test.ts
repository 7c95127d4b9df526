/** Results and documents in a real Redis server: bounds, and values that others have written. */
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectRedis } from '../../server/redis/connection.js';
import { linkKeysOf } from '../../server/redis/link-keys.js';
import { createSharedDocuments } from '../../server/redis/shared-documents.js';
import { createSharedResults, isWorthSharing } from '../../server/redis/shared-results.js';
import { startRedis } from '../setup/redis.js';

const found = await startRedis();
const available = !('missing' in found);
if (available) await found.stop();

async function server() {
  const started = await startRedis({ own: true });
  if ('missing' in started) throw new Error(started.missing);
  const ignored: string[] = [];
  const redis = await connectRedis(
    { url: started.url, prefix: 'test', timeoutMs: 300 },
    { metrics: { ended() {}, ignored: (kind) => ignored.push(kind) }, log: { info() {}, warn() {} } },
  );
  const admin = new Redis(started.url);
  onTestFinished(async () => {
    redis.close();
    admin.disconnect();
    await started.stop();
  });
  return { redis, admin, ignored, kill: () => started.kill() };
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const result = { shape: [2], bytes: new Uint8Array([1, 2]) };
const slow = 1000;

function resultsOf(
  redis: Awaited<ReturnType<typeof server>>['redis'],
  keys: readonly string[],
  maxBytes = 2 ** 20,
) {
  const results = createSharedResults(redis, { maxBytes, keys, version: '1' });
  if (results === undefined) throw new Error('not shared');
  return results;
}

describe.skipIf(!available)('in Redis', () => {
  test('a result is found under its id, also while keys are exchanged', async () => {
    const { redis } = await server();
    const old = resultsOf(redis, ['old key']);
    old.set('id', result, 2, slow);
    await until(async () => expect(await old.get('id')).toEqual(result));
    expect(await resultsOf(redis, ['new key', 'old key']).get('id')).toEqual(result);
    expect(await old.get('other')).toBeUndefined();
  });

  test('a value that is not signed, or signed for another id, key or version, is not used, and is removed', async () => {
    const { redis, admin, ignored } = await server();
    const results = resultsOf(redis, ['key']);
    results.set('a', result, 2, slow);
    await until(async () => expect(await results.get('a')).toEqual(result));
    const whole = await admin.getBuffer('test:result:a');
    if (whole === null) throw new Error('no value');
    await admin.set('test:result:b', whole);
    expect(await results.get('b')).toBeUndefined();
    await expect.poll(() => admin.exists('test:result:b')).toBe(0);
    const forged = Buffer.concat([
      whole.subarray(0, 32),
      serialize({ ...result, bytes: new Uint8Array([6, 6]) }),
    ]);
    for (const value of [
      forged,
      whole.subarray(0, 40),
      whole.subarray(0, 5),
      Buffer.from('x'),
      Buffer.alloc(6_000_000),
    ]) {
      await admin.set('test:result:a', value);
      expect(await results.get('a')).toBeUndefined();
    }
    await admin.set('test:result:a', whole);
    expect(await resultsOf(redis, ['another key']).get('a')).toBeUndefined();
    await until(async () => expect(await admin.exists('test:result:a')).toBe(0));
    await admin.set('test:result:a', whole);
    const next = createSharedResults(redis, { maxBytes: 2 ** 20, keys: ['key'], version: '2' });
    expect(await next?.get('a')).toBeUndefined();
    expect(new Set(ignored)).toEqual(new Set(['result']));
    await admin.lpush('test:result:list', 'x');
    expect(await results.get('list')).toBeUndefined();
  });

  test('all values together are bounded: the least recently used are removed', async () => {
    const { redis, admin } = await server();
    const results = resultsOf(redis, ['key'], 5000);
    const big = { bytes: new Uint8Array(1000) };
    results.set('first', big, 1000, slow);
    for (let i = 0; i < 20; i++) {
      results.set(`${i}`, big, 1000, slow);
      await until(async () => expect(await results.get(`${i}`)).toBeDefined());
      expect(await results.get('first')).toBeDefined();
      await until(async () => expect(Number(await admin.get('test:result-bytes'))).toBeLessThanOrEqual(5000));
    }
    expect(await admin.keys('test:result:*')).toHaveLength(4);
    expect(await results.get('0')).toBeUndefined();
  });

  test('documents are found by their hash, and only the text that has it', async () => {
    const { redis, admin, ignored, kill } = await server();
    const documents = createSharedDocuments(redis, 2 ** 20);
    const text = '{ stores { nodes { name } } } # ä';
    const hash = createHash('sha256').update(text).digest('hex');
    documents.add(hash, text);
    await until(async () => expect(await documents.find(hash)).toBe(text));
    await admin.set(`test:document:${hash}`, '{ stores { nodes { description } } }');
    expect(await documents.find(hash)).toBeUndefined();
    expect(ignored).toEqual(['document']);
    await kill();
    expect(await documents.find(hash)).toBeUndefined();
    documents.add(hash, text);
  });
});

test('without keys, no results are shared; cheap and large ones never', () => {
  expect(isWorthSharing(1000, 1)).toBe(false);
  expect(isWorthSharing(1000, 10)).toBe(true);
  expect(isWorthSharing(2 ** 20, 10)).toBe(false);
  expect(isWorthSharing(2 ** 20, 100)).toBe(true);
  expect(isWorthSharing(2 ** 24, 10_000)).toBe(false);
});

test('keys of links are the configured ones, or derived from the password of Redis, and never absent by accident', () => {
  const base = { hrefKeys: [], redis: 'redis://a', redisPrefix: 'zarrql' };
  expect(linkKeysOf({ ...base, hrefKeys: ['configured'], redisPassword: 'p' })).toEqual(['configured']);
  expect(linkKeysOf(base)).toEqual([]);
  const [derived = ''] = linkKeysOf({ ...base, redisPassword: 'p' });
  expect(derived.length).toBeGreaterThan(40);
  expect(derived).not.toContain('p=');
  expect(linkKeysOf({ ...base, redisPassword: 'p' })).toEqual([derived]);
  expect(linkKeysOf({ ...base, redisPassword: 'q' })).not.toEqual([derived]);
  expect(linkKeysOf({ ...base, redisPassword: 'p', redisPrefix: 'other' })).not.toEqual([derived]);
  expect(linkKeysOf({ hrefKeys: [], redisPrefix: 'zarrql', redisPassword: 'p' })).toEqual([]);
});
