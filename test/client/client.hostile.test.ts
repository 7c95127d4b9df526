/** The client with a hostile gateway: typed errors, bounded memory, no hanging calls. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient, isZarrqlError, toDates } from '../../client/index.js';
import type { ClientOptions } from '../../client/index.js';
import { writeStores } from '../../client/codegen/write-stores.js';
import { decodeCbor } from '../../client/transport/cbor.js';
import { parseEvents } from '../../client/transport/event-text.js';
import { response, createFakeFetch } from './fake-fetch.js';

const open = new Set<Server>();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handle: Handler): Promise<string> {
  const server = createServer(handle);
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

async function connect(handle: Handler, options: Partial<ClientOptions> = {}) {
  return createClient({ url: await listen(handle), retries: 0, maxResponseBytes: 2 ** 20, ...options });
}

/** Writes parts at the speed of the client until it disconnects. */
function flood(response: ServerResponse, piece: string | Buffer, state = { bytes: 0 }) {
  const write = () => {
    while (!response.destroyed) {
      state.bytes += piece.length;
      if (!response.write(piece)) return response.once('drain', write);
    }
    return undefined;
  };
  write();
  return state;
}

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

describe('bodies', () => {
  test('without an end are cut off at the limit', async () => {
    let state = { bytes: 0 };
    const client = await connect((_, response) => {
      response.writeHead(200, json);
      state = flood(response, `{"data":"${'x'.repeat(65_536)}`);
    });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(state.bytes).toBeLessThan(64 * 2 ** 20);
  });

  test('in single-byte parts are counted by size', async () => {
    const pieces = function* () {
      for (;;) yield Uint8Array.of(0x20);
    };
    const source = pieces();
    const body = {
      getReader: () => ({ read: async () => source.next(), cancel: async () => undefined }),
    };
    const fetch = async () => ({ ...response({}), body: body as never });
    const client = createClient({ url: 'http://a/graphql', fetch, maxResponseBytes: 100_000 });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('of empty parts stall', async () => {
    const read = () =>
      new Promise<{ done: boolean; value: Uint8Array }>((resolve) => {
        setImmediate(() => resolve({ done: false, value: new Uint8Array(0) }));
      });
    const fetch = async () => ({
      ...response({}),
      body: { getReader: () => ({ read, cancel: async () => undefined }) },
    });
    const client = createClient({ url: 'http://a/graphql', fetch, stallMs: 50, retries: 0 });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'STALLED' });
  });

  test('count after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 2 ** 20, ' '));
    const client = await connect((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('with an excessive Content-Length are not read', async () => {
    const client = await connect((_, response) => {
      response.writeHead(200, { ...json, 'content-length': 2 ** 40 });
      response.write('{');
    });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test.each([
    ['JSON', json, `[${'{},'.repeat(400_000)}{}]`],
    ['CBOR lists', { 'content-type': 'application/cbor' }, listOf(0x80)],
    ['CBOR maps', { 'content-type': 'application/cbor' }, listOf(0xa0)],
    ['CBOR bytes', { 'content-type': 'application/cbor' }, listOf(0x40)],
    ['errors', json, `{"errors":[${'0,'.repeat(20_000)}0]}`],
  ])('of %s that expand when parsed are rejected', async (_, headers, body) => {
    const client = await connect((__, response) => response.writeHead(200, headers).end(body), {
      maxResponseBytes: 2 ** 20 + 2 ** 18,
    });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('that do not match the document cause no TypeError', async () => {
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, 0, -1, 1.5, '', 'x', true, '__proto__', 9e15),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 5 }),
      ),
    })).value; // prettier-ignore
    await fc.assert(
      fc.asyncProperty(anything, anything, async (value, other) => {
        const data = { store: value, slices: [other], stores: value, gateway: value };
        const { fetch } = createFakeFetch(() => response({ data }));
        const client = createClient({ url: 'http://a/graphql', fetch, retries: 0, format: 'json' });
        const store = client.store('s');
        const calls = [
          store.array('a').info(),
          store.array('a').slice('0'),
          store.array('a').estimate('0'),
          store.array('a').href('0'),
          store.group('/').info(),
          store.dataset('/').info(),
          collect(store.search()),
          collect(client.stores()),
        ];
        for (const settled of await Promise.allSettled(calls))
          if (settled.status === 'rejected') expect(isZarrqlError(settled.reason), String(settled.reason)).toBe(true);
      }),
      { numRuns: 100 },
    ); // prettier-ignore
  });
});

const names = fc.constantFrom(
  'array', 'group', 'slice', 'dtype', 'shape', 'values', 'base64', 'data', 'dataset', 'search', 'nodes', 'pageInfo',
  'name', 'path', 'attributes', 'dimensions', 'variables', 'estimate', 'href', '__proto__', 'kind', 'fields', '__typename',
); // prettier-ignore

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) if (all.push(item) > 10) break;
  return all;
}

