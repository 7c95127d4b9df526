/** What is remembered, what is compared before it is sent again, and what is never remembered. */
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  AnswerOutcome,
  CallerOptions,
  Gateway,
  GatewayConfig,
  GatewayStore,
  OperationHttpRequest,
  OperationRecord,
} from '../../../server/gateway/options.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  type ReadRequest,
  wrapStore,
} from '../../../server/zarr/index.js';
import { withCache } from '../../../server/store/with-cache.js';

const MEBIBYTE = 2 ** 20;

interface Setting {
  readonly gateway: Gateway;
  readonly outcomes: AnswerOutcome[];
  readonly records: OperationRecord[];
  /** The requests of each call of `getMany`, and the prefixes of listings. */
  readonly calls: (readonly ReadRequest[])[];
  readonly listed: string[];
  readonly store: KeyStore;
}

interface SettingOptions extends Partial<GatewayConfig> {
  readonly wrap?: (store: KeyStore) => KeyStore;
  readonly stored?: Partial<GatewayStore>;
}

async function setting({
  wrap = (store) => store,
  stored,
  ...config
}: SettingOptions = {}): Promise<Setting> {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const array = await hierarchy.createArray('/a', {
    shape: [4],
    dtype: 'int32',
    chunkShape: [2],
    dimensionNames: ['x'],
    attributes: { note: 1 },
  });
  await array.select().write([1, 2, 3, 4]);
  await hierarchy.createArray('/b', {
    shape: [4],
    dtype: 'int32',
    chunkShape: [2],
    dimensionNames: ['x'],
    fillValue: 9,
  });
  const calls: (readonly ReadRequest[])[] = [];
  const listed: string[] = [];
  const counted = wrapStore(store, {
    getMany(requests, each, options) {
      calls.push(requests);
      return store.getMany(requests, each, options);
    },
    list(prefix, options) {
      listed.push(prefix);
      return store.list(prefix, options);
    },
  });
  const outcomes: AnswerOutcome[] = [];
  const records: OperationRecord[] = [];
  const gateway = createGateway({
    stores: [{ name: 's', store: wrap(counted), writable: true, ...stored }],
    metrics: {
      chunksDecoded() {},
      operation: (record) => void records.push(record),
      answerLookup: (outcome) => void outcomes.push(outcome),
    },
    ...config,
  });
  onTestFinished(() => gateway.close());
  return { gateway, outcomes, records, calls, listed, store };
}

interface Asked {
  readonly query?: string;
  readonly variables?: object;
  readonly operationName?: string;
  readonly extensions?: object;
}

const values = '{ store(name: "s") { array(path: "a") { attributes slice { values } } } }';

function post(
  parameters: Asked | readonly Asked[],
  headers: Record<string, string> = {},
): OperationHttpRequest {
  return {
    method: 'POST',
    query: '',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(parameters)),
    signal: new AbortController().signal,
  };
}

function get(query: string, headers: Record<string, string> = {}): OperationHttpRequest {
  return {
    method: 'GET',
    query: new URLSearchParams({ query }).toString(),
    headers: { accept: 'application/json', ...headers },
    body: null,
    signal: new AbortController().signal,
  };
}

async function send(gateway: Gateway, request: OperationHttpRequest, caller: CallerOptions = fullAccess) {
  const { status, headers, body } = await gateway.handleOperation(request, caller);
  const bytes =
    body === null || body instanceof ReadableStream
      ? Buffer.from(await new Response(body).arrayBuffer())
      : Buffer.concat(body);
  // On a busy machine, a response that is not remembered may be streamed.
  const { 'content-length': _, ...others } = headers;
  return { status, headers: others, text: bytes.toString('utf8') };
}

async function times(
  count: number,
  gateway: Gateway,
  request: OperationHttpRequest,
  caller: CallerOptions = fullAccess,
) {
  const responses = [];
  for (let i = 0; i < count; i++) responses.push(await send(gateway, request, caller));
  return responses;
}

