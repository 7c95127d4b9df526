/** Results of a batch arrive one by one. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, type ClientOptions, type NDArray } from '../../../client/index.js';
import { lazySlice } from '../../../client/analysis/index.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { array } from '../../http/real-gateway.js';
import { serve } from '../../http/serving.js';
import { gateStore } from '../../setup/gated-store.js';

/** A gateway whose array `slow` is read only after `open` is called. */
async function start(options: Partial<ClientOptions> = {}) {
  const memory = createMemoryStore({ label: 's' });
  for (const path of ['fast', 'other', 'slow'])
    await memory.set(`${path}/zarr.json`, Buffer.from(JSON.stringify(array([4]))));
  const { store, open } = gateStore(memory, (key) => key.startsWith('slow/c/'));
  const gateway = createGateway({ stores: [{ name: 's', store }] });
  const bodies: string[] = [];
  const { port } = await serve(
    gateway.fetch,
    { maxBodyBytes: 2 ** 20 },
    {
      handleOperation: (request, caller) => {
        bodies.push(String(request.body));
        return gateway.handleOperation(request, { ...caller, ...fullAccess });
      },
    },
  );
  onTestFinished(() => gateway.close());
  const client = createClient({ url: `http://127.0.0.1:${port}/graphql`, retries: 0, ...options });
  return { client, open, bodies };
}

test.each([{ format: 'auto' as const }, { format: 'json' as const }])(
  'values and lines, each as soon as it is computed (%o)',
  async (options) => {
    const isWhole = options.format === 'json';
    const { client, open, bodies } = await start(options);
    const s = client.store('s');
    const lineOf = (path: string) => lazySlice(s.array(path, { dtype: 'int32' }));
    if (isWhole) open();
    const keys: string[] = [];
    for await (const { key, result } of client.batch({
      slow: (call) => s.array('slow').slice(undefined, call),
      fast: (call) => s.array('fast').slice(undefined, call),
      missing: (call) => s.array('missing').slice(undefined, call),
      read: lazySlice(s.array('other')),
      slowLine: (call) => lineOf('slow').line({ width: 10, ...call }),
      line: (call) => lineOf('fast').line({ width: 10, ...call }),
    })) {
      keys.push(key);
      if (key === 'missing')
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
      else expect(result.status).toBe('fulfilled');
      if (key === 'line' && result.status === 'fulfilled')
        expect([...result.value.y.data]).toEqual([7, 7, 7, 7]);
      if (keys.length === 4) open();
    }
    expect(keys.toSorted()).toEqual(['fast', 'line', 'missing', 'read', 'slow', 'slowLine']);
    if (isWhole) return;
    expect(keys.slice(0, 4).toSorted()).toEqual(['fast', 'line', 'missing', 'read']);
    // One document for the values, one for the lines.
    expect(bodies).toHaveLength(2);
  },
);

test('the types of results follow their keys', async () => {
  const { client, open } = await start();
  open();
  const s = client.store('s');
  for await (const { key, result } of client.batch({
    values: (call) => s.array('fast', { dtype: 'int32' }).slice(undefined, call),
    line: (call) => lazySlice(s.array('other')).line({ width: 5, ...call }),
  })) {
    if (result.status !== 'fulfilled') throw result.reason;
    if (key === 'values') result.value satisfies NDArray<'int32'>;
    expect(key === 'values' ? result.value.dtype : result.value.y.dtype).toBe('int32');
  }
});

test('a consumer that stops aborts the other requests', async () => {
  const { client } = await start();
  const s = client.store('s');
  let isAborted = false;
  for await (const { key } of client.batch({
    slow(call) {
      call.signal?.addEventListener('abort', () => (isAborted = true));
      return s.array('slow').slice(undefined, call);
    },
    fast: (call) => s.array('fast').slice(undefined, call),
  })) {
    expect(key).toBe('fast');
    break;
  }
  expect(isAborted).toBe(true);
});

test('an interrupted response is loaded again, with the plain request', async () => {
  const server = createServer((request, response) => {
    const isParts = request.headers.accept?.startsWith('application/cbor-seq') === true;
    if (isParts)
      response.writeHead(200, { 'content-type': 'application/cbor-seq' }).end(Buffer.from([0xa1, 0x61]));
    else response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const broken = createClient({ url: `http://127.0.0.1:${address.port}/graphql`, retries: 0 });
  const outcomes = [];
  for await (const { result } of broken.batch({
    a: (call) => broken.store('s').array('a').slice(undefined, call),
    b: (call) => broken.store('s').array('b').slice(undefined, call),
  }))
    outcomes.push(result.status === 'rejected' ? result.reason.code : result.status);
  expect(outcomes).toEqual(['HTTP', 'HTTP']);
});

test('plain promises stay one plain request', async () => {
  const { client, open, bodies } = await start();
  open();
  const s = client.store('s');
  await Promise.all(['fast', 'other', 'slow'].map((path) => s.array(path).slice()));
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toContain('@defer');
});
