/** The gateway: serves stores over GraphQL, to HTTP clients and to the program that embeds it. */
import { randomBytes } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { parseConfig } from './config.js';
import { createCoordinateCache } from './dataset/coordinate-reader.js';
import { decodingAttributes } from './dataset/decode/decoding.js';
import { Answers, type KnownAnswer } from './gateway/answers/answers.js';
import { runFast } from './gateway/fast-path.js';
import { createFileServer, fileTokenOf } from './gateway/links.js';
import { createGraphiqlPage } from './gateway/graphiql.js';
import { executeRequest } from './gateway/in-process.js';
import { runMessage } from './gateway/messages.js';
import type {
  CachePolicy,
  CallerOptions,
  Gateway,
  GatewayConfig,
  GatewayStore,
  OperationHttpRequest,
  PageRequest,
} from './gateway/options.js';
import { createDocuments, createDocumentTexts, DOCUMENT_CACHE_BYTES } from './gateway/pipeline/documents.js';
import { createPersistedDocuments } from './gateway/pipeline/persisted-documents.js';
import { type CallerScope, createPipeline, type Pipeline } from './gateway/pipeline/pipeline.js';
import { createOperationRecorder } from './gateway/pipeline/record-operations.js';
import { isForPage } from './gateway/pipeline/write.js';
import { keepNames, type NamesOfReplicas } from './gateway/keep-names.js';
import { withMemory } from './gateway/with-memory.js';
import { schemaFailure } from './gateway/http-errors.js';
import { historyOf } from './gateway/store-history.js';
import { isStoreName } from './gateway/store-names.js';
import { createObjectServer } from './gateway/objects/serve-objects.js';
import { createTileServer, tilePathOf } from './gateway/tiles.js';
import { createTypedEndpoint, sdlResponse, storeTargetOf } from './gateway/typed-endpoint.js';
import { version } from './gateway/version.js';
import { createYogaServer } from './gateway/yoga.js';
import type { SchemaClient } from './typed/schemas.js';
import { JobService } from './jobs/job-service.js';
import { createPlannedMemory } from './memory/plan-memory.js';
import type { MemoryBudget } from './memory/budget.js';
import {
  createVisibleStores,
  ForbiddenError,
  fullAccess,
  rightsOf,
  seesEverything,
} from './resolvers/access/caller-rights.js';
import { gatewayStores } from './resolvers/jobs/gateway-stores.js';
import { createResultCaches, type ResultCaches } from './resolvers/analysis/results.js';
import { type ChangeBus, createChangeBus } from './resolvers/changes/change-bus.js';
import {
  type ChangeFeed,
  type ChangeLimits,
  changeLimits,
  createChangeFeed,
} from './resolvers/changes/change-feed.js';
import { DocumentWatcher } from './resolvers/changes/watch-documents.js';
import { HistoryWatcher, summarised } from './resolvers/changes/watch-history.js';
import type { GatewayParts, HrefSettings } from './resolvers/context.js';
import { createErrorFormatter } from './resolvers/errors.js';
import type { GatewayLimits } from './resolvers/limits.js';
import type { StoreModel } from './resolvers/models.js';
import { baseName } from './resolvers/nodes/store-name.js';
import { gatewaySchema } from './resolvers/schema.js';
import { type RawResponse, responseOf } from './transport/response.js';
import {
  type CodecRegistry,
  codecNames,
  createDefaultRegistry,
  dataTypeNames,
  InputError,
  isZarrError,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
  type StoredChange,
  type StoredCommit,
  noCost,
} from './zarr/index.js';

