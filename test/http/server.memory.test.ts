/** Requests that are within the limits individually but not together. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { MemoryBudget } from '../../server/memory/budget.js';
import { array, group, realGateway } from './real-gateway.js';

const MiB = 2 ** 20;
const large = '{ store(name: "m") { array(path: "a") { slice { base64 { data } } } } }';
const stores = { m: { 'zarr.json': group(), 'a/zarr.json': array([4 * MiB]) } };

/** One response of 16 MiB fits, which is more than the system buffers for a client that does not read. */
function gateway(waitMs: number) {
  const memory = new MemoryBudget({ maxBytes: 64 * MiB, maxRequestBytes: 40 * MiB, waitMs });
  const made = realGateway(stores, {
    gateway: { memory, limits: { maxOutputBytes: 16 * MiB, maxChunks: 100_000 } },
    compression: false,
  });
  return { memory, made };
}

/** Sends a request and does not read the response. The returned function disconnects. */
async function unread(url: string): Promise<() => void> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/cbor' };
    const outgoing = request(
      { port, path: '/graphql', method: 'POST', agent: false, headers },
      (incoming) => {
        incoming.on('error', () => {});
        resolve(() => void incoming.destroy());
      },
    );
    outgoing.on('error', reject).end(JSON.stringify({ query: large.replace('base64 { data }', 'values') }));
  });
}

async function holds(memory: MemoryBudget, holding: (bytes: number) => boolean): Promise<void> {
  while (!holding(memory.stats().heldBytes)) await new Promise((resolve) => setImmediate(resolve));
}

test('without memory a query fails completely with 503 and Retry-After, in both JSON media types', async () => {
  const { memory, made } = gateway(50);
  const { url, query } = await made;
  const leave = await unread(url);
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const refused = await query(`{ __typename ${large.slice(1)}`, { headers: { accept } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.json.data).toBeUndefined();
    expect(refused.json.errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'requestMemoryBytes',
      retryAfterSeconds: 2,
    });
  }
  // Small requests are served meanwhile.
  expect((await query('{ store(name: "m") { array(path: "a") { shape } } }')).status).toBe(200);
  expect(memory.stats().refused).toBe(2);
  leave();
  await holds(memory, (bytes) => bytes === 0);
  expect((await query(large)).status).toBe(200);
});

test('requests wait for memory, and all are served', async () => {
  const { memory, made } = gateway(60_000);
  const { query } = await made;
  const responses = await Promise.all(Array.from({ length: 6 }, () => query(large)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  await holds(memory, (bytes) => bytes === 0);
  expect(memory.stats()).toMatchObject({ waiting: 0, refused: 0 });
});

test('the memory of a waiting request is released when its client disconnects', async () => {
  const { memory, made } = gateway(60_000);
  const { url } = await made;
  const leave = await unread(url);
  const controllers = Array.from({ length: 5 }, () => new AbortController());
  const waiting = controllers.map(({ signal }) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: large }),
      signal,
    }).catch(() => undefined),
  );
  while (memory.stats().waiting < 5) await new Promise((resolve) => setImmediate(resolve));
  for (const controller of controllers) controller.abort();
  await Promise.all(waiting);
  leave();
  await holds(memory, (bytes) => bytes === 0);
  expect(memory.stats().waiting).toBe(0);
});

test('a field that could never fit is LIMIT_EXCEEDED without Retry-After', async () => {
  const memory = new MemoryBudget({ maxBytes: 16 * MiB, maxRequestBytes: 8 * MiB, waitMs: 50 });
  const { query } = await realGateway(stores, { gateway: { memory } });
  const response = await query(large);
  expect(response.status).toBe(200);
  expect(response.json.errors[0].extensions).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    limit: 'requestMemoryBytes',
  });
});

test('a body is charged on arrival', async () => {
  const memory = new MemoryBudget({ maxBytes: 8 * MiB, maxRequestBytes: 4 * MiB, waitMs: 50 });
  const { query } = await realGateway(stores, { gateway: { memory }, maxBodyBytes: 64 * MiB });
  const response = await query(`{ __typename # ${'x'.repeat(5 * MiB)}\n}`);
  expect(response.json.errors[0].extensions).toMatchObject({ limit: 'requestMemoryBytes' });
});

test('a body that could never fit is 413', async () => {
  const memory = new MemoryBudget({ maxBytes: 32 * MiB, maxRequestBytes: 2 * MiB, waitMs: 50 });
  const { query } = await realGateway(stores, { gateway: { memory }, maxBodyBytes: 64 * MiB });
  const response = await query(`{ __typename # ${'x'.repeat(5 * MiB)}\n}`);
  expect(response.status).toBe(413);
  expect(response.json.errors[0].extensions).toMatchObject({ limit: 'requestMemoryBytes', allowed: 2 * MiB });
});
