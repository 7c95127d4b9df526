import * as net from 'node:net';
import * as undici from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTransport, type HttpTransport } from '../../../server/store/http/transport.js';

/** Responds to one request on its connection. */
type Respond = (socket: net.Socket, request: string) => void;

let server: net.Server;
let responders: Respond[];
let requests: { readonly connection: number; readonly text: string }[];
let connections: net.Socket[];
/** One promise per connection, which resolves when the connection is closed. */
let closed: Promise<void>[];
let transport: HttpTransport;

beforeEach(async () => {
  [responders, requests, connections, closed] = [[], [], [], []];
  transport = createTransport(undici, { maxSockets: 8, connectMs: 2000 });
  server = net.createServer((socket) => {
    const connection = connections.push(socket);
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())));
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (!text.endsWith('\r\n\r\n')) return;
      requests.push({ connection, text });
      text = '';
      responders.shift()?.(socket, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  transport.close();
  for (const socket of connections) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const bytes =
  (...pieces: string[]): Respond =>
  (socket) => {
    const next = (at: number): void => {
      const piece = pieces[at];
      // Separate packets: each is sent in its own turn.
      if (piece !== undefined) socket.write(piece, 'latin1', () => setImmediate(() => next(at + 1)));
    };
    next(0);
  };
const closing =
  (text: string): Respond =>
  (socket) =>
    socket.end(text, 'latin1');
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

function send(more: { method?: 'GET' | 'HEAD'; signal?: AbortSignal; ms?: number } = {}) {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { method = 'GET', signal, ms = 2000 } = more;
  return transport.send({
    ...{ method, signal, address: new URL(`http://127.0.0.1:${port}/a%20b?q`) },
    headers: { host: 'h', range: 'bytes=0-1' },
    timeouts: { firstByteMs: ms, stallMs: ms },
  });
}
async function fetchText(more?: Parameters<typeof send>[0]): Promise<string> {
  const reply = await send(more);
  return Buffer.from(await reply.collect(() => {})).toString('latin1');
}
/** Two connections are possible, because undici reuses a connection only in the next turn of the event loop. */
function expectReuse(): void {
  expect(connections.length).toBeLessThanOrEqual(2);
}
const transient = { name: 'TransientFailure' };

test('a request has exactly the expected bytes', async () => {
  responders.push(bytes(ok('yes')));
  expect(await fetchText()).toBe('yes');
  expect(requests[0]?.text).toBe(
    'GET /a%20b?q HTTP/1.1\r\nhost: h\r\nconnection: keep-alive\r\nrange: bytes=0-1\r\n\r\n',
  );
});
test('a header with a line break is rejected', async () => {
  const address = new URL('http://127.0.0.1:1/');
  const headers = { host: 'h', range: 'a\r\nx: 1' };
  const timeouts = { firstByteMs: 1, stallMs: 1 };
  const sent = transport.send({ method: 'GET', address, headers, timeouts, signal: undefined });
  await expect(sent).rejects.toMatchObject({ cause: { message: 'invalid range header' } });
});

describe('responses in any pieces', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n2\r\n!!\r\n0\r\n\r\n';
  test.each([
    ['with a length', ok('yes!!')],
    ['chunked', chunked],
    [
      'after informational ones',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n${ok('yes!!')}`,
    ],
  ])('%s', async (_, text) => {
    responders.push(bytes(text), bytes(...Array.from(text)));
    for (let at = 1; at < text.length; at += 5) responders.push(bytes(text.slice(0, at), text.slice(at)));
    for (let count = responders.length; count > 0; count--) expect(await fetchText()).toBe('yes!!');
    expectReuse();
  });
  test('until the connection ends', async () => {
    responders.push(closing('HTTP/1.1 200 OK\r\n\r\nyes'));
    expect(await fetchText()).toBe('yes');
  });
  test.each([40, 1.5])('of %s MiB', async (mib) => {
    const body = 'x'.repeat(mib * 2 ** 20);
    responders.push(bytes(ok(body)), bytes(ok(body)));
    expect((await fetchText()).length).toBe(body.length);
    const reply = await send();
    const pieces: Uint8Array[] = [];
    for (let piece = await reply.nextPiece(); piece !== undefined; piece = await reply.nextPiece())
      pieces.push(piece);
    expect(Buffer.concat(pieces).toString('latin1') === body).toBe(true);
    expectReuse();
  });
  test('a few pieces, then all of it', async () => {
    responders.push(bytes('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n', 'abc', 'def'));
    const reply = await send();
    const first = (await reply.nextPiece()) ?? new Uint8Array();
    const arrived: number[] = [];
    const whole = await reply.collect((count) => arrived.push(count), [first]);
    expect(Buffer.from(whole).toString()).toBe('abcdef');
    expect(arrived.reduce((sum, count) => sum + count, 0)).toBe(6);
  });
  test('HEAD has no body', async () => {
    for (let count = 0; count < 4; count++) {
      responders.push(bytes('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n'), bytes(ok('next')));
      const reply = await send({ method: 'HEAD' });
      expect([reply.status, reply.header('content-length')]).toEqual([200, '6']);
      expect(await fetchText()).toBe('next');
    }
    expectReuse();
  });
});

describe('connections', () => {
  test('are limited to the configured number', async () => {
    for (let count = 0; count < 40; count++) responders.push(bytes(ok('a')));
    await Promise.all(Array.from({ length: 40 }, () => fetchText()));
    expect(connections).toHaveLength(8);
  });
  test.each([
    ['connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na'],
  ])('%s ends it', async (_, text) => {
    responders.push(bytes(text), bytes(ok('b')));
    expect([await fetchText(), await fetchText()]).toEqual(['a', 'b']);
    await closed[0];
  });
  test('an unread response closes the connection', async () => {
    responders.push(bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'), bytes(ok('next')));
    (await send()).discard();
    expect(await fetchText()).toBe('next');
    await closed[0];
  });
  test('bytes after a response close the connection', async () => {
    responders.push(bytes(`${ok('a')}HTTP/1.1 200 OK`), bytes(ok('b')));
    expect([await fetchText(), await fetchText()]).toEqual(['a', 'b']);
    await closed[0];
  });
  test('bytes without a request close it', async () => {
    responders.push(bytes(ok('a')), bytes(ok('b')));
    expect(await fetchText()).toBe('a');
    connections[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx');
    await closed[0];
    expect(await fetchText()).toBe('b');
  });
});

describe('failures', () => {
  test.each<[string, Respond]>([
    ['a body that is cut', closing('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')],
    ['a chunked body that is cut', closing('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab')],
    ['another protocol', bytes('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['informational responses without an end', bytes('HTTP/1.1 103 Early\r\n\r\n'.repeat(5), ok('a'))],
    ['an unsolicited 100', bytes('HTTP/1.1 100 Continue\r\n\r\n', ok('a'))],
    ['two lengths', bytes('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
    [
      'a length of a chunked body',
      bytes('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'),
    ],
    ['two tags', bytes(`HTTP/1.1 200 OK\r\nETag: "a"\r\nETag: "b"\r\nContent-Length: 1\r\n\r\na`)],
    ['NUL in a header', bytes('HTTP/1.1 200 OK\r\nETag: "a\0"\r\nContent-Length: 1\r\n\r\na')],
    ['no HTTP', bytes('SSH-2.0-x\r\n\r\n')],
    ['a head without an end', bytes('HTTP/1.1 200 OK\r\n', 'a: 1\r\n'.repeat(20_000))],
    ['silence', () => {}],
    ['a stall', bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')],
    ['a stalling chunked body', bytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab')],
  ])('%s is transient, and ends the connection', async (_, respond) => {
    responders.push(respond, bytes(ok('next')));
    await expect(fetchText({ ms: 300 })).rejects.toMatchObject(transient);
    expect(await fetchText()).toBe('next');
    await closed[0];
  });
  test('a refused connection is an error with its code', async () => {
    const reply = transport.send({
      ...{
        method: 'GET',
        address: new URL('http://127.0.0.1:1/'),
        headers: { host: 'h' },
        signal: undefined,
      },
      timeouts: { firstByteMs: 2000, stallMs: 2000 },
    });
    await expect(reply).rejects.toMatchObject({ message: 'the connection failed (ECONNREFUSED)' });
  });
  test('an error in the progress callback ends the body', async () => {
    responders.push(bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'ab', 'cde'));
    const reply = await send();
    const limit = new Error('too large');
    const collecting = reply.collect((count) => {
      if (count > 0) throw limit;
    });
    await expect(collecting).rejects.toBe(limit);
  });
  test('a request can be aborted before it is sent, while waiting and within the body', async () => {
    await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    const waiting = new AbortController();
    responders.push(() => waiting.abort());
    await expect(send({ signal: waiting.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    const reading = new AbortController();
    responders.push(bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'));
    const reply = await send({ signal: reading.signal });
    const collecting = reply.collect(() => {});
    reading.abort();
    await expect(collecting).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