/**
 * Creates a gateway over stores. Until the first request, it uses only writable stores, to complete unfinished changes.
 * @throws InputError if two stores have the same name or a key for links is too short; ConfigError naming every invalid
 *   limit
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
  const { resultCacheBytes = settings.resultCacheBytes, maxBatchOperations = settings.maxBatchOperations } =
    config;
  const memory =
    config.memory ??
    createPlannedMemory({
      ...settings,
      ...limits,
      cacheBytes: resultCacheBytes + (config.engine?.chunkCache === undefined ? 0 : settings.chunkCacheBytes),
    });
  const results = createResultCaches({
    maxBytes: resultCacheBytes,
    secondLevel: config.replicas?.results,
    onLookup: (outcome) => config.metrics?.resultLookup?.(outcome),
  });
  const served = new Map<string, GatewayStore>();
  /** The listings of names in the background, by store. */
  const listings = new Map<string, { readonly again: () => void; readonly stop: () => void }>();
  const watchers = new Map<string, HistoryWatcher | DocumentWatcher>();
  const watch = (store: string, path: string): (() => void) => watchers.get(store)?.start(path) ?? (() => {});
  // Changed in place: see `change`.
  const changing: { -readonly [name in keyof ChangeLimits]: number } = changeLimitsOf(config);
  const bus = config.changeBus ?? config.replicas?.changeBus ?? createChangeBus();
  const parts = createParts(config, limits, memory, results, createChangeFeed(bus, changing, watch));
  const { stores } = parts;
  const queue = config.jobs === false ? undefined : config.jobs?.queue;
  const openModel = createStoreOpener(config, parts, {
    nodesChanged: (store) => typed.changed(store),
    committed: (store, commit, changes) => {
      for (const change of changes) if (changesNodes(change)) typed.changed(store);
      const watcher = watchers.get(store);
      if (watcher instanceof HistoryWatcher) return watcher.committed(commit, changes);
      for (const change of summarised(changes)) parts.changes.publish({ ...change, store, commit });
      return Promise.resolve();
    },
  });
  if (config.replicas !== undefined) followReplicas(bus);
  const schema = gatewaySchema(config.federation ? { ...config.federation, introspection } : undefined);
  const policyOf = (store: string): CachePolicy | undefined => {
    const policy = served.get(baseName(store))?.cacheControl;
    // A snapshot never changes.
    return baseName(store) === store ? policy : { maxAgeSeconds: 0, ...policy, immutable: true };
  };
  const pipelineParts = {
    schema,
    gateway: parts,
    persisted: createPersistedDocuments({
      shared: config.replicas?.documents,
      ...config.persistedDocuments,
    }),
    record: createOperationRecorder(config.metrics ?? {}, show),
    policyOf,
    show,
  };
  const pipeline = createPipeline({
    ...pipelineParts,
    documents: createDocuments({
      schema,
      limits,
      introspection,
      shared: { texts: createDocumentTexts(config.labelCacheBytes ?? DOCUMENT_CACHE_BYTES), prefix: '' },
    }),
  });
  const typed = createTypedEndpoint({
    ...config.typedSchemas,
    // Federation renames the generic types.
    parts: { ...pipelineParts, schema: gatewaySchema() },
    introspection,
    optionsOf: (store) => served.get(store)?.typedSchema ?? {},
    warn: (store, problem) => config.logger?.warn?.({ store }, problem),
  });
  const yoga = createYogaServer(schema, { endpoint, maxBatchOperations }, show);
  const answers = new Answers({
    kept: results.valuesOf<KnownAnswer>('answers'),
    record: pipelineParts.record,
    onLookup: (outcome) => config.metrics?.answerLookup?.(outcome),
  });
  const serveFile = createFileServer({ ...parts, policyOf }, show);
  const serveTile = createTileServer({ ...parts, policyOf }, show);
  const serveObject = createObjectServer({ ...parts, policyOf }, show);
  const page =
    config.graphiql === undefined || config.graphiql === false
      ? undefined
      : createGraphiqlPage(config.graphiql);

  /** Compares caches with the stores after changes of other replicas. */
  function followReplicas(shared: ChangeBus): void {
    shared.subscribe({
      changed: (change) => {
        const { store, path, commit, isForeign } = change;
        const stored = served.get(store)?.store;
        if (!isForeign || stored === undefined) return;
        stored.outdate?.(path.slice(1));
        stores.get(store)?.hierarchy.noteChange(change);
        if (changesNodes(change)) typed.changed(store);
        const watcher = watchers.get(store);
        if (commit !== undefined && watcher instanceof HistoryWatcher)
          watcher
            .committedElsewhere(commit)
            .catch((error: unknown) =>
              config.logger?.warn?.({ store, err: error }, 'a store is no longer watched'),
            );
      },
      missed() {
        for (const [name, { store }] of served) {
          store.outdate?.('');
          listings.get(name)?.again();
          typed.changed(name);
        }
      },
      closed: () => {},
    });
  }

  /** Searches of the store are answered from the names of its nodes. */
  function keepNamesOf(
    { name, store, searchIndexMs = 0, identity = name }: GatewayStore,
    { hierarchy, history }: StoreModel,
  ): void {
    if (searchIndexMs === 0 || history !== undefined || !store.can.list) return;
    const ended = new AbortController();
    const again = keepNames(hierarchy, {
      intervalMs: searchIndexMs,
      signal: ended.signal,
      listed: (nodes, heldBytes, milliseconds, isShared) =>
        config.logger?.info?.(
          { store: name, nodes, heldBytes, milliseconds: Math.round(milliseconds) },
          isShared ? 'names of nodes taken from another replica' : 'names of nodes listed',
        ),
      failed: (error) =>
        config.logger?.warn?.(
          { store: name, err: error },
          'names of nodes cannot be listed; searches list the store',
        ),
      shared: namesOfReplicas(name, identity),
    });
    listings.set(name, { again, stop: () => ended.abort() });
  }

  function namesOfReplicas(name: string, identity: string): NamesOfReplicas | undefined {
    const { recent } = bus;
    const names = config.replicas?.namesOf?.(identity);
    if (recent === undefined || names === undefined) return undefined;
    return {
      names,
      lastChange: () => recent.last(),
      changesAfter: (id) => recent.after(id)?.filter(({ store }) => store === name),
    };
  }

  async function route(request: Request, caller: CallerOptions): Promise<RawResponse> {
    const { method, headers, signal } = request;
    const { pathname, search, origin } = new URL(request.url);
    const token = fileTokenOf(pathname, parts.hrefs.path);
    if (token !== undefined) return gateway.handleFile({ token, method, headers, signal });
    const tile = tilePathOf(pathname, parts.hrefs.tilesPath);
    if (tile !== undefined) return gateway.handleTile({ ...tile, origin, method, headers, signal });
    if (pathname.startsWith(parts.hrefs.zarrPath)) {
      const path = pathname.slice(parts.hrefs.zarrPath.length);
      return gateway.handleZarr({ path, query: search.slice(1), method, headers, signal }, caller);
    }
    const ifNoneMatch = headers.get('if-none-match') ?? undefined;
    const target = storeTargetOf(pathname, endpoint);
    if (target?.isSchema === true) return gateway.handleSchema({ store: target.store, ifNoneMatch }, caller);
    const store = target?.store;
    if ((pathname === endpoint || store !== undefined) && isForPage(method, headers.get('accept'))) {
      const shown = await gateway.handlePage({ query: search.slice(1), ifNoneMatch, store }, caller);
      if (shown !== undefined) return method === 'HEAD' ? { ...shown, body: null } : shown;
    }
    return fetchFrom(store, request, caller);
  }

  /** The pipeline of the generic schema, or of the schema of a store. */
  async function pipelineOf(store: string | undefined, caller: CallerOptions): Promise<Pipeline> {
    return store === undefined ? pipeline : typed.pipeline(store, rightsOf(caller), schemaClientOf(caller));
  }

  async function fetchFrom(
    store: string | undefined,
    request: Request,
    caller: CallerOptions,
  ): Promise<RawResponse> {
    return servedBy(store, caller, (own) => {
      // Yoga serves one path.
      const url = new URL(request.url);
      url.pathname = endpoint;
      const moved = store === undefined ? request : new yoga.Request(url.href, request);
      return withMemory(memory, scopeOf(caller), (scope) => yoga.fetch(moved, { ...scope, pipeline: own }));
    });
  }

  async function handle(
    own: Pipeline,
    request: OperationHttpRequest,
    scope: CallerScope,
  ): Promise<RawResponse> {
    if (scope.memory === undefined) return withMemory(memory, scope, (held) => handle(own, request, held));
    const run = async (asked: OperationHttpRequest, by: CallerScope): Promise<RawResponse> =>
      (await runFast(own, asked, by)) ?? yoga.handle(asked, { ...by, pipeline: own });
    return answers.respond(own.schema, request, scope, run);
  }

  /** A store without a schema is an error of the request. */
  async function servedBy(
    store: string | undefined,
    caller: CallerOptions,
    respond: (own: Pipeline) => Promise<RawResponse>,
  ): Promise<RawResponse> {
    let own: Pipeline;
    try {
      own = await pipelineOf(store, caller);
    } catch (error) {
      return schemaFailure(show(error));
    }
    return respond(own);
  }

  /**
   * With authentication, the page is shown before the caller is known. Only a caller that sees every store learns that
   * there is none of the name, so that hidden stores differ from absent ones for nobody.
   */
  async function showPage(
    showGraphiql: ReturnType<typeof createGraphiqlPage>,
    request: PageRequest,
    caller: CallerOptions,
  ): Promise<RawResponse> {
    const rights = rightsOf(caller);
    const visible = createVisibleStores(stores, rights);
    const { store } = request;
    if (store === undefined) return showGraphiql({ ...request, stores: visible });
    let storeSchema: GraphQLSchema | undefined;
    try {
      storeSchema = await typed.schema(store, rights, schemaClientOf(caller));
    } catch (error) {
      // The page shows other errors when it requests the schema.
      if (seesEverything(rights) && isZarrError(error, 'NOT_FOUND')) return schemaFailure(show(error));
    }
    return showGraphiql({ ...request, stores: visible, storeSchema });
  }

  const gateway: Gateway = {
    schema,
    memory,
    Request: yoga.Request,
    // No lent memory, because the caller may keep the response of `fetch`. Frameworks and streams of Node accept the
    // platform's Response only, not Yoga's.
    fetch: async (request, caller) => responseOf(await route(request, { ...caller, loans: undefined })),
    async handleOperation(request, caller) {
      const scope = scopeOf(caller);
      return request.store === undefined
        ? handle(pipeline, request, scope)
        : servedBy(request.store, caller, (own) => handle(own, request, scope));
    },
    handleMessage: (request, caller) =>
      runMessage(() => pipelineOf(request.store, caller), pipeline, memory, request, scopeOf(caller)),
    async handleSchema({ store, ifNoneMatch }, caller) {
      try {
        if (!introspection) throw new ForbiddenError('the gateway does not show its schemas');
        const start = performance.now();
        const sdl = await typed.sdl(store, rightsOf(caller), schemaClientOf(caller));
        // Charged like an introspection, which returns the same.
        const cost = { ...noCost, fields: sdl.fields, outputBytes: sdl.body.length };
        const durationMs = performance.now() - start;
        caller?.observe?.({ kind: 'query', name: undefined, durationMs, codes: [], cost });
        return sdlResponse(sdl, ifNoneMatch);
      } catch (error) {
        return schemaFailure(show(error));
      }
    },
    handleFile: (request) => withMemory(memory, request, serveFile),
    handleTile: (request) => withMemory(memory, request, serveTile),
    handleZarr: (request, caller) =>
      withMemory(memory, { ...request, client: caller.client }, (held) => serveObject(held, caller)),
    handlePage: (request, caller) => {
      if (page === undefined) return undefined;
      return showPage(page, request, caller);
    },
    execute: (request, caller) => executeRequest(async () => pipeline, pipeline, memory, request, caller),
    as: (caller) => ({
      fetch: (request) => gateway.fetch(request, caller),
      execute: (request) => gateway.execute(request, caller),
      forStore: (name) => ({
        fetch: async (request) => responseOf(await fetchFrom(name, request, { ...caller, loans: undefined })),
        execute: (request) =>
          executeRequest(() => pipelineOf(name, caller), pipeline, memory, request, caller),
        schema: () => typed.schema(name, rightsOf(caller), schemaClientOf(caller)),
        sdl: async ({ hints = false } = {}) =>
          hints
            ? typed.hintedSdl(name, rightsOf(caller), schemaClientOf(caller))
            : (await typed.sdl(name, rightsOf(caller), schemaClientOf(caller))).body.toString('utf8'),
      }),
    }),
    addStore(store) {
      const { name } = store;
      answers.configurationChanged();
      if (served.has(name)) throw new InputError(`two stores are named "${name}"; names must be unique`);
      if (!isStoreName(name))
        throw new InputError(`"${name}" cannot be the name of a store: names of snapshots have this form`);
      served.set(name, store);
      const model = openModel(store);
      stores.set(name, model);
      keepNamesOf(store, model);
      const { watchMs = DEFAULT_WATCH_MS } = store;
      if (watchMs === 0) return;
      const options = {
        watchMs,
        delayMs: bus.delayMs,
        publish: (change: StoredChange, found?: string) => {
          model.hierarchy.noteChange(change);
          parts.changes.publish({ ...change, store: name }, found);
        },
        warn: (problem: string, error: unknown) =>
          config.logger?.warn?.({ store: name, err: error }, problem),
      };
      const { hierarchy, history } = model;
      const watcher =
        history === undefined
          ? new DocumentWatcher({ ...options, store: name, hierarchy, bus })
          : new HistoryWatcher(model, options);
      watchers.set(name, watcher);
    },
    removeStore(name) {
      const removed = served.get(name);
      if (removed === undefined) return undefined;
      answers.configurationChanged();
      served.delete(name);
      stores.delete(name);
      watchers.delete(name);
      listings.get(name)?.stop();
      listings.delete(name);
      typed.removed(name);
      parts.changes.endStore(name);
      return removed;
    },
    change(settings) {
      answers.configurationChanged();
      const hrefs = settings.hrefs?.keys?.length
        ? hrefSettings({ ...config, hrefs: settings.hrefs })
        : undefined;
      const changed = parseConfig({ limits: settings.limits ?? {} }).limits;
      // In place, because everything that checks limits or links has these objects; budgets of requests have copies.
      Object.assign(limits, changed);
      for (const { hierarchy } of stores.values()) Object.assign(hierarchy.limits, changed);
      if (hrefs !== undefined) Object.assign(parts.hrefs, hrefs);
      const { maxClientSubscriptions = changing.maxClientSubscriptions } = settings;
      changing.maxClientSubscriptions = maxClientSubscriptions;
    },
    endStreams: () => parts.changes.close(),
    async close() {
      for (const { stop } of listings.values()) stop();
      parts.changes.close();
      await parts.jobs?.close();
      await queue?.close();
      await yoga.close();
      await Promise.all([...served.values()].map(({ store }) => store.close()));
    },
  };
  for (const store of config.stores) gateway.addStore(store);
  // Tasks of other processes name stores only; who started their job had the rights to use them.
  queue?.work(gatewayStores(parts, fullAccess));
  return gateway;
}

