/** Links to tables and NetCDF files: rights, validators, limits and changes of the store. */
import { tableFromIPC } from 'apache-arrow';
import { expect, test } from 'vitest';
import {
  type CallerOptions,
  createGateway,
  fullAccess,
  type Gateway,
  type GatewayConfig,
} from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, memoryStore } from '../resolvers/gateway-client.js';

const objects = (): Promise<KeyStore> =>
  memoryStore({
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes: { title: 'T' } },
    't/zarr.json': arrayDocument('float32', [2, 3], { dimension_names: ['y', 'x'], fill_value: 2, attributes: { units: 'K', coordinates: 'secret' } }), // prettier-ignore
    'u/zarr.json': arrayDocument('int16', [2, 3], { dimension_names: ['y', 'x'], fill_value: 4 }),
    'x/zarr.json': arrayDocument('float64', [3], { dimension_names: ['x'], fill_value: 1 }),
    'secret/zarr.json': arrayDocument('float64', [3], { dimension_names: ['x'], fill_value: 9 }),
  });

async function gatewayOn(store: KeyStore, config: Partial<GatewayConfig> = {}): Promise<Gateway> {
  return createGateway({ stores: [{ name: 'm', store }], ...config });
}

async function linkOf(gateway: Gateway, field: string, caller: CallerOptions = fullAccess): Promise<string> {
  const document = `{ store(name: "m") { dataset(path: "/") { ${field} } } }`;
  const result = JSON.parse(JSON.stringify(await gateway.execute({ document }, caller)));
  if (result.errors !== undefined) return `${result.errors[0].extensions.code}: ${result.errors[0].message}`;
  const { dataset } = result.data.store;
  return dataset.href ?? dataset.variable.slice.href;
}

const nobody: CallerOptions = { mayRead: () => false, mayEnter: () => false, mayWrite: () => false };
const follow = (gateway: Gateway, link: string, init: RequestInit = {}): Promise<Response> =>
  gateway.fetch(new gateway.Request(`http://localhost${link}`, init), nobody);

const columnsOf = async (response: Response): Promise<readonly string[]> =>
  tableFromIPC(new Uint8Array(await response.arrayBuffer())).schema.fields.map(({ name }) => name);

test('a link needs no rights, and has the coordinates that the caller could read', async () => {
  const gateway = await gatewayOn(await objects());
  const slice = 'variable(name: "t") { slice { href(format: ARROW) } }';
  const all = await follow(gateway, await linkOf(gateway, slice));
  expect(all.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
  expect(all.headers.get('content-disposition')).toBe('attachment; filename="t.arrows"');
  expect(await columnsOf(all)).toEqual(['y', 'x', 'secret', 't']);
  const caller: CallerOptions = {
    ...fullAccess,
    mayRead: (_, path) => path !== '/secret',
    mayEnter: () => true,
  };
  expect(await columnsOf(await follow(gateway, await linkOf(gateway, slice, caller)))).toEqual([
    'y',
    'x',
    't',
  ]);
  await gateway.close();
});

test('several variables are one file', async () => {
  const gateway = await gatewayOn(await objects());
  const table = await follow(gateway, await linkOf(gateway, 'href(format: ARROW, variables: ["u", "t"])'));
  expect(await columnsOf(table)).toEqual(['y', 'x', 'secret', 'u', 't']);
  const file = await follow(gateway, await linkOf(gateway, 'href'));
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="m.nc"');
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 3)
      .toString(),
  ).toBe('CDF');
  expect(await linkOf(gateway, 'href(format: CSV)')).toMatch(/^BAD_INPUT: the format CSV/);
  expect(await linkOf(gateway, 'href(format: ARROW, variables: ["x", "t"])')).toMatch(
    /^BAD_INPUT: a table needs/,
  );
  expect(await linkOf(gateway, 'href(variables: ["none"])')).toMatch(/^NOT_FOUND/);
  await gateway.close();
});

test('ETags change with values, metadata and coordinates', async () => {
  const store = await objects();
  const gateway = await gatewayOn(store);
  const link = await linkOf(gateway, 'href(format: NETCDF)');
  const etag = async (): Promise<string | null> =>
    (await follow(gateway, link, { method: 'HEAD' })).headers.get('etag');
  const first = await etag();
  expect((await follow(gateway, link, { headers: { 'if-none-match': String(first) } })).status).toBe(304);
  await store.set('x/c/0', Buffer.from(Float64Array.of(1, 2, 3).buffer));
  const second = await etag();
  await store.set('t/zarr.json', Buffer.from(JSON.stringify(arrayDocument('float32', [2, 3], { dimension_names: ['y', 'x'], fill_value: 3 })))); // prettier-ignore
  const third = await etag();
  expect(new Set([first, second, third]).size).toBe(3);
  expect((await follow(gateway, link, { headers: { 'if-none-match': String(first) } })).status).toBe(200);
  await gateway.close();
});

test('a change during the download ends it', async () => {
  const store = createMemoryStore({ label: 'm' });
  const size = 8 * 2 ** 20;
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [2 ** 20] } };
  await store.set('v/zarr.json', Buffer.from(JSON.stringify(arrayDocument('float64', [size], { chunk_grid, dimension_names: ['i'] })))); // prettier-ignore
  await store.set('zarr.json', Buffer.from('{"zarr_format": 3, "node_type": "group"}'));
  for (let i = 0; i < 8; i++) await store.set(`v/c/${i}`, Buffer.alloc(8 * 2 ** 20, i));
  const gateway = await gatewayOn(store, { limits: { maxHrefBytes: 2 ** 30 } });
  const response = await follow(gateway, await linkOf(gateway, 'href(format: NETCDF)'));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.read();
  await store.set('v/c/7', Buffer.alloc(8 * 2 ** 20, 99));
  const rest = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };
  await expect(rest()).rejects.toThrow(/changed/);
  await gateway.close();
});

test('limits apply to all variables together', async () => {
  const gateway = await gatewayOn(await objects(), { limits: { maxHrefBytes: 40, maxDecodedBytes: 40 } });
  expect(await linkOf(gateway, 'href(variables: ["t"])')).toMatch(/^\/files\//);
  expect(await linkOf(gateway, 'href(variables: ["t", "u", "x"])')).toMatch(
    /^LIMIT_EXCEEDED: the download is too large/,
  );
  await gateway.close();
});
