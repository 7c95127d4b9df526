/** urql: `@defer` over HTTP, and subscriptions as server-sent events and over WebSockets. */
import { Client, type Exchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../http/serving.js';
import { start } from '../http/sse-client.js';
import { execute } from '../resolvers/gateway-client.js';

test('the first fields arrive before those with @defer', async () => {
  const { port } = await start();
  const client = new Client({
    url: `http://127.0.0.1:${port}/graphql`,
    preferGetMethod: false,
    exchanges: [fetchExchange],
  });
  const seen: unknown[] = [];
  const document = '{ stores { nodes { name } } ... @defer { gateway { version } } }';
  const { unsubscribe } = client.query(document, {}).subscribe(({ data, error, hasNext }) => {
    expect(error).toBeUndefined();
    seen.push([Object.keys(Object(data)), hasNext]);
  });
  await until(() => seen.length >= 2);
  unsubscribe();
  expect(seen[0]).toEqual([['stores'], true]);
  expect(seen.at(-1)).toEqual([['stores', 'gateway'], false]);
});

function webSocketExchange(url: string): Exchange {
  const sockets = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
  onTestFinished(() => sockets.dispose());
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: sockets.subscribe(
          { query, variables },
          {
            next: ({ data = null }) => sink.next({ data }),
            error: (error) => sink.error(error),
            complete: () => sink.complete(),
          },
        ),
      }),
    }),
  });
}

test.each([
  ['as server-sent events', undefined],
  ['over WebSockets', webSocketExchange],
])('subscriptions %s', async (_name, exchange) => {
  const { port, gateway, bus } = await start();
  const url = `http://127.0.0.1:${port}/graphql`;
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchSubscriptions: exchange === undefined,
    exchanges: exchange === undefined ? [fetchExchange] : [exchange(url)],
  });
  const seen: unknown[] = [];
  const { unsubscribe } = client
    .subscription('subscription { changes(store: "m") { kind path } }', {})
    .subscribe(({ data, error }) => seen.push(error ?? data));
  await until(() => bus.listeners() === 1);
  await execute(gateway, 'mutation { createGroup(input: { store: "m" }) { group { path } } }');
  await until(() => seen.length === 1);
  unsubscribe();
  expect(seen).toEqual([{ changes: { kind: 'CREATED', path: '/' } }]);
  await until(() => bus.listeners() === 0);
});
