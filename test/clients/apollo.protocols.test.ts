/** Apollo Client's links: batches, subscriptions over multipart and WebSockets, and `@defer`. */
import { type ApolloLink, ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../http/serving.js';
import { start } from '../http/sse-client.js';
import { execute } from '../resolvers/gateway-client.js';

const changes = gql`
  subscription {
    changes(store: "m") {
      kind
      path
    }
  }
`;
const board = gql`
  query Board {
    stores {
      nodes {
        name
      }
    }
    ... @defer {
      gateway {
        version
      }
    }
  }
`;

async function connect(linkTo: (url: string) => ApolloLink) {
  const { port, ...rest } = await start();
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: linkTo(`http://127.0.0.1:${port}/graphql`),
    // @ts-expect-error: the types of the library conflict with exactOptionalPropertyTypes
    incrementalHandler: new GraphQL17Alpha9Handler(),
  });
  onTestFinished(() => client.stop());
  return { client, port, ...rest };
}

function webSocketLink(url: string): GraphQLWsLink {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
  onTestFinished(() => client.dispose());
  return new GraphQLWsLink(client);
}

test('BatchHttpLink receives the results of two queries from one request', async () => {
  let requests = 0;
  const { client } = await connect(
    (uri) =>
      new BatchHttpLink({
        uri,
        batchMax: 2,
        batchInterval: 1000,
        fetch: (...request) => {
          requests += 1;
          return fetch(...request);
        },
      }),
  );
  const [first, second] = await Promise.all([
    client.query({ query: gql('{ stores { nodes { name } } }') }),
    client.query({ query: gql('{ store(name: "x") { name } }'), errorPolicy: 'all' }),
  ]);
  expect(first.data).toMatchObject({ stores: { nodes: [{ name: 'm' }, { name: 'n' }] } });
  expect(second.error).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  expect(requests).toBe(1);
});

test.each([
  ['multipart', (uri: string) => new HttpLink({ uri })],
  ['WebSockets', webSocketLink],
])('subscriptions over %s', async (_name, linkTo) => {
  const { client, gateway, bus } = await connect(linkTo);
  const seen: unknown[] = [];
  let isComplete = false;
  client.subscribe({ query: changes }).subscribe({
    next: ({ data, error }) => seen.push(error ?? data),
    complete: () => {
      isComplete = true;
    },
  });
  await until(() => bus.listeners() === 1);
  await execute(gateway, 'mutation { createGroup(input: { store: "m", path: "a" }) { group { path } } }');
  await until(() => seen.length === 2);
  expect(seen).toMatchObject([
    { changes: { kind: 'CREATED', path: '/' } },
    { changes: { kind: 'CREATED', path: '/a' } },
  ]);
  gateway.endStreams();
  await until(() => isComplete);
});

test.each([
  ['HTTP', (uri: string) => new HttpLink({ uri })],
  ['WebSockets', webSocketLink],
])('@defer over %s: the first fields arrive before the deferred ones', async (_name, linkTo) => {
  const { client } = await connect(linkTo);
  const seen: string[][] = [];
  client.watchQuery({ query: board }).subscribe(({ data, error }) => {
    expect(error).toBeUndefined();
    if (data !== undefined && data !== null) seen.push(Object.keys(data));
  });
  await until(() => seen.some((names) => names.includes('gateway')));
  expect(seen[0]).not.toContain('gateway');
  expect(seen.at(-1)).toEqual(expect.arrayContaining(['stores', 'gateway']));
});