/** @throws InputError if the caller's rights are missing */
function scopeOf(caller: CallerOptions): CallerScope {
  const rights = rightsOf(caller);
  const { shared, observe, admitFurther, client, loans, memory } = caller;
  return { rights, shared, observe, admitFurther, client, loans, memory };
}

/** Reading a store and building its schema is charged like fields of an operation. */
function schemaClientOf({ client, charge }: CallerOptions): SchemaClient {
  return { client, charge: (fields) => charge?.({ ...noCost, fields }) };
}

/** The stores of a gateway, which only `addStore` and `removeStore` change. */
type ServedStores = Map<string, StoreModel>;

function createParts(
  config: GatewayConfig,
  limits: GatewayLimits,
  memory: MemoryBudget,
  results: ResultCaches,
  changes: ChangeFeed,
): GatewayParts & { readonly stores: ServedStores; readonly registry: CodecRegistry } {
  const registry = config.engine?.registry ?? createDefaultRegistry();
  return {
    version,
    limits,
    registry,
    dataTypes: dataTypeNames(),
    codecs: codecNames(registry),
    coordinates: createCoordinateCache(config.labelCacheBytes),
    results,
    stores: new Map(),
    changes,
    hrefs: hrefSettings(config),
    memory,
    jobs: createJobs(config),
  };
}