describe('an equal request', () => {
  test('receives the remembered bytes from the third time on, and only versions are read', async () => {
    const { gateway, outcomes, calls, listed } = await setting();
    const responses = await times(2, gateway, post({ query: values }));
    calls.length = 0;
    responses.push(...(await times(2, gateway, post({ query: values }))));
    expect(outcomes).toEqual(['miss', 'miss', 'hit', 'hit']);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]?.text).toBe(
      '{"data":{"store":{"array":{"attributes":{"note":1},"slice":{"values":[1,2,3,4]}}}}}',
    );
    expect(calls).toHaveLength(2);
    for (const requests of calls)
      expect(requests.map(({ key, ifNoneMatch }) => `${key} ${typeof ifNoneMatch}`).toSorted()).toEqual([
        'a/c/0 string',
        'a/c/1 string',
        'a/zarr.json string',
      ]);
    expect(listed).toEqual([]);
  });

  test('is recorded with its cost and name', async () => {
    const { gateway, records, outcomes } = await setting();
    const observed: OperationRecord[] = [];
    const caller = { ...fullAccess, observe: (record: OperationRecord) => void observed.push(record) };
    await times(4, gateway, post({ query: `query Named ${values}` }), caller);
    expect(outcomes.filter((outcome) => outcome === 'hit')).toHaveLength(2);
    expect(records).toEqual(observed);
    const [first, ...others] = records.map(({ kind, name, codes, cost }) => ({ kind, name, codes, cost }));
    expect(first?.cost?.outputBytes).toBeGreaterThan(0);
    expect(others).toEqual([first, first, first]);
  });

  test('at the same time shares one check', async () => {
    const { gateway, calls } = await setting();
    const other = '{ store(name: "s") { array(path: "a") { shape } b: array(path: "b") { shape } } }';
    await times(2, gateway, post({ query: values }));
    await times(2, gateway, post({ query: other }));
    calls.length = 0;
    await Promise.all([values, other, values, other, values].map((query) => send(gateway, post({ query }))));
    expect(calls.map((requests) => requests.map(({ key }) => key).toSorted())).toEqual([
      ['a/c/0', 'a/c/1', 'a/zarr.json', 'b/zarr.json'],
    ]);
  });

  test('does not join a check that began before it', async () => {
    const held: (() => void)[] = [];
    let isHeld = false;
    const { gateway, store } = await setting({
      wrap: (inner) =>
        wrapStore(inner, {
          async getMany(requests, each, options) {
            const results: [number, Parameters<typeof each>[1]][] = [];
            await inner.getMany(requests, (...result) => void results.push(result), options);
            if (isHeld)
              await new Promise<void>((resolve) => {
                held.push(resolve);
              });
            for (const result of results) each(...result);
          },
        }),
    });
    await times(3, gateway, post({ query: values }));
    isHeld = true;
    const early = send(gateway, post({ query: values }));
    await expect.poll(() => held).toHaveLength(1);
    isHeld = false;
    await openHierarchy(store).setAttributes('/a', { set: { note: 2 } });
    expect((await send(gateway, post({ query: values }))).text).toContain('"note":2');
    held[0]?.();
    expect((await early).text).toContain('"note":1');
  });
});

