/** Limits of one request, and the table of errors. */
import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ConfigError, createGateway } from '../server/index.js';
import { createErrorFormatter, errorTable } from '../server/resolvers/errors.js';
import * as engine from '../server/zarr/index.js';
import { arrayDocument, execute, memoryGateway, sampleGateway } from './resolvers/gateway-client.js';

const grid = (chunk: number[]) => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
});

describe('limits', () => {
  test('are reported', async () => {
    const gateway = await memoryGateway({}, { limits: { maxChunks: 7, maxHrefBytes: 2 ** 40 } });
    const { data } = await execute(
      gateway,
      '{ gateway { limits { maxOutputBytes maxDecodedBytes maxChunks maxHrefBytes maxFirst } } }',
    );
    expect(data.gateway.limits).toMatchObject({ maxChunks: 7, maxHrefBytes: 2 ** 40, maxFirst: 1000 });
  });

  test('reject a slice and state the excess', async () => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('float64', [1000, 1000], grid([10, 10])) },
      { limits: { maxOutputBytes: 80_000, maxChunks: 5000 } },
    );
    const { data, errors } = await execute(
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
    const executeFields = (text: string) => execute(gateway, `{ store(name: "m") { array { ${text} } } }`);
    const together = await executeFields('a: slice { values } b: slice { values }');
    expect(together.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the slices of the request are too large in total: maxOutputBytes allows 500, but 800/,
      ),
    ]);
    const alone = await executeFields('slice(select: { points: [' + '[0],'.repeat(126) + '] }) { values }');
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
    const { data, errors } = await execute(gateway, `{ store(name: "m") { array { ${slices} } } }`);
    const read = Object.values(data.store.array).filter(
      (slice) => (slice as { values: unknown }).values !== null,
    );
    expect(read).toHaveLength(2);
    expect(errors).toHaveLength(2);
    expect(errors[0]?.extensions).toMatchObject({ limit: 'maxOutputBytes', allowed: 1000, needed: 1200 });
    for (const slice of Object.values(data.store.array))
      expect(slice).toHaveProperty('estimate.allowed', true);
    // The next request has its own budget, and a slice that is requested twice counts once.
    const again = await execute(
      gateway,
      '{ store(name: "m") { array { slice { values base64 { data } a: values(nonFinite: NULL) b: base64(compression: GZIP) { data } } } } }',
    );
    expect(again.errors).toEqual([]);
  });

  test('count empty rows', async () => {
    const gateway = await memoryGateway({ 'zarr.json': arrayDocument('uint8', [1e12, 0]) });
    const { data, errors } = await execute(
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
    const { data, errors } = await execute(
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
    const slices = await execute(gateway, 'query ($r: [SliceRequest!]!) { slices(requests: $r) { shape } }', {
      r: requests,
    });
    expect(slices.errors[0]?.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxFirst',
      allowed: 100,
      needed: 101,
    });
    const nodes = await execute(gateway, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
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
    const one = await execute(gateway, '{ store(name: "m") { array { slice { values base64 { data } } } } }');
    expect(one.data.store.array.slice).toEqual({ values: [text], base64: null });
    expect(one.errors.map((error) => error.extensions['code'])).toEqual(['UNSUPPORTED']);
    const two = await execute(
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
    const two = await execute(
      gateway,
      '{ store(name: "m") { array { a: slice { values } b: slice { values } } } }',
    );
    expect(two.data.store.array.a.values).toHaveLength(100);
    expect(two.data.store.array.b.values).toBeNull();
    expect(two.errors.map((error) => error.extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
  });
});

/** Every class of the engine that can be thrown. */
const classes = Object.entries(engine).flatMap(([name, value]) =>
  isErrorClass(value) ? [[name, value] as const] : [],
);

function isErrorClass(value: unknown): value is new (detail: string, options: object) => engine.ZarrError {
  return typeof value === 'function' && value.prototype instanceof engine.ZarrError;
}

const formatter = (logged: unknown[] = []) =>
  createErrorFormatter({ hints: true, logHidden: (id, error) => logged.push([id, error]) });

describe('the table', () => {
  test('has a row for each class, and all are visible', () => {
    expect(classes.length).toBeGreaterThanOrEqual(14);
    for (const [name, Class] of classes) {
      const error = new Class('what was wrong', { where: { store: 's', path: '/p', key: 'k' } });
      const shown = formatter()(new GraphQLError('', { originalError: error }));
      expect(shown.message, name).toBe('what was wrong (store "s", path "/p", key "k")');
      expect(shown.extensions, name).toEqual({ code: error.code, store: 's', path: '/p', key: 'k' });
      expect(errorTable[error.code].hidden).toBe(false);
    }
  });

  test('has statuses for whole requests', () => {
    for (const { status } of Object.values(errorTable)) expect(status).toBeGreaterThanOrEqual(400);
    expect(errorTable.INTERNAL).toEqual({ status: 500, hidden: true, isOurs: true });
  });
});

describe('an error', () => {
  test('of a limit states the excess', () => {
    const excess = [{ limit: 'maxChunks', allowed: 10, needed: 1e300 }];
    const { extensions } = formatter()(new engine.LimitError('too much', { excess, fits: { size: 3 } }));
    expect(extensions).toEqual({
      code: 'LIMIT_EXCEEDED',
      fits: { size: 3 },
      // Status of a request that failed as a whole.
      http: { status: 413, spec: true },
      limit: 'maxChunks',
      allowed: 10,
      needed: 2n ** 63n - 1n,
    });
  });

  test('of an aborted signal is ABORTED', () => {
    expect(formatter()(AbortSignal.abort().reason).extensions['code']).toBe('ABORTED');
  });

  test('keeps its path in the response, but not its cause', () => {
    const wrapped = new GraphQLError('x', {
      path: ['a', 1],
      originalError: new engine.InputError('bad', { cause: new Error('secret') }),
    });
    const shown = formatter()(wrapped);
    expect(shown.path).toEqual(['a', 1]);
    expect(shown.originalError).toBeUndefined();
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  test('that is unexpected is hidden and logged once', () => {
    const logged: unknown[] = [];
    const show = formatter(logged);
    for (const thrown of [new TypeError('secret'), 'secret', undefined, { message: 'secret' }]) {
      const shown = show(thrown);
      expect(show(shown)).toBe(shown);
      expect(shown.extensions['code']).toBe('INTERNAL');
      expect(JSON.stringify(shown)).not.toContain('secret');
    }
    const wrapped = new GraphQLError('secret', { originalError: new Error('secret') });
    expect(show(wrapped)).toBe(show(wrapped));
    expect(logged).toHaveLength(5);
  });

  test('of graphql itself is BAD_INPUT, without hints if they are disabled', () => {
    const error = new GraphQLError('No field "a". Did you mean "b" or "c"?', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(formatter()(error).extensions['code']).toBe('BAD_INPUT');
    const quiet = createErrorFormatter({ hints: false, logHidden() {} });
    expect(quiet(error).message).toBe('No field "a".');
  });
});
