/** The HTTP server with a real gateway and memory stores. */
import { onTestFinished } from 'vitest';
import { createGateway, type GatewayConfig, type GatewayStore } from '../../server/index.js';
import { createMetrics } from '../../server/http/metrics.js';
import type { HttpConfig } from '../../server/http/options.js';
import { createHttpServer } from '../../server/http/server.js';
import { parseConfig } from '../../server/config.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { loggerTo } from './serving.js';

export interface RealGateway {
  readonly url: string;
  readonly log: Record<string, unknown>[];
  /** Sends a query by POST; returns status, headers and JSON. */
  query(query: string, options?: QueryOptions): Promise<HttpReply>;
  /** Sends a query by GET. */
  get(parameters: Readonly<Record<string, string>>, headers?: Record<string, string>): Promise<HttpReply>;
}

export interface QueryOptions {
  readonly token?: string;
  readonly variables?: object;
  readonly extensions?: object;
  readonly headers?: Record<string, string>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined for an empty one. */
  // The response depends on the query; tests access it without types.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

export interface RealGatewayOptions extends Partial<HttpConfig> {
  readonly gateway?: Partial<GatewayConfig>;
  /** Additional store options by name. */
  readonly policies?: Readonly<Record<string, Partial<GatewayStore>>>;
}

type Files = Readonly<Record<string, string | object>>;

/** @param stores files of each store, by key; objects are written as JSON */
export async function realGateway(
  stores: Readonly<Record<string, Files>>,
  { gateway: more, policies = {}, ...http }: RealGatewayOptions = {},
): Promise<RealGateway> {
  const log: Record<string, unknown>[] = [];
  const logger = loggerTo(log);
  const opened: GatewayStore[] = [];
  for (const [name, files] of Object.entries(stores))
    opened.push({ name, store: await memoryStore(name, files), writable: true, ...policies[name] });
  const gateway = createGateway({
    stores: opened,
    logger: { error: logger.error },
    ...more,
  });
  const server = createHttpServer({
    config: { ...parseConfig({ port: 0, graphiql: false, ...http }) },
    gateway,
    logger,
    metrics: createMetrics(),
  });
  const url = await server.listen();
  onTestFinished(async () => {
    await Promise.all([server.close(), server.close()]);
    await gateway.close();
  });
  const toReply = async (response: Response): Promise<HttpReply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    url,
    log,
    query: async (query, { token, headers, ...rest } = {}) =>
      toReply(
        await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...headers,
          },
          body: JSON.stringify({ query, ...rest }),
        }),
      ),
    get: async (parameters, headers = {}) =>
      toReply(await fetch(`${url}?${new URLSearchParams(parameters).toString()}`, { headers })),
  };
}

async function memoryStore(name: string, files: Files): Promise<KeyStore> {
  const store = createMemoryStore({ label: name });
  for (const [key, content] of Object.entries(files))
    await store.set(key, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));
  return store;
}

/** The metadata document of a group. */
export const group = (attributes: object = {}): object => ({
  zarr_format: 3,
  node_type: 'group',
  attributes,
});
/** The metadata document of an array of int32. Absent chunks are read as 7. */
export const array = (shape: readonly number[] = [4], attributes: object = {}): object => ({
  zarr_format: 3,
  node_type: 'array',
  shape,
  data_type: 'int32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map((size) => Math.min(size, 1000)) } },
  chunk_key_encoding: { name: 'default' },
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  fill_value: 7,
  attributes,
});
