/**
 * Responses whose values are in lent memory, which is overwritten before it is lent and after it is returned. The page
 * of GraphiQL: rate limit, compression, validator and content security policy.
 */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { decodeCborBody } from '../../server/transport/cbor/decode.js';
import { NDArrayInput } from '../../server/transport/nd-array-value.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { type RealGateway, realGateway, group } from './real-gateway.js';

const ROWS = 64;
const COLUMNS = 3000;

vi.mock(import('../../server/memory/lent-results.js'), async (original) => {
  const { LentResults } = await original();
  class Overwriting extends LentResults {
    constructor() {
      super({ overwrites: true });
    }
  }
  return { LentResults: Overwriting };
});

/** Chunks of 10 x 1000; those of the last rows are absent and read as 7. */
async function gateway(): Promise<RealGateway> {
  const store = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(store).createArray('/a', {
    shape: [ROWS, COLUMNS],
    dtype: 'int32',
    chunkShape: [10, 1000],
    fillValue: 7,
  });
  const data = Int32Array.from({ length: 50 * COLUMNS }, (_, i) => i);
  await array
    .select({ kind: 'dims', dims: [{ kind: 'slice', stop: 50 }] })
    .write({ shape: [50, COLUMNS], data });
  return realGateway(
    {},
    { gateway: { stores: [{ name: 'm', store }], resultCacheBytes: 0 }, compression: true },
  );
}

function valueAt(row: number, column: number): number {
  return row < 50 ? row * COLUMNS + column : 7;
}

function queryOf(start: number, count: number): string {
  return `{ store(name: "m") { array(path: "a") { slice(select: { text: "${start}:${start + count}" }) { values } } } }`;
}

interface Sent {
  readonly start: number;
  readonly count: number;
  readonly body: Buffer;
}

function send(url: string, start: number, count: number, headers: Record<string, string>): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () => resolve({ start, count, body: Buffer.concat(parts) }))
          .on('error', reject);
      },
    );
    outgoing.on('error', reject).end(JSON.stringify({ query: queryOf(start, count) }));
  });
}

/** Disconnects after the first bytes. */
function leave(url: string, start: number, count: number): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/cbor' },
        agent: false,
      },
      (incoming) =>
        incoming.once('data', () => {
          incoming.destroy();
          resolve();
        }),
    );
    outgoing.on('error', () => resolve()).end(JSON.stringify({ query: queryOf(start, count) }));
  });
}

/** The index of the first wrong value; -1 if all are right. */
function firstWrong({ start, count, body }: Sent): number {
  const values = valuesOf(decodeCborBody(body));
  if (!(values instanceof NDArrayInput) || values.bytes.length !== count * COLUMNS * 4) return 0;
  const numbers = new Int32Array(new Uint8Array(values.bytes).buffer);
  return numbers.findIndex((n, i) => n !== valueAt(start + Math.floor(i / COLUMNS), i % COLUMNS));
}

/** The values of `data.store.array.slice`. */
function valuesOf(result: unknown): unknown {
  return ['data', 'store', 'array', 'slice', 'values'].reduce<unknown>(
    (node, name) => (typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined),
    result,
  );
}

