/** Access control of routes and encoded paths, for each role. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';
import { requestText, sendRaw, statusesOf } from './serving.js';

const token = (name: string, roles: string[]): object => ({
  name,
  sha256: createHash('sha256').update(`${name}-secret`).digest('hex'),
  roles,
});
const { auth } = parseConfig({
  auth: {
    roles: { all: { read: ['*'], write: ['*'], metrics: true }, narrow: { read: ['open'] } },
    tokens: [token('admin', ['all']), token('guest', ['narrow'])],
  },
});
const stores = {
  open: { 'zarr.json': group(), 'a/zarr.json': array() },
  hidden: { 'zarr.json': group({ secret: 'do not show' }), 'a/zarr.json': array() },
};

const roles = {
  nobody: [],
  guest: ['Authorization: Bearer guest-secret'],
  admin: ['Authorization: Bearer admin-secret'],
} as const;
type Role = keyof typeof roles;

async function start(): Promise<{ readonly gateway: RealGateway; readonly port: number }> {
  const gateway = await realGateway(stores, { auth, graphiql: true, gateway: { graphiql: {} } });
  return { gateway, port: Number(new URL(gateway.url).port) };
}

const query = `query=${encodeURIComponent('{ stores { nodes { name } } store(name: "hidden") { group { attributes } } }')}`;

/** Whether a caller without a token gets a GraphQL result, or any caller data of a store that it may not read. */
function leaks(received: string, role: Role): boolean {
  if (role === 'nobody' && received.includes('"data"')) return true;
  return role !== 'admin' && (received.includes('do not show') || received.includes('"name":"hidden"'));
}

