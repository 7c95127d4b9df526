/** Limits of one request. */
import { describe, expect, test } from 'vitest';
import { ConfigError, createGateway } from '../../server/index.js';
import { arrayDocument, ask, memoryGateway, sampleGateway } from './gateway-client.js';

const grid = (chunk: number[]) => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
});

describe('limits', () => {
  test('are reported', async () => {
    const gateway = await memoryGateway({}, { limits: { maxChunks: 7, maxHrefBytes: 2 ** 40 } });
    const { data } = await ask(
      gateway,
      '{ gateway { limits { maxOutputBytes maxDecodedBytes maxChunks maxHrefBytes maxFirst } } }',
    );
    expect(data.gateway.limits).toMatchObject({ maxChunks: 7, maxHrefBytes: 2 ** 40, maxFirst: 1000 });
  });

  test('reject a slice before it is read and state the excess', async () => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('float64', [1000, 1000], grid([10, 10])) },
      { limits: { maxOutputBytes: 80_000, maxChunks: 5000 } },
    );
    const { data, errors } = await ask(
      gateway,
      '{ store(name: "m") { array { slice { values estimate { chunks outputBytes allowed exceeded { limit allowed needed } } } } } }',
    );
    expect(data.store.array.slice).toEqual({
      values: null,
      estimate: {
        chunks: 10_000,
        outputBytes: 8_000_000,
        allowed: false,
        exceeded: expect.arrayContaining([
          { limit: 'maxOutputBytes', allowed: 80_000, needed: 8_000_000 },
          { limit: 'maxChunks', allowed: 5000, needed: 10_000 },
        ]),
      },
    });
    expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', store: 'm', path: '/' });
    expect(errors[0]?.extensions).toHaveProperty('limit');
    expect(errors[0]?.extensions).toHaveProperty('allowed');
    expect(errors[0]?.extensions).toHaveProperty('needed');
  });

  test('that are invalid are reported when the gateway is created', () => {
    const make = (limits: object) => () => createGateway({ stores: [], limits });
    expect(make({ maxFirst: 5 })).toThrow(ConfigError);
    expect(make({ maxFirst: 5 })).toThrow('limits.maxFirst: expected an integer from 100 to 100000, got 5');
    expect(make({ maxChunk: 5 })).toThrow('limits.maxChunk: unknown option; did you mean "maxChunks"?');
  });

  test('distinguish a slice that is too large from several slices together', async () => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('float32', [100]) },
      { limits: { maxOutputBytes: 500 } },
    );
    const ask3 = (text: string) => ask(gateway, `{ store(name: "m") { array { ${text} } } }`);
    const together = await ask3('a: slice { values } b: slice { values }');
    expect(together.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the slices of the request are too large in total: maxOutputBytes allows 500, but 800/,
      ),
    ]);
    const alone = await ask3('slice(select: { points: [' + '[0],'.repeat(126) + '] }) { values }');
    expect(alone.errors[0]?.message).toMatch(
      /^the slice is too large: maxOutputBytes allows 500, but 504 are needed/,
    );
  });

  test('apply to all slices of a request together, not to estimates', async () => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('float32', [100]) },
      { limits: { maxOutputBytes: 1000 } },
    );
    const slices = Array.from({ length: 4 }, (_, i) => `s${i}: slice { estimate { allowed } values }`).join(
      ' ',
    );
    const { data, errors } = await ask(gateway, `{ store(name: "m") { array { ${slices} } } }`);
    const read = Object.values(data.store.array).filter(
      (slice) => (slice as { values: unknown }).values !== null,
    );
    expect(read).toHaveLength(2);
    expect(errors).toHaveLength(2);
    expect(errors[0]?.extensions).toMatchObject({ limit: 'maxOutputBytes', allowed: 1000, needed: 1200 });
    for (const slice of Object.values(data.store.array))
      expect(slice).toHaveProperty('estimate.allowed', true);
    // The next request has its own budget, and a slice that is requested twice counts once.
    const again = await ask(
      gateway,
      '{ store(name: "m") { array { slice { values base64 { data } a: values(nonFinite: NULL) b: base64(compression: GZIP) { data } } } } }',
    );
    expect(again.errors).toEqual([]);
  });

  test('count elements of size 0', async () => {
    const gateway = await memoryGateway({ 'zarr.json': arrayDocument('uint8', [1e12, 0]) });
    const { data, errors } = await ask(
      gateway,
      '{ store(name: "m") { array { size nbytes slice { values } } } }',
    );
    expect(data.store.array).toEqual({ size: 0, nbytes: 0, slice: { values: null } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxOutputBytes' });
  });

  test('compute extreme sizes without iterating', async () => {
    const gateway = await memoryGateway({
      'zarr.json': arrayDocument('float64', [2 ** 31, 2 ** 31], grid([1, 1])),
    });
    const { data, errors } = await ask(
      gateway,
      '{ store(name: "m") { array { size nbytes slice { size estimate { chunks decodedBytes outputBytes allowed } values } } } }',
    );
    const size = (2n ** 62n).toString();
    const most = (2n ** 63n - 1n).toString();
    expect(data.store.array).toEqual({
      size,
      nbytes: most,
      slice: {
        size,
        estimate: { chunks: size, decodedBytes: most, outputBytes: most, allowed: false },
        values: null,
      },
    });
    expect(errors[0]?.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxOutputBytes',
      needed: most,
    });
  });

  test('limit lists of requests and ids', async () => {
    const gateway = sampleGateway({ limits: { maxFirst: 100 } });
    const requests = Array.from({ length: 101 }, () => ({ store: 'coads', path: 'TIME' }));
    const slices = await ask(gateway, 'query ($r: [SliceRequest!]!) { slices(requests: $r) { shape } }', {
      r: requests,
    });
    expect(slices.errors[0]?.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxFirst',
      allowed: 100,
      needed: 101,
    });
    const nodes = await ask(gateway, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: requests.map(() => 'a'),
    });
    expect(nodes.errors[0]?.extensions['code']).toBe('LIMIT_EXCEEDED');
  });

  test('limit variable-length text during the read', async () => {
    const text = 'x'.repeat(600);
    const header = Buffer.alloc(8);
    header.writeUInt32LE(1, 0);
    header.writeUInt32LE(600, 4);
    const gateway = await memoryGateway(
      {
        'zarr.json': arrayDocument('string', [1], { codecs: [{ name: 'vlen-utf8' }], fill_value: '' }),
        'c/0': new Uint8Array(Buffer.concat([header, Buffer.from(text)])),
      },
      { limits: { maxOutputBytes: 1000 } },
    );
    const one = await ask(gateway, '{ store(name: "m") { array { slice { values base64 { data } } } } }');
    expect(one.data.store.array.slice).toEqual({ values: [text], base64: null });
    expect(one.errors.map((error) => error.extensions['code'])).toEqual(['UNSUPPORTED']);
    const two = await ask(
      gateway,
      '{ store(name: "m") { array { a: slice { values } b: slice { values } } } }',
    );
    expect(two.errors.map((error) => error.extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
    expect(two.data.store.array.a.values).toEqual([text]);
  });

  test('count empty text', async () => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('string', [100], { codecs: [{ name: 'vlen-utf8' }], fill_value: '' }) },
      { limits: { maxOutputBytes: 2000 } },
    );
    const two = await ask(
      gateway,
      '{ store(name: "m") { array { a: slice { values } b: slice { values } } } }',
    );
    expect(two.data.store.array.a.values).toHaveLength(100);
    expect(two.data.store.array.b.values).toBeNull();
    expect(two.errors.map((error) => error.extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
  });
});
