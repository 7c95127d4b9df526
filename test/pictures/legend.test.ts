/** Links to legends: the colours of a picture as a PNG file. */
import { PNG } from 'pngjs';
import { expect, test, vi } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { drawText, LINE_HEIGHT, widthOf } from '../../server/pictures/font/text.js';
import { paletteOf } from '../../server/pictures/palette.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';

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
  const warm = { long_name: 'Temperature of the sea', units: '°C' };
  await put('warm/zarr.json', arrayDocument('float32', [4, 6], { attributes: warm }));
  await put('long/zarr.json', arrayDocument('float32', [4, 6], { attributes: { long_name: 'W'.repeat(1e5), units: '\u{202e}'.repeat(50) } })); // prettier-ignore
  await put('rgb/zarr.json', arrayDocument('uint8', [2, 2, 3]));
  return { gateway: createGateway({ stores: [{ name: 'm', store }], hrefs: { keys: [KEY] } }), store };
}

async function legendOf(
  gateway: Gateway,
  path: string,
  args = '',
): Promise<{ readonly href: string } | null> {
  const query = `{ store(name: "m") { array(path: "${path}") { slice { image${args} { legend { href } } } } } }`;
  const { data, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  return data.store.array.slice.image.legend;
}

async function hrefOf(gateway: Gateway, path: string, args = ''): Promise<string> {
  const legend = await legendOf(gateway, path, args);
  if (legend === null) throw new Error('expected a legend');
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
  const bytes = Buffer.from(await response.arrayBuffer());
  // Indexed colours.
  expect(bytes[25]).toBe(3);
  return PNG.sync.read(bytes);
}

function colourAt({ data, width }: PNG, x: number, y: number): readonly number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

/** Whether the picture contains exactly this text at `x` and `y`, its upper left corner. */
function shows(picture: PNG, x: number, y: number, text: string): boolean {
  const width = widthOf(text);
  const expected = new Uint8Array(width * LINE_HEIGHT).fill(255);
  drawText(text, (dx, dy, level) => {
    expected[dy * width + dx] = 255 - 85 * level;
  });
  return expected.every((grey, i) => {
    const found = colourAt(picture, x + (i % width), y + Math.floor(i / width));
    return found.join() === `${grey},${grey},${grey},255`;
  });
}

const RANGE = 'range: { min: 1, max: 5 }';
const STOPS = [
  { at: 0, color: '#00000000' },
  { at: 1, color: '#ff8040ff' },
];
const [LEFT, TOP, BAR] = [40, 32, 240];

test.each([
  ['batlow', `(${RANGE}, colorMap: { name: BATLOW })`, paletteOf({ name: 'batlow' })],
  ['a logarithm', `(${RANGE}, scale: LOG)`, paletteOf({ name: 'viridis' })],
  ['stops', `(${RANGE}, colorMap: { stops: [{ at: 0, color: "#00000000" }, { at: 1, color: "#ff8040" }] })`, paletteOf({ stops: STOPS })], // prettier-ignore
])('the colours of a scale from left to right: %s', async (_, args, palette) => {
  const { gateway } = await sample();
  const picture = await pixelsOf(gateway, 'a', args);
  expect([picture.width, picture.height]).toEqual([BAR + 2 * LEFT, 78]);
  for (let x = 0; x < BAR; x++) {
    const code = Math.floor(((x + 0.5) * 256) / BAR);
    const expected = [...palette.subarray(4 * code, 4 * code + 4)];
    expect(colourAt(picture, LEFT + x, TOP)).toEqual(expected);
    expect(colourAt(picture, LEFT + x, TOP + 15)).toEqual(expected);
  }
});

test('a scale has its title, its units and labelled ticks', async () => {
  const { gateway } = await sample();
  const picture = await pixelsOf(gateway, 'warm', `(${RANGE})`);
  const title = 'Temperature of the sea [°C]';
  expect(shows(picture, Math.round(160 - widthOf(title) / 2), 8, title)).toBe(true);
  const black = '0,0,0,255';
  const ticks = [...Array(picture.width).keys()].filter(
    (x) => colourAt(picture, x, TOP + 16).join() === black,
  );
  expect(ticks).toEqual([0, 1, 2, 3, 4].map((i) => LEFT + Math.round((i / 4) * (BAR - 1))));
  ticks.forEach((x, i) => {
    const label = String(i + 1);
    expect(shows(picture, Math.round(x + 0.5 - widthOf(label) / 2), TOP + 21, label)).toBe(true);
  });
});

test('with a long title, a legend has at most 640 pixels', async () => {
  const { gateway } = await sample();
  const { width } = await pixelsOf(gateway, 'long', `(${RANGE})`);
  expect(width).toBeLessThanOrEqual(640);
});

test('a rectangle and a label for each category', async () => {
  const { gateway } = await sample();
  const picture = await pixelsOf(gateway, 'flags');
  const colours = [[0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128]]; // prettier-ignore
  ['land', 'sea', 'ice'].forEach((label, i) => {
    expect(colourAt(picture, 20, TOP + 20 * i + 7)).toEqual(colours[i]);
    expect(shows(picture, 42, TOP + 20 * i - 1, label)).toBe(true);
  });
  expect(shows(picture, 10, 8, 'flags')).toBe(true);
});

test('a legend has up to 256 categories', async () => {
  const { gateway, store } = await sample();
  const values = Array.from({ length: 256 }, (_, i) => i);
  const attributes = { flag_values: values, flag_meanings: values.map((i) => `kind_${i}`).join(' ') };
  await store.set('many/zarr.json', Buffer.from(JSON.stringify(arrayDocument('uint8', [2, 3], { attributes })))); // prettier-ignore
  const response = await follow(gateway, await hrefOf(gateway, 'many'));
  const picture = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
  expect(picture.height).toBe(TOP + 256 * 20 + 4);
  expect(shows(picture, 42, TOP + 20 * 255 - 1, 'kind_255')).toBe(true);
});

test('RGB pictures have no legend', async () => {
  const { gateway } = await sample();
  expect(await legendOf(gateway, 'rgb')).toBeNull();
});

test('legends of large slices need no values', async () => {
  const { gateway, store } = await sample();
  // Stores a chunk that cannot be decoded.
  await store.set('a/c/0/0', Uint8Array.of(1));
  const huge = arrayDocument('float64', [2 ** 20, 2 ** 20], { chunk_grid: { name: 'regular', configuration: { chunk_shape: [1024, 1024] } } }); // prettier-ignore
  await store.set('huge/zarr.json', Buffer.from(JSON.stringify(huge)));
  for (const path of ['a', 'huge']) {
    const picture = await pixelsOf(gateway, path, `(${RANGE})`);
    expect(colourAt(picture, LEFT, TOP)).toEqual([...paletteOf({ name: 'viridis' }).subarray(0, 4)]);
  }
});

test('links of two responses are equal, and their file has a validator', async () => {
  const { gateway } = await sample();
  const href = await hrefOf(gateway, 'flags');
  expect(await hrefOf(gateway, 'flags')).toBe(href);
  const { headers } = await follow(gateway, href);
  expect(headers.get('content-disposition')).toBe('inline; filename="flags.legend.png"');
  expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  const etag = headers.get('etag') ?? '';
  expect((await follow(gateway, href, { 'if-none-match': etag })).status).toBe(304);
  const other = await follow(gateway, await hrefOf(gateway, 'flags', '(colorMap: { name: GREYS })'));
  expect(other.headers.get('etag')).not.toBe(etag);
});

test('changed links and expired links are rejected', async () => {
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
