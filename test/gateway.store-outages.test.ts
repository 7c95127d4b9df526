/**
 * Stores that hang, stall, disappear or fail intermittently next to a healthy one: only the fields of these
 * stores fail.
 */
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../server/index.js';
import { createMetrics } from '../server/http/metrics.js';
import { createMemoryStore, openHierarchy, openStoreFromUrl } from '../server/zarr/index.js';
import { execute } from './resolvers/gateway-client.js';
import { startFileServer, type Fault } from './store/file-server.js';

const hang: Fault = () => true;
const vanish: Fault = (request) => {
  request.socket.destroy();
  return true;
};
const stall: Fault = (_, response, body) => {
  response.writeHead(200, { 'content-length': body.length + 10 }).write(body);
  return true;
};
const drip: Fault = (_, response) => {
  response.writeHead(200, { 'content-length': 1_000_000 });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
  return true;
};
const busy: Fault = (_, response) => {
  response.writeHead(503, { 'retry-after': '3600' }).end();
  return true;
};

/** @param deadlineMs maximum duration of a read of the remote store */
async function setUp(deadlineMs: number) {
  const memory = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(memory).createArray('/a', { shape: [3], dtype: 'int8' });
  await array.select({ kind: 'all' }).write([1, 2, 3]);
  const contents: Record<string, Uint8Array> = {};
  for await (const { key } of memory.walk(''))
    await memory.getMany([{ key }], (_, found) => {
      if (typeof found === 'object') contents[key] = found.bytes;
    });
  const server = await startFileServer(contents);
  const metrics = createMetrics();
  const remote = openStoreFromUrl('remote', server.url, {
    ...{ deadlineMs, maxAgeMs: 0, cacheBytes: 0, concurrency: 2, metrics: metrics.stores },
    http: { retryBaseMs: 1 },
  });
  const gateway = createGateway({
    stores: [
      { name: 'remote', store: remote },
      { name: 'healthy', store: memory },
    ],
  });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  const read = `array(path: "a") { slice(select: {text: ":"}) { values } }`;
  const fields = Array.from({ length: 8 }, (_, i) => `r${i}: store(name: "remote") { ${read} }`).join(' ');
  const readBoth = () => execute(gateway, `{ ${fields} healthy: store(name: "healthy") { ${read} } }`);
  return { server, readBoth, metrics };
}
const values = { array: { slice: { values: [1, 2, 3] } } };

test.each<[string, Fault]>([
  ['hangs', hang],
  ['vanishes', vanish],
  ['stalls in the middle of a body', stall],
  ['sends a byte every 20 ms', drip],
  ['requests a wait of one hour', busy],
])('only the fields of a store that %s are errors, until it recovers', async (_, fault) => {
  const deadlineMs = 1500;
  const { server, readBoth } = await setUp(deadlineMs);
  const expectBoth = async (): Promise<void> => {
    const start = performance.now();
    const { data, errors } = await readBoth();
    // On a busy machine, reads without faults can exceed the deadline too.
    if (errors.length > 0 && performance.now() - start > deadlineMs) return expectBoth();
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ r0: values, r7: values, healthy: values });
  };
  await expectBoth();
  const faults = (): Fault[] => Array.from({ length: 1000 }, () => fault);
  for (let round = 0; round < 2; round++) {
    server.faults.splice(0, Infinity, ...faults());
    const { data, errors } = await readBoth();
    expect(data).toMatchObject({ healthy: values });
    expect(errors).toHaveLength(8);
    for (const { extensions, message } of errors) {
      expect(extensions).toMatchObject({ code: 'STORE_UNAVAILABLE', store: 'remote' });
      expect(message).toContain('store "remote"');
    }
  }
  server.faults.length = 0;
  await expectBoth();
});

test('a flapping store is read between its faults, and retries are counted', async () => {
  const { server, readBoth, metrics } = await setUp(20_000);
  for (let round = 0; round < 5; round++) {
    server.faults.push(vanish, vanish);
    expect((await readBoth()).errors).toEqual([]);
  }
  const line = /zarrql_store_requests_total\{store="remote",kind="read",code="(\w+)"\} (\d+)/g;
  const counts = Object.fromEntries(
    [...(await metrics.text()).matchAll(line)].map(([, code, count]) => [code, Number(count)]),
  );
  expect(counts).toMatchObject({ STORE_UNAVAILABLE: 10 });
  expect((counts['OK'] ?? 0) + 10).toBe(server.log.length);
});
