import { describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { parseConfig } from '../../server/config.js';
import { clientAddress } from '../../server/http/exchange.js';
import { type Admission, createTokenBuckets } from '../../server/http/rate-limits.js';
import type { Problem } from '../../server/http/problem.js';
import { array, group, realGateway } from './real-gateway.js';

function admitted(result: Admission | Problem): Admission {
  if ('status' in result) throw new Error(result.message);
  return result;
}

describe('concurrent requests', () => {
  test('are counted per client and released when they end', () => {
    const budgets = createTokenBuckets({ maxClientRequests: 2, maxClientCost: 0 });
    const first = admitted(budgets.admit('a'));
    admitted(budgets.admit('a'));
    expect(budgets.admit('a')).toMatchObject({
      status: 429,
      code: 'LIMIT_EXCEEDED',
      headers: { 'retry-after': '1' },
      extensions: { limit: 'maxClientRequests', allowed: 2, needed: 3 },
    });
    admitted(budgets.admit('b'));
    first.end();
    first.end();
    admitted(budgets.admit('a'));
    expect(budgets.admit('a')).toHaveProperty('status', 429);
  });
});

describe('cost', () => {
  test('is refilled within a minute, up to the maximum', () => {
    let now = 0;
    const budgets = createTokenBuckets({ maxClientRequests: 0, maxClientCost: 60 }, () => now);
    for (let i = 0; i < 60; i++) admitted(budgets.admit('a'));
    expect(budgets.admit('a')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    now += 999;
    expect(budgets.admit('a')).toHaveProperty('status', 429);
    now += 2;
    admitted(budgets.admit('a'));
    now += 3_600_000;
    for (let i = 0; i < 60; i++) admitted(budgets.admit('a'));
    expect(budgets.admit('a')).toHaveProperty('status', 429);
  });

  test('beyond the budget delays the next request', () => {
    let now = 0;
    const budgets = createTokenBuckets({ maxClientRequests: 0, maxClientCost: 60 }, () => now);
    admitted(budgets.admit('a')).charge?.(119);
    expect(budgets.admit('a')).toMatchObject({
      headers: { 'retry-after': '61' },
      extensions: { limit: 'maxClientCost', allowed: 60, needed: 121, retryAfterSeconds: 61 },
    });
    now += 61_000;
    admitted(budgets.admit('a'));
  });
});

describe('an address', () => {
  const of = (remoteAddress: string, proxies: number, forwarded?: string) =>
    clientAddress(
      // The two fields of a request that `clientAddress` reads.
      { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } } as never,
      proxies,
    );

  test('is the address of the connection, or the one that trusted proxies report', () => {
    expect(of('192.0.2.1', 0, '203.0.113.9')).toBe('192.0.2.1');
    expect(of('192.0.2.1', 1, '198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(of('192.0.2.1', 2, '198.51.100.1, 203.0.113.9')).toBe('198.51.100.1');
    expect(of('192.0.2.1', 5, '203.0.113.9')).toBe('203.0.113.9');
    expect(of('::ffff:192.0.2.1', 0)).toBe('192.0.2.1');
  });

  test('of IPv6 is counted by network', () => {
    expect(of('2001:db8:0:1::5', 0)).toBe(of('2001:0db8::1:ffff:1:2:3', 0));
    expect(of('2001:db8:0:2::5', 0)).not.toBe(of('2001:db8:0:1::5', 0));
    expect(of('::1', 0)).toBe('0:0:0:0');
  });

  test('excludes the port, which differs per connection', () => {
    expect(of('192.0.2.1', 1, '203.0.113.9:50123')).toBe('203.0.113.9');
    expect(of('192.0.2.1', 1, '[2001:db8:0:1::5]:50123')).toBe(of('2001:db8:0:1::6', 0));
    expect(of('192.0.2.1', 1, '[2001:db8:0:1::5]')).toBe(of('2001:db8:0:1::6', 0));
    expect(of('192.0.2.1', 1, '::ffff:203.0.113.9')).toBe('203.0.113.9');
  });
});

describe('over HTTP', () => {
  const stores = { data: { 'zarr.json': array([2 ** 20]), 'a/zarr.json': group() } };
  const values = '{ store(name: "data") { array { slice { base64 { dtype } } } } }';

  test('a client over its budget gets the time to retry; others are not affected', async () => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const { auth } = parseConfig({
      auth: {
        roles: { all: { read: ['*'] } },
        tokens: ['a', 'b'].map((name) => ({ name, sha256: hash(name), roles: ['all'] })),
      },
    });
    const gateway = await realGateway(stores, { auth, maxClientCost: 5 });
    // 1 for the request, 4 for 4 decoded MiB.
    expect((await gateway.query(values, { token: 'a' })).json.errors).toBeUndefined();
    const refused = await gateway.query('{ __typename }', { token: 'a' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(refused.json.errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxClientCost',
      allowed: 5,
    });
    expect((await gateway.query('{ __typename }', { token: 'b' })).status).toBe(200);
  });

  test('guessed tokens are charged to their address only', async () => {
    const sha256 = createHash('sha256').update('good').digest('hex');
    const { auth } = parseConfig({
      auth: { roles: { all: { read: ['*'] } }, tokens: [{ name: 'a', sha256, roles: ['all'] }] },
    });
    const gateway = await realGateway(stores, { auth, maxClientCost: 2 });
    const statuses: number[] = [];
    for (const token of ['x', 'y', 'z', 'good'])
      statuses.push((await gateway.query('{ __typename }', { token })).status);
    expect(statuses).toEqual([401, 401, 429, 200]);
  });

  test('a link is charged to the client that uses it, before data is read', async () => {
    const gateway = await realGateway(stores, { maxClientCost: 8, graphiql: true });
    const link = '{ store(name: "data") { array { slice { href(format: RAW) } } } }';
    const { json } = await gateway.query(link);
    const address = new URL(json.data.store.array.slice.href, gateway.url);
    const statusOf = async (init: RequestInit = {}): Promise<number> => {
      const response = await fetch(address, init);
      await response.body?.cancel();
      return response.status;
    };
    // 1 for the link, 1 for HEAD, 1 for a matching validator: 5 remain.
    const head = await fetch(address, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await statusOf({ headers: { 'if-none-match': head.headers.get('etag') ?? '' } })).toBe(304);
    // A small range takes one chunk of 4 kB; then 4 MiB exceed the remaining budget.
    expect(await statusOf({ headers: { range: 'bytes=0-3' } })).toBe(206);
    expect(await statusOf()).toBe(200);
    expect(await statusOf()).toBe(429);
    expect((await gateway.query('{ __typename }')).status).toBe(429);
  });

  test('an aborted request no longer counts as running', async () => {
    const gateway = await realGateway(stores, { maxClientRequests: 1 });
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const response = fetch(`${gateway.url}?query=${encodeURIComponent(values)}`, {
        signal: controller.signal,
      });
      controller.abort();
      await response.catch(() => undefined);
      await expect.poll(async () => (await gateway.query('{ __typename }')).status).toBe(200);
    }
  });
});