function createJobs({ jobs, logger }: GatewayConfig): JobService | undefined {
  if (jobs === undefined || jobs === false) return undefined;
  const { queue, ...options } = jobs;
  return new JobService({
    ...options,
    ...(queue === undefined ? {} : { run: (plan, running) => queue.run(plan, running) }),
    logError: (error, job) => logger?.error({ job, err: error }, 'a job failed'),
  });
}

function createStoreOpener(
  config: GatewayConfig,
  { limits, registry, changes }: ReturnType<typeof createParts>,
  on: {
    readonly nodesChanged: (store: string) => void;
    readonly committed: (
      store: string,
      commit: StoredCommit,
      changes: readonly StoredChange[],
    ) => Promise<void>;
  },
): (store: GatewayStore) => StoreModel {
  return ({ name, store, description, writable, netcdfShuffle, trustConsolidated, paths }) => {
    const changed = (change: StoredChange): void => {
      if (changesNodes(change)) on.nodesChanged(name);
      changes.publish({ ...change, store: name });
    };
    const warn = (path: string, warning: string): void =>
      config.logger?.warn?.({ store: name, path }, warning);
    const checksArrays = { attributes: decodingAttributes };
    const reading = { netcdfShuffle, trustConsolidated, paths };
    const decoding = { inTurns: true, ...config.engine?.decoding };
    const options = { ...config.engine, ...reading, decoding, registry, limits, warn, checksArrays };
    const open = (opened: KeyStore, onChange = changed): Hierarchy => {
      const own = { ...options, changed: onChange };
      return openHierarchy(opened, config.metrics === undefined ? own : { ...own, metrics: config.metrics });
    };
    const hierarchy = open(store);
    if (writable === true)
      hierarchy.settlePending().catch((error: unknown) => {
        config.logger?.error({ store: name, err: error }, 'failed to complete unfinished metadata changes');
      });
    const model = { name, description, kind: store.kind, writable: writable ?? false, hierarchy };
    const committed = (commit: StoredCommit, made: readonly StoredChange[]): Promise<void> =>
      on.committed(name, commit, made);
    return { ...model, history: store.versions && historyOf(model, store.versions, { open, committed }) };
  };
}

