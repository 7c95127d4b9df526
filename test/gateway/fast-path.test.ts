/** The fast path for repeated queries: its conditions, and equality with Yoga's responses. */
import { encode } from 'cbor2';
import { describe, expect, test } from 'vitest';
import { runFast } from '../../server/gateway/fast-path.js';
import type { CallerOptions, Gateway, OperationHttpRequest } from '../../server/gateway/options.js';
import { checkParameters } from '../../server/gateway/pipeline/parameters.js';
import { createPersistedDocuments } from '../../server/gateway/pipeline/persisted-documents.js';
import { fullAccess } from '../../server/index.js';
import { NotFoundError } from '../../server/zarr/index.js';
import { sampleGateway } from '../resolvers/gateway-client.js';

const json = 'application/json';
const slice = `query Part($part: String!) {
  store(name: "coads") { array(path: "SST") { slice(select: { text: $part }) { values } } }
}`;

interface Sent {
  readonly body: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly accept: string;
}

function request(body: unknown, accept: string = json): Sent {
  return { body: Buffer.from(JSON.stringify(body)), contentType: json, accept };
}

function asData(
  { body, contentType, accept }: Sent,
  signal = new AbortController().signal,
): OperationHttpRequest {
  return { method: 'POST', query: '', headers: { 'content-type': contentType, accept }, body, signal };
}

/** Sends the request by `fetch`, which always uses Yoga. */
function fetched(gateway: Gateway, { body, contentType, accept }: Sent, caller: CallerOptions = fullAccess) {
  const headers = { 'content-type': contentType, accept };
  return gateway.fetch(
    new Request('http://localhost/graphql', { method: 'POST', headers, body: new Uint8Array(body) }),
    caller,
  );
}

async function expectSame(gateway: Gateway, sent: Sent, caller: CallerOptions = fullAccess) {
  const response = await fetched(gateway, sent, caller);
  const { status, headers, body } = await gateway.handleOperation(asData(sent), caller);
  expect(status).toBe(response.status);
  const expected = new Headers(response.headers);
  expected.delete('content-length');
  for (const [name, value] of expected) expect([name, headers[name]]).toEqual([name, value]);
  // On a busy machine, the response may be streamed.
  const isStream = body === null || body instanceof ReadableStream;
  const bytes = isStream ? Buffer.from(await new Response(body).arrayBuffer()) : Buffer.concat(body);
  expect(bytes.toString('latin1')).toBe(Buffer.from(await response.arrayBuffer()).toString('latin1'));
  return { status, body: bytes };
}

describe('returns the same response as Yoga', () => {
  test.each([
    json,
    'application/graphql-response+json',
    'application/cbor',
    '*/*',
    'text/event-stream;q=0.5, */*',
  ])('as %s', async (accept) => {
    const { status } = await expectSame(
      sampleGateway(),
      request({ query: slice, variables: { part: '0, 40, 60:64' } }, accept),
    );
    expect(status).toBe(200);
  });

  test.each([
    ['other variables', { query: slice, variables: { part: '1, 41, 60:64' } }],
    ['an invalid selection', { query: slice, variables: { part: '99999' } }],
    ['a missing variable', { query: slice }],
    ['a variable of another type', { query: slice, variables: { part: { a: 1 } } }],
    ['an operation name', { query: slice, variables: { part: '0' }, operationName: 'Part' }],
    ['an unknown operation name', { query: slice, variables: { part: '0' }, operationName: 'Other' }],
    ['null parameters', { query: slice, variables: { part: '0' }, operationName: null, extensions: null }],
    ['extensions of the client', { query: slice, variables: { part: '0' }, extensions: { client: 'x' } }],
    ['a request for the cost', { query: slice, variables: { part: '0' }, extensions: { cost: true } }],
    ['an invalid request for the cost', { query: slice, extensions: { cost: 7 } }],
    ['an unknown parameter', { query: slice, vars: {} }],
  ])('with %s', async (_, body) => {
    const gateway = sampleGateway();
    await fetched(gateway, request({ query: slice, variables: { part: '0, 0, 0' } }));
    await expectSame(gateway, request(body));
    await expectSame(gateway, request(body, 'application/graphql-response+json'));
  });

  test('returns the same error for an exceeded limit', async () => {
    const gateway = sampleGateway({ limits: { maxOutputBytes: 1000 } });
    const query = '{ store(name: "coads") { array(path: "SST") { slice { values } } } }';
    const { body } = await expectSame(gateway, request({ query }));
    expect(String(body)).toContain('LIMIT_EXCEEDED');
  });

  test('responds to a CBOR body', async () => {
    const body = Buffer.from(encode({ query: slice, variables: { part: '0, 40, 60:64' } }));
    await expectSame(sampleGateway(), { body, contentType: 'application/cbor', accept: 'application/cbor' });
  });

  test('with the permissions of the caller, and records the operation', async () => {
    const gateway = sampleGateway();
    const sent = request({ query: slice, variables: { part: '0, 40, 60:64' } });
    await fetched(gateway, sent);
    const names: (string | undefined)[] = [];
    const caller: CallerOptions = {
      mayRead: (store) => store !== 'coads',
      mayEnter: (store) => store !== 'coads',
      mayWrite: () => false,
      observe: ({ name }) => names.push(name),
    };
    const { body } = await expectSame(gateway, sent, caller);
    expect(String(body)).toContain(new NotFoundError('x').code);
    expect(names).toEqual(['Part', 'Part']);
  });
});

