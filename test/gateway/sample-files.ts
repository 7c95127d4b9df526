/** A gateway with arrays of integers, text and structs, and links to their files. */
import { createGateway, type Gateway, type GatewayConfig, fullAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';

export const base = 'http://localhost/graphql';

export interface Sample {
  readonly gateway: Gateway;
  readonly store: KeyStore;
  /** Requests a link to the file of a selection. */
  link(select: string, format?: string, path?: string): Promise<string>;
  get(href: string, headers?: Record<string, string>, method?: string): Promise<Response>;
}

/** "a" is int16 [4, 3] with one chunk per row, and row 3 is absent. "texts" and "pairs" contain fill values only. */
export async function sample(config: Partial<GatewayConfig> = {}): Promise<Sample> {
  const store = createMemoryStore({ label: 'm' });
  const set = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [1, 3] } };
  await set('a/zarr.json', arrayDocument('int16', [4, 3], { chunk_grid, dimension_names: ['y', 'x'] }));
  for (const y of [0, 1, 2])
    await store.set(`a/c/${y}/0`, Buffer.from(Int16Array.of(10 * y, 10 * y + 1, 10 * y + 2).buffer));
  await set('texts/zarr.json', {
    ...(arrayDocument('string', [2], { fill_value: 'é,"x"' }) as object),
    codecs: [{ name: 'vlen-utf8' }],
  });
  const pair = [['a', 'int16'], ['b', 'float32']].map(([name, data_type]) => ({ name, data_type })); // prettier-ignore
  await set('pairs/zarr.json', {
    ...(arrayDocument({ name: 'struct', configuration: { fields: pair } }, [2]) as object),
    fill_value: 'AAAAAAAA',
  });
  const gateway = createGateway({ stores: [{ name: 'm', store }], ...config });
  return {
    gateway,
    store,
    async link(select, format = 'NPY', path = 'a') {
      const query = `query ($path: String!, $text: String!, $format: FileFormat!) {
        store(name: "m") { array(path: $path) { slice(select: { text: $text }) { href(format: $format) } } } }`;
      const { data, errors } = await execute(gateway, query, { path, text: select, format });
      if (errors[0] !== undefined) throw Object.assign(new Error(errors[0].message), errors[0].extensions);
      return data.store.array.slice.href;
    },
    get: (href, headers = {}, method = 'GET') =>
      gateway.fetch(new Request(new URL(href, base), { method, headers }), fullAccess),
  };
}
