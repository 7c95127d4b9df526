import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createClient,
  isZarrqlError,
  RequestError,
  TransportError,
  type HeaderSource,
  type ClientOptions,
} from '../../../client/index.js';
import { headersOf } from '../../../client/transport/headers.js';
import { response, createFakeFetch, hang, type FakeResponse } from '../fake-fetch.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const ok: FakeResponse = () => response({ data: { one: 1 } });
const broken: FakeResponse = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }));

function start(options: Partial<ClientOptions>, ...responses: FakeResponse[]) {
  const { fetch, sent } = createFakeFetch(...responses);
  return {
    sent,
    client: createClient({ url: 'http://gateway/graphql', fetch, retryDelayMs: 10, ...options }),
  };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.then(
    () => new Error('expected the call to fail'),
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return settled;
}

describe('a request', () => {
  test('is a JSON POST with the given headers, or those returned by a function', async () => {
    let token = 0;
    const headers = () => ({ Authorization: `Bearer ${++token}`, Accept: 'application/json' });
    const { client, sent } = start({ headers, format: 'json' }, ok);
    expect(await client.request('{ one }', { n: 2n ** 60n })).toEqual({ one: 1 });
    await client.request('{ one }');
    expect(sent[0]?.body).toEqual({ query: '{ one }', variables: { n: '1152921504606846976' } });
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer 1',
    });
    expect(sent[1]?.headers['authorization']).toBe('Bearer 2');
  });

  test('accepts typed documents and parsed documents with their source, and nothing else', async () => {
    const { client, sent } = start({}, ok);
    const parsed = { kind: 'Document', loc: { source: { body: '{ one }' } } };
    await client.request(parsed);
    expect(sent[0]?.body.query).toBe('{ one }');
    const bare = { kind: 'Document', definitions: [{ kind: 'SchemaDefinition' }] };
    const error = await failure(client.request(bare));
    expect(isZarrqlError(error, 'BAD_INPUT')).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test.each([
    [{ url: '' }, /url is empty/],
    [{ url: '127.0.0.1:4000/graphql', fetch: undefined }, /begins with http:/],
    [{ url: 'localhost:4000/graphql', fetch: undefined }, /begins with http:/],
    [{ url: '/graphql', fetch: undefined }, /begins with http:/],
    [{ persisted: 'yes' as never }, /persisted is yes/],
    [{ timeoutMs: -1 }, /timeoutMs is -1/],
    [{ retries: 1.5 }, /retries is 1.5/],
    [{ maxBatch: 0 }, /maxBatch is 0/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs is 2147483648/],
  ])('rejects the options %j', (options, message) => {
    expect(() => start(options)).toThrow(message);
  });
});

describe('errors of the gateway', () => {
  const errors = [
    {
      message: 'no array "SSS"; near: "SST"',
      path: ['store', 'array'],
      extensions: { code: 'NOT_FOUND', store: 'coads', path: '/SSS', key: 'SSS/zarr.json' },
    },
    {
      message: 'too much',
      path: ['b', 0],
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxChunks', allowed: 10, needed: '99' },
    },
  ];

  test('request throws the first error, with all errors and the partial data', async () => {
    const { client, sent } = start({}, () => response({ data: { store: null }, errors }));
    const error = await failure(client.request('{ store }'));
    if (!(error instanceof RequestError)) throw error;
    expect(error).toMatchObject({ code: 'NOT_FOUND', store: 'coads', path: '/SSS', key: 'SSS/zarr.json' });
    expect(error.message).toBe('no array "SSS"; near: "SST" (and 1 more)');
    expect(error.data).toEqual({ store: null });
    expect(error.errors[1]?.limit).toEqual({ limit: 'maxChunks', allowed: 10, needed: '99' });
    expect(error.errors[1]?.fieldPath).toEqual(['b', 0]);
    expect(sent).toHaveLength(1);
  });

  test('query returns data and errors', async () => {
    const { client } = start({}, () => response({ data: { store: null }, errors }));
    const { data, errors: given } = await client.query('{ store }');
    expect(data).toEqual({ store: null });
    expect(given.map(({ code }) => code)).toEqual(['NOT_FOUND', 'LIMIT_EXCEEDED']);
  });

  test.each([
    [400, undefined, 'BAD_INPUT'],
    [401, undefined, 'UNAUTHENTICATED'],
    [403, undefined, 'FORBIDDEN'],
    [413, undefined, 'LIMIT_EXCEEDED'],
    [500, 'INTERNAL', 'INTERNAL'],
    [200, 'SOMETHING_NEW', 'UNKNOWN'],
  ])('status %i with code %s is %s', async (status, code, expected) => {
    const { client } = start({}, () =>
      response({ errors: [{ message: 'no', extensions: { code } }] }, status),
    );
    const error = await failure(client.request('{ one }'));
    expect(error).toMatchObject({ code: expected, status, extensions: code === undefined ? {} : { code } });
  });
});

describe('malformed responses', () => {
  test.each([
    [200, '<html>hello</html>', 'BAD_RESPONSE', /not a GraphQL result \(text\/html\).*<html>/],
    [200, '', 'BAD_RESPONSE', /not a GraphQL result/],
    [200, '{"data":', 'BAD_RESPONSE', /not a GraphQL result/],
    [200, '[]', 'BAD_RESPONSE', /not a GraphQL result/],
    [200, '{"data":[1],"errors":[]}', 'BAD_RESPONSE', /data is not an object/],
    [404, 'not here', 'HTTP', /HTTP status 404: not here/],
    [500, '{"data":{}}', 'HTTP', /HTTP status 500/],
  ])('%i %j', async (status, text, code, message) => {
    const { client } = start({}, () => response(text, status, { 'content-type': 'text/html' }));
    const error = await failure(client.request('{ one }'));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code, status });
    expect(String(error)).toMatch(message);
  });

  test('without a response, the error has the reason and no secrets from the URL', async () => {
    const url = 'http://user:secret@gateway/graphql?token=secret';
    const { client } = start({ url, retries: 0 }, broken);
    const error = await failure(client.request('{ one }'));
    expect(error).toMatchObject({ code: 'NETWORK', status: undefined });
    expect(String(error)).toContain('no response from http://gateway/graphql: fetch failed (ECONNREFUSED)');
    expect(String(error)).not.toContain('secret');
  });

  test('a response with neither data nor errors is malformed', async () => {
    const { client } = start({}, () => response({ data: null, errors: [] }));
    expect(await failure(client.request('{ one }'))).toMatchObject({ code: 'BAD_RESPONSE' });
  });
});

