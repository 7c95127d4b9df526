/** The client with a hostile gateway: typed errors, bounded memory, no hanging calls. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient, isZarrqlError } from '../../client/index.js';
import { writeStores } from '../../client/codegen/stores-plugin.js';
import { parseEvents } from '../../client/transport/parse-events.js';
import { response, createFakeFetch } from './fake-fetch.js';
import { connect } from './hostile-server.js';

/** Writes parts until the client disconnects, and waits for the client to read them. */
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

  test('of empty parts are STALLED', async () => {
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

  test('that do not match the document cause only typed errors', async () => {
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

  test('are scanned once, even in very small parts', async () => {
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

test.each(['99999999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'a Retry-After of %s ends the call',
  async (value) => {
    const { fetch, sent } = createFakeFetch(() => response('', 503, { 'retry-after': value }));
    await expect(createClient({ url: 'http://a/graphql', fetch }).request('{ a }')).rejects.toMatchObject({
      status: 503,
    });
    expect(sent).toHaveLength(1);
  },
);

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
