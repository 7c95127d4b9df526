/** Links to legends: the colours of a picture as a PNG file, with the rights of the picture's link. */
import { PNG } from 'pngjs';
import { expect, test, vi } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { paletteOf } from '../../server/pictures/palette.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, ask } from '../resolvers/gateway-client.js';

const KEY = 'a key of at least 16 characters';

async function sample(): Promise<{ readonly gateway: Gateway; readonly store: KeyStore }> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const attributes = {
    flag_values: [1, 2, 9],
    flag_meanings: 'land sea ice',
    flag_colors: '#00ff00 #0000ff #ffffff80',
  };
  await put('a/zarr.json', arrayDocument('float32', [4, 6]));
  await put('flags/zarr.json', arrayDocument('uint8', [2, 3], { attributes }));
  await put('rgb/zarr.json', arrayDocument('uint8', [2, 2, 3]));
  return { gateway: createGateway({ stores: [{ name: 'm', store }], hrefs: { keys: [KEY] } }), store };
}

async function legendOf(
  gateway: Gateway,
  path: string,
  args = '',
): Promise<{ readonly href: string } | null> {
  const query = `{ store(name: "m") { array(path: "${path}") { slice { image${args} { legend { href } } } } } }`;
  const { data, errors } = await ask(gateway, query);
  expect(errors).toEqual([]);
  return data.store.array.slice.image.legend;
}

async function hrefOf(gateway: Gateway, path: string, args = ''): Promise<string> {
  const legend = await legendOf(gateway, path, args);
  if (legend === null) throw new Error('no legend');
  return legend.href;
}

async function follow(
  gateway: Gateway,
  href: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return gateway.fetch(new Request(new URL(href, 'http://localhost/graphql'), { headers }), fullAccess);
}

async function pixelsOf(gateway: Gateway, path: string, args = ''): Promise<PNG> {
  const response = await follow(gateway, await hrefOf(gateway, path, args));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  const png = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
  expect([png.width, png.height]).toEqual([256, 32]);
  const [first, last] = [png.data.subarray(0, 1024), png.data.subarray(31 * 1024)];
  expect(first.equals(last)).toBe(true);
  return png;
}

const RANGE = 'range: { min: 1, max: 5 }';
const STOPS = [
  { at: 0, color: '#00000000' },
  { at: 1, color: '#ff8040ff' },
];

test.each([
  ['batlow', `(${RANGE}, colorMap: { name: "batlow" })`, paletteOf({ name: 'batlow' })],
  ['a logarithm', `(${RANGE}, scale: LOG)`, paletteOf({ name: 'viridis' })],
  ['stops', `(${RANGE}, colorMap: { stops: [{ at: 0, color: "#00000000" }, { at: 1, color: "#ff8040" }] })`, paletteOf({ stops: STOPS })], // prettier-ignore
])('the colours of a scale from left to right: %s', async (_, args, palette) => {
  const { gateway } = await sample();
  const { data } = await pixelsOf(gateway, 'a', args);
  expect([...data.subarray(0, 1024)]).toEqual([...palette]);
});

test('a rectangle for each category', async () => {
  const { gateway } = await sample();
  const { data } = await pixelsOf(gateway, 'flags');
  const at = (x: number): readonly number[] => [...data.subarray(x * 4, x * 4 + 4)];
  const [land, sea, ice] = [[0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128]]; // prettier-ignore
  expect([0, 84, 86, 170, 171, 255].map(at)).toEqual([land, land, sea, sea, ice, ice]);
});

test('red, green and blue have no legend', async () => {
  const { gateway } = await sample();
  expect(await legendOf(gateway, 'rgb')).toBeNull();
});

test('legends of large slices need no values', async () => {
  const { gateway, store } = await sample();
  // A chunk that cannot be decoded.
  await store.set('a/c/0/0', Uint8Array.of(1));
  const huge = arrayDocument('float64', [2 ** 20, 2 ** 20], { chunk_grid: { name: 'regular', configuration: { chunk_shape: [1024, 1024] } } }); // prettier-ignore
  await store.set('huge/zarr.json', Buffer.from(JSON.stringify(huge)));
  for (const path of ['a', 'huge']) {
    const { data } = await pixelsOf(gateway, path, `(${RANGE})`);
    expect([...data.subarray(0, 1024)]).toEqual([...paletteOf({ name: 'viridis' })]);
  }
});

test('a link is the same for a while and has a validator', async () => {
  const { gateway } = await sample();
  const href = await hrefOf(gateway, 'flags');
  expect(await hrefOf(gateway, 'flags')).toBe(href);
  const { headers } = await follow(gateway, href);
  expect(headers.get('content-disposition')).toBe('inline; filename="flags.legend.png"');
  expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  const etag = headers.get('etag') ?? '';
  expect((await follow(gateway, href, { 'if-none-match': etag })).status).toBe(304);
  const other = await follow(gateway, await hrefOf(gateway, 'flags', '(colorMap: { name: "greys" })'));
  expect(other.headers.get('etag')).not.toBe(etag);
});

test('a changed link and an expired one are refused', async () => {
  const { gateway } = await sample();
  const href = await hrefOf(gateway, 'flags');
  const changed = href.replace(/.(?=\/[^/]+$)/, (last) => (last === 'A' ? 'E' : 'A'));
  const inside = href.replace('/files/', '/files/A');
  for (const one of [changed, inside]) expect((await follow(gateway, one)).status).toBe(403);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 ** 40 });
  try {
    expect((await follow(gateway, href)).status).toBe(410);
  } finally {
    vi.useRealTimers();
  }
});

test('a link opens only an array that still exists', async () => {
  const { gateway } = await sample();
  const href = await hrefOf(gateway, 'flags');
  const stores = [{ name: 'm', store: createMemoryStore({ label: 'm' }) }];
  const emptied = createGateway({ stores, hrefs: { keys: [KEY] } });
  expect((await follow(emptied, href)).status).toBe(404);
});
