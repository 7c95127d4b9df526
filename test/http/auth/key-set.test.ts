/** Keys of signed tokens: sources and rotation. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKeySet } from '../../../server/http/auth/key-set.js';
import { gatewayWith, keyFile, keys, keySet, names, others, sign } from './signed-tokens.js';

/** Time passes only when the test sets it, until the test ends. */
function fakeDate(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe('keys', () => {
  test.each([
    ['responds with 500', 500, 'no'],
    ['responds with invalid data', 200, 'no'],
    ['responds with another document', 200, '{"keys": 1}'],
  ])('of a URL that %s are retried at intervals, and used soon after recovery', async (_, status, bad) => {
    fakeDate();
    let requestCount = 0;
    let good = false;
    const body = await keySet(['one', keys]);
    const server = createServer((_request, response) => {
      requestCount += 1;
      if (good) response.end(body);
      else response.writeHead(status).end(bad);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { query, log } = await gatewayWith(`http://127.0.0.1:${port}/keys`);
    for (const kid of ['one', 'two', 'three', 'four']) {
      const response = await query(names, { token: await sign({ kid }) });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
    }
    expect(requestCount).toBe(1);
    expect(log.filter(({ msg }) => msg !== 'request')).toHaveLength(1);
    good = true;
    vi.setSystemTime(Date.now() + 5001);
    expect((await query(names, { token: await sign() })).status).toBe(200);
    expect(requestCount).toBe(2);
    // Known keys stay valid while the issuer fails again.
    good = false;
    vi.setSystemTime(Date.now() + 60_000);
    for (const kid of ['two', 'three'])
      expect((await query(names, { token: await sign({ kid }) })).status).toBe(503);
    expect((await query(names, { token: await sign() })).status).toBe(200);
    expect(requestCount).toBe(3);
  });

  test('of a deleted file stay valid until they expire', async () => {
    fakeDate();
    const file = keyFile();
    writeFileSync(file, await keySet(['one', keys]));
    const { query } = await gatewayWith(file);
    expect((await query(names, { token: await sign() })).status).toBe(200);
    rmSync(file);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await query(names, { token: await sign({ kid: 'two' }) })).status).toBe(503);
    expect((await query(names, { token: await sign() })).status).toBe(200);
    vi.setSystemTime(Date.now() + 600_001);
    expect((await query(names, { token: await sign() })).status).toBe(503);
  });

  test('of a file stay valid after simultaneous requests with unknown key ids while it is missing', async () => {
    fakeDate();
    const file = keyFile();
    writeFileSync(file, await keySet(['one', keys]));
    const keyOf = createKeySet(file);
    const token = { payload: '', signature: '' };
    const known = { alg: 'ES256', kid: 'one' };
    await keyOf(known, token);
    rmSync(file);
    vi.setSystemTime(Date.now() + 60_000);
    const unknown = ['two', 'three', 'four'].map(async (kid) => keyOf({ alg: 'ES256', kid }, token));
    const failures = await Promise.allSettled(unknown);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(keyOf(known, token)).resolves.toBeDefined();
  });

  test('of a file are read again for an unknown key id, but not at once', async () => {
    fakeDate();
    const file = keyFile();
    writeFileSync(file, await keySet(['one', keys]));
    const { query } = await gatewayWith(file);
    expect((await query(names, { token: await sign() })).status).toBe(200);
    writeFileSync(file, await keySet(['one', keys], ['two', others]));
    utimesSync(file, new Date(), new Date());
    const token = await sign({ pair: others, kid: 'two', expires: '2h' });
    expect((await query(names, { token })).status).toBe(401);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await query(names, { token })).status).toBe(200);
  });

  test('of a URL are fetched once; redirects and large responses are rejected', async () => {
    let requestCount = 0;
    const body = await keySet(['one', keys]);
    const server = createServer((request, response) => {
      requestCount += 1;
      if (request.url === '/moved') response.writeHead(302, { location: '/keys' }).end();
      else if (request.url === '/large') response.end(`{"keys": [], "x": "${'x'.repeat(2 ** 21)}"}`);
      else response.end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
    const { query } = await gatewayWith(`${base}/keys`);
    const token = await sign();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await query(names, { token })).status));
    expect(statuses).toEqual([200, 200, 200]);
    await query(names, { token: await sign({ kid: 'invented' }) });
    expect(requestCount).toBe(1);
    for (const path of ['/moved', '/large']) {
      const other = await gatewayWith(base + path);
      const response = await other.query(names, { token });
      expect(response.status, path).toBe(503);
      expect(response.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  test('that cannot be fetched grant no access and do not reveal their location', async () => {
    const { query, log } = await gatewayWith(join(tmpdir(), 'zarrql-no-such-file'));
    const response = await query(names, { token: await sign() });
    expect(response.status).toBe(503);
    expect(response.text).not.toContain('no-such-file');
    expect(log.some(({ msg }) => String(msg).includes('JWKS'))).toBe(true);
  });
});
