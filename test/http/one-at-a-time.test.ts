/** Connections with several requests, and clients that disconnect before admission. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { createProcessMemory, type ProcessMemory } from '../../server/memory/process-memory.js';
import { requestText, sendRaw, statusesOf } from './raw.js';
import { array, group, realGateway } from './real-gateway.js';

const MiB = 2 ** 20;

const stores = { m: { 'zarr.json': group(), 'a/zarr.json': array([2 * MiB]) } };

function post(query: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ query });
  const lines = ['POST /graphql HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers];
  return `${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function until(memory: ProcessMemory, holds: (bytes: number) => boolean): Promise<void> {
  while (!holds(memory.stats().heldBytes)) await new Promise((resolve) => setImmediate(resolve));
}

test('pipelined requests release their memory when the connection ends, including requests that have not started', async () => {
  const memory = createProcessMemory({ maxBytes: 256 * MiB, maxRequestBytes: 64 * MiB, waitMs: 60_000 });
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

test('pipelined requests are answered in order, with their bodies', async () => {
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
  const memory = createProcessMemory({ maxBytes: 64 * MiB, maxRequestBytes: 32 * MiB, waitMs: 60_000 });
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

  const asked = once(keys, 'request');
  const leaver = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  leaver.write(post('{ __typename }', [`Authorization: Bearer ${token}`]));
  const [, response] = await asked;
  leaver.resetAndDestroy();
  await expect.poll(() => log.some(({ aborted }) => aborted === true)).toBe(true);
  response.end('{"keys":[]}');
  await new Promise((resolve) => setImmediate(resolve));
  // With anonymous permissions, from the same address.
  expect((await fetch(`${url}?query=%7B__typename%7D`)).status).toBe(200);
  expect(memory.stats().heldBytes).toBe(0);
});
