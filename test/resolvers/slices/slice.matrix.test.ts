/** Every array of the matrix, as JSON, base64 and CBOR. */
import { describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { decodeCbor } from '../../../server/transport/cbor/decode.js';
import { NDArrayInput } from '../../../server/transport/nd-array-value.js';
import { fixtures } from '../../setup/fixtures.js';
import { expectedCbor } from '../expected-cbor.js';
import { expectedJson, sizeOfLayout } from '../expected-json.js';
import { execute, folderStore } from '../gateway-client.js';
import { matrixCases } from '../matrix-cases.js';

const gateway = createGateway({
  stores: matrixCases.map(({ id, path }) => ({
    name: id,
    store: folderStore(id, `${fixtures}matrix/${path}`),
  })),
});

const valuesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { shape slice { shape values } } }
}`;
const bytesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { slice { base64 { data } } } }
}`;

describe('the matrix over GraphQL', () => {
  test.each(matrixCases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
    const location = { store: one.id, path: `/${one.node}` };
    const bytes = Buffer.from(one.expected ?? '', 'base64');
    const { data, errors } = await execute(gateway, valuesDocument, location);
    expect(errors).toEqual([]);
    const { shape, slice } = data.store.array;
    expect(shape).toEqual(one.shape);
    expect(slice.shape).toEqual(one.shape);
    const isDefined = (one.undefined_chunks ?? []).length === 0;
    if (isDefined) expect(slice.values).toEqual(expectedJson(bytes, one.shape, one.layout));

    const asBytes = await execute(gateway, bytesDocument, location);
    if (sizeOfLayout(one.layout) === undefined) {
      expect(asBytes.errors[0]?.extensions['code']).toBe('UNSUPPORTED');
      expect(asBytes.data.store.array.slice.base64).toBeNull();
    } else {
      const { base64 } = asBytes.data.store.array.slice;
      const isExact =
        isDefined && (!/float|complex|struct/.test(one.layout.kind) || one.features.includes('nan-payload'));
      if (isExact) expect(base64.data).toBe(one.expected);
      expect(Buffer.from(base64.data, 'base64').length).toBe(bytes.length);
    }
  });
});

// Typed arrays in CBOR are compared bit for bit (NaNs only if the reference preserves them), other values by element.

const document = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { slice { values } } }
}`;

async function executeCbor(variables: unknown): Promise<unknown> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/cbor' },
      body: JSON.stringify({ query: document, variables }),
    }),
    fullAccess,
  );
  expect(response.headers.get('content-type')).toBe('application/cbor');
  return decodeCbor(new Uint8Array(await response.arrayBuffer()));
}

/** Bytes as hexadecimal, typed arrays as plain objects; all NaNs are equal if the reference does not preserve them. */
function plain(value: unknown, keepsNans: boolean): unknown {
  if (value instanceof NDArrayInput)
    return {
      dtype: value.dtype,
      shape: value.shape,
      ...floatsOrHex(value.dtype, Buffer.from(value.bytes), keepsNans),
    };
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map((item) => plain(item, keepsNans));
  if (typeof value !== 'object' || value === null) return value;
  const { hex, dtype, data, shape } = value as Record<string, unknown>;
  if (Array.isArray(data) && Array.isArray(shape))
    return nested(
      data.map((item) => plain(item, keepsNans)),
      shape.map(Number),
    );
  if (typeof hex === 'string' && typeof dtype === 'string') {
    const { hex: _, ...rest } = value as Record<string, unknown>;
    return { ...rest, ...floatsOrHex(dtype, Buffer.from(hex, 'hex'), keepsNans) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, keepsNans)]));
}

/** Nests items like the gateway's decoder: nested lists, or one empty list. */
function nested(items: readonly unknown[], [length, ...inner]: readonly number[]): unknown {
  if (length === undefined) return items[0];
  if (items.length === 0) return [];
  const size = inner.reduce((product, n) => product * n, 1);
  return Array.from({ length }, (_, i) => nested(items.slice(i * size, (i + 1) * size), inner));
}

function floatsOrHex(dtype: string, bytes: Buffer, keepsNans: boolean): object {
  if (keepsNans || !dtype.includes('f') || dtype === '<f2') return { hex: bytes.toString('hex') };
  const size = Number(dtype.slice(2));
  const read = (i: number): number => (size === 4 ? bytes.readFloatLE(i) : bytes.readDoubleLE(i));
  return { floats: Array.from({ length: bytes.length / size }, (_, i) => read(i * size)) };
}

describe('the matrix in CBOR', () => {
  test.each(matrixCases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
    const result = (await executeCbor({ store: one.id, path: `/${one.node}` })) as Record<string, unknown>;
    expect(result['errors']).toBeUndefined();
    const { values } = (result as { data: { store: { array: { slice: { values: unknown } } } } }).data.store
      .array.slice;
    if ((one.undefined_chunks ?? []).length > 0) return;
    const bytes = Buffer.from(one.expected ?? '', 'base64');
    const keepsNans = one.features.includes('nan-payload');
    expect(plain(values, keepsNans)).toEqual(plain(expectedCbor(bytes, one.shape, one.layout), keepsNans));
  });
});
