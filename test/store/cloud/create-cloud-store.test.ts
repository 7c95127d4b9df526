/** Stores in buckets of Google and Azure, whose servers fail, lie, redirect or hang. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportPKCS8, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAzureStore } from '../../../server/store/azure.js';
import { createGcsStore } from '../../../server/store/gcs.js';
import { get, getRange } from '../../../server/store/define-reading.js';
import type { KeyStore } from '../../../server/store/store.js';
import { startTokenServer } from '../../cloud/token-server.js';
import { text } from '../../contracts/store.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

let server: Server;
let endpoint: string;
/** Handlers of the next requests; the last one remains. */
let handlers: Handler[];
let log: string[];
let retries: number;
const opened: KeyStore[] = [];

beforeEach(async () => {
  [handlers, log, retries] = [[], [], 0];
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      log.push(`${request.method} ${request.url}`);
      const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
      handler?.(request, response, Buffer.concat(pieces));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  server.close();
  server.closeAllConnections();
});

const common = {
  label: 'test',
  retryBaseMs: 1,
  attempts: 3,
  deadlineMs: 2000,
  onRetry: () => void retries++,
};
const kinds = {
  gs: (options: Record<string, unknown> = {}) =>
    createGcsStore({ ...common, url: 'gs://bucket/a', endpoint, anonymous: true, ...options }),
  az: (options: Record<string, unknown> = {}) =>
    createAzureStore({ ...common, url: 'az://bucket/a?account=name', endpoint, anonymous: true, ...options }),
};

const head = {
  'content-length': '5',
  etag: '"7"',
  'x-goog-generation': '7',
  'x-goog-stored-content-length': '5',
};
const found: Handler = (_, response) => response.writeHead(200, head).end('12345');
const failing =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const broken: Handler = (_, response) => response.destroy();
const truncated: Handler = (_, response) => {
  response.writeHead(200, head);
  response.write('12');
  setImmediate(() => response.destroy());
};

