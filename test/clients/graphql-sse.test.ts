/**
 * graphql-sse, configured as in docs/clients/graphql-sse.md: queries and subscriptions over distinct
 * connections.
 */
import type { Client } from 'graphql-sse';
import { expect, test } from 'vitest';
import { createGateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
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