describe('retries', () => {
  const busy: FakeResponse = () => response('busy', 503);

  test('a read is retried until it gets a response', async () => {
    const { client, sent } = start({ retries: 2 }, busy, broken, ok);
    const result = client.request('{ one }');
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ one: 1 });
    expect(sent).toHaveLength(3);
  });

  test('a read fails after the configured number of retries', async () => {
    const { client, sent } = start({ retries: 2 }, () =>
      response({ errors: [{ message: 'draining' }] }, 503),
    );
    expect(await failure(client.request('{ one }'))).toMatchObject({ code: 'HTTP', status: 503 });
    expect(sent).toHaveLength(3);
  });

  test('Retry-After is respected', async () => {
    const { client, sent } = start({}, () => response('slow down', 429, { 'retry-after': '2' }), ok);
    const result = client.request('{ one }');
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toEqual({ one: 1 });
  });

  test('a mutation is never retried', async () => {
    const { client, sent } = start({}, busy, ok);
    expect(await failure(client.request('mutation M { createGroup }'))).toMatchObject({ code: 'HTTP' });
    expect(sent).toHaveLength(1);
  });
});

describe('ending a call', () => {
  test('an abort by the caller ends the request immediately', async () => {
    const controller = new AbortController();
    const { client, sent } = start({}, hang);
    const result = client.request('{ one }', {}, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1);
    controller.abort(new Error('the page was left'));
    const error = await failure(result);
    expect(error).toMatchObject({ code: 'ABORTED', cause: new Error('the page was left') });
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test('a call that is aborted before it starts sends nothing', async () => {
    const { client, sent } = start({}, ok);
    const error = await failure(client.request('{ one }', {}, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'ABORTED' });
    expect(sent).toHaveLength(0);
  });

  test('a time limit includes retries', async () => {
    const { client, sent } = start({ timeoutMs: 1000, retryDelayMs: 700, retries: 20 }, () =>
      response('', 503),
    );
    const error = await failure(client.request('{ one }'));
    expect(error).toMatchObject({ code: 'TIMEOUT', message: 'no response within 1000 ms' });
    expect(sent.length).toBeLessThan(4);
  });

  test('the time limit of a call overrides that of the client', async () => {
    const { client } = start({ timeoutMs: 0 }, hang);
    expect(await failure(client.request('{ one }', {}, { timeoutMs: 5 }))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('a fetch that ignores its signal does not delay the caller', async () => {
    const { client } = start({ timeoutMs: 50 }, () => new Promise(() => undefined));
    expect(await failure(client.request('{ one }'))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('no timer remains after a call', async () => {
    const { client } = start({}, ok);
    await client.request('{ one }');
    expect(vi.getTimerCount()).toBe(0);
  });
});

const own = { accept: 'application/cbor' };

test.each<[string, HeaderSource]>([
  ['an object', { Authorization: 'Bearer x', 'X-None': undefined }],
  ['Headers', new Headers({ Authorization: 'Bearer x' })],
  ['pairs', [['Authorization', 'Bearer x']]],
  ['a function', async () => new Headers({ Authorization: 'Bearer x' })],
])('headers from %s', async (_what, headers) => {
  expect(await headersOf({ headers }, own)).toEqual({ ...own, authorization: 'Bearer x' });
});

test("the caller's headers take precedence", async () => {
  expect(await headersOf({ headers: { Accept: 'text/plain' } }, own)).toEqual({ accept: 'text/plain' });
});
