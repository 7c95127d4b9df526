import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { ListenError } from '../../server/http/listen.js';
import { send, serve, until, type Fetch } from './serving.js';

const ok: Fetch = async () => Response.json({ data: { a: 1 } });

const post = { method: 'POST', headers: { 'content-type': 'application/json' } };

function codeOf(body: string): string {
  return JSON.parse(body).errors[0].extensions.code;
}

describe('routes', () => {
  test('health checks and the redirect to the endpoint', async () => {
    const { port } = await serve(ok);
    expect(await send(port, { path: '/livez' })).toMatchObject({ status: 200, body: 'ok\n' });
    expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 200, body: 'ok\n' });
    expect(await send(port, { path: '/' })).toMatchObject({ status: 302, headers: { location: 'graphql' } });
  });

  test('an unknown path lists the known ones', async () => {
    const { port } = await serve(ok);
    const { status, body, headers } = await send(port, { path: '/graphq?secret=1' });
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(body).errors[0].message).toContain('"/graphq"; expected one of /graphql');
    expect(body).not.toContain('secret');
  });

  test('an unknown method is 405 with the supported ones', async () => {
    const { port } = await serve(ok);
    const { status, headers } = await send(port, { method: 'PATCH' });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS');
    expect((await send(port, { method: 'POST', path: '/livez' })).status).toBe(405);
    const misdirected = await send(port, { method: 'POST', path: '/' });
    expect(misdirected.status).toBe(405);
    expect(misdirected.body).toContain('or send GraphQL to /graphql');
  });

  test('HEAD responds like GET, without the body', async () => {
    const methods: string[] = [];
    const { port } = await serve(async (request) => {
      methods.push(request.method);
      return new Response('abc', { headers: { 'content-length': '3' } });
    });
    expect(await send(port, { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '3' },
    });
    expect(methods).toEqual(['GET']);
  });

  test('every response forbids type sniffing and framing', async () => {
    const { port } = await serve(ok);
    for (const path of ['/graphql', '/nope', '/livez']) {
      const { headers } = await send(port, { path });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
  });
});

describe('admission', () => {
  // Prevents DNS rebinding.
  test('a foreign name in Host is rejected, except for health checks', async () => {
    let requestCount = 0;
    const { port } = await serve(async (...args) => {
      requestCount += 1;
      return ok(...args);
    });
    const headers = { host: 'evil.example' };
    const { status, body } = await send(port, { headers });
    expect(status).toBe(403);
    expect(codeOf(body)).toBe('FORBIDDEN');
    expect(body).toContain('--allowed-host');
    expect((await send(port, { path: '/metrics', headers })).status).toBe(403);
    expect((await send(port, { path: '/livez', headers })).status).toBe(200);
    expect(requestCount).toBe(0);
  });

  test('a page of a configured origin is allowed, others are not', async () => {
    const { port } = await serve(ok);
    const preflight = (origin: string) =>
      send(port, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
    const allowed = await preflight('https://page.example');
    expect(allowed).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-headers': 'content-type' },
    });
    expect(allowed.headers['access-control-allow-methods']).toContain('POST');
    const refused = await preflight('https://other.example');
    expect(refused.status).toBe(403);
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    const response = await send(port, { headers: { origin: 'https://page.example' } });
    expect(response.headers['access-control-allow-origin']).toBe('https://page.example');
  });

  test("the gateway's Vary header is kept in addition to Origin", async () => {
    const { port } = await serve(async () => new Response('{}', { headers: { vary: 'Accept' } }));
    const { headers } = await send(port);
    expect(headers.vary).toBe('Accept, Origin');
  });
});

