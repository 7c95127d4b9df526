/** Nodes that exist only in consolidated metadata, and floats in attributes. */
import { describe, expect, test } from 'vitest';
import { type CallerRights, fullAccess } from '../../../server/index.js';
import { createMemoryStore, get, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { execute, memoryGateway } from '../gateway-client.js';
import { codeOf, gatewayOf, run } from '../mutating.js';

const array = (length: number, dims: string[]) => ({
  '.zarray': {
    ...{ zarr_format: 2, shape: [length], chunks: [length], dtype: '|i1', fill_value: 0, order: 'C' },
    ...{ compressor: null, filters: null },
  },
  '.zattrs': { _ARRAY_DIMENSIONS: dims, units: 'm' },
});

function documents(): Record<string, unknown> {
  const metadata: Record<string, unknown> = { '.zgroup': { zarr_format: 2 } };
  const groups = { bands: { title: 'Bands' }, secret: {} };
  for (const [path, attributes] of Object.entries(groups))
    Object.assign(metadata, { [`${path}/.zgroup`]: { zarr_format: 2 }, [`${path}/.zattrs`]: attributes });
  for (const path of ['bands/x', 'bands/b02', 'secret/s'])
    for (const [name, document] of Object.entries(array(3, ['x']))) metadata[`${path}/${name}`] = document;
  return { '.zmetadata': { zarr_consolidated_format: 1, metadata }, '.zgroup': { zarr_format: 2 } };
}

const gateway = () =>
  memoryGateway({
    ...documents(),
    ...{ 'bands/x/0': Uint8Array.of(10, 20, 30), 'bands/b02/0': Uint8Array.of(1, 2, 3) },
    'secret/s/0': Uint8Array.of(9, 9, 9),
  });

test('nodes are found by path, by id, in listings and as a dataset', async () => {
  const open = await gateway();
  const { data, errors } = await execute(
    open,
    `{ store(name: "m") {
        array(path: "bands/b02") { id shape version warnings attributes slice { values } parent { path } }
        group(path: "bands") { id attributes members { nodes { path version } }
          dataset { variables { name } variable(name: "b02") { units slice(select: { named: [{ dim: "x", by: { at: { value: 20 } } }] }) { values } } } } } }`,
  );
  expect(errors).toEqual([]);
  const { array: found, group } = data.store;
  expect(found).toMatchObject({ shape: [3], slice: { values: [1, 2, 3] }, parent: { path: '/bands' } });
  expect(found.warnings).toEqual([expect.stringContaining('the array has no metadata document')]);
  expect(found.version).toBeTruthy();
  expect(group).toMatchObject({ attributes: { title: 'Bands' } });
  expect(group.dataset.variable).toMatchObject({ units: 'm' });
  const ids = await execute(
    open,
    `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on ZarrNode { path kind } } }`,
    {
      ids: [found.id, group.id],
    },
  );
  expect(ids.data.nodes).toEqual([
    { id: found.id, path: '/bands/b02', kind: 'ARRAY' },
    { id: group.id, path: '/bands', kind: 'GROUP' },
  ]);
});

test('a link returns the values', async () => {
  const open = await gateway();
  const { data } = await execute(
    open,
    '{ store(name: "m") { array(path: "bands/b02") { slice { href(format: RAW) } } } }',
  );
  const { href } = data.store.array.slice;
  const response = await open.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3]);
});

describe('a caller without permission', () => {
  const rights: CallerRights = {
    mayRead: (_, path) => !path.startsWith('/secret'),
    mayEnter: (_, path) => !path.startsWith('/secret'),
    mayWrite: () => false,
  };

  test('cannot see a node without documents', async () => {
    const open = await gateway();
    const document =
      '{ store(name: "m") { array(path: "secret/s") { shape } group(path: "secret") { path } } }';
    const { errors } = await open.execute({ document }, rights);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(JSON.stringify(errors)).not.toContain('onsolidated');
  });
});

