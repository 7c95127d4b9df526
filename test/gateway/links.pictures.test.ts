/** The memory of pictures is reserved before they are drawn, and concurrent pictures wait for it. */
import { PNG } from 'pngjs';
import { expect, test, vi } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { MemoryBudget } from '../../server/memory/budget.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';

const MiB = 2 ** 20;
const PIXELS = 4096 * 4096;

async function sample(maxBytes: number): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [512, 512] } };
  await put('few/zarr.json', arrayDocument('float32', [2, 2], { fill_value: 1 }));
  await put('many/zarr.json', arrayDocument('uint8', [4096, 4096], { fill_value: 1, chunk_grid }));
  await put('rgb/zarr.json', arrayDocument('uint8', [2, 2, 3], { fill_value: 1 }));
  const memory = new MemoryBudget({ maxBytes, maxRequestBytes: maxBytes, waitMs: 60_000 });
  const limits = { maxChunks: 100_000, maxHrefBytes: 64 * MiB };
  return createGateway({ stores: [{ name: 'm', store }], memory, limits, resultCacheBytes: 0 });
}

async function linkTo(gateway: Gateway, path: string, args: string): Promise<string> {
  const query = `{ store(name: "m") { array(path: "${path}") { slice { image(width: 4096, height: 4096${args}) { href } } } } }`;
  const { data, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  return data.store.array.slice.image.href;
}

test.each([
  ['few', ', range: { min: 0, max: 2 }', PIXELS],
  ['many', ', range: { min: 0, max: 2 }', 3 * PIXELS],
  ['rgb', '', 4 * PIXELS],
])('a picture of 4096 x 4096 pixels of "%s" reserves the memory of its pixels', async (path, args, least) => {
  const gateway = await sample(512 * MiB);
  const href = await linkTo(gateway, path, args);
  const lease = gateway.memory.open('client');
  const { status } = await gateway.handleFile({
    method: 'GET',
    token: href.split('/').at(-2) ?? '',
    headers: new Headers(),
    signal: new AbortController().signal,
    memory: lease,
  });
  expect([status, lease.held >= least]).toEqual([200, true]);
  lease.end();
});

test('clients that request the largest pictures concurrently stay within the budget', async () => {
  const maxBytes = 48 * MiB;
  const gateway = await sample(maxBytes);
  const links = await Promise.all(
    [1, 2, 3, 4, 5].map((max) => linkTo(gateway, 'few', `, range: { min: 0, max: ${max} }`)),
  );
  let most = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, gateway.memory.stats().heldBytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const sizes = await Promise.all(
    links.map(async (href) => {
      const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
      const { width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
      return [response.status, width, height];
    }),
  );
  isDone = true;
  await watching;
  expect(new Set(sizes.map(String))).toEqual(new Set(['200,4096,4096']));
  expect(most).toBeGreaterThanOrEqual(PIXELS);
  expect(most).toBeLessThanOrEqual(maxBytes);
}, 90_000);

// Links to pictures, legends and tiles expire like links to files.
test('expired links to pictures, legends, tiles and TileJSON are rejected', async () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  await put(
    'a/zarr.json',
    arrayDocument('float32', [4, 8], { fill_value: 1, dimension_names: ['lat', 'lon'] }),
  );
  for (const [name, length, units] of [
    ['lat', 4, 'degrees_north'],
    ['lon', 8, 'degrees_east'],
  ] as const) {
    const more = { dimension_names: [name], attributes: { units } };
    await put(`${name}/zarr.json`, arrayDocument('float64', [length], more));
    const degrees = Float64Array.from({ length }, (_, i) => ((i + 0.5) / length - 0.5) * 160);
    await store.set(`${name}/c/0`, Buffer.from(degrees.buffer));
  }
  const gateway = createGateway({ stores: [{ name: 'm', store }], hrefs: { lifetimeMs: 60_000 } });
  const range = 'range: { min: 0, max: 2 }';
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { array(path: "/a") { slice {
      image(width: 8, height: 4, ${range}) { href legend { href } } tiles(${range}) { json template }
    } } } }`,
  );
  expect(errors).toEqual([]);
  const { image, tiles } = data.store.array.slice;
  const tile = tiles.template.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0');
  const statuses = () =>
    Promise.all(
      [image.href, image.legend.href, tiles.json, tile].map(async (href: string) => {
        const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
        return response.status;
      }),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  // A link is valid for its lifetime from the end of the current window, whose length is the lifetime.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
  try {
    expect(await statuses()).toEqual([410, 410, 410, 410]);
  } finally {
    vi.useRealTimers();
  }
});
