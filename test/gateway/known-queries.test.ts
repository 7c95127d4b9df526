/** Queries that are known go a shorter way: which ones, and that nobody can tell by the answer. */
import { encode } from 'cbor2';
import { describe, expect, test } from 'vitest';
import type { CallerOptions, Gateway, GatewayConfig } from '../../server/gateway/options.js';
import { NotFoundError } from '../../server/zarr/index.js';
import { sampleGateway } from '../resolvers/gateway-client.js';
import { fullAccess } from '../../server/index.js';

const json = 'application/json';
const slice = `query Part($part: String!) {
  store(name: "coads") { array(path: "SST") { slice(select: { text: $part }) { values } } }
}`;

interface Asked {
  readonly body: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly accept: string;
}

function request(body: unknown, accept: string = json): Asked {
  return { body: Buffer.from(JSON.stringify(body)), contentType: json, accept };
}

function fetched(gateway: Gateway, { body, contentType, accept }: Asked, caller: CallerOptions = fullAccess) {
  const headers = { 'content-type': contentType, accept };
  return gateway.fetch(
    new Request('http://localhost/graphql', { method: 'POST', headers, body: new Uint8Array(body) }),
    caller,
  );
}

/** Undefined where the gateway leaves it to `fetch`. */
async function answered(gateway: Gateway, asked: Asked, caller: CallerOptions = fullAccess) {
  const signal = new AbortController().signal;
  const answer = await gateway.answerKnown({ ...asked, signal }, caller);
  if (answer === undefined) return undefined;
  const { status, headers, body } = answer;
  // On a busy machine it may become a stream.
  const isStream = body === null || body instanceof ReadableStream;
  return {
    status,
    headers,
    body: isStream ? Buffer.from(await new Response(body).arrayBuffer()) : Buffer.concat(body),
  };
}

async function expectSame(gateway: Gateway, asked: Asked, caller?: CallerOptions) {
  const response = await fetched(gateway, asked, caller);
  const answer = await answered(gateway, asked, caller);
  expect(answer?.status).toBe(response.status);
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  for (const [name, value] of headers) expect([name, answer?.headers[name]]).toEqual([name, value]);
  expect(answer?.body.toString('latin1')).toBe(Buffer.from(await response.arrayBuffer()).toString('latin1'));
  return answer;
}

describe('gets the answer of others', () => {
  test.each([
    json,
    'application/graphql-response+json',
    'application/cbor',
    '*/*',
    'text/event-stream;q=0.5, */*',
  ])('as %s', async (accept) => {
    const answer = await expectSame(
      sampleGateway(),
      request({ query: slice, variables: { part: '0, 40, 60:64' } }, accept),
    );
    expect(answer?.status).toBe(200);
  });

  test.each([
    ['other variables', { query: slice, variables: { part: '1, 41, 60:64' } }],
    ['a selection that is wrong', { query: slice, variables: { part: '99999' } }],
    ['no value of a variable', { query: slice }],
    ['a value of another type', { query: slice, variables: { part: { a: 1 } } }],
    ['an operation by its name', { query: slice, variables: { part: '0' }, operationName: 'Part' }],
    [
      'nothing that counts',
      { query: slice, variables: { part: '0' }, operationName: null, extensions: null },
    ],
    ['extensions of the client', { query: slice, variables: { part: '0' }, extensions: { client: 'x' } }],
  ])('with %s', async (_, body) => {
    const gateway = sampleGateway();
    await fetched(gateway, request({ query: slice, variables: { part: '0, 0, 0' } }));
    await expectSame(gateway, request(body));
    await expectSame(gateway, request(body, 'application/graphql-response+json'));
  });

  test('too much is too much', async () => {
    const gateway = sampleGateway({ limits: { maxOutputBytes: 1000 } });
    const query = '{ store(name: "coads") { array(path: "SST") { slice { values } } } }';
    const answer = await expectSame(gateway, request({ query }));
    expect(String(answer?.body)).toContain('LIMIT_EXCEEDED');
  });

  test('asked in CBOR', async () => {
    const body = Buffer.from(encode({ query: slice, variables: { part: '0, 40, 60:64' } }));
    await expectSame(sampleGateway(), { body, contentType: 'application/cbor', accept: 'application/cbor' });
  });

  test('within the rights of the caller, told what was run', async () => {
    const gateway = sampleGateway();
    const asked = request({ query: slice, variables: { part: '0, 40, 60:64' } });
    await fetched(gateway, asked);
    const names: (string | undefined)[] = [];
    const caller: CallerOptions = {
      mayRead: (store) => store !== 'coads',
      mayEnter: (store) => store !== 'coads',
      mayWrite: () => false,
      observe: ({ name }) => names.push(name),
    };
    const refused = await expectSame(gateway, asked, caller);
    expect(String(refused?.body)).toContain(new NotFoundError('x').code);
    expect(names).toEqual(['Part', 'Part']);
  });
});

describe('is left to the general way', () => {
  const query = '{ __typename }';
  const cases: [string, Asked, Partial<GatewayConfig>?][] = [
    ['a document that is new', request({ query: '{ stores { nodes { name } } }' })],
    [
      'a mutation',
      request({ query: 'mutation { deleteNode(input: { store: "coads", path: "x" }) { path } }' }),
    ],
    ['a subscription', request({ query: 'subscription { changes(store: "coads") { path } }' })],
    ['the cost beside', request({ query, extensions: { cost: true } })],
    ['a persisted query', request({ query, extensions: { persistedQuery: { version: 1, sha256Hash: '' } } })],
    ['a documentId', request({ query, documentId: 'x' })],
    ['a parameter that is none', request({ query, vars: {} })],
    ['variables that are none', request({ query, variables: [] })],
    ['extensions that are none', request({ query, extensions: [] })],
    ['an operation that is not there', request({ query, operationName: 'Other' })],
    ['a stream of events', request({ query }, 'text/event-stream')],
    ['no media type that is offered', request({ query }, 'image/png')],
    ['no JSON', { ...request({}), body: Buffer.from('{') }],
    ['a list', request([{ query }])],
    ['a long body', request({ query, variables: { a: 'x'.repeat(2 ** 16) } })],
    ['a form', { ...request({ query }), contentType: 'text/plain' }],
    ['gateways of listed documents', request({ query }), { persistedDocuments: { only: true } }],
  ];
  test.each(cases)('%s', async (_, asked, config = {}) => {
    const gateway = sampleGateway(config);
    await fetched(gateway, request({ query }));
    expect(await answered(gateway, asked)).toBeUndefined();
  });

  test('a document that was refused', async () => {
    const gateway = sampleGateway();
    const asked = request({ query: '{ nothing }' });
    await fetched(gateway, asked);
    expect(await answered(gateway, asked)).toBeUndefined();
  });
});

test('ends with its signal', async () => {
  const gateway = sampleGateway();
  const asked = request({ query: slice, variables: { part: '0' } });
  await fetched(gateway, asked);
  const controller = new AbortController();
  const answer = gateway.answerKnown({ ...asked, signal: controller.signal }, fullAccess);
  controller.abort(new DOMException('enough', 'TimeoutError'));
  await expect(answer).rejects.toThrow('enough');
});
