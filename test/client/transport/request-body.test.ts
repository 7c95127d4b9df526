import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test, afterAll, describe } from 'vitest';
import { sdkDocuments } from '../../../client/codegen/index.js';
import { InputError, createClient, type ClientOptions, type FetchInit } from '../../../client/index.js';
import { decodeCborBody } from '../../../client/transport/body.js';
import { parseEvents } from '../../../client/transport/parse-events.js';
import { writeBody } from '../../../client/transport/request-body.js';
import { createGateway } from '../../../server/gateway.js';
import { type Gateway, fullAccess } from '../../../server/index.js';
import { root } from '../../docs/format-samples.js';
import { folderStore } from '../in-process.js';

const withoutJson = [-0, Number.NaN, Infinity, -Infinity];

test.each([...withoutJson, 2n ** 64n, Uint8Array.of(1, 2)])('%s is sent as CBOR', (value) => {
  const { type, body } = writeBody({ variables: { a: [value] } }, false);
  if (typeof body === 'string') throw new Error('expected bytes');
  expect(type).toBe('application/cbor');
  expect(decodeCborBody(body)).toEqual({ variables: { a: [value] } });
});

test.each([...withoutJson, Uint8Array.of(1)])('%s is rejected if only JSON is supported', (value) => {
  expect(() => writeBody({ variables: { a: [value] } }, true)).toThrow(InputError);
});

test('in JSON, array bytes are base64 and large integers decimal text', () => {
  const { body } = writeBody({ values: { data: Uint8Array.of(1, 2) }, n: 2n ** 64n }, true);
  expect(body).toBe('{"values":{"data":"AQI="},"n":"18446744073709551616"}');
});

// Persisted documents, with gateways that have stored them, have not stored them, or reject all other
// documents.
describe('persisted', () => {
  const stores = () => [folderStore('coads', join(root, 'examples/data/coads.zarr'))];
  const gateways: Gateway[] = [];
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

  function start(gateway: Gateway, options: Partial<ClientOptions>) {
    gateways.push(gateway);
    const sent: { url: string; init: FetchInit }[] = [];
    const client = createClient({
      url: 'http://localhost/graphql',
      fetch: async (url, init) => {
        sent.push({ url, init });
        return gateway.fetch(new gateway.Request(url, init), fullAccess);
      },
      ...options,
    });
    return { sst: client.store('coads').array('SST', { dtype: 'float32' }), client, sent };
  }

  test('auto sends the text once, then short URLs', async () => {
    const { sst, sent } = start(createGateway({ stores: stores() }), { persisted: 'auto' });
    const first = await sst.slice('4, 57, 98');
    expect(first.get()).toBe(21.99945831298828);
    expect(sent.map(({ init }) => init.method)).toEqual(['GET', 'POST']);
    expect((await sst.slice('4, 57, 98')).data).toEqual(first.data);
    expect(sent.map(({ init }) => init.method)).toEqual(['GET', 'POST', 'GET']);
    expect(sent[2]?.url).not.toContain('query=');
    // Variables that are too long for a URL are sent by POST, again without the document's text.
    await sst.slice({ points: Array.from({ length: 500 }, (_, i) => [i % 12, i % 90, i % 180]) });
    expect(sent[3]?.init).toMatchObject({ method: 'POST' });
    expect(String(sent[3]?.init.body)).not.toContain('"query"');
  });

  test('true sends only ids of documents, of which the gateway knows those of the package', async () => {
    const documents = new Map(Object.entries(await sdkDocuments()));
    const gateway = createGateway({ stores: stores(), persistedDocuments: { documents, only: true } });
    const { sst, client, sent } = start(gateway, { persisted: true });
    expect((await sst.slice('4, 57, 98')).get()).toBe(21.99945831298828);
    const dataset = client
      .store('coads')
      .dataset()
      .select({ TIME: [1, 9] })
      .select({ TIME: 3 });
    expect((await dataset.variable('SST').slice({ COADSY: 57, COADSX: 98 })).get()).toBe(21.99945831298828);
    expect(sent.every(({ url, init }) => init.method === 'GET' && url.includes('documentId=sha256'))).toBe(
      true,
    );
    await expect(client.request('{ stores { totalCount } }')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const plain = start(gateway, {}).client.request('{ stores { totalCount } }');
    await expect(plain).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

async function parse(...pieces: Uint8Array[]) {
  const events = [];
  for await (const event of parseEvents((async function* () { yield* pieces; })(), 2 ** 20)) events.push(event); // prettier-ignore
  return events;
}
const bytes = (text: string) => new TextEncoder().encode(text);

test('parses events, comments, multiple lines and all line endings', async () => {
  const text =
    ':\n\nevent: next\ndata: {"a":1}\n\nevent:next\r\ndata:x\r\ndata: y\r\n\r\nid: 1\rdata\r\revent: complete\n\ndata: cut';
  expect(await parse(bytes(text))).toEqual([
    { name: 'next', data: '{"a":1}' },
    { name: 'next', data: 'x\ny' },
    { name: 'message', data: '' },
    { name: 'complete', data: '' },
  ]);
});

test('parses streams that are split at any position', async () => {
  const text = 'event: next\r\ndata: ä€𝄞\r\n\r\n:\n\nevent: next\ndata: 2\n\n';
  const whole = await parse(bytes(text));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes(text).length), { maxLength: 6 }), async (cuts) => {
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), bytes(text).length];
      const pieces = bounds.slice(1).map((to, i) => bytes(text).subarray(bounds[i], to));
      expect(await parse(...pieces)).toEqual(whole);
    }),
  );
});
