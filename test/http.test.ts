/** Pipelined requests, clients that disconnect before admission, metrics, and CORS headers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../server/config.js';
import { createCors } from '../server/http/cors.js';
import { createMetrics, type RequestRecord } from '../server/http/metrics.js';
import { MemoryBudget } from '../server/memory/budget.js';
import { array, group, realGateway } from './http/real-gateway.js';
import { requestText, sendRaw, statusesOf } from './http/serving.js';

const MiB = 2 ** 20;

const stores = { m: { 'zarr.json': group(), 'a/zarr.json': array([2 * MiB]) } };

function post(query: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ query });
  const lines = ['POST /graphql HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers];
  return `${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function until(memory: MemoryBudget, holds: (bytes: number) => boolean): Promise<void> {
  while (!holds(memory.stats().heldBytes)) await new Promise((resolve) => setImmediate(resolve));
}

test('pipelined requests release their memory when the connection ends, including requests that have not started', async () => {
  const memory = new MemoryBudget({ maxBytes: 256 * MiB, maxRequestBytes: 64 * MiB, waitMs: 60_000 });
  const { url } = await realGateway(stores, { gateway: { memory }, maxClientRequests: 10 });
  const large = post('{ store(name: "m") { array(path: "a") { slice { values } } } }', [
    'Accept: application/cbor',
  ]);
  const port = Number(new URL(url).port);
  for (let i = 0; i < 3; i++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.pause().write(large.repeat(4));
    await until(memory, (bytes) => bytes >= 8 * MiB);
    socket.resetAndDestroy();
    await until(memory, (bytes) => bytes === 0);
  }
  // The concurrent requests of this client have ended, too.
  const received = await sendRaw(port, requestText('/graphql?query=%7B__typename%7D'));
  expect(statusesOf(received)).toEqual([200]);
});

test('responses to pipelined requests are in order, with their bodies', async () => {
  const { url } = await realGateway(stores);
  const texts = Array.from({ length: 200 }, (_, i) => post(`{ a${i}: __typename }`));
  const bodies = [post(`{ long: __typename # ${'x'.repeat(200_000)}\n}`, ['Expect: 100-continue']), ...texts];
  const received = await sendRaw(
    Number(new URL(url).port),
    bodies.join('') + requestText('/graphql?query=%7Blast:__typename%7D'),
  );
  expect(statusesOf(received)).toEqual([100, ...Array.from({ length: 202 }, () => 200)]);
  const names = [...received.matchAll(/"data":\{"(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['long', ...texts.map((_, i) => `a${i}`), 'last']);
});

test('a client that disconnects while its token is checked releases everything', async () => {
  const memory = new MemoryBudget({ maxBytes: 64 * MiB, maxRequestBytes: 32 * MiB, waitMs: 60_000 });
  const keys = createServer().listen(0, '127.0.0.1');
  await once(keys, 'listening');
  onTestFinished(() => void keys.close());
  const address = keys.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const jwt = { jwks: `http://127.0.0.1:${port}/`, issuer: 'i', audience: 'a', rolesClaim: 'r' };
  const auth = { roles: { all: { read: ['m'] } }, anonymous: ['all'], jwt };
  const { url, log } = await realGateway(stores, {
    gateway: { memory },
    auth: parseConfig({ auth }).auth,
    maxClientRequests: 1,
  });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'ES256', kid: 'k' })}.${part({ sub: 's', exp: 4e9 })}.${'A'.repeat(86)}`;

  const request = once(keys, 'request');
  const leaver = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  leaver.write(post('{ __typename }', [`Authorization: Bearer ${token}`]));
  const [, response] = await request;
  leaver.resetAndDestroy();
  await expect.poll(() => log.some(({ aborted }) => aborted === true)).toBe(true);
  response.end('{"keys":[]}');
  await new Promise((resolve) => setImmediate(resolve));
  // With anonymous permissions, from the same address.
  expect((await fetch(`${url}?query=%7B__typename%7D`)).status).toBe(200);
  expect(memory.stats().heldBytes).toBe(0);
});

const record: RequestRecord = {
  method: 'POST',
  path: '/graphql',
  route: '/graphql',
  status: 200,
  durationMs: 5,
  responseBytes: 10,
  aborted: false,
  operations: [],
};

function named(name: string | undefined, codes: readonly string[] = []): RequestRecord {
  return { ...record, operations: [{ kind: 'query', name, durationMs: 1, codes }] };
}

test('requests, operations, chunks and stores are counted', async () => {
  const metrics = createMetrics();
  metrics.request(named('GetTile'));
  metrics.request(named('GetTile', ['NOT_FOUND', 'CODEC_ERROR']));
  metrics.request(named(undefined));
  metrics.chunksDecoded(3, 300);
  metrics.stores.ended({
    store: 'sst',
    operation: 'read',
    requests: 4,
    bytes: 1000,
    milliseconds: 20,
    failure: undefined,
  });
  const text = await metrics.text();
  expect(text).toContain('zarrql_http_requests_total{route="/graphql",method="POST",status="200"} 3');
  expect(text).toContain('zarrql_operations_total{operation="GetTile",kind="query",code="OK"} 1');
  expect(text).toContain('zarrql_operations_total{operation="GetTile",kind="query",code="NOT_FOUND"} 1');
  expect(text).toContain('zarrql_operations_total{operation="anonymous",kind="query",code="OK"} 1');
  expect(text).toContain('zarrql_http_response_bytes_total{route="/graphql"} 30');
  expect(text).toContain('zarrql_chunks_decoded_total 3');
  expect(text).toContain('zarrql_decoded_bytes_total 300');
  expect(text).toContain('zarrql_store_requests_total{store="sst",kind="read",code="OK"} 4');
  expect(text).toContain('zarrql_store_bytes_total{store="sst",kind="read"} 1000');
  expect(text).toContain('process_cpu_seconds_total');
});

// Invented operation names must not increase the memory use of the server.
test('names and methods from clients create a bounded number of series', async () => {
  const metrics = createMetrics();
  for (let i = 0; i < 1000; i++) metrics.request({ ...named(`Q${i}`), method: `M${i}` });
  const text = await metrics.text();
  const operations = text.match(/^zarrql_operations_total\{/gm) ?? [];
  expect(operations).toHaveLength(101);
  expect(text).toContain('zarrql_operations_total{operation="other",kind="query",code="OK"} 900');
  expect(text.match(/^zarrql_http_requests_total\{/gm)).toHaveLength(1);
});

test('two gateways in one process count separately', async () => {
  const [a, b] = [createMetrics(), createMetrics()];
  a.chunksDecoded(1, 1);
  expect(await b.text()).toContain('zarrql_chunks_decoded_total 0');
});

test('by default no page can read a response', () => {
  const cors = createCors([]);
  expect(cors.headers('https://a.org')).toEqual({});
  expect(cors.preflight('https://a.org', 'content-type', ['GET'])).toBeUndefined();
});

test('only the configured origins are allowed, with Vary', () => {
  const cors = createCors(['https://a.org', 'http://localhost:3000']);
  expect(cors.headers('https://a.org')).toMatchObject({
    vary: 'Origin',
    'access-control-allow-origin': 'https://a.org',
  });
  expect(cors.headers('https://a.org.evil.example')).toEqual({ vary: 'Origin' });
  expect(cors.headers('http://localhost:3001')).toEqual({ vary: 'Origin' });
  expect(cors.always).toEqual({ vary: 'Origin' });
  expect(cors.headers('null')).toEqual({ vary: 'Origin' });
});

test('"*" allows any page, and never credentials', () => {
  const headers = createCors(['*']).headers('https://any.example');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
  expect(Object.keys(headers)).not.toContain('access-control-allow-credentials');
});

test('a preflight allows the requested headers if their names are valid', () => {
  const cors = createCors(['https://a.org']);
  expect(
    cors.preflight('https://a.org', 'content-type, x-thing', ['GET'])?.['access-control-allow-headers'],
  ).toBe('content-type, x-thing');
  expect(cors.preflight('https://a.org', 'a\r\nb: c', ['GET'])?.['access-control-allow-headers']).toBe(
    'Content-Type, Accept',
  );
  expect(cors.preflight('https://b.org', 'content-type', ['GET'])).toBeUndefined();
});
