/** The gateway: stores, limits and schema put together, answering requests in the process or in HTTP's form. */
import { randomUUID } from 'node:crypto';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { createCoordinateCache } from './dataset/coordinate-reader.js';
import { parseConfig } from './config.js';
import { useCaching } from './gateway/caching.js';
import { costRequestOf, useSubscriptionCost } from './gateway/cost.js';
import { createBoundedDocuments } from './gateway/documents.js';
import { type Executor, executeRequest, IN_PROCESS } from './gateway/execute.js';
import { createFileServer, fileTokenOf } from './gateway/files.js';
import { useGetRequests } from './gateway/get-requests.js';
import { createGraphiqlPage } from './gateway/graphiql.js';
import { hrefSettings } from './gateway/href-settings.js';
import { useStrictJson } from './gateway/json-requests.js';
import { createKnownQueries } from './gateway/known-queries.js';
import type { CallerNotes, Gateway, GatewayConfig } from './gateway/options.js';
import { isForPage } from './gateway/page-or-operation.js';
import { usePersistedDocuments } from './gateway/persisted-documents.js';
import {
  useCborRequests,
  useNoForms,
  useNoIntrospection,
  useOfferedForms,
  useResultResponses,
  useSpokenRefusals,
} from './gateway/plugins.js';
import { createOperationRecorder } from './gateway/operation-records.js';
import { createOperationRunner, useOperationRunner } from './gateway/run-operation.js';
import { useEventStreams, useFreshEvents } from './gateway/subscriptions.js';
import { version } from './gateway/version.js';
import { endWithAnswer, endWithResponse } from './gateway/own-memory.js';
import { createPlannedMemory } from './memory/plan-memory.js';
import type { MemoryLease } from './memory/lease.js';
import type { ProcessMemory } from './memory/process-memory.js';
import { createVisibleStores, rightsOf } from './resolvers/caller-rights.js';
import { createChangeBus } from './resolvers/changes/change-bus.js';
import { type ChangeLimits, changeLimits, createChangeFeed } from './resolvers/changes/change-feed.js';
import {
  createContext,
  type GatewayContext,
  type GatewayParts,
  type RequestOptions,
} from './resolvers/context.js';
import { createErrorFormatter } from './resolvers/errors.js';
import type { GatewayLimits } from './resolvers/limits.js';
import type { StoreModel } from './resolvers/models.js';
import { createGatewaySchema } from './resolvers/schema.js';
import { responseOf } from './transport/response-body.js';
import {
  codecNames,
  createDefaultRegistry,
  dataTypeNames,
  InputError,
  openHierarchy,
  type StoredChange,
} from './zarr/index.js';

