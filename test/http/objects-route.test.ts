/** Zarr over HTTP: which objects a caller gets, in which form, and what hidden objects reveal. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';
import { auth } from './access-rights.js';

const consolidated = (metadata: object): object => ({
  ...group({ title: 'shared' }),
  consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
});
const chunk = Buffer.from(Int32Array.of(1, 2, 3, 4).buffer).toString('latin1');

const stores = {
  shared: {
    'zarr.json': consolidated({
      open: group(),
      'open/temperature': array(),
      closed: array(),
    }),
    'open/zarr.json': group(),
    'open/temperature/zarr.json': array(),
    'open/temperature/c/0': chunk,
    'open/temperature/c/1': 'beyond the shape',
    'open/temperature/notes.txt': 'no chunk',
    'opener/zarr.json': array(),
    'opener/c/0': chunk,
    'closed/zarr.json': array(),
    'closed/c/0': chunk,
  },
  flat: {
    '.zgroup': { zarr_format: 2 },
    '.zattrs': { title: 'flat' },
    '.zmetadata': {
      zarr_consolidated_format: 1,
      metadata: { '.zgroup': { zarr_format: 2 }, 'a/.zarray': {}, 'b/.zarray': {} },
    },
    '0/.zarray': {
      zarr_format: 2,
      shape: [2, 2],
      chunks: [1, 2],
      dtype: '<i2',
      compressor: null,
      filters: null,
      order: 'C',
      fill_value: 0,
      dimension_separator: '/',
    },
    '0/1/0': 'abcd',
  },
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request with exactly this path, which `fetch` would normalise. */
function send(
  { url }: RealGateway,
  path: string,
  {
    method = 'GET',
    token,
    headers = {},
  }: { method?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: new URL(url).port,
        path,
        method,
        agent: false,
        headers: { ...authorization, ...headers },
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(pieces).toString('latin1'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

const open = (): Promise<RealGateway> => realGateway(stores);
const restricted = (): Promise<RealGateway> => realGateway(stores, { auth: parseConfig({ auth }).auth });

describe('objects', () => {
  test('documents and chunks are sent as they are stored', async () => {
    const gateway = await open();
    const document = await send(gateway, '/zarr/shared/zarr.json');
    expect([document.status, document.body]).toEqual([200, JSON.stringify(stores.shared['zarr.json'])]);
    expect(document.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
    });
    const stored = await send(gateway, '/zarr/shared/open/temperature/c/0');
    expect([stored.status, stored.body]).toEqual([200, chunk]);
    expect(stored.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '16',
      'accept-ranges': 'bytes',
    });
    expect((await send(gateway, '/zarr/flat/0/1/0')).body).toBe('abcd');
    expect((await send(gateway, '/zarr/flat/.zattrs')).body).toBe('{"title":"flat"}');
  });

  test.each([
    ['an absent chunk', '/zarr/flat/0/0/0'],
    ['a chunk beyond the shape', '/zarr/shared/open/temperature/c/1'],
    ['an object that is no chunk', '/zarr/shared/open/temperature/notes.txt'],
    ['another form of a chunk key', '/zarr/shared/open/temperature/c.0'],
    ['a number with zeros', '/zarr/shared/open/temperature/c/00'],
    ['a chunk of a group', '/zarr/shared/open/c/0'],
    ['an absent document', '/zarr/shared/open/.zattrs'],
    ['the root', '/zarr/shared/'],
    ['the store', '/zarr/shared'],
    ['nothing', '/zarr/'],
    ['an unknown store', '/zarr/none/zarr.json'],
    ['an empty part', '/zarr/shared//zarr.json'],
  ])('%s is 404', async (_, path) => {
    const reply = await send(await open(), path);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.body).errors[0].extensions.code).toBe('NOT_FOUND');
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test.each(['PUT', 'POST', 'DELETE'])('%s is refused', async (method) => {
    const reply = await send(await open(), '/zarr/shared/zarr.json', { method });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('HEAD tells size and version', async () => {
    const gateway = await open();
    for (const path of ['/zarr/shared/zarr.json', '/zarr/shared/open/temperature/c/0']) {
      const [got, head] = [await send(gateway, path), await send(gateway, path, { method: 'HEAD' })];
      expect([head.status, head.body]).toEqual([200, '']);
      expect(head.headers['etag']).toBe(got.headers['etag']);
      expect(head.headers['content-length']).toBe(String(got.body.length));
    }
    expect((await send(gateway, '/zarr/shared/closed/c/9', { method: 'HEAD' })).status).toBe(404);
  });

  test.each([
    ['bytes=4-7', 206, chunk.slice(4, 8), 'bytes 4-7/16'],
    ['bytes=4-', 206, chunk.slice(4), 'bytes 4-15/16'],
    ['bytes=-4', 206, chunk.slice(12), 'bytes 12-15/16'],
    ['bytes=-99', 206, chunk, 'bytes 0-15/16'],
    ['bytes=0-99999999999999999999', 206, chunk, 'bytes 0-15/16'],
    ['bytes=16-', 416, undefined, 'bytes */16'],
    ['bytes=99999999999999999999-', 416, undefined, 'bytes */16'],
    ['bytes=-0', 416, undefined, 'bytes */16'],
    ['bytes=7-4', 200, chunk, undefined],
    ['bytes=0-1,4-5', 200, chunk, undefined],
    ['bytes=a', 200, chunk, undefined],
  ])('the range %s', async (range, status, body, contentRange) => {
    const reply = await send(await open(), '/zarr/shared/open/temperature/c/0', { headers: { range } });
    expect([reply.status, reply.headers['content-range']]).toEqual([status, contentRange]);
    if (body !== undefined) expect(reply.body).toBe(body);
  });

  test('conditions on the version', async () => {
    const gateway = await open();
    const path = '/zarr/shared/open/temperature/c/0';
    const etag = String((await send(gateway, path)).headers['etag']);
    const same = await send(gateway, path, { headers: { 'if-none-match': `"x", ${etag}` } });
    expect([same.status, same.body, same.headers['etag']]).toEqual([304, '', etag]);
    expect((await send(gateway, path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    const part = await send(gateway, path, { headers: { range: 'bytes=0-3', 'if-range': etag } });
    expect(part.status).toBe(206);
    const whole = await send(gateway, path, { headers: { range: 'bytes=0-3', 'if-range': '"x"' } });
    expect([whole.status, whole.body]).toEqual([200, chunk]);
  });

  test('an object of several pieces is sent whole, in parts, and cut', async () => {
    const bytes = Buffer.alloc(9 * 2 ** 20 + 5, 'abcdefg');
    const document = { ...array([bytes.length / 1]), data_type: 'uint8', chunk_grid: { name: 'regular', configuration: { chunk_shape: [bytes.length] } }, codecs: [{ name: 'bytes' }] }; // prettier-ignore
    const gateway = await realGateway({ big: { 'zarr.json': document, 'c/0': bytes.toString('latin1') } });
    expect((await send(gateway, '/zarr/big/c/0')).body).toBe(bytes.toString('latin1'));
    for (const [range, from] of [
      ['bytes=3-', 3],
      [`bytes=-${bytes.length - 2}`, 2],
      ['bytes=4194303-8388700', 4194303],
    ] as const) {
      const { body } = await send(gateway, '/zarr/big/c/0', { headers: { range } });
      const to = range.endsWith('8388700') ? 8388701 : bytes.length;
      expect(body === bytes.subarray(from, to).toString('latin1'), range).toBe(true);
    }
  });
});

describe('the rights of a caller', () => {
  const reader = { token: 'reader-secret' };

  test('without a token, nothing is read', async () => {
    const gateway = await restricted();
    expect((await send(gateway, '/zarr/shared/zarr.json')).status).toBe(401);
    expect((await send(gateway, '/zarr/shared/zarr.json', { token: 'old-secret' })).status).toBe(401);
  });

  test('hidden nodes, prefixes of names and absent nodes are the same 404', async () => {
    const roles = { ...auth, roles: { ...auth.roles, readers: { read: ['shared/open'] } } };
    const gateway = await realGateway(stores, { auth: parseConfig({ auth: roles }).auth });
    const read = (path: string, headers?: Record<string, string>): Promise<Reply> =>
      send(gateway, path, { ...reader, ...(headers === undefined ? {} : { headers }) });
    expect((await read('/zarr/shared/open/temperature/c/0')).body).toBe(chunk);
    expect((await read('/zarr/shared/open/zarr.json')).status).toBe(200);
    const absent = await read('/zarr/shared/none/c/0');
    const withoutId = ({ status, headers, body }: Reply): unknown => [
      status,
      { ...headers, 'x-request-id': '', date: '' },
      body.replace(/"requestId":"[^"]*"/, ''),
    ];
    for (const path of [
      '/zarr/shared/zarr.json',
      '/zarr/shared/opener/zarr.json',
      '/zarr/shared/opener/c/0',
      '/zarr/shared/closed/zarr.json',
      '/zarr/shared/closed/c/0',
    ])
      for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }, { range: 'bytes=99-' }]) {
        expect(withoutId(await read(path, headers)), path).toEqual(withoutId(absent));
        expect((await send(gateway, path, { ...reader, method: 'HEAD', headers })).status).toBe(404);
      }
    // A store without visible nodes does not exist.
    const named = async (name: string): Promise<string> =>
      JSON.stringify(withoutId(await read(`/zarr/${name}/.zgroup`))).replaceAll(`\\"${name}`, 'NAME');
    expect(await named('flat')).toBe(await named('none'));
  });

  test('consolidated metadata is filtered by rights with the same validators for GET and HEAD', async () => {
    const gateway = await restricted();
    const reply = await send(gateway, '/zarr/shared/zarr.json', reader);
    expect(JSON.parse(reply.body)).toEqual(stores.shared['zarr.json']);
    expect((await send(gateway, '/zarr/shared/zarr.json', { ...reader, headers: { 'if-none-match': String(reply.headers['etag']) } })).status).toBe(304); // prettier-ignore
    expect((await send(gateway, '/zarr/shared/zarr.json', { ...reader, method: 'HEAD' })).headers['content-length']).toBe(String(reply.body.length)); // prettier-ignore
  });

  test.each([
    '/zarr/shared/open/../closed/c/0',
    '/zarr/shared/open/%2e%2e/closed/c/0',
    '/zarr/shared/open%2F..%2Fclosed/c/0',
    '/zarr/shared/..;/closed/c/0',
    '/zarr/shared/open/%252e%252e/closed/c/0',
    '/zarr/shared\\closed/c/0',
    '/zarr/shared/closed%00/c/0',
    '/zarr/../zarr/shared/closed/c/0',
    '/zarr/shared/closed/c/%30',
  ])('%s does not leave the visible part', async (path) => {
    const roles = { ...auth, roles: { ...auth.roles, readers: { read: ['shared/open'] } } };
    const gateway = await realGateway(stores, { auth: parseConfig({ auth: roles }).auth });
    const reply = await send(gateway, path, reader);
    expect([400, 404]).toContain(reply.status);
    expect(reply.body).not.toContain(chunk);
  });
});

describe('signed prefixes', () => {
  const urlOf = async (gateway: RealGateway, path: string, token?: string, args = ''): Promise<string> => {
    const { json } = await gateway.query(
      `{ store(name: "shared") { node(path: "${path}") { ... on ZarrGroup { zarrUrl${args} } ... on ZarrArray { zarrUrl${args} } } } }`,
      token === undefined ? {} : { token },
    );
    return json.data?.store?.node?.zarrUrl ?? JSON.stringify(json.errors);
  };

  test('show a node and those below it without a token, and nothing else', async () => {
    const gateway = await restricted();
    const prefix = await urlOf(gateway, '/open', 'admin-secret');
    expect(prefix).toMatch(/^\/zarr\/~[\w.-]+$/);
    expect((await send(gateway, `${prefix}/zarr.json`)).status).toBe(200);
    expect((await send(gateway, `${prefix}/temperature/c/0`)).body).toBe(chunk);
    for (const path of [
      '/../zarr.json',
      '/%2e%2e/zarr.json',
      'er/zarr.json',
      '/closed/zarr.json',
      '/../opener/zarr.json',
    ])
      expect((await send(gateway, `${prefix}${path}`)).status, path).toBeGreaterThanOrEqual(400);
    // Rights of an operation are not part of it.
    expect((await send(gateway, prefix.replace('/zarr/', '/files/'))).status).toBe(403);
    const array = await urlOf(gateway, '/open/temperature', 'admin-secret');
    expect((await send(gateway, `${array}/c/0`)).body).toBe(chunk);
  });

  test('show no node that the caller could not read', async () => {
    const roles = { ...auth.roles, readers: { read: ['shared/open', 'shared/closed'] } };
    const gateway = await realGateway(stores, { auth: parseConfig({ auth: { ...auth, roles } }).auth });
    expect(await urlOf(gateway, '/', 'reader-secret')).toContain('NOT_FOUND');
    const prefix = await urlOf(gateway, '/open', 'reader-secret');
    expect((await send(gateway, `${prefix}/temperature/c/0`)).body).toBe(chunk);
    expect((await send(gateway, `${prefix}/late/zarr.json`)).status).toBe(404);
  });

  test('expire, and cannot be changed', async () => {
    const gateway = await open();
    const prefix = await urlOf(gateway, '/open', undefined, '(expires: 2)');
    expect((await send(gateway, `${prefix}/zarr.json`)).status).toBe(200);
    for (const changed of [
      prefix.replace('~', '~A'),
      prefix.slice(0, -2),
      `${prefix.split('.')[0]}.AAAA`,
      '/zarr/~',
    ])
      expect((await send(gateway, `${changed}/zarr.json`)).status, changed).toBe(403);
    await new Promise((resolve) => setTimeout(resolve, 3100));
    expect((await send(gateway, `${prefix}/zarr.json`)).status).toBe(410);
    expect(await urlOf(gateway, '/open', undefined, '(expires: 0)')).toContain('expected seconds from 1');
    expect(await urlOf(gateway, '/open', undefined, '(expires: 999999)')).toContain(
      'expected seconds from 1',
    );
  });

  test('a link to a file is no prefix', async () => {
    const gateway = await open();
    const { json } = await gateway.query(
      '{ store(name: "shared") { array(path: "closed") { slice { href } } } }',
    );
    const [, , token = ''] = json.data.store.array.slice.href.split('/');
    expect((await send(gateway, `/zarr/~${token}/zarr.json`)).status).toBe(403);
  });
});
