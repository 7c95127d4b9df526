/** Responses of `gateway.fetch`, for programs that embed a gateway and pass on its responses. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { array } from '../http/real-gateway.js';
import { gateStore } from '../setup/gated-store.js';

const paths = ['a', 'b', 'c'];
const fieldOf = (path: string) => `${path}: store(name: "s") { array(path: "${path}") { slice { values } } }`;

/** A gateway whose values are read only after `open` is called. */
async function start() {
  const memory = createMemoryStore({ label: 's' });
  for (const path of paths) await memory.set(`${path}/zarr.json`, Buffer.from(JSON.stringify(array([4]))));
  const { store, open } = gateStore(memory, (key) => key.includes('/c/'));
  const gateway = createGateway({ stores: [{ name: 's', store }] });
  onTestFinished(() => {
    open();
    return gateway.close();
  });
  const send = (query: string, accept: string) => {
    const headers = { accept, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
    return gateway.fetch(new Request('http://localhost/graphql', init), fullAccess);
  };
  return { send, open };
}

test('parts whose values are read after the response has been returned arrive completely', async () => {
  const { send, open } = await start();
  const query = `{ ${paths.map((path) => `... @defer { ${fieldOf(path)} }`).join(' ')} }`;
  const response = await send(query, 'multipart/mixed');
  open();
  const received = await response.text();
  expect(received).not.toContain('errors');
  for (const path of paths)
    expect(received).toContain(`"data":{"${path}":{"array":{"slice":{"values":[7,7,7,7]}}}`);
  expect(received).toContain('"hasNext":false');
});

test.each(['multipart/mixed', 'application/json', 'text/event-stream'])(
  'a response of %s is a Response of the platform, whose body pipes to streams of Node',
  async (accept) => {
    const { send, open } = await start();
    open();
    const response = await send(`{ ... @defer { ${fieldOf('a')} } }`, accept);
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(accept);
    if (response.body === null) throw new TypeError('the response has no body');
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(await text(Readable.from(response.body))).toContain('"values":[7,7,7,7]');
  },
);
