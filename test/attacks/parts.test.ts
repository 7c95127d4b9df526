/** Attacks on results in parts: clients that never read, and clients that leave in every phase. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../server/index.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createHttpServer } from '../../server/http/server.js';
import { parseConfig } from '../../server/config.js';
import { MemoryBudget } from '../../server/memory/budget.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { array } from '../http/real-gateway.js';
import { loggerTo, until } from '../http/serving.js';

const MIB = 2 ** 20;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
});
afterEach(() => {
  process.off('unhandledRejection', onUnhandled);
});

/** Serves an array of 4 MiB, whose chunks are absent. */
async function startGateway() {
  const store = createMemoryStore({ label: 's' });
  await store.set('a/zarr.json', Buffer.from(JSON.stringify(array([MIB]))));
  await store.set('b/zarr.json', Buffer.from(JSON.stringify(array([100]))));
  const memory = new MemoryBudget({ maxBytes: 256 * MIB, maxRequestBytes: 128 * MIB, waitMs: 500 });
  const gateway = createGateway({ stores: [{ name: 's', store }], memory });
  const log: Record<string, unknown>[] = [];
  const config = parseConfig({ port: 0, graphiql: false, minClientBytesPerSecond: 0 });
  const server = createHttpServer({ config, gateway, logger: loggerTo(log), metrics: createMetrics() });
  const url = new URL(await server.listen());
  onTestFinished(async () => {
    await Promise.all([server.close(), server.close()]);
    await gateway.close();
  });
  return { memory, log, url, port: Number(url.port) };
}

/** Different parts of an array, because equal ones share a result. */
const values = (path: string, from = 0): string =>
  `store(name: "s") { array(path: "${path}") { slice(select: { text: "${from}:" }) { values base64 { data } } } }`;
const board = (count: number, path: string): string =>
  `{ ${Array.from({ length: count }, (_, i) => `... @defer { c${i}: ${values(path, i)} }`).join(' ')} }`;

async function openRequest(port: number, query: string, accept: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const body = JSON.stringify({ query });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

test('memory of clients that never read stays within the budget, and is released when they leave', async () => {
  const { memory, port, url } = await startGateway();
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = await openRequest(port, board(10, 'a'), 'application/cbor-seq');
      return socket.pause();
    }),
  );
  await until(() => memory.stats().heldBytes > 30 * MIB);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(memory.stats().heldBytes).toBeLessThanOrEqual(256 * MIB);
  expect((await fetch(new URL('/livez', url))).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until(() => memory.stats().heldBytes === 0);
  expect(unhandled).toEqual([]);
});

test('the memory of a part is released when it has left', async () => {
  const { memory, port } = await startGateway();
  let most = 0;
  const socket = await openRequest(port, board(10, 'a'), 'application/cbor-seq');
  socket.pause();
  await until(() => memory.stats().heldBytes > 20 * MIB);
  const held: number[] = [];
  let bytes = 0;
  socket.on('data', (data: Buffer) => {
    bytes += data.length;
    most = Math.max(most, memory.stats().heldBytes);
    held.push(memory.stats().heldBytes);
  });
  socket.resume();
  await until(() => bytes > 60 * MIB);
  expect(held.at(-1)).toBeLessThan(most / 2);
  socket.destroy();
  await until(() => memory.stats().heldBytes === 0);
});

test.each(['multipart/mixed', 'text/event-stream', 'application/cbor-seq'])(
  'clients of %s that leave in every phase leave nothing behind',
  async (accept) => {
    const { memory, port, url, log } = await startGateway();
    const streamed = `{ slices(requests: [${'{ store: "s", path: "b" } '.repeat(50)}]) @stream { values ... @defer { base64 { data } } } }`;
    const missing = `{ ${Array.from({ length: 20 }, (_, i) => `... @defer { m${i}: store(name: "no") { kind } ... @defer { n${i}: ${values('a')} } }`).join(' ')} }`;
    const documents = [board(20, 'b'), board(4, 'a'), streamed, missing];
    for (let i = 0; i < 120; i++) {
      const socket = await openRequest(port, documents[i % documents.length] ?? '', accept);
      if (i % 3 === 0) socket.pause();
      else socket.resume();
      setTimeout(() => socket.destroy(), i % 40);
    }
    await until(() => memory.stats().heldBytes === 0);
    expect((await fetch(new URL('/livez', url))).status).toBe(200);
    await until(() => memory.stats().heldBytes === 0);
    expect(unhandled).toEqual([]);
    expect(log.filter(({ level, msg }) => level === 'error' || msg === 'internal error')).toEqual([]);
  },
);
