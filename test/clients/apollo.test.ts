/**
 * Apollo Client 4, configured as in docs/clients/apollo.md: mounted queries share the cache, and a deleted
 * node is evicted.
 */
import { ApolloClient, gql } from '@apollo/client';
import { ApolloProvider, useQuery } from '@apollo/client/react';
import { createElement } from 'react';
import { afterAll, expect, test } from 'vitest';
import { createGateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { sampleStores } from '../docs/format-samples.js';
import { mount, until, conflictingQueries } from './mount.js';
import { expectSilence, importPage, serve } from './pages.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

async function clientOf(): Promise<ApolloClient> {
  const { client } = await importPage('apollo.md');
  if (!(client instanceof ApolloClient)) throw new TypeError('the page exports no client');
  return client;
}

test.each(conflictingQueries)('two mounted queries share the cache: %s', async (...queries) => {
  expectSilence();
  const client = await clientOf();
  const requests = serve(gateway);
  const seen = new Map<string, unknown>();
  function View({ query }: { query: string }) {
    const { data, loading } = useQuery(gql(query));
    seen.set(query, loading ? 'loading' : data);
    return null;
  }
  const views = queries.map((query) => createElement(View, { query, key: query }));
  await mount(createElement(ApolloProvider, { client, children: views }));
  await until(() => seen.size === 2 && ![...seen.values()].includes('loading'));
  // The first result of each query may cause one refetch of the other.
  let turns = 0;
  await until(() => (turns += 1) > 5);
  expect(requests.count).toBeLessThanOrEqual(4);
  for (const query of queries) {
    const { data } = await client.query({ query: gql(query), fetchPolicy: 'no-cache' });
    expect(client.readQuery({ query: gql(query) })).toEqual(data);
    expect(seen.get(query)).toEqual(data);
  }
});

test('matches fragments on interfaces', async () => {
  const client = await clientOf();
  serve(gateway);
  const query = gql`{ store(name: "coads") { id node(path: "/SST") { ... on Node { id } ... on ZarrNode { name } } } }`; // prettier-ignore
  const { data } = await client.query({ query });
  expect(data).toMatchObject({ store: { node: { name: 'SST' } } });
  expect(client.readQuery({ query })).toEqual(data);
});

test('a deleted node is evicted from the cache', async () => {
  const scratch = createGateway({
    stores: [{ name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true }],
  });
  const client = await clientOf();
  serve(scratch);
  const make =
    'createArray(input: { store: "scratch", path: "a", shape: [1], dtype: "int8" }) { array { id name } }';
  await client.mutate({
    mutation: gql(`mutation { createGroup(input: { store: "scratch" }) { group { id } } }`),
  });
  await client.mutate({ mutation: gql(`mutation { ${make} }`) });
  const query = gql`
    {
      store(name: "scratch") {
        id
        group {
          id
          members {
            nodes {
              id
              name
            }
          }
        }
      }
    }
  `;
  await client.query({ query });
  await client.mutate({
    mutation: gql`
      mutation {
        deleteNode(input: { store: "scratch", path: "a" }) {
          deletedId
        }
      }
    `,
    update(cache, { data }) {
      const { deletedId }: { deletedId: string } = Object(data).deleteNode;
      expect(cache.evict({ id: cache.identify({ __typename: 'ZarrArray', id: deletedId })! })).toBe(true);
    },
  });
  expect(client.readQuery({ query })).toMatchObject({ store: { group: { members: { nodes: [] } } } });
  await scratch.close();
});