/** A list with one empty value per byte. */
function listOf(head: number, count = 2 ** 20): Buffer {
  const bytes = Buffer.alloc(count + 5, head);
  bytes[0] = 0x9a;
  bytes.writeUInt32BE(count, 1);
  return bytes;
}

describe('values', () => {
  const slice = (dtype: string, shape: unknown, data = '') => ({
    slices: [{ shape, dtype: { name: 'x', kind: 'RAW' }, dimensions: [], base64: { dtype, shape, data } }],
  });
  const read = (data: unknown) => {
    const { fetch } = createFakeFetch(() => response({ data }));
    const client = createClient({ url: 'http://a/graphql', fetch, format: 'json', retries: 0 });
    return client.store('s').array('a').slice();
  };
  const struct = (...fields: unknown[]) => JSON.stringify(fields);

  test.each<[string, unknown]>([
    ['|V0', [3e8]],
    ['|S0', [2 ** 31, 2 ** 20]],
    ['<U0', [9e15]],
    ['<f4', [9e15]],
    ['<f4', [9e15, 0]],
    ['<f4', [2 ** 31, 2 ** 31]],
    ['<f4', [-1]],
    ['<f4', [1.5]],
    ['<f4', ['1e3']],
    ['<f4', [null]],
    ['<f4', Array.from({ length: 100_000 }, () => 1)],
    ['|V9999999999', [2]],
    ['<M8[0s]', [0]],
    ['[]', [9e15]],
    [struct(['a', '|V0']), [3e8]],
    [struct(['a', '|V0', [3e8]], ['b', '|u1']), [1]],
    [struct(['a', '<f8', [2 ** 27, 2 ** 27]]), [0]],
    [struct(['a', '<f4', [-1]]), [1]],
    ['['.repeat(100_000), [1]],
  ])('%s of the shape %j is BAD_RESPONSE', async (dtype, shape) => {
    await expect(read(slice(dtype.slice(0, 300_000), shape))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test('of size 0 are accepted in small numbers', async () => {
    expect((await read(slice('|V0', [3]))).data).toEqual([0, 0, 0].map(() => new Uint8Array(0)));
    const fields = await read(slice(struct(['a', '|V0'], ['b', '|u1']), [2], 'AQI='));
    expect(fields.is('struct') && fields.data['b']?.data).toEqual(Uint8Array.of(1, 2));
  });

  test('that exceed their integer type do not wrap', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const base = { slices: [{ shape: [1], dtype: type, dimensions: [], base64: null }] };
    for (const value of [300, 1.5, -129, '99999999999']) {
      const coordinates = [{ name: 'c', dtype: type, dimensions: [], values: [value] }];
      const data = { slices: [{ ...base.slices[0], coordinates, base64: { dtype: '|i1', shape: [1], data: 'AQ==' } }] };
      await expect(read(data)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
  }); // prettier-ignore

  test('with special names are ordinary keys', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const coordinates = ['__proto__', 'constructor'].map((name) => ({ name, dtype: type, dimensions: [], values: [1] }));
    const fields = struct(['__proto__', '|u1'], ['toString', '|u1']);
    const found = await read({ slices: [{ ...slice(fields, [1], 'AQI=').slices[0], coordinates }] });
    expect(Object.keys(found.coordinates ?? {})).toEqual(['__proto__', 'constructor']);
    expect(found.coordinates?.['toString']).toBeUndefined();
    expect(Object.getPrototypeOf(found.coordinates)).toBeNull();
    expect(Object.keys(found.data)).toEqual(['__proto__', 'toString']);
    expect(Object.keys(found.get(0) as object)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(found.data)).toBeNull();
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  }); // prettier-ignore

  test('of times convert to Dates or throw InputErrors', async () => {
    const units = fc.constantFrom('Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'as', 'generic');
    await fc.assert(
      fc.asyncProperty(units, fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (unit, scale, count) => {
        const data = Buffer.from(BigInt64Array.of(count).buffer).toString('base64');
        const array = await read(slice(unit === 'generic' ? '<M8' : `<M8[${scale}${unit}]`, [1], data));
        if (!array.is('numpy.datetime64')) throw new Error('no times');
        try {
          expect(toDates(array)).toHaveLength(1);
        } catch (error) {
          expect(isZarrqlError(error, 'BAD_INPUT')).toBe(true);
        }
      }),
    );
  }); // prettier-ignore
});

describe('events', () => {
  test.each([
    ['a line without an end', 'x'.repeat(8192)],
    ['lines without a blank one', `data: ${'x'.repeat(100)}\n`],
    ['one byte at a time', 'd'],
  ])('of %s are cut off at the limit', async (_, piece) => {
    let state = { bytes: 0 };
    const client = await connect(
      (__, response) => {
        response.writeHead(200, events);
        state = flood(response, piece);
      },
      { maxResponseBytes: 2 ** 16 },
    );
    await expect(collect(client.subscribe('subscription { a }'))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(state.bytes).toBeLessThan(64 * 2 ** 20);
  });

  test('are scanned once, however small their parts', async () => {
    let looked = 0;
    class Watched extends Uint8Array {
      override indexOf(byte: number, from = 0): number {
        looked += this.length - from;
        return super.indexOf(byte, from);
      }
    }
    const length = 20_000;
    const pieces = (async function* () {
      for (let i = 0; i < length; i++) yield Watched.of(0x61);
      yield Watched.of(10, 10);
    })();
    for await (const event of parseEvents(pieces, 2 ** 20)) expect(event).toBeUndefined();
    expect(looked).toBeLessThan(3 * length);
  });

  test('with another content type have limited bodies', async () => {
    const client = await connect((_, response) => {
      response.writeHead(200, json);
      flood(response, ' '.repeat(65_536));
    });
    await expect(collect(client.subscribe('subscription { a }'))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('with %i to another origin send nothing there', async (status) => {
    const seen: string[] = [];
    const other = await listen((request, response) => {
      seen.push(JSON.stringify(request.headers));
      response.end('{"data":{}}');
    });
    const client = await connect((_, response) => response.writeHead(status, { location: other }).end(), {
      headers: { authorization: 'Bearer x', 'x-api-key': 'y' },
    });
    const calls = [
      () => client.request('{ a }'),
      () => client.request('mutation { a }'),
      () => collect(client.subscribe('subscription { a }')),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    expect(seen).toEqual([]);
  });

  test('within the origin keep method and body', async () => {
    const client = await connect((request, response) => {
      if (request.url === '/graphql') return response.writeHead(308, { location: '/elsewhere' }).end();
      request.pipe(response.writeHead(200, json), { end: true });
      return undefined;
    });
    await expect(client.request('{ a }')).rejects.toThrow(/not a GraphQL result.*"query":"\{ a \}"/);
  });

  test('in a cycle end', async () => {
    let count = 0;
    const client = await connect((_, response) => {
      count += 1;
      response.writeHead(307, { location: '/graphql' }).end();
    });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    expect(count).toBeLessThan(10);
  });

  test('that a browser hides are rejected', async () => {
    const { fetch } = createFakeFetch(() => response('', 0));
    const client = createClient({ url: '/graphql', fetch, retries: 0 });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://', '\tjavascript:x'])(
  'the link %j is refused',
  async (href) => {
    const data = { store: { array: { slice: { href } } } };
    for (const url of ['http://a/graphql', '/graphql']) {
      const { fetch } = createFakeFetch(() => response({ data }));
      const client = createClient({ url, fetch, format: 'json', retries: 0 });
      await expect(client.store('s').array('a').href()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
  },
);

test.each(['99999999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'a Retry-After of %s ends the call',
  async (value) => {
    const { fetch, asked } = createFakeFetch(() => response('', 503, { 'retry-after': value }));
    await expect(createClient({ url: 'http://a/graphql', fetch }).request('{ a }')).rejects.toMatchObject({
      status: 503,
    });
    expect(asked).toHaveLength(1);
  },
);

test('arbitrary CBOR bytes decode to a value or a typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 48 }), (bytes) => {
      try {
        decodeCbor(new Uint8Array(bytes), 2 ** 16);
      } catch (error) {
        expect(isZarrqlError(error, 'BAD_RESPONSE', 'TOO_LARGE')).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('gateway names cannot escape from literals and comments in generated code', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.array(fc.constantFrom('*/', "'", '"', '\\', '`', '${', '\n', '\r', '\u2028', '\u202e', '\u200b', '*', '/'), { maxLength: 6 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(name, (text) => {
      const node = { path: text, dimensions: [text], shape: [1], dtype: 'int8', attributes: { [text]: text, long_name: text } } as const;
      const stores = [{ name: text, description: text, arrays: [node, node], groups: [], datasets: [] }];
      const code = writeStores({ stores });
      const bare = code.replace(/\/\*\*.*?\*\//g, '').replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
      expect(bare.replaceAll(/''|\b[A-Za-z_$][\w$]*\b/g, '')).toMatch(/^[\s\w{}:;<>,|/`.()[\]-]*$/);
      expect(code).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(code.match(/ArrayType</g)).toHaveLength(1);
    }),
  );
}); // prettier-ignore