/** Neither values nor sizes determine the schema of a store. */
function changesNodes({ kind }: StoredChange): boolean {
  return kind !== 'data' && kind !== 'resized';
}

function changeLimitsOf({ maxClientSubscriptions }: GatewayConfig): ChangeLimits {
  return { ...changeLimits, ...(maxClientSubscriptions === undefined ? {} : { maxClientSubscriptions }) };
}

const DEFAULT_LIFETIME_MS = 3_600_000;
const DEFAULT_WATCH_MS = 10_000;
const MIN_KEY_CHARACTERS = 16;

/** @throws InputError for a key that is too short */
function hrefSettings({ hrefs = {}, path = '/graphql' }: GatewayConfig): HrefSettings {
  const [first = randomBytes(32).toString('base64url'), ...others] = hrefs.keys ?? [];
  if ([first, ...others].some((key) => key.length < MIN_KEY_CHARACTERS))
    throw new InputError(`keys for links must have at least ${MIN_KEY_CHARACTERS} characters`);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return {
    keys: [first, ...others],
    lifetimeMs: hrefs.lifetimeMs ?? DEFAULT_LIFETIME_MS,
    publicUrl: hrefs.publicUrl ?? '',
    path: `${folder}files/`,
    tilesPath: `${folder}tiles/`,
    zarrPath: `${folder}zarr/`,
  };
}
