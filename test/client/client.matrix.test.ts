/**
 * Every data type through gateway and SDK, with each encoding: equal bit for bit to the values of other
 * implementations.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.js';
import type { AnyNDArray, Client, ClientOptions, DTypeName, FetchLike } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import type { Gateway } from '../../server/gateway/options.js';
import { folderStore } from './in-process.js';
import type { Layout } from '../conformance/expected-layout.js';
import { arraysOfTypes, matrixFolder } from '../conformance/matrix.js';
import { fullAccess } from '../../server/index.js';

const names: Readonly<Record<string, readonly DTypeName[]>> = {
  datetime64: ['numpy.datetime64'],
  timedelta64: ['numpy.timedelta64'],
  fixed_bytes: ['null_terminated_bytes'],
  fixed_utf32: ['fixed_length_utf32'],
  raw: ['raw_bytes', 'raw_bits'],
  var_utf8: ['string'],
  var_bytes: ['variable_length_bytes'],
  ragged: ['json'],
};

const stores = () => arraysOfTypes.map(({ id, path }) => folderStore(id, join(matrixFolder, path)));

test('the cases cover every format', () => {
  expect(new Set(arraysOfTypes.map(({ format }) => format))).toEqual(new Set([1, 2, 3]));
  expect(arraysOfTypes.length).toBeGreaterThan(150);
});

/** Client options, and the encoding of the responses. */
const forms: readonly (readonly [form: string, options: (gateway: Gateway) => ClientOptions])[] = [
  ['CBOR over HTTP', (gateway) => ({ fetch: handler(gateway), format: 'cbor' })],
  ['base64 in JSON over HTTP', (gateway) => ({ fetch: handler(gateway), format: 'json' })],
  ['in the process', (gateway) => ({ gateway: { execute: gateway.as(fullAccess).execute } })],
];

function handler(gateway: Gateway): FetchLike {
  return async (url, init) => gateway.fetch(new gateway.Request(url, init), fullAccess);
}

describe.each(forms)('%s', (_form, options) => {
  let gateway: Gateway;
  let client: Client;
  beforeAll(() => {
    gateway = createGateway({ stores: stores() });
    client = createClient(options(gateway));
  });
  afterAll(() => gateway.close());

  test.each(arraysOfTypes)('$id', async ({ id, node, shape, layout, expected }) => {
    const array = await client.store(id).array(node).slice();
    expect(array.shape).toEqual(shape);
    expect(names[layout.kind] ?? [layout.kind]).toContain(array.dtype);
    expect(array.unit).toBe(layout.unit);
    expect(array.scale).toBe(layout.scale ?? 1);
    const bytes = Buffer.from(expected ?? '', 'base64');
    expect(bytesOf(array, layout)).toEqual(new Uint8Array(bytes));
  });
});

/** The bytes in the format of the cases: unchanged, or each item prefixed with its length. */
function bytesOf(array: AnyNDArray, layout: Layout): Uint8Array {
  if (array.bytes !== undefined) return array.bytes;
  if (layout.item !== undefined) return raggedBytes([...array], layout.item.kind);
  const items = [...array].map((value) => {
    if (array.is('json')) return Buffer.from(canonical(value));
    return typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : null;
  });
  const framed = items.flatMap((item) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(item === null ? 0xffffffff : item.length);
    return item === null ? [length] : [length, item];
  });
  return new Uint8Array(Buffer.concat(framed));
}

const itemArrays = { uint8: Uint8Array, int16: Int16Array, int32: Int32Array, float64: Float64Array };

/** The number of items, followed by the items. */
function raggedBytes(values: readonly unknown[], kind: string): Uint8Array {
  const [, TypedArray] = Object.entries(itemArrays).find(([name]) => name === kind) ?? [];
  if (TypedArray === undefined) throw new Error(`unexpected items of kind ${kind}`);
  const parts = values.flatMap((value) => {
    const items = TypedArray.from(value as number[]);
    return [new Uint8Array(Uint32Array.of(items.length).buffer), new Uint8Array(items.buffer)];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** JSON with sorted keys and without spaces. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
