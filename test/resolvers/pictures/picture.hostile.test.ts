/** Pictures and tiles: invalid and hostile arguments, colours of flags, sizes, links and caching. */
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { createGateway, fullAccess, type Gateway, type GatewayConfig } from '../../../server/index.js';
import { arrayDocument, execute } from '../gateway-client.js';

async function sample(config: Partial<GatewayConfig> = {}): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const flags = {
    flag_values: [1, 2, 9],
    flag_meanings: 'land sea ice',
    flag_colors: '#00ff00 #0000ff #ffffff80',
  };
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  await put('a/zarr.json', arrayDocument('float32', [4, 6], { fill_value: 1 }));
  await put('line/zarr.json', arrayDocument('float32', [4]));
  await put('empty/zarr.json', arrayDocument('float32', [0, 6]));
  await put('text/zarr.json', { ...Object(arrayDocument('string', [2, 2], { fill_value: '' })), codecs: [{ name: 'vlen-utf8' }] }); // prettier-ignore
  await put('complex/zarr.json', arrayDocument('complex64', [2, 2], { fill_value: [0, 0] }));
  await put('ints/zarr.json', arrayDocument('int32', [2, 2, 3]));
  await put('huge/zarr.json', arrayDocument('float64', [2 ** 20, 2 ** 20], { chunk_grid: { name: 'regular', configuration: { chunk_shape: [1024, 1024] } } })); // prettier-ignore
  await put('flags/zarr.json', arrayDocument('uint8', [2, 3], { attributes: flags }));
  await store.set('flags/c/0/0', Uint8Array.of(1, 2, 9, 9, 0, 1));
  return createGateway({ stores: [{ name: 'm', store }], ...config });
}

async function codesOf(gateway: Gateway, path: string, field: string): Promise<unknown[]> {
  const { errors } = await execute(
    gateway,
    `{ store(name: "m") { array(path: "${path}") { slice { ${field} } } } }`,
  );
  return errors.map(({ extensions }) => extensions['code']);
}

test.each([
  ['a', 'image(width: 0) { href }', 'BAD_INPUT'],
  ['a', 'image(width: -1) { href }', 'BAD_INPUT'],
  ['a', 'image(width: 4097) { href }', 'BAD_INPUT'],
  ['a', 'image(height: 2147483647) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: 1, max: 1 }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: 2, max: 1 }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: "NaN", max: 1 }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: 0, max: "Infinity" }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: -1.7e308, max: 1.7e308 }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: [0], max: {} }) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: 0, max: 1 }, scale: LOG) { href }', 'BAD_INPUT'],
  ['a', 'image(range: { min: -1, max: 1 }, scale: LOG) { href }', 'BAD_INPUT'],
  ['a', 'image(colorMap: { name: __proto__ }) { href }', 'BAD_INPUT'],
  ['a', 'image(colorMap: { stops: [] }) { href }', 'BAD_INPUT'],
  ['a', 'image(colorMap: { stops: [{ at: 0, color: "#000000" }] }) { href }', 'BAD_INPUT'],
  ['a', 'image(colorMap: { stops: [{ at: 0, color: "red" }, { at: 1, color: "#000000" }] }) { href }', 'BAD_INPUT'], // prettier-ignore
  ['a', 'image(colorMap: { stops: [{ at: 1, color: "#000000" }, { at: 0, color: "#000000" }] }) { href }', 'BAD_INPUT'], // prettier-ignore
  ['a', 'image(colorMap: { stops: [{ at: -1, color: "#000000" }, { at: 2, color: "#000000" }] }) { href }', 'BAD_INPUT'], // prettier-ignore
  ['line', 'image { href }', 'BAD_SELECTION'],
  ['empty', 'image { href }', 'BAD_SELECTION'],
  ['text', 'image { href }', 'UNSUPPORTED'],
  ['complex', 'image { href }', 'UNSUPPORTED'],
  ['ints', 'image { href }', 'BAD_INPUT'],
  ['huge', 'image { href }', 'LIMIT_EXCEEDED'],
  ['huge', 'image(range: { min: 0, max: 1 }) { href }', 'LIMIT_EXCEEDED'],
  ['a', 'tiles { json }', 'INVALID_METADATA'],
])('%s: %s is %s', async (path, field, code) => {
  expect(await codesOf(await sample(), path, field)).toEqual([code]);
});