describe.each(Object.keys(roles) as Role[])('%s', (role) => {
  const folders = ['/files/', '/files/a/', '/livez/', '/metrics/', '/graphql/', '/'];
  const ups = [
    '..',
    '%2e%2e',
    '.%2E',
    '%2E.',
    '..;',
    '..;a=b',
    '..%2f',
    '..%5c',
    '..\\',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '%e0%80%ae%e0%80%ae',
    '%u002e%u002e',
    'a/../..',
    '.',
    '%00',
  ];
  test('no plain or encoded dot segment leads to the endpoint', async () => {
    const { port } = await start();
    for (const folder of folders)
      for (const up of ups)
        for (const slash of ['/', '\\', '%2f']) {
          const target = `${folder}${up}${slash}graphql?${query}`;
          const received = await sendRaw(port, requestText(target, roles[role]));
          expect(statusesOf(received), target).toEqual([400]);
        }
  });

  test.each([
    'http:///files/graphql',
    'HTTP:///files/graphql',
    'https:///files/graphql',
    'ws:///files/graphql',
    'ftp://localhost/files/graphql',
    'http://localhost:99999/graphql',
    'http://[::1/graphql',
    'http://%zz/graphql',
    'http://a:b@localhost/graphql',
    'http:/graphql',
    '/graphql#',
    '*',
  ])('%s is malformed', async (target) => {
    const { gateway, port } = await start();
    const text = requestText(`${target}?${query}`, roles[role]);
    const received = await sendRaw(port, text);
    expect(statusesOf(received)).toEqual([400]);
    expect(gateway.log.filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });

  test.each([
    '//graphql',
    '/GraphQL',
    '/graphql/',
    '/graphql;a',
    '/%67raphql',
    '/graphql%20',
    '/files/graphql',
    '/files//graphql',
    '/files/;/graphql',
    'http://localhost/files/graphql',
    'http://localhost//graphql',
  ])('%s is not the endpoint', async (target) => {
    const { port } = await start();
    const received = await sendRaw(port, requestText(`${target}?${query}`, roles[role]));
    expect(statusesOf(received)[0]).toBeGreaterThanOrEqual(400);
    expect(received).not.toContain('"data"');
  });

  const forms = [
    '/graphql',
    'http://localhost/graphql',
    'HTTP://LOCALHOST:80/graphql',
    'https://[::1]/graphql',
  ];
  const accepts = [
    '*/*',
    'text/*',
    'text/event-stream',
    'application/json',
    'multipart/mixed',
    'multipart/form-data',
    'application/cbor-seq',
    'application/cbor',
    'text/html;q=0.1,text/*',
    'text/plain',
    '',
  ];
  test('no form of the target and no media type reveals what the caller may not read', async () => {
    const { port } = await start();
    for (const form of forms)
      for (const accept of accepts)
        for (const method of ['GET', 'HEAD']) {
          const headers = [...roles[role], `Accept: ${accept}`];
          const received = await sendRaw(port, requestText(`${form}?${query}`, headers, method));
          if (accept === 'multipart/form-data' && role !== 'nobody')
            expect(statusesOf(received), accept).toEqual([406]);
          if (role === 'nobody') expect(statusesOf(received), `${form} ${accept}`).toEqual([401]);
          expect(leaks(received, role), `${form} ${accept}`).toBe(false);
        }
  });

  test('no header changes the method, the path or the host', async () => {
    const { port } = await start();
    const headers = [
      'X-HTTP-Method-Override: POST',
      'X-HTTP-Method: POST',
      'X-Original-URL: /graphql',
      'X-Rewrite-URL: /graphql',
      'X-Forwarded-Host: localhost',
      'X-Forwarded-Prefix: /files/..',
    ];
    const received = await sendRaw(port, requestText(`/files/x?${query}`, [...headers, ...roles[role]]));
    expect(statusesOf(received)).toEqual([403]);
    const mutation = encodeURIComponent(
      'mutation { createGroup(input: {store: "hidden", path: "/x"}) { group { __typename } } }',
    );
    const written = await sendRaw(
      port,
      requestText(`/graphql?query=${mutation}`, [...headers, ...roles[role]]),
    );
    expect(statusesOf(written)[0]).toBeGreaterThanOrEqual(400);
  });

  test('a page contains no store data', async () => {
    const { port } = await start();
    const received = await sendRaw(
      port,
      requestText(`/graphql?${query}`, [...roles[role], 'Accept: text/html']),
    );
    expect(statusesOf(received)).toEqual([200]);
    expect(received).not.toContain('do not show');
  });
});

describe('the head of a request', () => {
  test.each([
    ['Host', ['Host: evil.example']],
    ['Authorization', ['Authorization: Bearer guest-secret', 'Authorization: Bearer admin-secret']],
    ['Content-Type', ['Content-Type: application/json', 'Content-Type: application/cbor']],
  ])('a second %s is rejected', async (_, headers) => {
    const { port } = await start();
    expect(statusesOf(await sendRaw(port, requestText(`/graphql?${query}`, headers)))).toEqual([400]);
  });

  test('the authority of the target overrides Host', async () => {
    const { port } = await start();
    const text = requestText(`http://evil.example/graphql?${query}`, roles.admin);
    expect(statusesOf(await sendRaw(port, text))).toEqual([403]);
  });

  test('HTTP/1.0 without Host reaches health only', async () => {
    const { port } = await start();
    const old = (path: string): string => `GET ${path} HTTP/1.0\r\n\r\n`;
    expect(statusesOf(await sendRaw(port, old('/livez')))).toEqual([200]);
    expect(statusesOf(await sendRaw(port, old(`/graphql?${query}`)))).toEqual([403]);
    expect(statusesOf(await sendRaw(port, old('/files/x')))).toEqual([403]);
  });

  test('each request of a pipeline has its own caller', async () => {
    const { port } = await start();
    const request = (path: string, headers: readonly string[]): string =>
      `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
    const received = await sendRaw(
      port,
      request(`/graphql?${query}`, roles.admin) +
        request('/files/x', []) +
        request(`/graphql?${query}`, []) +
        requestText(`/files/../graphql?${query}`),
    );
    expect(statusesOf(received)).toEqual([200, 403, 401, 400]);
  });

  test('an upgrade to another protocol is an ordinary request, CONNECT is rejected', async () => {
    const { port } = await start();
    const text = requestText(`/graphql?${query}`, ['Upgrade: h2c']).replace(
      'Connection: close',
      'Connection: Upgrade, close',
    );
    expect(statusesOf(await sendRaw(port, text))).toEqual([401]);
    expect(await sendRaw(port, requestText('localhost:80', [], 'CONNECT'))).toBe('');
  });

  test('OPTIONS lists methods and executes nothing', async () => {
    const { port } = await start();
    for (const target of ['/graphql', '/files/x', 'http://localhost/graphql']) {
      const received = await sendRaw(port, requestText(`${target}?${query}`, [], 'OPTIONS'));
      expect(statusesOf(received), target).toEqual([204]);
      expect(received, target).toMatch(/^allow: /im);
    }
    expect(statusesOf(await sendRaw(port, requestText('*', [], 'OPTIONS')))).toEqual([404]);
  });

  test('an encoded body is rejected', async () => {
    const { port } = await start();
    for (const coding of ['gzip', 'br', 'deflate', 'identity, gzip', 'unknown']) {
      const headers = [
        ...roles.admin,
        'Content-Type: application/json',
        `Content-Encoding: ${coding}`,
        'Content-Length: 2',
      ];
      const received = await sendRaw(port, `${requestText('/graphql', headers, 'POST')}{}`);
      expect(statusesOf(received), coding).toEqual([415]);
    }
  });

  test('a target that is too long is rejected', async () => {
    const { port } = await start();
    const received = await sendRaw(port, requestText(`/files/${'a'.repeat(20_000)}`));
    expect(statusesOf(received)).toEqual([431]);
  });
});
