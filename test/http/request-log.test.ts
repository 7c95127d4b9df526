/** Log entries of failed requests: error, location, cause, cost and client. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createExchange } from '../../server/http/exchange.js';
import { createRequestLog } from '../../server/http/request-log.js';
import { createMemoryStore, type KeyStore, StoreUnavailableError } from '../../server/zarr/index.js';
import { array, realGateway } from './real-gateway.js';
import { send, serve, until } from './serving.js';

const read = 'query Q { store(name: "s") { array(path: "a") { slice { values } } } }';

/** A store with unreadable chunks. */
async function storeWithoutChunks(): Promise<KeyStore> {
  const memory = createMemoryStore({ label: 's' });
  await memory.set('a/zarr.json', Buffer.from(JSON.stringify(array())));
  return {
    ...memory,
    async getMany(requests, each, options) {
      if (requests.some(({ key }) => key.includes('/c/')))
        throw new StoreUnavailableError('the connection broke off', {
          where: { store: 's', key: 'a/c/0' },
          cause: Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' }),
        });
      await memory.getMany(requests, each, options);
    },
  };
}

test('a field that fails because of its store is a warning with location, cause, cost and client', async () => {
  const { query, log } = await realGateway(
    { s: {} },
    { policies: { s: { store: await storeWithoutChunks() } } },
  );
  expect((await query(read)).status).toBe(200);
  await until(() => log.length > 0);
  expect(log.at(-1)).toMatchObject({
    level: 'warn',
    operation: 'Q',
    client: '127.0.0.1',
    cost: { chunks: 1, decodedBytes: 16 },
    codes: ['STORE_UNAVAILABLE'],
    failures: [
      {
        code: 'STORE_UNAVAILABLE',
        field: 'store.array.slice.values',
        ...{ store: 's', path: '/a', key: 'a/c/0' },
        message: 'the connection broke off',
        causes: ['Error: connect refused (ECONNREFUSED)'],
      },
    ],
  });
});

test('a client error is not a warning, and its message is not logged', async () => {
  const { query, log } = await realGateway({ s: { 'a/zarr.json': array() } });
  await query('{ store(name: "s") { array(path: "a") { slice(select: { text: "PRIVATE" }) { values } } } }');
  await until(() => log.length > 0);
  expect(log.at(-1)).toMatchObject({
    level: 'info',
    codes: ['BAD_SELECTION'],
    failures: [{ store: 's', path: '/a' }],
  });
  expect(JSON.stringify(log)).not.toContain('PRIVATE');
});

test('what the level of the log excludes is not composed', () => {
  const incoming = new IncomingMessage(new Socket());
  const exchange = createExchange(incoming, new ServerResponse(incoming), 0);
  const lines: unknown[] = [];
  const write = (line: unknown): void => void lines.push(line);
  const isLevelEnabled = (level: string): boolean => !['debug', 'info'].includes(level);
  const log = createRequestLog({ debug: write, info: write, warn: write, error: write, isLevelEnabled }, 10);
  const record = {
    ...{ method: 'GET', path: '/', status: 200, durationMs: 1, responseBytes: 0, aborted: false },
    operations: [],
  };
  log(exchange, record, false);
  log(exchange, record, true);
  log(exchange, { ...record, durationMs: 10 }, false);
  log(exchange, { ...record, status: 500 }, false);
  expect(lines).toMatchObject([{ status: 200 }, { status: 500 }]);
});

test('the entry of 40 errors with long paths has fewer than 10,000 characters', async () => {
  const { query, log } = await realGateway({ s: {} });
  const fields = Array.from({ length: 40 }, (_, i) => `f${i}: array(path: "${'x'.repeat(1000)}") { shape }`);
  await query(`{ store(name: "s") { ${fields.join(' ')} } }`);
  await until(() => log.length > 0);
  expect(JSON.stringify(log.at(-1)).length).toBeLessThan(10_000);
});

test.each([
  [504, 'ABORTED', () => new Promise<Response>(() => {})],
  [500, 'INTERNAL', () => Promise.reject(new Error('defect'))],
])('%s is an error with its code and client', async (status, code, response) => {
  const { port, log } = await serve(response, { requestTimeoutMs: 20, trustedProxies: 1 });
  expect((await send(port, { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(status);
  await until(() => log.some(({ msg }) => msg === 'request'));
  expect(log.at(-1)).toMatchObject({ level: 'error', status, codes: [code], client: '192.0.2.7' });
});

test('a file that cannot be created is an error with code and location', async () => {
  const { query, log, url } = await realGateway(
    { s: {} },
    { policies: { s: { store: await storeWithoutChunks() } } },
  );
  const { json } = await query('{ store(name: "s") { array(path: "a") { slice { href(format: NPY) } } } }');
  const link: string = json.data.store.array.slice.href;
  expect((await fetch(new URL(link, url))).status).toBe(503);
  await until(() => log.length > 1);
  expect(log.at(-1)).toMatchObject({
    level: 'error',
    status: 503,
    path: '/files/',
    codes: ['STORE_UNAVAILABLE'],
    failures: [{ store: 's', path: '/a', key: 'a/c/0', message: 'the connection broke off' }],
  });
});

test('a client that was disconnected for reading too slowly is marked', () => {
  const lines: object[] = [];
  const write = (line: object): void => void lines.push(line);
  const incoming = new IncomingMessage(new Socket());
  const exchange = createExchange(incoming, new ServerResponse(incoming), 0);
  const logRequest = createRequestLog({ info: write, debug: write, warn: write, error: write });
  const record = { method: 'POST', path: '/graphql', status: 200, durationMs: 1, responseBytes: 0 };
  for (const tooSlow of [true, false]) {
    exchange.tooSlow = tooSlow;
    logRequest(exchange, { ...record, aborted: true, operations: [] }, false);
  }
  expect(lines).toEqual([
    expect.objectContaining({ tooSlow: true }),
    expect.not.objectContaining({ tooSlow: true }),
  ]);
});