describe.each(['gs', 'az'] as const)('%s', (kind) => {
  function open(options?: Record<string, unknown>): KeyStore {
    const store = kinds[kind](options);
    opened.push(store);
    return store;
  }

  test.each([
    ['busy', failing(503, { 'retry-after': '0' })],
    ['limiting', failing(429)],
    ['broken', broken],
    ['truncating', truncated],
  ])('a %s server is asked again', async (_, handler) => {
    handlers = [handler, found];
    expect((await get(open(), 'k'))?.bytes).toEqual(text('12345'));
    expect([log.length, retries]).toEqual([2, 1]);
    handlers = [handler];
    await expect(get(open(), 'k')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(log).toHaveLength(5);
  });

  test.each([301, 302, 307, 308])('a redirect with status %i is not followed', async (status) => {
    handlers = [failing(status, { location: `${endpoint}/latest/meta-data` })];
    const store = open();
    await expect(get(store, 'k')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.list('')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.set('k', text('x'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(log.filter((line) => line.includes('meta-data'))).toEqual([]);
  });

  test.each([401, 403])('a denial with status %i', async (status) => {
    handlers = [failing(status, {}, 'secret')];
    const store = open();
    for (const call of [() => get(store, 'k'), () => store.list(''), () => store.set('k', text('x')), () => store.delete(['k'])])
      await expect(call()).rejects.toMatchObject({ code: 'STORE_DENIED', message: expect.not.stringContaining('secret') }); // prettier-ignore
  });

  test('a missing bucket is no missing object', async () => {
    const code = { 'x-ms-error-code': 'ContainerNotFound' };
    handlers = [
      failing(404, code, '{"error":{"code":404,"message":"The specified bucket does not exist."}}'),
    ];
    const store = open();
    for (const call of [() => get(store, 'k'), () => store.list(''), () => store.set('k', text('x'))])
      await expect(call()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('a hanging server fails at the deadline', async () => {
    handlers = [() => {}];
    const store = open({ deadlineMs: 200 });
    for (const call of [() => get(store, 'k'), () => store.list(''), () => store.set('k', text('x'))])
      await expect(call()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test.each([
    ['nothing', ''],
    ['another document', '<html></html>'],
    [
      'a part of a listing',
      kind === 'gs' ? '{"items":[' : '<EnumerationResults><Blobs><Blob><Name>a/x</Name>',
    ],
    ['an invalid list', kind === 'gs' ? '{"items":5}' : '<Error/>'],
  ])('%s is no empty listing', async (_, body) => {
    handlers = [failing(200, {}, body)];
    await expect(open().list('')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('a listing that repeats its page ends', async () => {
    handlers = [failing(200, {}, kind === 'gs' ? '{"nextPageToken":"x"}' : '<EnumerationResults ><NextMarker>x</NextMarker></EnumerationResults>')]; // prettier-ignore
    await expect(open().list('')).rejects.toThrow(/repeats a page/);
  });

  test('invalid names of other programs are not listed', async () => {
    const names = ['a/ok', 'a/../up', 'a//x', 'a/folder/', 'b/other', 'a/.zarrql-locks/x'];
    const body =
      kind === 'gs'
        ? JSON.stringify({ items: names.map((name) => ({ name, size: '1' })) })
        : `<EnumerationResults >${names.map((name) => `<Blob><Name>${name}</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>`).join('')}</EnumerationResults>`;
    handlers = [failing(200, {}, body)];
    expect((await open().list('')).keys).toEqual(['ok']);
  });

  const written: Handler = (_, response) =>
    response.writeHead(kind === 'gs' ? 200 : 201, { etag: '"8"' }).end('{"generation":"8"}');
  test('a write whose response was lost is found by its bytes', async () => {
    const isTaken = failing(kind === 'gs' ? 412 : 409, { 'x-ms-error-code': 'BlobAlreadyExists' });
    handlers = [broken, isTaken, found];
    expect(await open().set('k', text('12345'), { ifAbsent: true })).toEqual({ version: '"7"' });
    handlers = [broken, isTaken, found];
    await expect(open().set('k', text('other'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    handlers = [isTaken, found];
    await expect(open().set('k', text('12345'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    handlers = [broken, written];
    expect(await open().set('k', text('12345'))).toEqual({ version: '"8"' });
  });

  test('a version of another kind of store is a conflict, and nothing is sent', async () => {
    handlers = [written];
    for (const ifMatch of ['date x', '7', '"a"b"', '"7"\r\nx: y'])
      await expect(open().set('k', text('x'), { ifMatch })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(log).toEqual([]);
  });

  test('parts of another version, and of another size, are refused', async () => {
    const other = {
      'content-range': 'bytes 1-2/5',
      'content-length': '2',
      etag: '"9"',
      'x-goog-generation': '9',
    };
    handlers = [failing(206, other, '23')];
    const store = open();
    await expect(store.getMany([{ key: 'k', range: { offset: 1, length: 2 }, ifMatch: '"7"' }], () => {})).rejects.toMatchObject({ code: 'CONFLICT' }); // prettier-ignore
    await expect(getRange(store, 'k', { offset: 0, length: 2 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });
});

describe('gs', () => {
  test.each([401, 403])('the status %i of an object may mean that it is absent', async (status) => {
    const store = kinds.gs({ forbiddenMeansAbsent: true });
    opened.push(store);
    handlers = [failing(status)];
    expect(await get(store, 'k')).toBeUndefined();
    await expect(store.list('')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    const strict = kinds.gs();
    opened.push(strict);
    await expect(get(strict, 'k')).rejects.toThrow(/set forbiddenMeansAbsent/);
  });

  test('conditions of reads are sent as generations', async () => {
    const store = kinds.gs();
    opened.push(store);
    handlers = [found];
    await store.getMany(
      [
        { key: 'k', ifMatch: '"7"' },
        { key: 'l', ifNoneMatch: '"6"' },
      ],
      () => {},
    );
    expect(log.sort()).toEqual([
      'GET /storage/v1/b/bucket/o/a%2Fk?alt=media&ifGenerationMatch=7',
      'GET /storage/v1/b/bucket/o/a%2Fl?alt=media&ifGenerationNotMatch=6',
    ]);
  });

  test('a whole object is compared with its checksum', async () => {
    const store = kinds.gs();
    opened.push(store);
    // The CRC-32C of "12345" in base64.
    handlers = [failing(200, { ...head, 'x-goog-hash': 'crc32c=QBWfGA==,md5=x' }, '12345')];
    await expect(get(store, 'k')).rejects.toThrow(/checksum/);
    handlers = [failing(200, { ...head, 'x-goog-hash': 'crc32c=QBWfGA==', 'x-goog-stored-content-length': '3' }, '12345')]; // prettier-ignore
    expect((await get(store, 'k'))?.bytes).toEqual(text('12345'));
  });

  test('an expired token is renewed once', async () => {
    const tokens = await startTokenServer();
    try {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      const credentials = JSON.stringify({
        ...{ type: 'service_account', client_email: 'x', private_key_id: 'y', token_uri: tokens.url },
        private_key: await exportPKCS8(privateKey),
      });
      const seen: unknown[] = [];
      const refusing: Handler = (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(401).end();
      };
      handlers = [refusing, found];
      const store = kinds.gs({ anonymous: false, credentials });
      opened.push(store);
      expect((await get(store, 'k'))?.bytes).toEqual(text('12345'));
      handlers = [refusing];
      await expect(get(store, 'k')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      expect(seen).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
    } finally {
      tokens.stop();
    }
  });
});