describe('bodies', () => {
  const echo: Fetch = async (request) => new Response(await request.text());

  test('bodies arrive completely, with or without a length', async () => {
    const { port } = await serve(echo);
    const text = 'ä'.repeat(500);
    expect(await send(port, { ...post, body: text })).toMatchObject({ status: 200, body: text });
    expect(await send(port, { ...post, body: ['ab', 'c', ''] })).toMatchObject({ status: 200, body: 'abc' });
    expect(await send(port, { ...post, body: '' })).toMatchObject({ status: 200, body: '' });
  });

  test.each([
    ['announced', 'x'.repeat(1001)],
    ['counted', ['x'.repeat(600), 'x'.repeat(600)]],
  ])('too large (%s): 413 without calling the gateway', async (_, body) => {
    let requestCount = 0;
    const { port } = await serve(async (request) => {
      requestCount += 1;
      return new Response(await request.text());
    });
    const response = await send(port, { ...post, body });
    expect(response.status).toBe(413);
    expect(JSON.parse(response.body).errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxBodyBytes',
      allowed: 1000,
    });
    expect(requestCount).toBe(0);
  });

  test('a client that sends Expect gets 413 before it sends a body that is too large', async () => {
    const { port } = await serve(echo);
    const outgoing = httpRequest({
      port,
      method: 'POST',
      path: '/graphql',
      headers: { expect: '100-continue', 'content-length': '5000' },
    });
    let continued = false;
    outgoing.on('continue', () => (continued = true));
    outgoing.flushHeaders();
    const [incoming] = await once(outgoing, 'response');
    expect(incoming.statusCode).toBe(413);
    expect(continued).toBe(false);
    outgoing.destroy();
  });

  test('a truncated body does not reach the gateway', async () => {
    let requestCount = 0;
    const { port, log } = await serve(async (...args) => {
      requestCount += 1;
      return ok(...args);
    });
    const socket = connect(port, '127.0.0.1');
    const head =
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n';
    socket.write(head);
    // The server has received the head when it requests the body.
    expect(String(await once(socket, 'data'))).toContain('100 Continue');
    socket.write('abc', () => socket.destroy());
    await until(() => log.some((entry) => entry['msg'] === 'request'));
    expect(requestCount).toBe(0);
    expect(log.at(-1)).toMatchObject({ aborted: true, status: 499 });
  });
});

describe('requests and errors', () => {
  test("a client's id is kept in the response and in the log", async () => {
    const { port, log } = await serve(async (_request, caller) => {
      caller?.observe?.({ kind: 'query', name: 'Q', durationMs: 1, codes: ['NOT_FOUND', 'NOT_FOUND'] });
      return Response.json({});
    });
    const { headers } = await send(port, {
      path: '/graphql?query=%7Ba%7D',
      headers: { 'x-request-id': 'abc-1' },
    });
    expect(headers['x-request-id']).toBe('abc-1');
    await until(() => log.length > 0);
    expect(log[0]).toMatchObject({
      msg: 'request',
      id: 'abc-1',
      method: 'GET',
      path: '/graphql',
      status: 200,
      bytes: 2,
      operation: 'Q',
      codes: ['NOT_FOUND'],
    });
  });

  test('/metrics counts requests', async () => {
    const { port } = await serve(ok);
    await send(port);
    await send(port, { path: '/nope/1' });
    const { body, headers } = await send(port, { path: '/metrics' });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toContain('zarrql_http_requests_total{route="/graphql",method="GET",status="200"} 1');
    expect(body).toContain('zarrql_http_requests_total{route="other",method="GET",status="404"} 1');
    expect(body).toContain('zarrql_http_requests_in_flight 1');
  });

  test('unexpected errors are 500 without their message', async () => {
    const { port, log } = await serve(async () => {
      throw new Error('secret at /srv/data');
    });
    const { status, body } = await send(port);
    expect(status).toBe(500);
    expect(codeOf(body)).toBe('INTERNAL');
    expect(body).not.toContain('secret');
    expect(
      log.some((entry) => entry['err'] instanceof Error && entry['err'].message.includes('secret')),
    ).toBe(true);
  });
});

describe('listening', () => {
  test('a port in use is reported with a suggestion', async () => {
    const { port } = await serve(ok);
    const failure: unknown = await serve(ok, { port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ListenError);
    expect(String(failure)).toMatch(new RegExp(`port ${port} of 127\\.0\\.0\\.1 is already in use.*--port`));
  });

  test('an address of another machine is reported', async () => {
    await expect(serve(ok, { host: '192.0.2.1' })).rejects.toThrow(
      /is not an address of this computer.*--host/,
    );
  });
});

const { auth: noCallers } = parseConfig({ auth: { roles: { r: { read: ['x'] } }, anonymous: ['r'] } });

test('/readyz names unavailable stores only to permitted callers', async () => {
  const stores = { count: 3, unusable: () => ['cube'] };
  const statusOf = async (options: Parameters<typeof serve>[1], headers = {}): Promise<unknown> => {
    const { port } = await serve(ok, options, {}, { stores });
    const { status, body } = await send(port, { path: '/readyz', headers });
    return [status, body];
  };
  const bare = [200, 'ok, but 1 of 3 stores are unavailable\n'];
  expect(await statusOf({})).toEqual([200, 'ok, but 1 of 3 stores are unavailable: cube\n']);
  expect(await statusOf({}, { host: 'evil.example' })).toEqual(bare);
  expect(await statusOf({ auth: noCallers })).toEqual(bare);
});
