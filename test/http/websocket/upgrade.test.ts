/** Requests for a WebSocket or another protocol. */
import { connect as connectTo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { requestText, sendRaw, serve, statusesOf, until } from '../serving.js';
import { start } from '../sse-client.js';
import { connect, open } from './socket-client.js';

const handshake = (headers: readonly string[] = [], path = '/graphql', protocol = 'graphql-transport-ws') =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(protocol === '' ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    ...headers,
    '\r\n',
  ].join('\r\n');

describe('rejected', () => {
  test.each([
    ['without a subprotocol', handshake([], '/graphql', ''), 426, 'graphql-transport-ws'],
    ['with an older subprotocol', handshake([], '/graphql', 'graphql-ws'), 426, 'graphql-transport-ws'],
    ['at another path', handshake([], '/'), 426, '/graphql'],
    ['at an unknown path', handshake([], '/x'), 404, '/graphql'],
    ['from another origin', handshake(['Origin: https://evil.example']), 403, 'origin'],
    ['from an opaque origin', handshake(['Origin: null']), 403, 'origin'],
    ['for another host', handshake().replace('localhost', 'evil.example'), 403, 'host'],
    ['with another version', handshake().replace('Version: 13', 'Version: 8'), 426, '13'],
    ['without a key', handshake().replace(/Sec-WebSocket-Key.*\r\n/, ''), 400, 'handshake'],
    ['by POST', handshake(['Content-Length: 0']).replace('GET', 'POST'), 400, 'handshake'],
    ['with a malformed target', handshake([], '/../graphql'), 400, 'segment'],
  ])('%s', async (_name, text, status, message) => {
    const { port, log } = await start();
    const received = await sendRaw(port, text);
    expect(statusesOf(received)).toEqual([status]);
    expect(received).toContain(message);
    if (status === 426) expect(received.toLowerCase()).toContain('upgrade: websocket');
    await until(() => log.some(({ msg }) => msg === 'request'));
    expect(log).toMatchObject([{ status, level: 'info', client: '127.0.0.1' }]);
  });
});

test('allowed origins are those of CORS, and the same origin', async () => {
  const { port } = await start();
  for (const origin of ['https://page.example', `http://127.0.0.1:${port}`]) await open(port, {}, { origin });
  await expect(connect(port, { origin: 'http://127.0.0.1:1' })).rejects.toThrow(/^403 /);
});

test('a client that offers HTTP/2 is served over HTTP/1.1', async () => {
  const { port } = await serve(async (request) => Response.json({ got: await request.text() }));
  const body = '{"query":"{ a }"}';
  const text = [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const received = await sendRaw(port, `${text}${requestText('/livez')}`);
  expect(statusesOf(received)).toEqual([200, 200]);
  expect(received).toContain(JSON.stringify({ got: body }));
});

test('a request for a WebSocket behind an unfinished response closes the connection', async () => {
  let arrived = false;
  const { port, server } = await serve(() => {
    arrived = true;
    return new Promise(() => {});
  });
  const socket = connectTo(port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => {});
  socket.write(requestText('/graphql').replace('Connection: close\r\n', ''));
  await until(() => arrived);
  socket.write(handshake());
  await closed;
  expect(server).toBeDefined();
});