describe('values', () => {
  test('of concurrent responses match their requests, even if clients disconnect', async () => {
    const { url } = await gateway();
    for (let round = 0; round < 6; round++) {
      const ranges = Array.from(
        { length: 12 },
        (_, i) => [((i + round) * 5) % 44, 1 + ((i * 7) % 20)] as const,
      );
      const sent = await Promise.all(
        ranges.map(async ([start, count], i) => {
          if (i % 4 === 3) return leave(url, start, count);
          return send(url, start, count, { accept: 'application/cbor' });
        }),
      );
      expect(sent.flatMap((one) => (one === undefined ? [] : firstWrong(one)))).toEqual(
        Array.from({ length: 9 }, () => -1),
      );
    }
  });

  test('in JSON, compressed and requested by GET', async () => {
    const { get, query, url } = await gateway();
    const expected = Array.from({ length: 2 }, (_, row) =>
      Array.from({ length: COLUMNS }, (_, column) => valueAt(48 + row, column)),
    );
    const compressed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: JSON.stringify({ query: queryOf(48, 2) }),
    });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(valuesOf(await compressed.json())).toEqual(expected);
    for (let i = 0; i < 3; i++) {
      expect(valuesOf((await query(queryOf(48, 2))).json)).toEqual(expected);
      expect(valuesOf((await get({ query: queryOf(48, 2) })).json)).toEqual(expected);
    }
  });

  test('of the same slice under two names', async () => {
    const { query } = await gateway();
    const field = (name: string, text: string): string =>
      `${name}: array(path: "a") { slice(select: { text: "${text}" }) { values base64 { data } } }`;
    const { json } = await query(`{ store(name: "m") { ${field('x', '45:55')} ${field('y', '45:55')} } }`);
    const { x, y } = json.data.store;
    expect(x).toEqual(y);
    expect(x.slice.values[4][2]).toBe(valueAt(49, 2));
    expect(x.slice.values[9][2999]).toBe(7);
    const plain = Buffer.from(x.slice.base64.data, 'base64');
    expect(plain.readInt32LE(4 * (4 * COLUMNS + 2))).toBe(valueAt(49, 2));
  });

  test('that differ between requests of one connection', async () => {
    const { url } = await gateway();
    for (let start = 0; start < 60; start += 3)
      expect(
        firstWrong(await send(url, start, 4, { accept: 'application/cbor', connection: 'keep-alive' })),
      ).toBe(-1);
  });
});

const stores = { s: { 'zarr.json': group() } };
const page = (more: object = {}) =>
  realGateway(stores, { graphiql: true, gateway: { graphiql: {} }, ...more });
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('the GraphiQL page is charged to the budget of its client', async () => {
  const { url } = await page({ maxClientCost: 2 });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url, { method: 'HEAD', headers: html });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});

test('the GraphiQL page is compressed, and revalidation returns 304', async () => {
  const { url } = await page();
  const plain = await fetch(url, { headers: { ...html, 'accept-encoding': 'identity' } });
  const size = (await plain.arrayBuffer()).byteLength;
  for (const encoding of ['br', 'gzip']) {
    const first = await fetch(url, { method: 'HEAD', headers: { ...html, 'accept-encoding': encoding } });
    expect(first.headers.get('content-encoding')).toBe(encoding);
    const response = await fetch(url, { headers: { ...html, 'accept-encoding': encoding } });
    expect(Number(response.headers.get('content-length'))).toBeLessThan(size / 2);
    expect((await response.arrayBuffer()).byteLength).toBe(size);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toContain(encoding);
    const again = await fetch(url, {
      headers: { ...html, 'accept-encoding': encoding, 'if-none-match': etag },
    });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect(again.headers.get('content-security-policy')).toBe(
      response.headers.get('content-security-policy'),
    );
  }
});

test('the content security policy of the page allows only its own scripts', async () => {
  const { url } = await page();
  const response = await fetch(url, { headers: html });
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  expect(policy).toContain('img-src data:;');
  const scripts = [...(await response.text()).matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBe(4);
  for (const [, script = ''] of scripts)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

test('an operation is executed unless the client accepts HTML', async () => {
  const { url, log } = await page();
  for (const accept of ['text/*', '*/*', 'text/event-stream', 'application/json', 'text/html;q=0,text/*']) {
    const response = await fetch(`${url}?query={__typename}`, { headers: { accept } });
    expect(response.headers.get('content-type'), accept).not.toContain('html');
    expect(await response.text(), accept).toContain('Query');
  }
  expect(log.filter(({ msg, kind }) => msg === 'request' && kind === 'query').length).toBe(5);
});
