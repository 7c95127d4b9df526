/** Batches: arrays of operations in one request, as Apollo's BatchHttpLink sends them. */
import { decode, encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { MemoryBudget } from '../../server/memory/budget.js';
import { auth } from './access-rights.js';
import { array, group, realGateway } from './real-gateway.js';
import { until } from './serving.js';
import { start } from './sse-client.js';

const stores = 'query Stores { stores { nodes { name } } }';
const values = 'query Values { store(name: "a") { array(path: "/") { slice { values } } } }';
const json = { 'content-type': 'application/json' };

async function post(url: string, operations: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(operations),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

describe('a batch', () => {
  test('has the results in the order of its operations, failed ones included', async () => {
    const { url, log } = await realGateway({ a: { 'zarr.json': array() } });
    const reply = await post(url, [
      { query: values },
      { query: '{ unknown }' },
      { query: 'query($n: String!) { store(name: $n) { name } }', variables: { n: 'a' } },
      { query: '{ stores' },
      { unexpected: 1 },
      { query: '{ store(name: "x") { name } }' },
      { query: 'mutation { createGroup(input: { store: "a", path: "g" }) { group { path } } }' },
      { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } },
    ]);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.json).toMatchObject([
      { data: { store: { array: { slice: { values: [7, 7, 7, 7] } } } } },
      { errors: [{ extensions: { code: 'BAD_INPUT' } }] },
      { data: { store: { name: 'a' } } },
      { errors: [{ extensions: { code: 'BAD_INPUT' } }] },
      { errors: [{ message: 'unexpected parameter "unexpected"' }] },
      { data: { store: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] },
      { errors: [{ extensions: { code: expect.any(String) } }] },
      { errors: [{ message: 'PersistedQueryNotFound' }] },
    ]);
    await until(() => log.length > 0);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({
      status: 200,
      codes: expect.arrayContaining(['NOT_FOUND']),
      operations: expect.arrayContaining([{ name: 'Values', kind: 'query' }]),
    });
  });

  test('is read and written as CBOR too', async () => {
    const { url } = await realGateway({ a: { 'zarr.json': array() } });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/cbor', accept: 'application/cbor' },
      body: encode([{ query: stores }, { query: stores }]),
    });
    expect(response.headers.get('content-type')).toBe('application/cbor');
    const one = { data: { stores: { nodes: [{ name: 'a' }] } } };
    expect(decode(new Uint8Array(await response.arrayBuffer()))).toEqual([one, one]);
  });

  test('has results of many megabytes', async () => {
    const { url } = await realGateway({ a: { 'zarr.json': array([300_000]) } });
    const { json: results } = await post(url, [{ query: values }, { query: values }]);
    for (const result of results) expect(result.data.store.array.slice.values).toHaveLength(300_000);
  });
});

describe('rejected', () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ query: stores }));
  test.each([
    ['too many operations', many(21), {}, 413, /maxBatchOperations allows 20/],
    ['no operation', [], {}, 400, /at least one/],
    ['an entry that is not an object', [{ query: stores }, 7], {}, 400, /array of such objects/],
    ['a client of streams only', many(1), { accept: 'text/event-stream' }, 406, /Accept/],
  ])('%s', async (_name, operations, headers, status, message) => {
    const { url } = await realGateway({ a: {} });
    const reply = await post(url, operations, headers);
    expect(reply.status).toBe(status);
    expect(reply.json.errors[0].message).toMatch(message);
  });

  test('all batches, if the limit is 0', async () => {
    const { url } = await realGateway({ a: {} }, { gateway: { maxBatchOperations: 0 } });
    const reply = await post(url, many(1));
    expect(reply.status).toBe(413);
    expect(reply.json.errors[0]).toMatchObject({
      message: expect.stringContaining('maxBatchOperations is 0'),
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxBatchOperations', allowed: 0, needed: 1 },
    });
  });

  test('subscriptions, @defer and @stream, but not the other operations', async () => {
    const { url } = await realGateway({ a: {} });
    const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json';
    const reply = await post(
      url,
      [
        { query: 'subscription { changes(store: "a") { path } }' },
        { query: '{ ... @defer { stores { nodes { name } } } }' },
        { query: '{ stores { nodes @stream { name } } }' },
        { query: stores },
      ],
      { accept },
    );
    expect(reply.json).toMatchObject([
      {
        errors: [
          { message: expect.stringContaining('subscription alone'), extensions: { code: 'BAD_INPUT' } },
        ],
      },
      { errors: [{ message: expect.stringContaining('@defer') }] },
      { errors: [{ message: expect.stringContaining('@stream') }] },
      { data: { stores: { nodes: [{ name: 'a' }] } } },
    ]);
  });

  test('a batch by a web page without CORS preflight', async () => {
    const { url } = await realGateway({ a: {} });
    const reply = await post(url, many(1), { 'content-type': 'text/plain' });
    expect(reply.status).toBe(415);
  });
});

