/** A client that calls the `fetch` method of a gateway. */
import { createGateway, type Gateway, type GatewayConfig, fullAccess } from '../../server/index.js';
import { createFilesystemStore, createMemoryStore, type KeyStore } from '../../server/zarr/index.js';

export interface QueryResult {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The response depends on the query; tests access it without types.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly errors: readonly {
    message: string;
    path?: (string | number)[];
    extensions: Record<string, unknown>;
  }[];
}

export async function execute(
  gateway: Gateway,
  query: string,
  variables?: unknown,
  headers: Record<string, string> = {},
): Promise<QueryResult> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    }),
    fullAccess,
  );
  const text = await response.text();
  const parsed = text === '' ? {} : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: parsed.data,
    errors: parsed.errors ?? [],
  };
}

export const examples = new URL('../../examples/data/', import.meta.url).pathname;

export function folderStore(label: string, root: string): KeyStore {
  return createFilesystemStore({ label, root });
}

/** A gateway over the sample stores. */
export function sampleGateway(config: Partial<GatewayConfig> = {}): Gateway {
  const names = ['coads', 'navy_winds_v2', 'etopo20_sharded'];
  const stores = names.map((name) => ({ name, store: folderStore(name, `${examples}${name}.zarr`) }));
  return createGateway({ stores, ...config });
}

/** A memory store with these JSON documents and bytes. */
export async function memoryStore(objects: Record<string, unknown>): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  for (const [key, value] of Object.entries(objects)) await put(store, key, value);
  return store;
}

/** Writes a JSON document or bytes. */
export async function put(store: KeyStore, key: string, value: unknown): Promise<void> {
  await store.set(key, value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)));
}

/** A gateway on one memory store with these JSON documents and bytes. */
export async function memoryGateway(
  objects: Record<string, unknown>,
  config: Partial<GatewayConfig> = {},
): Promise<Gateway> {
  return createGateway({ stores: [{ name: 'm', store: await memoryStore(objects) }], ...config });
}

/** Queries the slice of a variable in the root group of the store "m". @param fields of the slice */
export async function readSlice(
  gateway: Gateway,
  variable: string,
  fields: string,
): Promise<{ readonly slice: QueryResult['data']; readonly errors: QueryResult['errors'] }> {
  const text = `{ store(name: "m") { dataset { variable(name: "${variable}") { slice { ${fields} } } } } }`;
  const { data, errors } = await execute(gateway, text);
  return { slice: data?.store?.dataset?.variable?.slice, errors };
}

/** A v3 array's metadata document. */
export function arrayDocument(
  dataType: unknown,
  shape: number[],
  more: Record<string, unknown> = {},
): unknown {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: dataType,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map((n) => Math.max(1, n)) } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: {},
    ...more,
  };
}
