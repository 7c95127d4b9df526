/** Every array and group of the matrix over GraphQL: values as JSON, base64 and CBOR, and the nodes of each store. */
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../server/index.js';
import { decodeCborBody } from '../server/transport/cbor/decode.js';
import { NDArrayInput } from '../server/transport/nd-array-value.js';
import { openFixture } from './conformance/cases.js';
import { sameValues } from './conformance/expected-layout.js';
import { matrixArrays, matrixFolder, matrixGroups, matrixPaths } from './conformance/matrix.js';
import { expectedCbor } from './resolvers/expected-cbor.js';
import { expectedJson, sizeOfLayout } from './resolvers/expected-json.js';
import { execute } from './resolvers/gateway-client.js';

const gateway = createGateway({
  stores: await Promise.all(
    matrixPaths.map(async (path) => ({ name: path, store: await openFixture(`${matrixFolder}/${path}`) })),
  ),
});
afterAll(() => gateway.close());

const documentOf = (fields: string): string =>
  `query ($store: String!, $path: String!) { store(name: $store) { array(path: $path) { shape slice { ${fields} } } } }`;
const valuesDocument = documentOf('shape values');
const bytesDocument = documentOf('base64 { data shape }');
const cborDocument = documentOf('values');
const treeDocument = `query ($store: String!, $refresh: Boolean!) {
  store(name: $store) { group { members(recursive: true, refresh: $refresh) { totalCount nodes { path kind } } } }
}`;

async function executeCbor(variables: unknown): Promise<Record<string, unknown>> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/cbor' },
      body: JSON.stringify({ query: cborDocument, variables }),
    }),
    fullAccess,
  );
  expect(response.headers.get('content-type')).toBe('application/cbor');
  return Object(decodeCborBody(new Uint8Array(await response.arrayBuffer())));
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

test.each(matrixArrays.map((one) => [one.id, one] as const))('%s', async (_, one) => {
  const location = { store: one.path, path: `/${one.node}` };
  const bytes = Buffer.from(one.expected ?? '', 'base64');
  const isDefined = (one.undefined_chunks ?? []).length === 0;
  const { data, errors } = await execute(gateway, valuesDocument, location);
  expect(errors).toEqual([]);
  const { shape, slice } = data.store.array;
  expect(shape).toEqual(one.shape);
  expect(slice.shape).toEqual(one.shape);
  if (isDefined) expect(slice.values).toEqual(expectedJson(bytes, one.shape, one.layout));

  const asBytes = await execute(gateway, bytesDocument, location);
  const { base64 } = asBytes.data.store.array.slice;
  const width = sizeOfLayout(one.layout);
  if (width === undefined) {
    expect(asBytes.errors[0]?.extensions['code']).toBe('UNSUPPORTED');
    expect(base64).toBeNull();
  } else {
    expect(asBytes.errors).toEqual([]);
    expect(base64.shape).toEqual(one.shape);
    const got = Buffer.from(base64.data, 'base64');
    if (!sameValues(got, bytes, one, width)) expect(base64.data).toBe(one.expected);
  }

  // Typed arrays in CBOR are compared bit for bit (NaNs only if the reference preserves them), other values by element.
  const asCbor: { data?: typeof data; errors?: unknown } = await executeCbor(location);
  expect(asCbor.errors).toBeUndefined();
  if (!isDefined) return;
  const { values } = asCbor.data.store.array.slice;
  const keepsNans = one.features.includes('nan-payload');
  expect(plain(values, keepsNans)).toEqual(plain(expectedCbor(bytes, one.shape, one.layout), keepsNans));
});

test.each(matrixGroups.map((one) => [one.id, one] as const))('%s', async (id, one) => {
  const listed = async (refresh: boolean): Promise<Record<string, string>> => {
    const { data, errors } = await execute(gateway, treeDocument, { store: one.path, refresh });
    expect(errors).toEqual([]);
    const nodes: { path: string; kind: string }[] = data.store.group.members.nodes;
    return Object.fromEntries(nodes.map(({ path, kind }) => [path.slice(1), kind.toLowerCase()]));
  };
  const { '': root, ...below } = one.tree;
  expect(root).toBe('group');
  expect(await listed(true)).toEqual(below);
  // Stale consolidated metadata is used unless `refresh` is set.
  const { 'a/x': _, ...stale } = below;
  expect(await listed(false)).toEqual(id.includes('stale') ? stale : below);
});
