/**
 * Persisted documents, with gateways that have stored them, have not stored them, or reject all other
 * documents.
 */
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import type { ClientOptions, FetchInit } from '../../../client/index.js';
import { sdkDocuments } from '../../../client/codegen/index.js';
import { createGateway } from '../../../server/gateway.js';
import type { Gateway } from '../../../server/index.js';
import { folderStore } from '../in-process.js';
import { join } from 'node:path';
import { root } from '../../docs/samples.js';
import { fullAccess } from '../../../server/index.js';

const stores = () => [folderStore('coads', join(root, 'examples/data/coads.zarr'))];
const gateways: Gateway[] = [];
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

function start(gateway: Gateway, options: Partial<ClientOptions>) {
  gateways.push(gateway);
  const asked: { url: string; init: FetchInit }[] = [];
  const client = createClient({
    url: 'http://localhost/graphql',
    fetch: async (url, init) => {
      asked.push({ url, init });
      return gateway.fetch(new gateway.Request(url, init), fullAccess);
    },
    ...options,
  });
  return { sst: client.store('coads').array('SST', { dtype: 'float32' }), client, asked };
}

test('auto sends the text once, then short URLs', async () => {
  const { sst, asked } = start(createGateway({ stores: stores() }), { persisted: 'auto' });
  const first = await sst.slice('4, 57, 98');
  expect(first.get()).toBe(21.99945831298828);
  expect(asked.map(({ init }) => init.method)).toEqual(['GET', 'POST']);
  expect((await sst.slice('4, 57, 98')).data).toEqual(first.data);
  expect(asked.map(({ init }) => init.method)).toEqual(['GET', 'POST', 'GET']);
  expect(asked[2]?.url).not.toContain('query=');
  // Variables that are too long for a URL are sent by POST, again without the document's text.
  await sst.slice({ points: Array.from({ length: 500 }, (_, i) => [i % 12, i % 90, i % 180]) });
  expect(asked[3]?.init).toMatchObject({ method: 'POST' });
  expect(String(asked[3]?.init.body)).not.toContain('"query"');
});

test("true sends only documents of the package's list", async () => {
  const documents = new Map(Object.entries(await sdkDocuments()));
  const gateway = createGateway({ stores: stores(), persistedDocuments: { documents, only: true } });
  const { sst, client, asked } = start(gateway, { persisted: true });
  expect((await sst.slice('4, 57, 98')).get()).toBe(21.99945831298828);
  const dataset = client
    .store('coads')
    .dataset()
    .select({ TIME: [1, 9] })
    .select({ TIME: 3 });
  expect((await dataset.variable('SST').slice({ COADSY: 57, COADSX: 98 })).get()).toBe(21.99945831298828);
  expect(asked.every(({ url, init }) => init.method === 'GET' && url.includes('documentId=sha256'))).toBe(
    true,
  );
  await expect(client.request('{ stores { totalCount } }')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const plain = start(gateway, {}).client.request('{ stores { totalCount } }');
  await expect(plain).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
