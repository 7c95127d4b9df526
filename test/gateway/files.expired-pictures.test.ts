/** Links to pictures, legends and tiles expire like links to files. */
import { expect, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { arrayDocument, ask } from '../resolvers/gateway-client.js';

test('expired links of pictures, legends, tiles and TileJSON', async () => {
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
  const { data, errors } = await ask(
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
