/**
 * The configurations of docs/proxies, with the proxies of this machine (`apt-get install nginx haproxy`): every protocol
 * of the gateway passes, and parts of streams arrive before the next one exists.
 */
import { type Client, createClient } from 'graphql-ws';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createMemoryStore, defineStore } from '../../server/zarr/index.js';
import { deferred } from '../../server/core/deferred.js';
// @ts-expect-error a script without types
import { freePort, isInstalled, proxyNames, startProxy } from '../../scripts/proxies.mjs';
import { array } from '../http/real-gateway.js';
import { send, until } from '../http/serving.js';
import { openEvents, start } from '../http/sse-client.js';
import { execute } from '../resolvers/gateway-client.js';
import { readText } from './format-samples.js';

const stores = '{ stores { nodes { name } } }';
const changes = 'subscription { changes(store: "m") { path } }';
const values = 'store(name: "s") { array(path: "/") { slice { values } } }';
const json = { 'content-type': 'application/json' };

/** A gateway behind a proxy. Chunks of the store `s` are read when `release` is called. */
async function behind(name: string) {
  const gate = deferred();
  const metadata = Buffer.from(JSON.stringify(array()));
  const slow = defineStore({
    label: 's',
    async get(key) {
      if (key === 'zarr.json') return metadata;
      await gate.promise;
      return undefined;
    },
  });
  const memory = createMemoryStore({ label: 'm' });
  const { port: own, ...started } = await start({
    stores: [
      { name: 'm', store: memory, writable: true, watchMs: 0 },
      { name: 's', store: slow },
    ],
  });
  const port = await freePort();
  const proxy = startProxy(name, port, [own, own]);
  onTestFinished(() => proxy.stop());
  const isReady = () => send(port, { path: '/readyz' }).then(({ status }) => status === 200, () => false); // prettier-ignore
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
  return { ...started, port, release: () => gate.resolve() };
}

describe.each<string>(proxyNames)('%s', (name) => {
  const missing = isInstalled(name) ? '' : ` (skipped: ${name} is not installed)`;
  describe.skipIf(missing !== '')(`passes${missing}`, () => {
    test('queries by GET and POST', async () => {
      const { port } = await behind(name);
      const expected = { data: { stores: { nodes: [{ name: 'm' }, { name: 's' }] } } };
      const got = await send(port, { path: `/graphql?query=${encodeURIComponent(stores)}` });
      expect(JSON.parse(got.body)).toEqual(expected);
      const body = JSON.stringify({ query: stores });
      const posted = await send(port, { method: 'POST', headers: json, body });
      expect(JSON.parse(posted.body)).toEqual(expected);
    });

    test('the events of a subscription while it is open', async () => {
      const { port, gateway, bus } = await behind(name);
      const events = await openEvents(port, changes);
      await until(() => bus.listeners() === 1);
      await execute(gateway, 'mutation { createGroup(input: { store: "m" }) { group { path } } }');
      await until(() => events.events.length === 1);
      expect(events.events[0]).toMatchObject({ event: 'next', data: '{"data":{"changes":{"path":"/"}}}' });
      events.leave();
      await until(() => bus.listeners() === 0);
    });

    test('the first part of a multipart response before the second one exists', async () => {
      const { port, release } = await behind(name);
      const query = `{ stores { nodes { name } } ... @defer { ${values} } }`;
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { ...json, accept: 'multipart/mixed' },
        body: JSON.stringify({ query }),
      });
      let text = '';
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
        text += part.value;
        if (!text.includes('"hasNext":true')) continue;
        if (!text.includes('"values"')) release();
      }
      expect(text).toMatch(/"hasNext":true[^]*"values":\[7,7,7,7\][^]*"hasNext":false/);
    });

    test('WebSockets', async () => {
      const { port, gateway, bus } = await behind(name);
      const client: Client = createClient({
        url: `ws://127.0.0.1:${port}/graphql`,
        webSocketImpl: WebSocket,
      });
      onTestFinished(() => client.dispose());
      const results: unknown[] = [];
      for await (const { data } of client.iterate({ query: stores })) results.push(data);
      expect(results).toEqual([{ stores: { nodes: [{ name: 'm' }, { name: 's' }] } }]);
      const followed = client.iterate({ query: changes });
      const first = followed.next();
      await until(() => bus.listeners() === 1);
      await execute(gateway, 'mutation { createGroup(input: { store: "m" }) { group { path } } }');
      expect((await first).value?.data).toEqual({ changes: { path: '/' } });
      await followed.return?.(undefined);
      await until(() => bus.listeners() === 0);
    });
  });
});

test('docs/deploy.md links to these configurations', () => {
  for (const file of ['nginx.conf', 'haproxy.cfg']) {
    expect(readText('docs/deploy.md')).toContain(`](proxies/${file})`);
    expect(readText(`docs/proxies/${file}`)).not.toBe('');
  }
});