describe('a change of', () => {
  test.each<[string, string, (store: KeyStore) => Promise<unknown>]>([
    ['attributes', values, (store) => openHierarchy(store).setAttributes('/a', { set: { note: 2 } })],
    ['a chunk', values, async (store) => (await openHierarchy(store).array('/a')).select().write(5)],
    [
      'a chunk that was absent',
      values.replace('"a"', '"b"'),
      async (store) => (await openHierarchy(store).array('/b')).select().write(5),
    ],
    ['a chunk that disappears', values, (store) => store.delete(['a/c/1'])],
    ['the shape', values, (store) => openHierarchy(store).resize('/a', [3])],
    [
      'the members of a group',
      '{ store(name: "s") { group(path: "/") { members { nodes { path } } } } }',
      (store) => openHierarchy(store).createGroup('/new'),
    ],
    [
      'consolidated metadata',
      '{ store(name: "s") { group(path: "/") { consolidated } } }',
      (store) => openHierarchy(store).consolidate('/'),
    ],
    [
      'the chunks of a reduction',
      '{ store(name: "s") { array(path: "a") { slice { reduce(by: SUM) { values } } } } }',
      async (store) => (await openHierarchy(store).array('/a')).select().write(5),
    ],
    [
      'the node at a path',
      '{ store(name: "s") { array(path: "a") { shape } } }',
      (store) => openHierarchy(store).deleteNode('/a'),
    ],
    [
      'a coordinate',
      '{ store(name: "s") { dataset { variables { name } } } }',
      (store) => openHierarchy(store).createArray('/x', { shape: [4], dtype: 'int8', dimensionNames: ['x'] }),
    ],
  ])('%s is seen', async (_, query, change) => {
    const { gateway, outcomes, store } = await setting();
    const before = await times(3, gateway, post({ query }));
    await change(store);
    const [after] = await times(1, gateway, post({ query }));
    expect(outcomes).toEqual(['miss', 'miss', 'hit', 'changed']);
    expect(after?.text).not.toBe(before[0]?.text);
    const fresh = createGateway({ stores: [{ name: 's', store, writable: true }] });
    expect(after).toEqual(await send(fresh, post({ query })));
  });

  test('the stores or options of the gateway is seen', async () => {
    const { gateway, outcomes } = await setting();
    const query = '{ stores { nodes { name } } }';
    await times(3, gateway, post({ query }));
    gateway.addStore({ name: 'other', store: createMemoryStore({ label: 'other' }) });
    expect((await send(gateway, post({ query }))).text).toContain('other');
    await times(2, gateway, post({ query }));
    gateway.removeStore('other');
    expect((await send(gateway, post({ query }))).text).not.toContain('other');
    const estimate = '{ store(name: "s") { array(path: "a") { slice { estimate { allowed } } } } }';
    expect((await times(3, gateway, post({ query: estimate })))[2]?.text).toContain('true');
    gateway.change({ limits: { maxOutputBytes: 8 } });
    expect((await send(gateway, post({ query: estimate }))).text).toContain('false');
    expect(outcomes.filter((outcome) => outcome === 'hit')).toHaveLength(4);
  });
});

