/** Caching and compression over HTTP. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';

const stores = {
  kept: { 'zarr.json': group(), 'a/zarr.json': array([2000]) },
  public: { 'zarr.json': group() },
  plain: { 'zarr.json': group() },
  chunked: { 'zarr.json': group() },
};
const policies = {
  kept: { cacheControl: { maxAgeSeconds: 60 } },
  public: { cacheControl: { maxAgeSeconds: 600, public: true } },
};
const values = '{ store(name: "kept") { array(path: "a") { slice { values } } } }';

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The raw response, without decompression or added headers. */
function raw(
  gateway: RealGateway,
  query: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Raw> {
  const url = method === 'POST' ? gateway.url : `${gateway.url}?query=${encodeURIComponent(query)}`;
  return new Promise((resolve, reject) => {
    const type = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const outgoing = request(url, { method, headers: { ...type, ...headers } }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? JSON.stringify({ query }) : undefined);
  });
}

/** A busy machine may stream a response, which then has no `content-length`. */
const retried = { retry: 3 };

const etagOf = ({ headers }: Raw): string => String(headers['etag']);

describe('a validator', () => {
  test('is strong, equal for equal responses, and different for other media types, encodings and values', async () => {
    const gateway = await realGateway(stores);
    const [first, again] = [await raw(gateway, values), await raw(gateway, values)];
    expect(etagOf(first)).toMatch(/^"[\w-]+"$/);
    expect(etagOf(again)).toBe(etagOf(first));
    const forms = [
      await raw(gateway, values, { accept: 'application/cbor' }),
      await raw(gateway, values, { accept: 'application/graphql-response+json' }),
      await raw(gateway, values, { 'accept-encoding': 'gzip' }),
      await raw(gateway, values, { 'accept-encoding': 'br' }),
      await raw(gateway, values.replace('values', 'values(nonFinite: NULL)')),
      await raw(gateway, values.replace('slice', 'slice(select: {text: ":1999"})')),
    ];
    const tags = [first, ...forms].map(etagOf);
    expect(new Set(tags).size).toBe(tags.length);
    for (const { headers } of forms) expect(headers['vary']).toMatch(/^Accept\b/);
  });

  test('changes after a write', async () => {
    const gateway = await realGateway(stores);
    const before = await raw(gateway, values);
    await gateway.query(
      'mutation { writeSlice(input: { store: "kept", path: "a", select: { text: "0" }, values: 8 }) { chunksWritten } }',
    );
    const after = await raw(gateway, values, { 'if-none-match': etagOf(before) });
    expect(after.status).toBe(200);
    expect(etagOf(after)).not.toBe(etagOf(before));
  });

  test.each([
    ['plain', {}],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['br', { 'accept-encoding': 'br' }],
    ['CBOR', { accept: 'application/cbor' }],
  ])('of %s is revalidated with 304', async (_, headers) => {
    const gateway = await realGateway(stores, { policies });
    const first = await raw(gateway, values, headers);
    expect(first.status).toBe(200);
    for (const given of [etagOf(first), `W/${etagOf(first)}`, `"x", ${etagOf(first)}`, '*']) {
      const { status, body, ...response } = await raw(gateway, values, {
        ...headers,
        'if-none-match': given,
      });
      expect(status).toBe(304);
      expect(body).toHaveLength(0);
      if (given !== '*') expect(etagOf({ ...response, status, body })).toBe(etagOf(first));
      expect(response.headers['cache-control']).toBe('private, max-age=60');
      expect(response.headers['content-encoding']).toBeUndefined();
    }
    expect((await raw(gateway, values, { ...headers, 'if-none-match': '"x"' })).status).toBe(200);
  });

  test('of one encoding does not match another', async () => {
    const gateway = await realGateway(stores);
    const first = await raw(gateway, values, { 'accept-encoding': 'gzip' });
    const other = await raw(gateway, values, { 'accept-encoding': 'br', 'if-none-match': etagOf(first) });
    expect(other.status).toBe(200);
    expect(other.headers['content-encoding']).toBe('br');
  });

  test('is sent with HEAD, not with POST', retried, async () => {
    const gateway = await realGateway(stores);
    const [got, head] = [await raw(gateway, values), await raw(gateway, values, {}, 'HEAD')];
    expect(head).toMatchObject({ status: 200, headers: { etag: etagOf(got) } });
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.body).toHaveLength(0);
    expect((await raw(gateway, values, {}, 'POST')).headers['etag']).toBeUndefined();
  });
});

