/** urql with Graphcache, and TanStack Query, configured as in docs/clients. */
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { Client, gql } from '@urql/core';
import { afterAll, expect, test, describe } from 'vitest';
import { sampleStores } from '../docs/format-samples.js';
import { conflictingQueries } from './mount.js';
import { expectSilence, importPage, serve } from './pages.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

async function clientOf(): Promise<Client> {
  const { client } = await importPage('urql.md');
  if (!(client instanceof Client)) throw new TypeError('the page exports no client');
  return client;
}

const ids = '{ stores { nodes { id } } }';

test.each(conflictingQueries)('queries of the same objects: %s', async (...queries) => {
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
  await expect.poll(() => [...results.values()].every((seen) => seen.length > 0)).toBe(true);
  // When the third response arrives, requests triggered by the first two would have been sent.
  await client.query(gql(ids), {}).toPromise();
  expect(requests.count).toBe(3);
  for (const query of queries) {
    const fresh = await client.query(gql(query), {}, { requestPolicy: 'network-only' }).toPromise();
    expect(results.get(query)?.at(-1)).toEqual(fresh.data);
  }
  for (const { unsubscribe } of subscriptions) unsubscribe();
});

test('caches types without an id, and matches fragments on interfaces', async () => {
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

// graphql-request and TanStack Query, configured as in docs/clients/tanstack-query.md.
describe('TanStack Query', () => {
  interface Options {
    readonly queryKey: readonly unknown[];
    readonly queryFn: QueryFunction;
  }

  test('a row of the sea surface temperature, fetched once', async () => {
    const { monthQuery } = await importPage('tanstack-query.md');
    if (typeof monthQuery !== 'function') throw new TypeError('the page exports no query');
    const requests = serve(gateway);
    const client = new QueryClient();
    const options: Options = monthQuery(0);
    const data = await client.ensureQueryData(options);
    expect(data).toMatchObject({
      store: { array: { slice: { values: { length: 180, 0: expect.any(Number) } } } },
    });
    expect(await client.ensureQueryData(options)).toBe(data);
    expect(requests.count).toBe(1);
  });
});
