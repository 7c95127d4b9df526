/** Responses whose values are in lent memory, which is overwritten before it is lent and once it is given back. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeCbor } from '../../server/transport/cbor/decode.js';
import { NDArrayInput } from '../../server/transport/nd-array-input.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { type RealGateway, realGateway } from './real-gateway.js';

const ROWS = 64;
const COLUMNS = 3000;
const key = 'ZARRQL_LENT_RESULTS';

beforeAll(() => {
  process.env[key] = 'overwrite';
});
afterAll(() => {
  delete process.env[key];
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

function ask(url: string, start: number, count: number, headers: Record<string, string>): Promise<Sent> {
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
  const values = valuesOf(decodeCbor(body));
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
      const places = Array.from(
        { length: 12 },
        (_, i) => [((i + round) * 5) % 44, 1 + ((i * 7) % 20)] as const,
      );
      const sent = await Promise.all(
        places.map(async ([start, count], i) => {
          if (i % 4 === 3) return leave(url, start, count);
          return ask(url, start, count, { accept: 'application/cbor' });
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
      Array.from({ length: COLUMNS }, (_, column) => valueAt(48 + row * 1, column)),
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
        firstWrong(await ask(url, start, 4, { accept: 'application/cbor', connection: 'keep-alive' })),
      ).toBe(-1);
  });
});