describe('the endpoint of a store', () => {
  const typed = (query: string): OperationHttpRequest => ({ ...post({ query }), store: 's' });
  const mean = '{ a { values mean { value } array { attributes } } }';

  test('remembers separate answers, which changes of the store end', async () => {
    const { gateway, outcomes, store, calls } = await setting();
    await times(2, gateway, typed(mean));
    calls.length = 0;
    const [third] = await times(1, gateway, typed(mean));
    expect(third?.text).toBe(
      '{"data":{"a":{"values":[1,2,3,4],"mean":{"value":2.5},"array":{"attributes":{"note":1}}}}}',
    );
    expect(calls.map((requests) => requests.map(({ ifNoneMatch }) => typeof ifNoneMatch))).toEqual([
      ...[['string', 'string', 'string', 'string', 'string']],
    ]);
    await (await openHierarchy(store).array('/a')).select().write(5);
    expect((await send(gateway, typed(mean))).text).toContain('"value":5');
    await openHierarchy(store).setAttributes('/a', { set: { note: 2 } });
    await times(3, gateway, typed(mean));
    expect((await send(gateway, typed(mean))).text).toContain('"note":2');
    expect(outcomes).toEqual(['miss', 'miss', 'hit', 'changed', 'miss', 'hit', 'hit', 'hit']);
    // The generic schema has other answers.
    expect((await send(gateway, post({ query: mean }))).text).toContain('Cannot query field');
  });

  test('shows changes through the gateway at once, also those of its schema', async () => {
    const { gateway, outcomes } = await setting();
    await times(3, gateway, typed('{ a { shape } }'));
    const change = async (document: string): Promise<void> => {
      expect(await gateway.execute({ document }, fullAccess)).not.toHaveProperty('errors');
    };
    await change(
      'mutation { resizeArray(input: { store: "s", path: "/a", shape: [3] }) { array { path } } }',
    );
    expect((await send(gateway, typed('{ a { shape } }'))).text).toBe('{"data":{"a":{"shape":[3]}}}');
    await change('mutation { deleteNode(input: { store: "s", path: "/a" }) { path } }');
    expect((await send(gateway, typed('{ a { shape } }'))).text).toContain('Cannot query field');
    await change(
      'mutation { createArray(input: { store: "s", path: "/a", shape: [2], dtype: "int32" }) { array { path } } }',
    );
    for (const { text } of await times(4, gateway, typed('{ a { shape } }')))
      expect(text).toBe('{"data":{"a":{"shape":[2]}}}');
    expect(outcomes.at(-1)).toBe('hit');
  });

  test('has answers for each set of rights', async () => {
    const { gateway, outcomes } = await setting();
    let isVisible = true;
    const restricted = {
      mayRead: (_: string, path: string) => path !== '/a' || isVisible,
      mayEnter: () => true,
      mayWrite: () => false,
    };
    await times(3, gateway, typed('{ a { shape } }'));
    expect(outcomes.at(-1)).toBe('hit');
    for (const { text } of await times(3, gateway, typed('{ a { shape } }'), restricted))
      expect(text).toBe('{"data":{"a":{"shape":[4]}}}');
    expect(outcomes.at(-1)).toBe('hit');
    isVisible = false;
    expect((await send(gateway, typed('{ a { shape } }'), restricted)).text).not.toContain('[4]');
    expect(outcomes.at(-1)).toBe('changed');
    expect((await send(gateway, typed('{ a { shape } }'))).text).toContain('[4]');
    const blind = { ...restricted, mayEnter: () => false, mayRead: () => false };
    expect((await send(gateway, typed('{ a { shape } }'), blind)).status).toBe(404);
  });

  test('remembers no introspection, nor links', async () => {
    const { gateway, outcomes } = await setting();
    await times(4, gateway, typed('{ __schema { queryType { name } } a { shape } }'));
    await times(4, gateway, typed('{ a { href } }'));
    await times(4, gateway, typed('{ _gateway { version } a { shape } }'));
    expect(outcomes).not.toContain('hit');
  });
});

describe('rights', () => {
  const listing = '{ store(name: "s") { group(path: "/") { members { nodes { path } } } } }';

  test('of another caller are another request', async () => {
    const { gateway } = await setting();
    await times(3, gateway, post({ query: listing }));
    const restricted = {
      mayRead: (_: string, path: string) => path !== '/a',
      mayEnter: () => true,
      mayWrite: () => false,
    };
    for (const { text } of await times(4, gateway, post({ query: listing }), restricted))
      expect(text).not.toContain('/a');
    expect((await send(gateway, post({ query: listing }))).text).toContain('/a');
  });

  test('that change are seen at once', async () => {
    const { gateway, outcomes } = await setting();
    let isVisible = true;
    const caller = {
      mayRead: (_: string, path: string) => path !== '/a' || isVisible,
      mayEnter: () => true,
      mayWrite: () => false,
    };
    await times(3, gateway, post({ query: listing }), caller);
    expect(outcomes.at(-1)).toBe('hit');
    isVisible = false;
    expect((await send(gateway, post({ query: listing }), caller)).text).not.toContain('/a');
    isVisible = true;
    expect((await send(gateway, post({ query: listing }), caller)).text).toContain('/a');
  });
});

