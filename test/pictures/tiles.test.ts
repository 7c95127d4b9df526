/** Every pixel of a tile equals a reference tile, which NumPy computes by distance. */
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../server/zarr/index.js';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';
import { fixtures } from '../setup/fixtures.js';

interface Case {
  readonly name: string;
  readonly lat: readonly number[];
  readonly lon: readonly number[];
  readonly values: string;
  readonly tiles: readonly {
    readonly z: number;
    readonly x: number;
    readonly y: number;
    readonly rgba: string;
  }[];
}

const cases: readonly Case[] = JSON.parse(readFileSync(`${fixtures}analysis/tiles.json`, 'utf8'));

function unpacked(text: string): Buffer {
  return inflateSync(Buffer.from(text, 'base64'));
}

async function gatewayOf({ lat, lon, values }: Case, transposed = false): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const set = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  await set('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  for (const [name, side, units] of [
    ['lat', lat, 'degrees_north'],
    ['lon', lon, 'degrees_east'],
  ] as const) {
    await set(`${name}/zarr.json`, arrayDocument('float64', [side.length], { dimension_names: [name], attributes: { units } })); // prettier-ignore
    await store.set(`${name}/c/0`, Buffer.from(Float64Array.from(side).buffer));
  }
  const data = new Float32Array(new Uint8Array(unpacked(values)).buffer);
  const dims: [string, number][] = [['lat', lat.length], ['lon', lon.length]]; // prettier-ignore
  if (transposed) dims.reverse();
  const shape = dims.map(([, length]) => length);
  const ordered = transposed
    ? Float32Array.from(
        data,
        (_, i) => data[(i % lat.length) * lon.length + Math.floor(i / lat.length)] ?? NaN,
      )
    : data;
  await set('v/zarr.json', arrayDocument('float32', shape, { fill_value: 'NaN', dimension_names: dims.map(([name]) => name) })); // prettier-ignore
  await store.set('v/c/0/0', Buffer.from(ordered.buffer));
  return createGateway({ stores: [{ name: 'm', store }] });
}

const query = `{ store(name: "m") { dataset { variable(name: "v") { slice {
  tiles(range: { min: -1, max: 1 }) { json template } } } } } }`;

async function templateOf(gateway: Gateway): Promise<string> {
  const { data, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  return data.store.dataset.variable.slice.tiles.template;
}

async function get(gateway: Gateway, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.fetch(new Request(new URL(path, 'http://localhost/graphql'), { headers }), fullAccess);
}

function filled(template: string, { z, x, y }: { z: number; x: number; y: number }): string {
  return template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
}

describe.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  test.each([false, true])('equals the reference tiles; transposed: %s', async (transposed) => {
    const gateway = await gatewayOf(one, transposed);
    const template = await templateOf(gateway);
    for (const tile of one.tiles) {
      const response = await get(gateway, filled(template, tile));
      expect(response.headers.get('content-type')).toBe('image/png');
      const png = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
      expect([png.width, png.height]).toEqual([256, 256]);
      const expected = unpacked(tile.rgba);
      const wrong = [...png.data.keys()].filter((i) => png.data[i] !== expected[i]);
      const { z, x, y } = tile;
      expect([z, x, y, wrong.length, wrong.slice(0, 4).map((i) => [Math.floor(i / 1024), (i >> 2) % 256, png.data[i], expected[i]])]).toEqual([z, x, y, 0, []]); // prettier-ignore
    }
  });
});

const regional = cases.find(({ name }) => name === 'irregular');