async function pngOf(gateway: Gateway, path: string, args: string): Promise<PNG> {
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { array(path: "${path}") { slice { image${args} { href } } } } }`,
  );
  expect(errors).toEqual([]);
  const { href } = data.store.array.slice.image;
  const response = await gateway.fetch(new Request(new URL(href, 'http://localhost/graphql')), fullAccess);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

test('flags have the colours of their attributes, other values are transparent', async () => {
  const { data } = await pngOf(await sample(), 'flags', '');
  const [land, sea, ice, none] = [[0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128], [0, 0, 0, 0]]; // prettier-ignore
  expect([...data]).toEqual([land, sea, ice, ice, none, land].flat());
});

test('a range turns flags into numbers, and a colour map replaces their colours', async () => {
  const gateway = await sample();
  const scaled = await pngOf(gateway, 'flags', '(range: { min: 0, max: 9 }, colorMap: { name: GREYS })');
  expect([...scaled.data.subarray(16, 20)]).toEqual([255, 255, 255, 255]);
  const mapped = await pngOf(gateway, 'flags', '(colorMap: { name: GREYS })');
  expect([...mapped.data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  expect([...mapped.data.subarray(8, 12)]).toEqual([0, 0, 0, 255]);
});

test('values that are all equal have a range around them', async () => {
  const { width, height, data } = await pngOf(await sample(), 'a', '');
  expect([width, height, new Set(data).size > 1]).toEqual([6, 4, true]);
});

test('a picture of few values can have the maximum size of 4096 by 4096 pixels', async () => {
  const { width, height } = await pngOf(await sample(), 'flags', '(width: 4096, height: 4096)');
  expect([width, height]).toEqual([4096, 4096]);
});

test('two requests get the same link, and its picture has a validator', async () => {
  const gateway = await sample();
  const query = '{ store(name: "m") { array(path: "flags") { slice { image { href } } } } }';
  const [first, second] = await Promise.all([execute(gateway, query), execute(gateway, query)]);
  const { href } = first.data.store.array.slice.image;
  expect(second.data.store.array.slice.image.href).toBe(href);
  const get = (headers: Record<string, string>): Promise<Response> =>
    gateway.fetch(new Request(new URL(href, 'http://localhost/graphql'), { headers }), fullAccess);
  const response = await get({});
  expect(response.headers.get('content-disposition')).toBe('inline; filename="flags.png"');
  expect(Number(response.headers.get('content-length'))).toBe((await response.arrayBuffer()).byteLength);
  const etag = response.headers.get('etag') ?? '';
  expect((await get({ 'if-none-match': etag })).status).toBe(304);
});

test('pictures and map tiles of stores that never change need not be revalidated', async () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  for (const [name, units] of [['lat', 'degrees_north'], ['lon', 'degrees_east']] as const) {
    const more = { dimension_names: [name], attributes: { units } };
    await put(`${name}/zarr.json`, arrayDocument('float64', [2], more));
    await store.set(`${name}/c/0`, Buffer.from(Float64Array.of(10, 20).buffer));
  }
  await put('v/zarr.json', arrayDocument('float32', [2, 2], { dimension_names: ['lat', 'lon'] }));
  const cacheControl = { maxAgeSeconds: 60, immutable: true };
  const gateway = createGateway({ stores: [{ name: 'm', store, cacheControl }] });
  const range = 'range: { min: 0, max: 1 }';
  const fields = `image(${range}) { href } tiles(${range}) { template }`;
  const { data } = await execute(gateway, `{ store(name: "m") { array(path: "v") { slice { ${fields} } } } }`);
  const { image, tiles } = data.store.array.slice;
  const tile = (tilePath: string): string => tiles.template.replace('{z}/{x}/{y}', tilePath);
  for (const href of [image.href, tile('0/0/0'), tile('3/0/0')]) {
    const { status, headers } = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^private, max-age=\d{4}, immutable$/);
    expect(headers.get('etag')).not.toBeNull();
  }
}); // prettier-ignore