describe('requests that differ', () => {
  const doc =
    'query A($p: String! = "a", $with: Boolean = true) { store(name: "s") { array(path: $p) { shape name @include(if: $with) } } } query B { stores { nodes { name } } }';
  const different: [string, OperationHttpRequest][] = [
    ['variables', post({ query: doc, operationName: 'A', variables: { p: 'b' } })],
    ['a variable of a directive', post({ query: doc, operationName: 'A', variables: { with: false } })],
    ['the operation', post({ query: doc, operationName: 'B' })],
    ['the media type', post({ query: doc, operationName: 'A' }, { accept: 'application/cbor' })],
    ['the cost', post({ query: doc, operationName: 'A', extensions: { cost: true } })],
    ['an unknown variable', post({ query: doc, operationName: 'A', variables: { constructor: 1, p: 'b' } })],
    [
      'a prototype',
      post(
        JSON.parse(
          `{"query":${JSON.stringify(doc)},"operationName":"A","variables":{"__proto__":{"p":"b"}}}`,
        ),
      ),
    ],
    ['the operation, which is missing', post({ query: doc })],
  ];

  test.each(different)('in %s have their own response', async (_, request) => {
    const { gateway } = await setting();
    const plain = await setting({ resultCacheBytes: 0 });
    await times(3, gateway, post({ query: doc, operationName: 'A' }));
    const expected = await send(plain.gateway, request);
    for (const response of await times(4, gateway, request)) expect(response).toEqual(expected);
  });
});

describe('GET', () => {
  test('has the ETag, and 304 for clients that have the response', async () => {
    const { gateway, outcomes } = await setting();
    const plain = await setting({ resultCacheBytes: 0 });
    const expected = await send(plain.gateway, get(values));
    expect(expected.headers['etag']).toBeDefined();
    for (const response of await times(3, gateway, get(values))) expect(response).toEqual(expected);
    const condition = { 'if-none-match': expected.headers['etag'] ?? '' };
    const notModified = await send(plain.gateway, get(values, condition));
    expect(notModified.status).toBe(304);
    expect(await send(gateway, get(values, condition))).toEqual(notModified);
    expect(outcomes).toEqual(['miss', 'miss', 'hit', 'hit']);
    expect((await send(gateway, get(values, { 'if-none-match': '"other"' }))).status).toBe(200);
  });

  test('with a condition is remembered too', async () => {
    const { gateway, outcomes } = await setting();
    const { headers } = await send((await setting()).gateway, get(values));
    const condition = { 'if-none-match': headers['etag'] ?? '' };
    for (const { status } of await times(3, gateway, get(values, condition))) expect(status).toBe(304);
    expect(outcomes).toEqual(['miss', 'miss', 'hit']);
    expect((await send(gateway, get(values))).text).toContain('"note":1');
  });

  test('is public only if it was', async () => {
    const { gateway } = await setting({ stored: { cacheControl: { maxAgeSeconds: 60, public: true } } });
    for (const shared of [true, false]) {
      const [, , hit] = await times(3, gateway, get(values), { ...fullAccess, shared });
      expect(hit?.headers['cache-control']).toBe(`${shared ? 'public' : 'private'}, max-age=60`);
    }
  });
});

