/** Every lookup returns the same result for nodes that exist only in consolidated metadata. */
import { describe, expect, test } from 'vitest';
import { type CallerRights, fullAccess } from '../../../server/index.js';
import { ask, memoryGateway } from '../gateway-client.js';

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

test('by path, by id, in listings, as a dataset', async () => {
  const open = await gateway();
  const { data, errors } = await ask(
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
  const ids = await ask(
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
  const { data } = await ask(
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

  test('cannot see such a node', async () => {
    const open = await gateway();
    const document =
      '{ store(name: "m") { array(path: "secret/s") { shape } group(path: "secret") { path } } }';
    const { errors } = await open.execute({ document }, rights);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(JSON.stringify(errors)).not.toContain('onsolidated');
  });
});

test('no mutation changes one', async () => {
  const { createMemoryStore } = await import('../../../server/zarr/index.js');
  const { gatewayOf, codeOf } = await import('../mutating.js');
  const store = createMemoryStore({ label: 'm' });
  for (const [key, json] of Object.entries(documents()))
    await store.set(key, Buffer.from(JSON.stringify(json)));
  for (const path of ['bands/x', 'bands/b02']) await store.set(`${path}/0`, Uint8Array.of(1, 2, 3));
  const open = gatewayOf(store);
  for (const field of [
    'setAttributes(input: { store: "m", path: "bands", set: { a: 1 } }) { __typename }',
    'resizeArray(input: { store: "m", path: "bands/b02", shape: [4] }) { __typename }',
    'writeSlice(input: { store: "m", path: "bands/b02", values: [4, 5, 6] }) { __typename }',
    'deleteNode(input: { store: "m", path: "bands/b02" }) { __typename }',
  ])
    expect(await codeOf(open, field)).toBe('CONFLICT');
});
