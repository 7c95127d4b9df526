/** The reads and costs of tiles: levels of pyramids, chunks shared by adjacent tiles, and coordinates. */
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../server/index.js';
import { paletteOf } from '../../server/pictures/palette.js';
import { createChunkCache, createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';

interface Sample {
  readonly store: KeyStore;
  put(key: string, json: unknown): Promise<unknown>;
  /** Writes latitudes and longitudes of the world, or of a part of it. */
  putGrid(folder: string, rows: number, columns: number, extent?: readonly [number, number]): Promise<void>;
}

function sample(): Sample {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  return {
    store,
    put,
    async putGrid(folder, rows, columns, [height, width] = [180, 360]) {
      for (const [name, length, size, units] of [
        ['lat', rows, height, 'degrees_north'],
        ['lon', columns, width, 'degrees_east'],
      ] as const) {
        const more = { dimension_names: [name], attributes: { units } };
        const centres = Float64Array.from({ length }, (_, i) => ((i + 0.5) / length - 0.5) * size);
        await put(`${folder}${name}/zarr.json`, arrayDocument('float64', [length], more));
        await store.set(`${folder}${name}/c/0`, Buffer.from(centres.buffer));
      }
    },
  };
}

/** Metadata of an array of latitudes and longitudes whose fill value is `value`. */
function constant(shape: readonly number[], value: number, chunk: readonly number[] = shape): object {
  return Object(
    arrayDocument('float32', [...shape], {
      fill_value: value,
      dimension_names: ['lat', 'lon'],
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [...chunk] } },
    }),
  );
}

async function templateOf(gateway: Gateway, path: string): Promise<string> {
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { array(path: "${path}") { slice { tiles(range: { min: 0, max: 1 }) { template } } } } }`,
  );
  expect(errors).toEqual([]);
  return data.store.array.slice.tiles.template;
}

async function tile(
  gateway: Gateway,
  template: string,
  tilePath: string,
): Promise<{ readonly status: number; readonly body: Buffer; readonly charged: number }> {
  let charged = 0;
  const response = await gateway.handleTile({
    method: 'GET',
    token: template.split('/').at(-4) ?? '',
    path: `${tilePath}.png`,
    headers: new Headers(),
    signal: new AbortController().signal,
    charge: (bytes) => (charged += bytes),
  });
  const body = Buffer.concat(Array.isArray(response.body) ? response.body : []);
  return { status: response.status, body, charged };
}

function colourOf(body: Buffer): string {
  return [...PNG.sync.read(body).data.subarray(0, 4)].join();
}

function viridisAt(value: number): string {
  const code = Math.floor(value * 256);
  return [...paletteOf({ name: 'viridis' }).subarray(4 * code, 4 * code + 4)].join();
}

test('the coarsest level of a pyramid whose cells are not larger than a pixel is read', async () => {
  const { put, putGrid, store } = sample();
  const levels = ['0', '1', '2'];
  const datasets = levels.map((path) => ({ path }));
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: { multiscales: [{ datasets }] } });
  for (const [i, path] of levels.entries()) {
    const [rows, columns] = [512 / 2 ** i, 1024 / 2 ** i];
    await put(`${path}/zarr.json`, { zarr_format: 3, node_type: 'group', attributes: {} });
    await putGrid(`${path}/`, rows, columns);
    await put(`${path}/v/zarr.json`, constant([rows, columns], (i + 1) / 4));
  }
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const template = await templateOf(gateway, '/0/v');
  // Pixels of the zoom levels 0, 1 and 2 are as large as cells of 256, 512 and 1024 columns.
  for (const [tilePath, level] of [['0/0/0', 2], ['1/1/0', 1], ['2/1/1', 0], ['5/3/9', 0]] as const) {
    const { status, body } = await tile(gateway, template, tilePath);
    expect([tilePath, status, colourOf(body)]).toEqual([tilePath, 200, viridisAt((level + 1) / 4)]);
  }
  // A tile of twice the size has pixels of half the size.
  const { body } = await tile(gateway, template, '0/0/0@2x');
  expect(colourOf(body)).toBe(viridisAt(2 / 4));
}); // prettier-ignore

test('neighbouring tiles decode their chunk once', async () => {
  const { put, putGrid, store } = sample();
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  await putGrid('', 256, 512);
  await put('v/zarr.json', constant([256, 512], 0));
  await store.set('v/c/0/0', Buffer.from(new Float32Array(256 * 512).fill(0.5).buffer));
  let decoded = 0;
  const engine = { chunkCache: createChunkCache(2 ** 24) };
  const gateway = createGateway({
    stores: [{ name: 'm', store }],
    engine,
    metrics: {
      chunksDecoded: (chunks) => {
        decoded += chunks;
      },
    },
  });
  const template = await templateOf(gateway, '/v');
  const before = decoded;
  const colours = new Set<string>();
  for (const tilePath of ['2/1/1', '2/2/1', '2/1/2', '2/2/2']) colours.add(colourOf((await tile(gateway, template, tilePath)).body)); // prettier-ignore
  expect(colours).toEqual(new Set([viridisAt(0.5)]));
  expect(decoded - before).toBe(1);
});

test('a tile is charged for its coordinates and its chunks, an empty one for its coordinates', async () => {
  const { put, putGrid, store } = sample();
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  await putGrid('', 64, 128, [45, 90]);
  await put('v/zarr.json', constant([64, 128], 0.5));
  await store.set('v/c/0/0', Buffer.from(new Float32Array(64 * 128).fill(0.5).buffer));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const template = await templateOf(gateway, '/v');
  const edges = 8 * (65 + 129);
  const empty = await tile(gateway, template, '3/0/0');
  expect([empty.status, empty.charged]).toEqual([200, edges]);
  const full = await tile(gateway, template, '3/4/3');
  expect(full.status).toBe(200);
  expect(full.charged).toBeGreaterThanOrEqual(edges + 64 * 128 * 4);
  // Charged again, although the tile is cached.
  expect((await tile(gateway, template, '3/4/3')).charged).toBe(full.charged);
});

test('a link does not read coordinates that the array got after the link was made', async () => {
  const { put, putGrid, store } = sample();
  await put('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  await putGrid('', 4, 8);
  for (const [name, size, units] of [['slat', 4, 'degrees_north'], ['slon', 8, 'degrees_east']] as const) {
    await put(`${name}/zarr.json`, arrayDocument('float64', [size], { dimension_names: [name], attributes: { units } }));
    await store.set(`${name}/c/0`, Buffer.from(Float64Array.from({ length: size }, (_, i) => i).buffer));
  }
  await put('v/zarr.json', constant([4, 8], 0.5));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const { data } = await execute(
    gateway,
    '{ store(name: "m") { dataset { variable(name: "v") { slice { tiles(range: { min: 0, max: 1 }) { template } } } } } }',
  );
  const { template } = data.store.dataset.variable.slice.tiles;
  expect((await tile(gateway, template, '0/0/0')).status).toBe(200);
  await put('v/zarr.json', { ...constant([4, 8], 0.5), dimension_names: ['slat', 'slon'] });
  expect((await tile(gateway, template, '0/0/0')).status).toBe(403);
}); // prettier-ignore