describe('lifetime of responses', () => {
  test.each([
    ['one store', '{ store(name: "kept") { name } }', 'private, max-age=60'],
    ['a public one', '{ store(name: "public") { name } }', 'public, max-age=600'],
    ['both', '{ a: store(name: "kept") { name } b: store(name: "public") { name } }', 'private, max-age=60'],
    ['one without a policy', '{ store(name: "plain") { name } }', 'private, no-cache'],
    ['all of them', '{ stores { nodes { name } } }', 'private, no-cache'],
    ['none', '{ gateway { version } }', 'private, no-cache'],
    ['an error with data', '{ store(name: "public") { group(path: "/x") { path } } }', 'no-store'],
    ['an error', '{ nothing }', 'no-store'],
  ])('%s', async (_, query, expected) => {
    const gateway = await realGateway(stores, { policies });
    const { headers } = await raw(gateway, query);
    expect(headers['cache-control']).toBe(expected);
    expect(headers['etag'] === undefined).toBe(expected === 'no-store');
  });

  test('responses to requests with a token are private', async () => {
    const sha256 = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'; // of "secret"
    const { auth } = parseConfig({
      auth: {
        roles: { all: { read: ['*'] } },
        anonymous: ['all'],
        tokens: [{ name: 'x', sha256, roles: ['all'] }],
      },
    });
    const gateway = await realGateway(stores, { policies, auth });
    const query = '{ store(name: "public") { name } }';
    const [anonymous, own] = [
      await raw(gateway, query),
      await raw(gateway, query, { authorization: 'Bearer secret' }),
    ];
    expect(anonymous.headers['cache-control']).toBe('public, max-age=600');
    expect(own.headers['cache-control']).toBe('private, max-age=600');
    for (const { headers } of [anonymous, own]) expect(headers['vary']).toContain('Authorization');
  });
});

describe('compression', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['GZIP;Q=0.3', 'gzip', gunzipSync],
  ])('%s gets %s', retried, async (accepted, encoding, unpack) => {
    const gateway = await realGateway(stores);
    const plain = await raw(gateway, values);
    const packed = await raw(gateway, values, { 'accept-encoding': accepted });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(packed.headers['content-length']).toBe(String(packed.body.length));
    expect(packed.body.length).toBeLessThan(plain.body.length / 10);
    expect(unpack(packed.body)).toEqual(plain.body);
    expect(plain.headers['vary']).toBe('Accept, Accept-Encoding');
  });

  test.each([
    ['no supported encoding', values, { 'accept-encoding': 'deflate, zstd' }],
    ['an empty header', values, { 'accept-encoding': '' }],
    ['identity preferred', values, { 'accept-encoding': 'gzip;q=0.5, identity' }],
    ['rejected encodings', values, { 'accept-encoding': 'gzip;q=0, br;q=0' }],
    ['a small response', '{ gateway { version } }', { 'accept-encoding': 'gzip' }],
    ['CBOR', values, { 'accept-encoding': 'gzip', accept: 'application/cbor' }],
  ])('%s: not compressed', async (_, query, headers) => {
    const gateway = await realGateway(stores);
    expect((await raw(gateway, query, headers)).headers['content-encoding']).toBeUndefined();
  });

  test('of a streamed response, by POST', async () => {
    const gateway = await realGateway({ big: { 'zarr.json': array([600_000]) } });
    const query = '{ store(name: "big") { array { slice { values } } } }';
    const packed = await raw(gateway, query, { 'accept-encoding': 'gzip' }, 'POST');
    expect(packed.headers['transfer-encoding']).toBe('chunked');
    const { data } = JSON.parse(gunzipSync(packed.body).toString());
    expect(data.store.array.slice.values).toHaveLength(600_000);
  });

  test('can be disabled', async () => {
    const gateway = await realGateway(stores, { compression: false });
    const { headers } = await raw(gateway, values, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['vary']).toBe('Accept');
  });
});

test('a large slice that is requested again has the values of the last write', async () => {
  const gateway = await realGateway(stores);
  await gateway.query(
    'mutation { createArray(input: { store: "chunked", path: "a", shape: [20000], chunkShape: [5000], dtype: "float64" }) { array { path } } }',
  );
  const again = '{ store(name: "chunked") { array(path: "a") { slice { values } } } }';
  for (const written of [0, 7, 8]) {
    if (written > 0)
      await gateway.query(
        `mutation { writeSlice(input: { store: "chunked", path: "a", select: { text: "6000" }, values: ${written} }) { chunksWritten } }`,
      );
    for (let i = 0; i < 3; i++) {
      const { body } = await raw(gateway, again);
      const parsed = JSON.parse(body.toString());
      expect(parsed.data.store.array.slice.values.indexOf(8)).toBe(written === 8 ? 6000 : -1);
      expect(parsed.data.store.array.slice.values[6000]).toBe(written);
    }
  }
});