describe('limits', () => {
  test('each operation is charged and admitted like a request', async () => {
    const { url } = await realGateway({ a: {} }, { maxClientCost: 3 });
    const reply = await post(
      url,
      Array.from({ length: 5 }, () => ({ query: stores })),
    );
    const refused = { errors: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxClientCost' } }] };
    expect(reply.json).toMatchObject([{ data: {} }, { data: {} }, { data: {} }, refused, refused]);
    expect(reply.json[3].errors[0].extensions.retryAfterSeconds).toBeGreaterThan(0);
    expect((await post(url, { query: stores })).status).toBe(429);
  });

  test('operations count as concurrent requests until the response has been sent', async () => {
    const { url } = await realGateway({ a: {} }, { maxClientRequests: 2 });
    for (let i = 0; i < 3; i++) {
      const reply = await post(
        url,
        Array.from({ length: 3 }, () => ({ query: stores })),
      );
      expect(reply.json).toMatchObject([
        { data: {} },
        { data: {} },
        { errors: [{ extensions: { limit: 'maxClientRequests', allowed: 2, needed: 3 } }] },
      ]);
    }
  });

  test('the memory of a request is shared by its operations', async () => {
    const memory = new MemoryBudget({ maxBytes: 2 ** 28, maxRequestBytes: 10_000_000, waitMs: 50 });
    const { url } = await realGateway({ a: { 'zarr.json': array([1_000_000]) } }, { gateway: { memory } });
    const query = '{ store(name: "a") { array(path: "/") { slice { base64 { data } } } } }';
    expect((await post(url, [{ query }])).json[0].errors).toBeUndefined();
    const several = await post(
      url,
      Array.from({ length: 8 }, () => ({ query })),
    );
    expect(JSON.stringify(several.json.map(({ errors }: { errors: unknown }) => errors))).toContain(
      'requestMemoryBytes',
    );
  });

  test('memory is released when the response has been sent', async () => {
    const { port, gateway } = await start();
    const url = `http://127.0.0.1:${port}/graphql`;
    await post(url, [{ query: stores }, { query: '{ unknown }' }]);
    await until(() => gateway.memory.stats().heldBytes === 0);
    expect(gateway.memory.stats().waiting).toBe(0);
  });
});

test('rights are those of the caller, for each operation', async () => {
  const { url } = await realGateway(
    { shared: { 'zarr.json': group() }, hidden: { 'zarr.json': group() } },
    { auth: parseConfig({ auth }).auth },
  );
  const operations = [{ query: stores }, { query: '{ store(name: "hidden") { name } }' }];
  const reply = await post(url, operations, { authorization: 'Bearer reader-secret' });
  expect(reply.json).toMatchObject([
    { data: { stores: { nodes: [{ name: 'shared' }] } } },
    { errors: [{ extensions: { code: expect.any(String) } }] },
  ]);
  expect((await post(url, operations)).status).toBe(401);
});
