/** The gateway: stores, limits and schema put together, answering requests in the process or in HTTP's form. */
import { randomUUID } from 'node:crypto';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { parseConfig } from './config.js';
import { type Executor, executeRequest } from './gateway/execute.js';
import { createGraphiqlRenderer, yogaGraphiqlOptions } from './gateway/graphiql.js';
import type { CallerOptions, Gateway, GatewayConfig } from './gateway/options.js';
import {
  useJsonResponses,
  useMetrics,
  useNoForms,
  useNoIntrospection,
  useSpokenRefusals,
} from './gateway/plugins.js';
import { version } from './gateway/version.js';
import {
  createContext,
  type GatewayContext,
  type GatewayParts,
  type RequestOptions,
} from './resolvers/context.js';
import { createErrorFormatter } from './resolvers/errors.js';
import type { StoreModel } from './resolvers/models.js';
import { createGatewaySchema } from './resolvers/schema.js';
import { codecNames, createDefaultRegistry, dataTypeNames, InputError, openHierarchy } from './zarr/index.js';

type Server = YogaServerInstance<RequestOptions, GatewayContext>;

/**
 * Makes a gateway over stores. Opens nothing yet.
 * @throws InputError where two stores have one name; ConfigError naming every limit that is wrong
 */
export function createGateway(config: GatewayConfig): Gateway {
  const introspection = config.introspection ?? true;
  const show = createErrorFormatter({
    hints: introspection,
    logHidden: (id, error) => config.logger?.error({ id, err: error }, 'internal error'),
  });
  const parts = createParts(config);
  const schema = createGatewaySchema();
  const server: Server = createYoga<RequestOptions, GatewayContext>({
    schema,
    context: (initial) => createContext(parts, requestOptionsOf(initial)),
    plugins: [
      useJsonResponses(show),
      useNoForms(),
      useSpokenRefusals(),
      ...(introspection ? [] : [useNoIntrospection()]),
      useMetrics(config.metrics ?? {}, show),
    ],
    maskedErrors: { maskError: show },
    graphqlEndpoint: config.path ?? '/graphql',
    graphiql: yogaGraphiqlOptions(config.graphiql ?? false),
    renderGraphiQL: createGraphiqlRenderer(),
    // The server's own health check takes any URL that ends like this.
    healthCheckEndpoint: `/${randomUUID()}`,
    cors: false,
    multipart: false,
    batching: false,
    landingPage: false,
    logging: false,
    // Counting bytes there costs more than all else of a small request; the HTTP server in front does it.
    maxRequestBodySize: false,
  });
  const executor: Executor = { schema, show, stepsFor: (options) => server.getEnveloped({ ...options }) };
  return {
    schema,
    Request: server.fetchAPI.Request,
    fetch: async (request, caller: CallerOptions = {}) => server.fetch(request, caller),
    execute: (request) => executeRequest(executor, request),
    async close() {
      await server.dispose();
      await Promise.all(config.stores.map(({ store }) => store.close()));
    },
  };
}

function createParts(config: GatewayConfig): GatewayParts {
  const { limits } = parseConfig({ limits: config.limits ?? {} });
  const registry = config.engine?.registry ?? createDefaultRegistry();
  const stores = new Map<string, StoreModel>();
  for (const { name, store, description, writable } of config.stores) {
    if (stores.has(name)) throw new InputError(`two stores are named "${name}"; names must differ`);
    const options = { ...config.engine, registry, limits };
    const hierarchy = openHierarchy(
      store,
      config.metrics === undefined ? options : { ...options, metrics: config.metrics },
    );
    stores.set(name, { name, description, kind: store.kind, writable: writable ?? false, hierarchy });
  }
  return { version, limits, dataTypes: dataTypeNames(), codecs: codecNames(registry), stores };
}

/** Over HTTP the request brings its signal; in the process the caller does. */
function requestOptionsOf(initial: RequestOptions & { readonly request?: Request }): RequestOptions {
  return { signal: initial.signal ?? initial.request?.signal, mayRead: initial.mayRead };
}
