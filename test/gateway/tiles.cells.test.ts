/** Tiles and pictures of variables whose latitudes and longitudes have two dimensions, compared with those of a grid. */
import { PNG } from 'pngjs';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, type Gateway, noAccess } from '../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { execute } from '../resolvers/gateway-client.js';

const [rows, columns] = [60, 120];
const lats = Array.from({ length: rows }, (_, y) => -44.25 + 1.5 * y);
const lons = Array.from({ length: columns }, (_, x) => 1.5 + 3 * x);

/** `grid` has coordinates of one dimension, `cells` the same as two; `bent` is the part of a swath with a gap. */
async function sample(): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  const put = async (
    path: string,
    dims: readonly string[],
    values: unknown,
    shape: readonly number[],
    attributes = {},
  ) => {
    const array = await hierarchy.createArray(path, { shape: [...shape], dtype: 'float64', chunkShape: shape.map((size) => Math.min(size, 40)), dimensionNames: [...dims], attributes }); // prettier-ignore
    await array.select().write(values);
  };
  const table = (value: (y: number, x: number) => number): number[][] =>
    lats.map((_, y) => lons.map((__, x) => value(y, x)));
  const v = table((y, x) => (((y * 7) % 11) + ((x * 5) % 13)) / 24);
  const [north, east] = [{ units: 'degrees_north' }, { units: 'degrees_east' }];
  await put('/grid/lat', ['lat'], lats, [rows], north);
  await put('/grid/lon', ['lon'], lons, [columns], east);
  await put('/grid/v', ['lat', 'lon'], v, [rows, columns]);
  for (const [name, gap] of [
    ['cells', false],
    ['bent', true],
  ] as const) {
    const hide = (value: number, y: number): number => (gap && y > 30 && y < 40 ? NaN : value);
    await put(`/${name}/nav_lat`, ['y', 'x'], table((y) => hide(lats[y] ?? NaN, y)), [rows, columns], north); // prettier-ignore
    await put(`/${name}/nav_lon`, ['y', 'x'], table((y, x) => hide((lons[x] ?? NaN) > 180 ? (lons[x] ?? NaN) - 360 : (lons[x] ?? NaN), y)), [rows, columns], east); // prettier-ignore
    await put(`/${name}/v`, ['y', 'x'], v, [rows, columns], { coordinates: 'nav_lat nav_lon' });
  }
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function tilesOf(gateway: Gateway, path: string) {
  const { data, errors } = await execute(gateway, `{ store(name: "m") { array(path: "${path}") { slice { tiles(range: { min: 0, max: 1 }) { template } } } } }`); // prettier-ignore
  expect(errors).toEqual([]);
  const token = data.store.array.slice.tiles.template.split('/').at(-4) ?? '';
  return async (tilePath: string, headers = new Headers()) => {
    const response = await gateway.handleTile({ method: 'GET', token, path: tilePath, headers, signal: new AbortController().signal }); // prettier-ignore
    const body = Buffer.concat(Array.isArray(response.body) ? response.body : []);
    return { status: response.status, headers: response.headers, body };
  };
}

const pixelsOf = (body: Buffer): number[] => {
  const { data } = PNG.sync.read(body);
  return Array.from({ length: data.length / 4 }, (_, i) => data.readUInt32BE(4 * i));
};

test.each(['3/4/3', '3/7/4', '4/0/8', '5/17/15'])(
  'tile %s shows the same cells as that of a grid',
  async (at) => {
    const gateway = await sample();
    const [grid, cells] = [await tilesOf(gateway, '/grid/v'), await tilesOf(gateway, '/cells/v')];
    const [expected, found] = [pixelsOf((await grid(`${at}.png`)).body), pixelsOf((await cells(`${at}.png`)).body)]; // prettier-ignore
    const differing = found.filter((pixel, i) => pixel !== expected[i]).length;
    // On the sphere, the border of two cells of a parallel bends towards the pole.
    expect(differing / found.length).toBeLessThan(0.05);
    expect(new Set(found).size).toBeGreaterThan(5);
  },
);

test('pixels outside of the cells and in their gaps are transparent', async () => {
  const gateway = await sample();
  const shown = async (path: string, at: string): Promise<number> => {
    const pixels = pixelsOf((await (await tilesOf(gateway, path))(`${at}.png`)).body);
    return pixels.filter((pixel) => (pixel & 255) !== 0).length / pixels.length;
  };
  expect(await shown('/cells/v', '3/4/0')).toBe(0);
  expect(await shown('/cells/v', '2/2/1')).toBeGreaterThan(0.3);
  expect(await shown('/bent/v', '4/8/7')).toBeLessThan((await shown('/cells/v', '4/8/7')) - 0.2);
});

test('tiles have an ETag, and a description', async () => {
  const gateway = await sample();
  const tile = await tilesOf(gateway, '/cells/v');
  const { headers } = await tile('2/2/1.png');
  const again = await tile('2/2/1.png', new Headers({ 'if-none-match': headers.etag ?? '' }));
  expect(again.status).toBe(304);
  const json = JSON.parse((await tile('tile.json')).body.toString());
  expect(json).toMatchObject({ minzoom: 0, bounds: [-180, -44.25, 180, 44.25] });
});

test('a picture has north at the top', async () => {
  const gateway = await sample();
  const picture = async (path: string): Promise<number[]> => {
    const document = `{ store(name: "m") { array(path: "${path}") { slice { image(range: { min: 0, max: 1 }) { href } } } } }`; // prettier-ignore
    const { data, errors } = await execute(gateway, document);
    expect(errors).toEqual([]);
    const response = await gateway.fetch(
      new Request(`http://localhost${data.store.array.slice.image.href}`),
      noAccess,
    );
    return pixelsOf(Buffer.from(await response.arrayBuffer()));
  };
  expect(await picture('/cells/v')).toEqual(await picture('/grid/v'));
});