/** The fast path with a pipeline that caches one document and records its executions. */
function fastPathOf(remembered: string) {
  const persisted = createPersistedDocuments({ documents: new Map([['listed', remembered]]) });
  let runs = 0;
  const pipeline: Parameters<typeof runFast>[0] = {
    documents: { isRemembered: (text) => text === remembered },
    resolve(given) {
      const parameters = checkParameters(given);
      const { operationName, variables } = parameters;
      return { document: persisted.find(parameters), operationName, variables, cost: undefined };
    },
    async run() {
      runs += 1;
      return Promise.resolve({ data: {} });
    },
  };
  return {
    takes: async (sent: OperationHttpRequest) => {
      const before = runs;
      await runFast(pipeline, sent, { rights: fullAccess });
      return runs > before;
    },
  };
}

describe('the fast path accepts', () => {
  const query = '{ __typename }';
  const { takes } = fastPathOf(query);
  test.each<[string, OperationHttpRequest]>([
    ['a remembered document', asData(request({ query }))],
    ['a persisted document by its id', asData(request({ documentId: 'listed' }))],
    [
      'CBOR',
      asData({ ...request({}), contentType: 'application/cbor', body: Buffer.from(encode({ query })) }),
    ],
  ])('%s', async (_, sent) => {
    expect(await takes(sent)).toBe(true);
  });

  test.each<[string, OperationHttpRequest]>([
    ['another document', asData(request({ query: '{ stores { totalCount } }' }))],
    ['GET', { ...asData(request({ query })), method: 'GET', body: null }],
    ['parameters in the URL', { ...asData(request({ query })), query: 'a=b' }],
    ['server-sent events', asData(request({ query }, 'text/event-stream'))],
    ['an unknown media type', asData(request({ query }, 'image/png'))],
    ['an unknown document id', asData(request({ documentId: 'x' }))],
    ['an unknown parameter', asData(request({ query, vars: {} }))],
    ['a list of variables', asData(request({ query, variables: [] }))],
    ['invalid JSON', asData({ ...request({}), body: Buffer.from('{') })],
    ['a batch', asData(request([{ query }]))],
    ['a large body', asData(request({ query, variables: { a: 'x'.repeat(2 ** 16) } }))],
    ['a form', asData({ ...request({ query }), contentType: 'text/plain' })],
  ])('not %s', async (_, sent) => {
    expect(await takes(sent)).toBe(false);
  });
});

test('rejects when the signal fires', async () => {
  const gateway = sampleGateway();
  const sent = request({ query: slice, variables: { part: '0' } });
  await fetched(gateway, sent);
  const controller = new AbortController();
  const response = gateway.handleOperation(asData(sent, controller.signal), fullAccess);
  controller.abort(new DOMException('enough', 'TimeoutError'));
  await expect(response).rejects.toThrow('enough');
});