describe('never remembered', () => {
  const href = '{ store(name: "s") { array(path: "a") { slice { href } } } }';
  const set =
    'mutation { setAttributes(input: { store: "s", path: "/a", set: { note: 3 } }) { node { path } } }';
  test.each<[string, OperationHttpRequest]>([
    ['links', post({ query: href })],
    ['pictures', post({ query: '{ store(name: "s") { array(path: "a") { zarrUrl } } }' })],
    ['mutations', post({ query: set })],
    ['errors', post({ query: '{ store(name: "s") { array(path: "none") { shape } } }' })],
    [
      'partial data',
      post({
        query: '{ store(name: "s") { array(path: "a") { shape } none: array(path: "none") { shape } } }',
      }),
    ],
    ['costs', post({ query: values, extensions: { cost: true } })],
    ['batches', post([{ query: values }, { query: values }])],
    [
      'documents that are persisted',
      post({
        query: values,
        extensions: {
          persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(values).digest('hex') },
        },
      }),
    ],
    ['the schema', post({ query: '{ __schema { queryType { name } } }' })],
    ['jobs', post({ query: '{ jobs { id } }' })],
    ['sizes of stores', post({ query: '{ store(name: "s") { array(path: "a") { storage { objects } } } }' })],
    [
      'new listings',
      post({
        query: '{ store(name: "s") { group(path: "/") { members(refresh: true) { nodes { path } } } } }',
      }),
    ],
    ['malformed requests', { ...post({}), body: Buffer.from('{"query":') }],
    [
      'links in fragments that are excluded',
      post({
        query:
          'query { store(name: "s") { array(path: "a") { shape ...F @skip(if: true) } } } fragment F on ZarrArray { slice { href } }',
      }),
    ],
    [
      'incremental delivery',
      post(
        { query: '{ store(name: "s") { name ... @defer { array(path: "a") { shape } } } }' },
        { accept: 'multipart/mixed;incrementalSpec=v0.2, application/json;q=0.9' },
      ),
    ],
  ])('%s', async (_, request) => {
    const { gateway, outcomes } = await setting();
    await times(6, gateway, request);
    expect(outcomes).not.toContain('hit');
  });

  test('because a store was removed while the request was executed', async () => {
    let isRemoved = false;
    const { gateway, outcomes } = await setting({
      wrap: (inner) =>
        wrapStore(inner, {
          async getMany(requests, each, options) {
            await inner.getMany(requests, each, options);
            if (outcomes.length === 2 && !isRemoved) {
              isRemoved = true;
              gateway.removeStore('s');
              gateway.addStore({ name: 's', store: createMemoryStore({ label: 's' }) });
            }
          },
        }),
    });
    await times(2, gateway, post({ query: values }));
    expect(isRemoved).toBe(true);
    for (const { text } of await times(3, gateway, post({ query: values })))
      expect(text).toContain('NOT_FOUND');
    expect(outcomes).not.toContain('hit');
  });

  test('is attempted less and less often', async () => {
    const { gateway, calls } = await setting();
    const query = '{ store(name: "s") { array(path: "a") { storage { objects } shape } } }';
    await times(40, gateway, post({ query: '{ store(name: "s") { array(path: "none") { shape } } }' }));
    calls.length = 0;
    await times(20, gateway, post({ query }));
    expect(calls.length).toBeLessThan(40);
  });

  test('stores without versions', async () => {
    const { gateway, outcomes } = await setting({
      wrap: (inner) =>
        wrapStore(inner, {
          getMany: (requests, each, options) =>
            inner.getMany(
              requests.map(({ ifNoneMatch: _, ...request }) => request),
              (i, result) => {
                if (typeof result !== 'object') return each(i, result);
                const { version: __, ...value } = result;
                return each(i, value);
              },
              options,
            ),
        }),
    });
    await times(4, gateway, post({ query: values }));
    expect(outcomes).not.toContain('hit');
  });

  test('objects that were changed so lately that a further change may have the same time', async () => {
    let ageMs = 10;
    const { gateway, outcomes } = await setting({
      wrap: (inner) =>
        wrapStore(inner, {
          getMany: (requests, each, options) =>
            inner.getMany(
              requests.map(({ ifNoneMatch: _, ...request }) => request),
              (i, result) =>
                each(i, typeof result === 'object' ? { ...result, modifiedMs: Date.now() - ageMs } : result),
              options,
            ),
        }),
    });
    await times(4, gateway, post({ query: values }));
    expect(outcomes).not.toContain('hit');
    ageMs = 60_000;
    await times(4, gateway, post({ query: values }));
    expect(outcomes).toContain('hit');
  });

  test('anything without the cache', async () => {
    const { gateway, outcomes } = await setting({ resultCacheBytes: 0 });
    await times(4, gateway, post({ query: values }));
    expect(outcomes).toEqual([]);
  });

  test('responses of more than a quarter of the cache', async () => {
    const { gateway, outcomes, store } = await setting({ resultCacheBytes: MEBIBYTE });
    const large = await openHierarchy(store).createArray('/large', { shape: [100_000], dtype: 'float32' });
    await large.select().write(1);
    const query = '{ store(name: "s") { array(path: "large") { slice { values } } } }';
    await times(4, gateway, post({ query }, { accept: 'application/cbor' }));
    expect(outcomes).not.toContain('hit');
  });

  test('responses to requests whose text is more than a quarter of the cache', async () => {
    const { gateway, outcomes } = await setting({ resultCacheBytes: 2 ** 17 });
    const named = (length: number): Asked => ({ query: `query ${'n'.repeat(length)} ${values}` });
    await times(4, gateway, post(named(20_000)));
    expect(outcomes).not.toContain('hit');
    await times(4, gateway, post(named(2000)));
    expect(outcomes).toContain('hit');
  });

  test('by a gateway with more than a thousand stores', async () => {
    const { gateway, outcomes, store } = await setting();
    for (let i = 0; i < 1000; i++) gateway.addStore({ name: `s${i}`, store });
    await times(4, gateway, post({ query: values }));
    expect(outcomes).not.toContain('hit');
  });

  test('more than four requests at a time', async () => {
    const { gateway, outcomes } = await setting();
    const all = Array.from({ length: 10 }, (_, i) => post({ query: `query q${i} ${values}` }));
    const round = () => Promise.all(all.map((request) => send(gateway, request)));
    await round();
    await round();
    outcomes.length = 0;
    await round();
    expect(outcomes.filter((outcome) => outcome === 'hit')).toHaveLength(4);
  });
});