type ServerContext = RequestOptions & CallerNotes;
type Server = YogaServerInstance<ServerContext, GatewayContext>;

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
  const endpoint = config.path ?? '/graphql';
  const settings = parseConfig({ limits: config.limits ?? {} });
  const { limits } = settings;
  const memory =
    config.memory ??
    createPlannedMemory({
      ...settings,
      ...limits,
      cacheBytes: config.engine?.chunkCache === undefined ? 0 : settings.chunkCacheBytes,
    });
  const parts = createParts(config, limits, memory);
  const policies = new Map(config.stores.map(({ name, cacheControl }) => [name, cacheControl]));
  const schema = createGatewaySchema();
  const record = createOperationRecorder(config.metrics ?? {}, show);
  const contextOf = (initial: InitialContext): GatewayContext =>
    createContext(parts, requestOptionsOf(initial));
  const bounds = { ...limits, stores: parts.stores.size };
  const run = createOperationRunner(bounds, record);
  const documents = createBoundedDocuments(limits);
  const server: Server = createYoga<ServerContext, GatewayContext>({
    schema,
    context: contextOf,
    plugins: [
      useResultResponses(show),
      useCaching((name) => policies.get(name)),
      useEventStreams(show),
      useFreshEvents((context) => contextOf(context), record),
      useGetRequests(),
      useStrictJson(),
      useCborRequests(),
      usePersistedDocuments(config.persistedDocuments ?? {}),
      useNoForms(),
      useOfferedForms(),
      useSpokenRefusals(),
      documents.plugin,
      ...(introspection ? [] : [useNoIntrospection()]),
      useSubscriptionCost(bounds),
      useOperationRunner(run),
    ],
    maskedErrors: { maskError: show },
    graphqlEndpoint: endpoint,
    graphiql: false,
    // The server's own health check takes any URL that ends like this.
    healthCheckEndpoint: `/${randomUUID()}`,
    cors: false,
    multipart: false,
    batching: false,
    extraParamNames: ['documentId'],
    parserAndValidationCache: false,
    landingPage: false,
    logging: false,
    // Counting bytes there costs more than all else of a small request; the HTTP server in front does it.
    maxRequestBodySize: false,
  });
  const serveFile = createFileServer(parts, show);
  const executor: Executor = {
    schema,
    show,
    run,
    memory,
    checksFor: (options) => server.getEnveloped({ ...options }),
    contextFor: (options) => Object.assign(contextOf(options), { observe: options.observe }),
  };
  const onlyListed = config.persistedDocuments?.only === true;
  const answerKnown = createKnownQueries(executor, (text) =>
    onlyListed ? undefined : documents.known(text),
  );
  const page =
    config.graphiql === undefined || config.graphiql === false
      ? undefined
      : createGraphiqlPage(config.graphiql);
  /** Runs with the caller's memory, or with some of its own that ends with the response. */
  async function owning(
    given: MemoryLease | undefined,
    client: string | undefined,
    respond: (memory: MemoryLease) => Promise<Response>,
  ): Promise<Response> {
    if (given !== undefined) return respond(given);
    const lease = memory.open(client ?? IN_PROCESS);
    return endWithResponse(lease, respond(lease), server.fetchAPI.Response);
  }

  const gateway: Gateway = {
    schema,
    memory,
    Request: server.fetchAPI.Request,
    async fetch(request, caller) {
      const { pathname, search } = new URL(request.url);
      const token = fileTokenOf(pathname, parts.hrefs.path);
      if (token !== undefined)
        return gateway.fetchFile({
          token,
          method: request.method,
          headers: request.headers,
          signal: request.signal,
        });
      const ifNoneMatch = request.headers.get('if-none-match') ?? undefined;
      const shown =
        pathname === endpoint && isForPage(request.method, request.headers.get('accept'))
          ? gateway.answerPage({ query: search.slice(1), ifNoneMatch }, caller)
          : undefined;
      if (shown === undefined) return gateway.fetchOperation(request, caller);
      const answer = await shown;
      const body = request.method === 'HEAD' ? null : answer.body;
      return responseOf({ ...answer, body }, server.fetchAPI.Response);
    },
    fetchOperation: async (request, caller) => {
      const rights = rightsOf(caller);
      const { shared, observe, client } = caller;
      return owning(caller.memory, client, async (lease) =>
        server.fetch(request, { rights, shared, observe, client, memory: lease }),
      );
    },
    fetchFile: (request) =>
      owning(request.memory, undefined, (lease) => serveFile({ ...request, memory: lease })),
    answerPage: (asked, caller) => {
      const stores = createVisibleStores(parts.stores, rightsOf(caller));
      return page?.({ ...asked, stores });
    },
    answerKnown(posted, caller) {
      if (caller.memory !== undefined) return answerKnown(posted, caller);
      const lease = memory.open(caller.client ?? IN_PROCESS);
      const known = answerKnown(posted, { ...caller, memory: lease });
      if (known !== undefined) return endWithAnswer(lease, known);
      lease.end();
      return undefined;
    },
    execute: (request, caller) => executeRequest(executor, request, caller),
    as: (caller) => ({
      fetch: (request) => gateway.fetch(request, caller),
      execute: (request) => gateway.execute(request, caller),
    }),
    endStreams: () => parts.changes.close(),
    async close() {
      parts.changes.close();
      await server.dispose();
      await Promise.all(config.stores.map(({ store }) => store.close()));
    },
  };
  return gateway;
}

function createParts(config: GatewayConfig, limits: GatewayLimits, memory: ProcessMemory): GatewayParts {
  const registry = config.engine?.registry ?? createDefaultRegistry();
  const stores = new Map<string, StoreModel>();
  const changes = createChangeFeed(config.changeBus ?? createChangeBus(), changeLimitsOf(config));
  for (const { name, store, description, writable, netcdfShuffle } of config.stores) {
    if (stores.has(name)) throw new InputError(`two stores are named "${name}"; names must differ`);
    const changed = (change: StoredChange): void => changes.publish({ ...change, store: name });
    const warn = (path: string, warning: string): void =>
      config.logger?.warn?.({ store: name, path }, warning);
    const options = { ...config.engine, registry, limits, changed, warn, netcdfShuffle };
    const hierarchy = openHierarchy(
      store,
      config.metrics === undefined ? options : { ...options, metrics: config.metrics },
    );
    if (writable === true)
      hierarchy.settlePending().catch((error: unknown) => {
        config.logger?.error(
          { store: name, err: error },
          'unfinished changes of metadata were not completed',
        );
      });
    stores.set(name, { name, description, kind: store.kind, writable: writable ?? false, hierarchy });
  }
  return {
    version,
    limits,
    dataTypes: dataTypeNames(),
    codecs: codecNames(registry),
    coordinates: createCoordinateCache(),
    stores,
    changes,
    hrefs: hrefSettings(config),
    memory,
  };
}

function changeLimitsOf({ maxClientSubscriptions }: GatewayConfig): ChangeLimits {
  return maxClientSubscriptions === undefined ? changeLimits : { ...changeLimits, maxClientSubscriptions };
}

/** What is known before the context is made. */
interface InitialContext extends RequestOptions {
  readonly request?: Request;
  readonly params?: { readonly extensions?: unknown };
}

/** Over HTTP the request brings its signal; in the process the caller does. */
function requestOptionsOf(initial: InitialContext): RequestOptions {
  const costOnly = initial.costOnly ?? costRequestOf(initial.params?.extensions) === 'only';
  return {
    rights: initial.rights,
    signal: initial.signal ?? initial.request?.signal,
    costOnly,
    memory: initial.memory,
    client: initial.client,
    valuesAreSent: initial.valuesAreSent ?? initial.request !== undefined,
  };
}
