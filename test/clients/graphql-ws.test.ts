/** graphql-ws, configured as in docs/clients/graphql-ws.md, over a real connection. */
import { type Client, createClient } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { execute } from '../resolvers/gateway-client.js';
import { start } from '../http/sse-client.js';
import { until } from '../http/serving.js';
import { importPage } from './pages.js';

function isClient(value: unknown): value is Client {
  return typeof value === 'object' && value !== null && 'iterate' in value;
}

test('the page exports a client', async () => {
  const { client } = await importPage('graphql-ws.md');
  expect(isClient(client)).toBe(true);
});

test('runs queries, mutations, and a subscription until the gateway ends it', async () => {
  const { port, gateway, bus } = await start();
  const client = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket });
  onTestFinished(() => client.dispose());
  const changes = client.iterate({ query: 'subscription { changes(store: "m") { kind path } }' });
  const first = changes.next();
  await until(() => bus.listeners() === 1);
  const results: unknown[] = [];
  for await (const { data } of client.iterate({ query: '{ stores { nodes { name } } }' })) results.push(data);
  expect(results).toEqual([{ stores: { nodes: [{ name: 'm' }, { name: 'n' }] } }]);
  await execute(gateway, 'mutation { createGroup(input: { store: "m", path: "a" }) { group { path } } }');
  expect((await first).value?.data).toEqual({ changes: { kind: 'CREATED', path: '/' } });
  gateway.endStreams();
  const rest: unknown[] = [];
  for await (const { data } of changes) rest.push(data);
  expect(rest).toEqual([{ changes: { kind: 'CREATED', path: '/a' } }]);
});

test('reports an invalid document to the caller', async () => {
  const { port } = await start();
  const client = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket });
  onTestFinished(() => client.dispose());
  await expect(client.iterate({ query: '{ unknown }' }).next()).rejects.toMatchObject([
    { extensions: { code: 'BAD_INPUT' } },
  ]);
});

test('the parts of an operation with @defer arrive one by one', async () => {
  const { port } = await start();
  const client = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket });
  onTestFinished(() => client.dispose());
  const query = '{ stores { nodes { name } } ... @defer(label: "version") { gateway { version } } }';
  const results: unknown[] = [];
  for await (const result of client.iterate({ query })) results.push(result);
  expect(results).toMatchObject([
    { data: { stores: {} }, pending: [{ label: 'version' }], hasNext: true },
    { incremental: [{ data: { gateway: {} } }], completed: [{}], hasNext: false },
  ]);
});