describe('links to tiles', () => {
  async function sample(): Promise<{ readonly gateway: Gateway; readonly template: string }> {
    if (regional === undefined) throw new Error('the fixture has no such case');
    const gateway = await gatewayOf(regional);
    return { gateway, template: await templateOf(gateway) };
  }

  test('are equal in two responses, and tiles have validators', async () => {
    const { gateway, template } = await sample();
    expect(await templateOf(gateway)).toBe(template);
    const path = filled(template, { z: 4, x: 8, y: 6 });
    const response = await get(gateway, path);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const again = await get(gateway, path, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('of stored arrays return the same tiles as those of decoded variables', async () => {
    const { gateway, template } = await sample();
    const { data } = await execute(
      gateway,
      '{ store(name: "m") { array(path: "v") { slice { tiles(range: { min: -1, max: 1 }) { template } } } } }',
    );
    const position = { z: 4, x: 8, y: 6 };
    const [stored, decoded] = await Promise.all(
      [data.store.array.slice.tiles.template, template].map(async (one) => {
        const response = await get(gateway, filled(one, position));
        return [response.status, Buffer.from(await response.arrayBuffer())];
      }),
    );
    expect(stored).toEqual(decoded);
    expect(stored?.[0]).toBe(200);
  });

  test('tiles without values are transparent', async () => {
    const { gateway, template } = await sample();
    const response = await get(gateway, filled(template, { z: 5, x: 0, y: 0 }));
    const png = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect([png.width, png.data.every((byte) => byte === 0)]).toEqual([256, true]);
  });

  test('@2x has 512 pixels', async () => {
    const { gateway, template } = await sample();
    const path = filled(template, { z: 4, x: 8, y: 6 }).replace('.png', '@2x.png');
    const png = PNG.sync.read(Buffer.from(await (await get(gateway, path)).arrayBuffer()));
    expect([png.width, png.height]).toEqual([512, 512]);
  });

  test('tile.json describes the tiles', async () => {
    const { gateway, template } = await sample();
    const response = await get(gateway, template.replace('{z}/{x}/{y}.png', 'tile.json'));
    const description: unknown = await response.json();
    expect(description).toMatchObject({
      tilejson: '3.0.0',
      name: 'v',
      scheme: 'xyz',
      tiles: [`http://localhost${template}`],
      minzoom: 0,
    });
    const [lat, lon] = [regional?.lat ?? [], regional?.lon ?? []];
    const [west, south, east, north] = Reflect.get(Object(description), 'bounds');
    expect(west).toBeLessThan(lon[0] ?? 0);
    expect(south).toBeLessThan(lat[0] ?? 0);
    expect(east).toBeGreaterThan(lon.at(-1) ?? 0);
    expect(north).toBeGreaterThan(lat.at(-1) ?? 0);
  });

  test.each([
    '25/0/0.png',
    '3/8/0.png',
    '3/0/8.png',
    '-1/0/0.png',
    '3/0/1.5.png',
    '3/0/0',
    '3/0/0.jpg',
    '3/0/0/0.png',
    '99/99999999/99999999.png',
    '',
  ])('%s is not a tile', async (path) => {
    const { gateway, template } = await sample();
    expect((await get(gateway, template.replace('{z}/{x}/{y}.png', path))).status).toBe(404);
  });

  test('expired and altered links are rejected', async () => {
    const { gateway, template } = await sample();
    const path = filled(template, { z: 4, x: 8, y: 6 });
    expect((await get(gateway, path)).status).toBe(200);
    const altered = path.replace(/(\/tiles\/.{20})(.)/, (_, before: string, one: string) => before + (one === 'A' ? 'B' : 'A')); // prettier-ignore
    expect((await get(gateway, altered)).status).toBe(403);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 ** 40 });
    try {
      expect((await get(gateway, path)).status).toBe(410);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a link of another gateway is rejected, although the array has the same name', async () => {
    const { template } = await sample();
    const { gateway } = await sample();
    expect((await get(gateway, filled(template, { z: 4, x: 8, y: 6 }))).status).toBe(403);
  });

  test('tokens of other kinds are rejected', async () => {
    const { gateway, template } = await sample();
    const asFile = template.replace('/tiles/', '/files/').replace('{z}/{x}/{y}.png', 'v.npy');
    expect((await get(gateway, asFile)).status).toBe(400);
    const forged = filled(template.replace('/tiles/', '/tiles/A'), { z: 0, x: 0, y: 0 });
    expect((await get(gateway, forged)).status).toBe(403);
  });
});
