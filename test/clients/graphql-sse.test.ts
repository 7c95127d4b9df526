/**
 * graphql-sse, configured as in docs/clients/graphql-sse.md: queries and subscriptions over distinct
 * connections; and in single connection mode.
 */
import { type Client, createClient } from 'graphql-sse';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { until } from '../http/serving.js';
import { start } from '../http/sse-client.js';
import { execute } from '../resolvers/gateway-client.js';
import { importPage, serve } from './pages.js';

const gateway = createGateway({
  stores: [{ name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true }],
});

function isClient(value: unknown): value is Client {
  return typeof value === 'object' && value !== null && 'iterate' in value;
}

test('runs a query, and a subscription until its end', async () => {
  // Before creating the client, which keeps a reference to the current fetch.
  serve(gateway);
  const { client } = await importPage('graphql-sse.md');
  if (!isClient(client)) throw new TypeError('the page exports no client');
  for await (const { data } of client.iterate({ query: '{ stores { nodes { name } } }' }))
    expect(data).toEqual({ stores: { nodes: [{ name: 'scratch' }] } });
  const changes = client.iterate({ query: 'subscription { changes(store: "scratch") { kind path } }' });
  const first = changes.next();
  for (let i = 0; i < 100; i++) {
    await execute(
      gateway,
      `mutation { createGroup(input: { store: "scratch", path: "g${i}" }) { group { path } } }`,
    );
    const seen = await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (seen !== undefined) break;
  }
  expect((await first).value.data).toMatchObject({ changes: { kind: 'CREATED' } });
  gateway.endStreams();
  for await (const { errors } of changes) expect(errors).toBeUndefined();
  client.dispose();
  await gateway.close();
});

test('all operations share one connection in single connection mode', async () => {
  const { port, gateway, bus, metrics } = await start();
  const single = createClient({ url: `http://127.0.0.1:${port}/graphql`, singleConnection: true });
  onTestFinished(() => single.dispose());
  const changes = single.iterate({ query: 'subscription { changes(store: "m") { kind path } }' });
  const first = changes.next();
  await until(() => bus.listeners() === 1);
  const results: unknown[] = [];
  for await (const result of single.iterate({ query: '{ stores { nodes { name } } }' })) results.push(result);
  for await (const { errors } of single.iterate({ query: '{ unknown }' })) results.push(errors?.length);
  expect(results).toEqual([{ data: { stores: { nodes: [{ name: 'm' }, { name: 'n' }] } } }, 1]);
  expect(await metrics.text()).toMatch(/zarrql_event_streams_open 1\n/);
  await execute(gateway, 'mutation { createGroup(input: { store: "m" }) { group { path } } }');
  expect((await first).value.data).toEqual({ changes: { kind: 'CREATED', path: '/' } });
  await changes.return?.(undefined);
  await until(() => bus.listeners() === 0);
});