test('mutations of a node without documents are conflicts', async () => {
  const store = createMemoryStore({ label: 'm' });
  for (const [key, json] of Object.entries(documents()))
    await store.set(key, Buffer.from(JSON.stringify(json)));
  for (const path of ['bands/x', 'bands/b02']) await store.set(`${path}/0`, Uint8Array.of(1, 2, 3));
  const open = gatewayOf(store);
  for (const field of [
    'setAttributes(input: { store: "m", path: "bands", set: { a: 1 } }) { node { __typename } }',
    'resizeArray(input: { store: "m", path: "bands/b02", shape: [4] }) { array { __typename } }',
    'writeSlice(input: { store: "m", path: "bands/b02", values: [4, 5, 6] }) { __typename }',
    'deleteNode(input: { store: "m", path: "bands/b02" }) { __typename }',
  ])
    expect(await codeOf(open, field)).toBe('CONFLICT');
});

// Python distinguishes 2.0 from 2: numbers given as floats are stored and preserved as floats.

const change =
  'mutation ($set: JSON!) { setAttributes(input: { store: "m", path: "a", set: $set }) { node { path } } }';

async function textOf(store: KeyStore, key: string): Promise<string> {
  return new TextDecoder().decode((await get(store, key))?.bytes).replaceAll(/\s+/g, '');
}

function post(gateway: ReturnType<typeof gatewayOf>, type: string, body: string | Uint8Array<ArrayBuffer>) {
  const headers = { 'content-type': type };
  return gateway.fetch(
    new Request('http://localhost/graphql', { method: 'POST', headers, body }),
    fullAccess,
  );
}

const word = (text: string): number[] => [0x78, text.length, ...Buffer.from(text)];

test.each([
  [2, '.zattrs'],
  [3, 'zarr.json'],
])('whole floats in attributes remain floats (format %i)', async (format, key) => {
  const store = createMemoryStore({ label: 'm' });
  const gateway = gatewayOf(store);
  const input = `store: "m", path: "a", zarrFormat: ${format}, shape: [2], dtype: "float64"`;
  const { failures } = await run(gateway, `createArray(input: { ${input}, attributes: { scale: 2.0, n: 2, l: [1.0, 1] } }) { array { path } }`); // prettier-ignore
  expect(failures).toEqual([]);
  expect(await textOf(store, `a/${key}`)).toContain('{"scale":2.0,"n":2,"l":[1.0,1]}');

  const json = `{ "query": ${JSON.stringify(change)}, "variables": { "set": { "offset": 0.0, "o": { "x": 1e3 }, "i": 7 } } }`;
  expect((await post(gateway, 'application/json', json)).status).toBe(200);
  expect(await textOf(store, `a/${key}`)).toContain('{"scale":2.0,"n":2,"l":[1.0,1],"offset":0.0,"o":{"x":1000.0},"i":7}'); // prettier-ignore

  // { query, variables: { set: { n: 3.0 (16 bits), scale: 3 } } }
  const cbor = [0xa2, ...word('query'), ...word(change), ...word('variables'), 0xa1, ...word('set'), 0xa2, ...word('n'), 0xf9, 0x42, 0x00, ...word('scale'), 0x03]; // prettier-ignore
  expect((await post(gateway, 'application/cbor', Uint8Array.from(cbor))).status).toBe(200);
  expect(await textOf(store, `a/${key}`)).toContain('"scale":3,"n":3.0,"l":[1.0,1],"offset":0.0');
});

test('resizing and consolidated metadata preserve floats', async () => {
  const store = createMemoryStore({ label: 'm' });
  const document = '{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"float32","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"fill_value":1.0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}],"attributes":{"valid_range":[0.0,1.0],"big":1e300}}'; // prettier-ignore
  const encoder = new TextEncoder();
  await store.set(
    'zarr.json',
    encoder.encode('{"zarr_format":3,"node_type":"group","attributes":{"v":1.0}}'),
  );
  await store.set('a/zarr.json', encoder.encode(document));
  const hierarchy = openHierarchy(store);
  await hierarchy.resize('/a', [5]);
  const resized = await textOf(store, 'a/zarr.json');
  expect(resized).toBe(document.replace('[4]', '[5]').replace('1e300', '1e+300'));
  await hierarchy.consolidate('/');
  const consolidated = await textOf(store, 'zarr.json');
  expect(consolidated).toContain('"fill_value":1.0');
  expect(consolidated).toContain('"valid_range":[0.0,1.0]');
  expect(consolidated).toContain('"attributes":{"v":1.0}');
});
