/** Results in parts over HTTP: `@defer` and `@stream`. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { defineStore } from '../../server/zarr/index.js';
import { array, realGateway } from './real-gateway.js';

const charts = { 'a/zarr.json': array(), 'b/zarr.json': array([2]), 'c/zarr.json': array([3]) };
const chart = (path: string) => `store(name: "s") { array(path: "${path}") { slice { values } } }`;
const deferred = (path: string) => `... @defer(label: "${path}") { ${path}: ${chart(path)} }`;

const multipart = { accept: 'multipart/mixed' };

function partsOf(text: string): Record<string, unknown>[] {
  expect(text.startsWith('\r\n---\r\n')).toBe(true);
  expect(text.endsWith('\r\n-----\r\n')).toBe(true);
  return text
    .split('\r\n---')
    .slice(1, -1)
    .map((part) => {
      const [head, body = ''] = part.split('\r\n\r\n');
      expect(head).toBe('\r\nContent-Type: application/json; charset=utf-8');
      return JSON.parse(body);
    });
}

describe('results in parts', () => {
  test('arrive as multipart/mixed', async () => {
    const { query } = await realGateway({ s: charts });
    const { status, headers, text } = await query(
      `{ gateway { version } ${deferred('a')} ${deferred('b')} }`,
      {
        headers: multipart,
      },
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('etag')).toBeNull();
    const [first, ...others] = partsOf(text);
    expect(first).toEqual({
      data: { gateway: { version: expect.any(String) } },
      pending: [
        { id: '0', path: [], label: 'a' },
        { id: '1', path: [], label: 'b' },
      ],
      hasNext: true,
    });
    const incremental = others.flatMap((part) => part['incremental'] ?? []);
    expect(incremental).toHaveLength(2);
    // In the order in which they are computed.
    expect(new Set(incremental)).toEqual(
      new Set([
        { id: '0', data: { a: { array: { slice: { values: [7, 7, 7, 7] } } } } },
        { id: '1', data: { b: { array: { slice: { values: [7, 7] } } } } },
      ]),
    );
    expect(others.at(-1)).toMatchObject({ hasNext: false });
  });

  test('arrive as server-sent events, one per part', async () => {
    const { query } = await realGateway({ s: charts });
    const { headers, text } = await query(`{ ${deferred('a')} }`, {
      headers: { accept: 'text/event-stream' },
    });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = text.split('\n\n').filter((event) => event.startsWith('event: next'));
    const [first, last] = events.map((event) => JSON.parse(event.split('\ndata: ')[1] ?? ''));
    expect(first).toEqual({ data: {}, pending: [{ id: '0', path: [], label: 'a' }], hasNext: true });
    expect(last).toMatchObject({ incremental: [{ id: '0' }], completed: [{ id: '0' }], hasNext: false });
    expect(text.endsWith('event: complete\ndata: \n\n')).toBe(true);
  });

  test('arrive as a CBOR sequence with typed arrays', async () => {
    const { url } = await realGateway({ s: charts });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/cbor-seq' },
      body: JSON.stringify({ query: `{ ${deferred('a')} }` }),
    });
    expect(response.headers.get('content-type')).toBe('application/cbor-seq');
    const bytes = Buffer.from(await response.arrayBuffer());
    // Tag 40 (array with dimensions), then tag 78 (int32, little-endian).
    expect(bytes.includes(Buffer.from([0xd8, 40, 0x82, 0x81, 4, 0xd8, 78, 0x50]))).toBe(true);
  });

  test('start one after the other, so that the first one does not wait for the others to start', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `n${i}`);
    const metadata = Buffer.from(JSON.stringify(array([1])));
    const read: string[] = [];
    const store = defineStore({
      label: 's',
      async get(key) {
        read.push(key);
        // Like a store that performs I/O.
        await new Promise((resolve) => setImmediate(resolve));
        return key.endsWith('/zarr.json') ? metadata : undefined;
      },
    });
    const gateway = createGateway({ stores: [{ name: 's', store }] });
    onTestFinished(() => gateway.close());
    const init = {
      method: 'POST',
      headers: { ...multipart, 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ ${names.map(deferred).join(' ')} }` }),
    };
    const response = await gateway.fetch(new Request('http://localhost/graphql', init), fullAccess);
    expect(partsOf(await response.text()).at(-1)).toMatchObject({ hasNext: false });
    const metadataOfLast = read.indexOf('n9/zarr.json');
    const valuesOfFirst = read.indexOf('n0/c/0');
    expect(valuesOfFirst).toBeGreaterThan(0);
    expect(valuesOfFirst).toBeLessThan(metadataOfLast);
  });

  test('of a list arrive in order', async () => {
    const { query } = await realGateway({ s: charts });
    const requests = ['a', 'b', 'c'].map((path) => `{ store: "s", path: "${path}" }`).join(' ');
    const { text } = await query(`{ slices(requests: [${requests}]) @stream(initialCount: 1) { values } }`, {
      headers: multipart,
    });
    const [first, ...others] = partsOf(text);
    expect(first).toMatchObject({ data: { slices: [{ values: [7, 7, 7, 7] }] }, hasNext: true });
    const items = others.flatMap(
      ({ incremental }) =>
        (incremental as { items: unknown[] }[] | undefined)?.flatMap((each) => each.items) ?? [],
    );
    expect(items).toEqual([{ values: [7, 7] }, { values: [7, 7, 7] }]);
  });

  test('report the errors of their fields, with codes', async () => {
    const { query, log } = await realGateway({ s: charts });
    const { text } = await query(`query Board { ${deferred('a')} ... @defer { x: ${chart('nothing')} } }`, {
      headers: multipart,
    });
    const incremental = partsOf(text).flatMap((part) => (part['incremental'] ?? []) as object[]);
    expect(incremental).toContainEqual({
      id: '1',
      data: { x: { array: null } },
      errors: [
        expect.objectContaining({
          path: ['x', 'array'],
          extensions: expect.objectContaining({ code: 'NOT_FOUND' }),
        }),
      ],
    });
    expect(log).toContainEqual(expect.objectContaining({ operation: 'Board', codes: ['NOT_FOUND'] }));
  });

  test('state the cost in the last part', async () => {
    const { query } = await realGateway({ s: charts });
    const { text } = await query(`{ ${deferred('a')} }`, { headers: multipart, extensions: { cost: true } });
    const [first, last] = partsOf(text);
    expect(first?.['extensions']).toBeUndefined();
    expect(last?.['extensions']).toMatchObject({ cost: { chunks: 1 } });
  });
});

describe('a single result', () => {
  const whole = { data: { a: { array: { slice: { values: [7, 7, 7, 7] } } } } };

  test.each([
    ['application/json'],
    ['*/*'],
    ['multipart/*'],
    // Other versions of the draft, which clients merge in another way.
    ['multipart/mixed;deferSpec=20220824, application/json'],
    ['multipart/mixed;q=0, application/json'],
  ])('for Accept: %s', async (accept) => {
    const { query } = await realGateway({ s: charts });
    const { headers, json, text } = await query(`{ ${deferred('a')} }`, { headers: { accept } });
    if (headers.get('content-type')?.startsWith('application/') === true) expect(json).toEqual(whole);
    else expect(partsOf(text)).toEqual([whole]);
  });

  test.each([
    'multipart/mixed;incrementalSpec=v0.2, application/json;q=0.9',
    'application/json, multipart/mixed',
  ])('except for Accept: %s', async (accept) => {
    const { query } = await realGateway({ s: charts });
    const { headers } = await query(`{ ${deferred('a')} }`, { headers: { accept } });
    expect(headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
  });

  test('of a document without @defer is JSON for clients that accept both, else one part', async () => {
    const { query } = await realGateway({ s: charts });
    const both = await query(`{ a: ${chart('a')} }`, {
      headers: { accept: 'multipart/mixed, application/json' },
    });
    expect(both.json).toEqual(whole);
    expect(partsOf((await query(`{ a: ${chart('a')} }`, { headers: multipart })).text)).toEqual([whole]);
  });

  test('for thousands of @defer, in the document or by the length of lists', async () => {
    const limits = { maxRootFields: 5000, maxAliases: 5000 };
    const { query } = await realGateway({ s: charts }, { gateway: { limits } });
    const many = Array.from({ length: 2000 }, (_, i) => `... @defer { v${i}: __typename }`).join(' ');
    const [part, ...others] = partsOf((await query(`{ ${many} }`, { headers: multipart })).text);
    expect(others).toEqual([]);
    expect(Object.keys(part?.['data'] as object)).toHaveLength(2000);
    const perType = Array.from({ length: 10 }, (_, i) => `... @defer { v${i}: name }`).join(' ');
    const types = await query(`{ __schema { types { ${perType} } } }`, { headers: multipart });
    expect(partsOf(types.text)).toHaveLength(1);
  });

  test('for a negative initialCount is an error', async () => {
    const { query } = await realGateway({ s: charts });
    const document =
      'query ($n: Int!) { slices(requests: [{ store: "s", path: "a" }]) @stream(initialCount: $n) { size } }';
    const { text } = await query(document, { headers: multipart, variables: { n: -1 } });
    expect(partsOf(text)[0]).toMatchObject({ errors: [{ extensions: { code: 'BAD_INPUT' } }] });
  });
});

test('GET requests have no ETag, and HEAD requests no body', async () => {
  const { url } = await realGateway({ s: charts });
  const address = `${url}?${new URLSearchParams({ query: `{ ${deferred('a')} }` })}`;
  const got = await fetch(address, { headers: multipart });
  expect(got.headers.get('etag')).toBeNull();
  expect(partsOf(await got.text())).toHaveLength(2);
  const head = await fetch(address, { method: 'HEAD', headers: multipart });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'multipart/mixed; boundary="-"']);
});
