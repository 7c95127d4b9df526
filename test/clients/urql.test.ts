/** urql with Graphcache, configured as in docs/clients/urql.md: no warnings, and queries share the cache. */
import { Client, gql } from '@urql/core';
import { afterAll, expect, test } from 'vitest';
import { sampleStores } from '../docs/samples.js';
import { feuds } from './feuds.js';
import { expectSilence, importPage, serve } from './pages.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

async function clientOf(): Promise<Client> {
  const { client } = await importPage('urql.md');
  if (!(client instanceof Client)) throw new TypeError('the page exports no client');
  return client;
}

const ids = '{ stores { nodes { id } } }';

test.each(feuds)('queries of the same objects: %s', async (...queries) => {
  expectSilence();
  const client = await clientOf();
  const requests = serve(gateway);
  const results = new Map<string, unknown[]>(queries.map((query) => [query, []]));
  const subscriptions = queries.map((query) =>
    client.query(gql(query), {}).subscribe(({ data, error }) => {
      expect(error).toBeUndefined();
      results.get(query)?.push(data);
    }),
  );
  for (let i = 0; i < 100 && [...results.values()].some((seen) => seen.length === 0); i++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  // When the third response arrives, requests triggered by the first two would have been sent.
  await client.query(gql(ids), {}).toPromise();
  expect(requests.count).toBe(3);
  for (const query of queries) {
    const fresh = await client.query(gql(query), {}, { requestPolicy: 'network-only' }).toPromise();
    expect(results.get(query)?.at(-1)).toEqual(fresh.data);
  }
  for (const { unsubscribe } of subscriptions) unsubscribe();
});

test('every type without an id, and fragments on interfaces', async () => {
  expectSilence();
  const client = await clientOf();
  const requests = serve(gateway);
  const query = gql`
    {
      gateway { version limits { maxChunks } }
      store(name: "coads") {
        id
        node(path: "/SST") {
          id
          ... on ZarrNode { name }
          ... on ZarrArray {
            dtype { name fields { name } }
            dimensions { name }
            codecs { name }
            storage { objects }
            chunk(index: [0, 0, 0]) { key }
            slice { dimensions { size } coordinates { name } estimate { chunks exceeded { limit } } base64 { dtype } }
          }
        }
        dataset { id dimensions { id name } variables { id name flags { meaning } } }
        search(first: 2) { edges { cursor node { id } } pageInfo { endCursor } }
      }
    }
  `; // prettier-ignore
  const first = await client.query(query, {}).toPromise();
  expect(first.error).toBeUndefined();
  expect(first.data.store.node).toMatchObject({ name: 'SST', dtype: { name: 'float32' } });
  const cached = await client.query(query, {}).toPromise();
  expect(cached.data).toEqual(first.data);
  expect(requests.count).toBe(1);
});
