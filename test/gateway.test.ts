/** The gateway's HTTP behaviour, rejected requests, and hidden information. */
import { serverAudits } from 'graphql-http';
import { parse } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { Base64Text, createGateway, NDArrayValue, fullAccess } from '../server/index.js';
import { createMemoryStore, type KeyStore } from '../server/zarr/index.js';
import { arrayDocument, execute, memoryGateway, sampleGateway } from './resolvers/gateway-client.js';

const url = 'http://localhost/graphql';
const gateway = sampleGateway({ graphiql: { defaultQuery: '{ gateway { version } }' } });
afterAll(() => gateway.close());

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url,
    fetchFn: (input: string, init: RequestInit) => gateway.fetch(new Request(input, init), fullAccess),
  });

  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))('%s', async (_, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });

  test('there are 61 audits', () => {
    expect(audits).toHaveLength(61);
  });
});

describe('requests', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    gateway.fetch(new Request(`${url}${query}`, { headers }), fullAccess);

  test('a form or plain text is rejected, because any web page can post one', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
      'TEXT/plain; a=b',
    ]) {
      const body = 'query=%7Bgateway%7Bversion%7D%7D';
      const request = new Request(url, { method: 'POST', headers: { 'content-type': type }, body });
      const response = await gateway.fetch(request, fullAccess);
      expect(response.status, type).toBe(415);
      expect(await response.json(), type).toHaveProperty('errors.0.extensions.code', 'BAD_INPUT');
    }
  });

  test('no URL is a health check', async () => {
    const response = await get(`?query=${encodeURIComponent('{gateway{version}}')}&x=/health`);
    expect(await response.json()).toHaveProperty('data.gateway.version');
    expect((await gateway.fetch(new Request('http://localhost/health'), fullAccess)).status).toBe(404);
  });

  test('responses allow no other origin and vary with Accept', async () => {
    const response = await get('?query={__typename}', { origin: 'https://evil.example' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('vary')).toBe('Accept');
    const { length } = await response.text();
    // A body that takes longer than one turn of the event loop is streamed, without its length.
    expect([null, String(length)]).toContain(response.headers.get('content-length'));
  });

  test('an unknown media type is 406', async () => {
    const response = await get('?query={__typename}', { accept: 'image/png' });
    expect(response.status).toBe(406);
    expect(await response.json()).toHaveProperty(
      'errors.0.message',
      expect.stringContaining('application/json'),
    );
  });

  test('GraphiQL is one page that loads nothing from other origins', async () => {
    const response = await get('', { accept: 'text/html' });
    expect(response.headers.get('content-type')).toContain('text/html');
    const page = await response.text();
    expect(page).toContain('"defaultQuery":"{ gateway { version } }"');
    expect(page.slice(0, 2000) + page.slice(-3000)).not.toMatch(/(src|href)="https?:/);
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html, application/json', true],
    ['application/json, text/html', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0.9, application/cbor', false],
    ['*/*', false],
  ])('the page is served to clients that prefer HTML: %s', async (accept, isPage) => {
    const { headers } = await get('?query={__typename}', { accept });
    expect(headers.get('content-type')?.startsWith('text/html')).toBe(isPage);
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('unsafe integers are rejected in a URL, too', async () => {
    const variables = encodeURIComponent('{"ids":[9007199254740993]}');
    const response = await get(`?query={__typename}&variables=${variables}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('9007199254740993 cannot be represented exactly');
  });

  test('integers with too many digits are rejected with a short message', async () => {
    const body = `{"query":"{__typename}","variables":{"a":${'9'.repeat(1_000_000)}}}`;
    const headers = { 'content-type': 'application/json' };
    const response = await gateway.fetch(new Request(url, { method: 'POST', headers, body }), fullAccess);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('a number has more than 65536 digits');
    expect(text.length).toBeLessThan(1000);
  });

  test('a batch gets an array of results', async () => {
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"query":"{__typename}"}]',
    });
    const response = await gateway.fetch(request, fullAccess);
    expect(await response.json()).toEqual([{ data: { __typename: 'Query' } }]);
  });
});

describe('introspection', () => {
  test('can be disabled together with suggestions', async () => {
    const closed = await memoryGateway({}, { introspection: false });
    const { errors } = await execute(closed, '{ __schema { types { name } } }');
    expect(errors[0]?.message).toContain('introspection');
    const hint = await execute(closed, '{ gatewa { version } }');
    expect(hint.errors[0]?.message).toBe('Cannot query field "gatewa" on type "Query".');
    expect((await execute(gateway, '{ gatewa { version } }')).errors[0]?.message).toContain('Did you mean');
  });
});

describe('unexpected errors', () => {
  /** A store whose reads fail with `error`. */
  const broken = (error: Error): KeyStore => ({
    ...createMemoryStore({ label: 'm' }),
    getMany: () => Promise.reject(error),
  });

  test('are logged in full once and returned as an id', async () => {
    const logged: { fields: Record<string, unknown>; message: string }[] = [];
    const failing = createGateway({
      stores: [{ name: 'm', store: broken(new Error('/home/x/secret.key is missing')) }],
      logger: { error: (fields, message) => logged.push({ fields: { ...fields }, message }) },
      metrics: { chunksDecoded() {}, operation() {} },
    });
    const { data, errors, text } = await execute(failing, '{ store(name: "m") { node { id } name } }');
    expect(data).toEqual({ store: { node: null, name: 'm' } });
    expect(errors[0]?.extensions['code']).toBe('INTERNAL');
    expect(text).not.toContain('secret');
    expect(logged).toHaveLength(1);
    const id = logged[0]?.fields['id'];
    expect(errors[0]?.message).toBe(`internal error, id ${String(id)}`);
    expect(String(logged[0]?.fields['err'])).toContain('secret.key');
  });
});

test('invalid variables and documents are BAD_INPUT', async () => {
  const query =
    'query ($n: BigInt!, $i: [BigInt!]!) { store(name: "coads") { array(path: "SST") { chunk(index: $i) { key } slice(select: { dims: [{ index: $n }] }) { shape } } } }';
  for (const n of [1.5, 2 ** 53, '0x10', '9'.repeat(30), true, null]) {
    const { errors } = await execute(gateway, query, { n, i: [0, 0, 0] });
    expect(errors[0]?.extensions['code'], String(n)).toBe('BAD_INPUT');
  }
  expect((await execute(gateway, query, { n: '-1', i: ['0', 0, 0] })).errors).toEqual([]);
  for (const document of [
    '{',
    '{ nope }',
    '{ store { name } }',
    '{ stores(first: "a") { totalCount } }',
    'mutation { x }',
  ]) {
    const { errors } = await execute(gateway, document);
    expect(errors[0]?.extensions['code'], document).toBe('BAD_INPUT');
  }
});

describe('execute', () => {
  const text =
    '{ store(name: "coads") { array(path: "TIME") { slice(select: {text: ":2"}) { values base64 { data } } } } }';

  test('returns values as objects with toJSON', async () => {
    const result = await gateway.execute({ document: parse(text) }, fullAccess);
    const { slice } = Object(result.data).store.array;
    expect(slice.values).toBeInstanceOf(NDArrayValue);
    expect(slice.values.shape).toEqual([2]);
    expect(slice.base64.data).toBeInstanceOf(Base64Text);
    const { data } = await execute(gateway, text);
    expect(JSON.parse(JSON.stringify(result.data))).toEqual(data);
  });

  test('returns errors of documents, and selects an operation by name', async () => {
    for (const document of ['{', '{ nope }', 'query A { __typename } query B { __typename }']) {
      const { data, errors } = await gateway.execute({ document }, fullAccess);
      expect(data ?? null).toBeNull();
      expect(errors?.[0]?.extensions['code']).toBe('BAD_INPUT');
    }
    const named = await gateway.execute(
      {
        document: 'query A { a: __typename } query B { b: __typename }',
        operationName: 'B',
      },
      fullAccess,
    );
    expect(named.data).toEqual({ b: 'Query' });
  });

  test('accepts variables and ends when its signal fires', async () => {
    const document = 'query ($n: String!) { store(name: $n) { array(path: "SST") { slice { values } } } }';
    const controller = new AbortController();
    controller.abort();
    const { data, errors } = await gateway.execute(
      {
        document,
        variables: { n: 'coads' },
        signal: controller.signal,
      },
      fullAccess,
    );
    expect(errors?.[0]?.extensions['code']).toBe('ABORTED');
    expect(JSON.parse(JSON.stringify(data))).toEqual({ store: { array: null } });
  });

  test('shows a caller only the stores that it may read', async () => {
    const mayRead = (name: string) => name !== 'coads';
    const document =
      '{ stores { totalCount nodes { name } } store(name: "coads") { name } node(id: "bm9kZTpjb2Fkczov") { id } }';
    const { data, errors } = await gateway.execute(
      { document },
      { mayRead, mayEnter: mayRead, mayWrite: () => false },
    );
    expect(JSON.parse(JSON.stringify(data))).toEqual({
      stores: { totalCount: 2, nodes: [{ name: 'navy_winds_v2' }, { name: 'etopo20_sharded' }] },
      store: null,
      node: null,
    });
    expect(errors?.map((error) => error.extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(errors?.[0]?.message).not.toMatch(/nearest[^(]*coads/);
  });
});

test('metrics count operations and their errors', async () => {
  const records: { kind: string; codes: readonly string[] }[] = [];
  let decoded = 0;
  const counting = sampleGateway({
    metrics: {
      operation: ({ kind, codes }) => records.push({ kind, codes }),
      chunksDecoded: (chunks) => {
        decoded += chunks;
      },
    },
  });
  await execute(
    counting,
    '{ store(name: "coads") { array(path: "SST") { slice(select: {text: "0"}) { values } } } b: store(name: "x") { id } }',
  );
  expect(records).toEqual([{ kind: 'query', codes: ['NOT_FOUND'] }]);
  expect(decoded).toBe(4);
  await counting.close();
});

test('store names must be unique', () => {
  const store = createMemoryStore({ label: 'a' });
  expect(() =>
    createGateway({
      stores: [
        { name: 'a', store },
        { name: 'a', store },
      ],
    }),
  ).toThrow('two stores');
});

test('an array that cannot be decoded opens; its values are UNSUPPORTED', async () => {
  const odd = await memoryGateway({
    'zarr.json': arrayDocument('float8_odd', [2], { codecs: [{ name: 'bytes' }] }),
  });
  const { data, errors } = await execute(
    odd,
    '{ store(name: "m") { array { shape dtype { name kind } slice { shape values } } } }',
  );
  expect(data.store.array).toEqual({
    shape: [2],
    dtype: { name: 'float8_odd', kind: 'UNKNOWN' },
    slice: { shape: [2], values: null },
  });
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions).toMatchObject({ code: 'UNSUPPORTED', store: 'm', path: '/' });
});