test('a remembered response is not changed by those who receive it', async () => {
  const { gateway } = await setting();
  const [first] = await times(3, gateway, post({ query: values }));
  for (let i = 0; i < 2; i++) {
    const { body } = await gateway.handleOperation(post({ query: values }), fullAccess);
    if (body === null || body instanceof ReadableStream)
      throw new TypeError('the response is not remembered');
    expect(Buffer.concat(body).toString()).toBe(first?.text);
  }
});

test('a store with a maximum age answers the comparison for that time', async () => {
  const { gateway, calls, outcomes } = await setting({
    wrap: (inner) => withCache(inner, { maxBytes: MEBIBYTE, maxAgeMs: 60_000 }),
  });
  await times(2, gateway, post({ query: values }));
  calls.length = 0;
  await times(3, gateway, post({ query: values }));
  expect(outcomes).toEqual(['miss', 'miss', 'hit', 'hit', 'hit']);
  expect(calls).toEqual([]);
});

test('a failure of the store is reported as without answers', async () => {
  let isDown = false;
  const { gateway, outcomes } = await setting({
    wrap: (inner) =>
      wrapStore(inner, {
        getMany: (requests, each, options) =>
          isDown ? Promise.reject(new Error('down')) : inner.getMany(requests, each, options),
      }),
  });
  const [first] = await times(3, gateway, post({ query: values }));
  isDown = true;
  const failed = await send(gateway, post({ query: values }));
  expect(JSON.parse(failed.text).errors).toHaveLength(1);
  isDown = false;
  expect(await send(gateway, post({ query: values }))).toEqual(first);
  expect(outcomes.slice(0, 4)).toEqual(['miss', 'miss', 'hit', 'changed']);
});

test('an aborted request ends while its check runs', async () => {
  let isHeld = false;
  const { gateway } = await setting({
    wrap: (inner) =>
      wrapStore(inner, {
        getMany: (requests, each, options) =>
          isHeld ? new Promise(() => {}) : inner.getMany(requests, each, options),
      }),
  });
  await times(3, gateway, post({ query: values }));
  isHeld = true;
  const controller = new AbortController();
  const sent = gateway.handleOperation({ ...post({ query: values }), signal: controller.signal }, fullAccess);
  controller.abort();
  await expect(sent).rejects.toThrow('cancelled');
});
