import { setFlagsFromString } from 'node:v8';
import { ConfigError, suspiciousVariables } from '../config.js';
import { createGateway } from '../gateway.js';
import { readPersistedDocuments } from '../gateway/pipeline/persisted-documents.js';
import { version } from '../gateway/version.js';
import { ListenError } from '../http/listen.js';
import { createMetrics, type Metrics } from '../http/metrics.js';
import { createHttpServer } from '../http/server.js';
import type { Telemetry } from '../http/telemetry/telemetry.js';
import { readTls } from '../http/tls.js';
import { limitGarbage, limitStreamed } from '../memory/limit-garbage.js';
import { createPlannedMemory } from '../memory/plan-memory.js';
import { youngGenerationBytes } from '../memory/plan-process.js';
import type { MemoryBudget } from '../memory/budget.js';
import {
  createChunkCache,
  createCodecPool,
  type HierarchyOptions,
  isZarrError,
  limitNodeMemory,
  limitShardIndexes,
} from '../zarr/index.js';
import type { ProcessLog } from './logger.js';
import { createSystemdNotifier, reloading } from './notify-systemd.js';
import { openReplicas } from './open-replicas.js';
import { openQueue, openRecords, openSharedJobs } from './open-queue.js';
import { openStores } from './open-stores.js';
import type { PlannedConfig } from './plan-config.js';
import { createReloader } from './reload.js';
import type { ServeOptions } from './serve.js';
import { warmUp } from './warm-up.js';

/** Growth of the heap from one complete collection to the next, relative to the live objects. */
const HEAP_GROWING_PERCENT = 100;

/**
 * Opens the stores, listens, prints the URL and runs until a signal ends the process. A second signal aborts
 * the requests in flight.
 * @throws ConfigError for a configuration that cannot be served; ListenError if the address cannot be used
 */
export async function runGateway(
  planned: PlannedConfig,
  log: ProcessLog,
  env: Readonly<Record<string, string | undefined>>,
  {
    lineOf,
    addresses,
    isWorker,
    load,
  }: Required<Pick<ServeOptions, 'lineOf' | 'addresses' | 'isWorker'>> & {
    readonly load: () => PlannedConfig;
  },
): Promise<void> {
  const { logger } = log;
  const { config, plan } = planned;
  for (const [name, near] of suspiciousVariables(env))
    logger.warn({ name, near }, 'unknown environment variable with the prefix ZARRQL_; check its spelling');
  // Otherwise garbage grows to several times the live objects where the machine has memory left.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  const telemetry = await openTelemetry(createMetrics(), log, env);
  const metrics = telemetry.metrics;
  const tls = readTls(config);
  limitNodeMemory(config.metadataCacheBytes);
  limitShardIndexes(plan.small.shardIndexBytes);
  const memory = createMemory(planned, log);
  metrics.watchMemory(() => memory.stats());
  const { redis, replicas, budgets, hrefKeys, ...shared } = await openReplicas(config, metrics, log);
  const engine = createEngine(planned);
  // Decoded chunks of members are not cached: those of the combined store are.
  const ofMembers = { decoding: { inTurns: true, ...engine.decoding } };
  const opened = await openStores(config, metrics, logger, env, { addresses, engine: ofMembers });
  const { stores, health, folders } = opened;
  await warmUp(engine).catch((error: unknown) => logger.warn({ err: error }, 'warming up failed'));
  // The explorer uses the names of types without prefix.
  const explorer = config.explorer && config.federationPrefix === '';
  const gateway = createGateway({
    stores,
    limits: config.limits,
    logger,
    graphiql: config.graphiql ? { explorer: explorer ? '/' : undefined } : false,
    introspection: config.introspection,
    federation: config.federation ? { prefix: config.federationPrefix } : false,
    metrics,
    hrefs: { keys: hrefKeys, lifetimeMs: config.hrefLifetimeMs, publicUrl: config.publicUrl },
    persistedDocuments: {
      documents:
        config.persistedDocuments === undefined
          ? undefined
          : readPersistedDocuments(config.persistedDocuments),
      // A worker answers health checks and /metrics only.
      only: isWorker || config.documentMode === 'listed',
      automaticBytes: config.automaticDocumentBytes,
    },
    engine,
    memory,
    resultCacheBytes: config.resultCacheBytes,
    labelCacheBytes: plan.small.labelBytes,
    typedSchemas: config,
    maxClientSubscriptions: config.maxClientSubscriptions,
    maxBatchOperations: config.maxBatchOperations,
    replicas,
    jobs: config.jobs && {
      maxRunning: config.maxRunningJobs,
      memoryBytes: config.jobMemoryBytes,
      tracer: telemetry.started?.tracer,
      shared: redis === undefined ? undefined : await openSharedJobs(config, redis),
      records: await openRecords(config, redis, logger),
      queue: redis === undefined ? undefined : await openQueue(config, redis, log, telemetry.started?.tracer),
    },
  });
  const server = createHttpServer({
    config: { ...config, explorer },
    gateway,
    logger,
    metrics,
    stores: health,
    redis,
    budgets,
    tls,
    telemetry: telemetry.started,
  });
  const address = await server.listen();
  if (config.auth === undefined && config.socket === undefined && !isLoopback(config.host))
    logger.warn(
      { host: config.host },
      'everyone who can reach this address can read all stores: no authentication is configured; see the option auth',
    );
  health.watch();
  for (const folder of folders) folder.watch(gateway);
  const systemd = createSystemdNotifier(env, (error) =>
    logger.warn({ err: error }, 'systemd was not notified'),
  );
  const reload = createReloader({ gateway, server, logger, metrics, env, load, opened, tls }, config);
  process.on('SIGHUP', () => {
    systemd
      .notify(...reloading())
      .then(reload)
      .then(() => systemd.notify('READY=1'))
      .catch((error: unknown) => logger.error({ err: error }, 'reloading failed'));
  });

  const finish = async (signal: NodeJS.Signals): Promise<void> => {
    systemd.notify('STOPPING=1').catch(() => {});
    // Orchestrators send SIGTERM. The delay lets load balancers notice `/readyz` first; after Ctrl-C, none is needed.
    if (signal === 'SIGTERM') await server.announceEnd(config.shutdownDelayMs);
    // Clients reconnect when their streams end. After the delay, load balancers route them to other gateways.
    gateway.endStreams();
    await server.close();
    await gateway.close();
    shared.close();
    await telemetry.started?.close();
  };
  let finishing: Promise<void> | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, finishing === undefined ? 'draining' : 'exiting immediately');
    if (finishing !== undefined) {
      server.close().catch(() => process.exit(1));
      return;
    }
    finishing = finish(signal);
    finishing
      .then(
        () => {
          logger.info('closed');
          return end(log, 0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'shutdown failed');
          return end(log, 1);
        },
      )
      .catch(() => process.exit(1));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error');
    end(log, 1).catch(() => process.exit(1));
  });
  // The reader may close stdout after this line.
  process.stdout.on('error', () => {});

  logger.info(
    { version, address, stores: stores.slice(0, MAX_LOGGED).map(({ name }) => name), count: stores.length },
    isWorker ? 'waiting for tasks' : 'listening',
  );
  process.stdout.write(isWorker ? 'waiting for tasks\n' : `${lineOf(address, explorer)}\n`);
  await systemd.notify('READY=1');
  systemd.watch();
}

/**
 * Creates the codec pool and the chunk cache. All decoding runs on decoding threads, one per processor by
 * default, to keep this thread free for requests. When run from sources, there are no threads and decoding is
 * inline.
 */
function createEngine({ config, memoryBytes, isLimited }: PlannedConfig): HierarchyOptions {
  const { chunkCacheBytes, decodingThreads, maxMetadataBytes, maxConsolidatedBytes } = config;
  const metadataLimits = { maxDocumentBytes: maxMetadataBytes, maxConsolidatedBytes };
  const youngBytes = isLimited ? youngGenerationBytes(memoryBytes) : undefined;
  const decoding = import.meta.url.endsWith('.ts')
    ? {}
    : { pool: createCodecPool({ threads: decodingThreads, youngBytes }), here: false };
  const chunkCache = chunkCacheBytes === 0 ? undefined : createChunkCache(chunkCacheBytes);
  return { decoding, metadataLimits, ...(chunkCache === undefined ? {} : { chunkCache }) };
}

function createMemory(
  { config, memoryBytes, isLimited, plan, warning }: PlannedConfig,
  { logger }: ProcessLog,
): MemoryBudget {
  if (warning !== undefined) logger.warn({ memoryBytes }, `the memory is small: ${warning}`);
  const memory = createPlannedMemory({ ...config, ...config.limits, cacheBytes: plan.cacheBytes });
  if (isLimited)
    limitGarbage(memory, { memoryBytes, garbageBytes: plan.restBytes - config.requestMemoryBytes });
  limitStreamed(memory);
  return memory;
}

/** Loaded only if a variable of OpenTelemetry requests it. */
async function openTelemetry(
  metrics: Metrics,
  { logger }: ProcessLog,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly metrics: Metrics; readonly started: Telemetry | undefined }> {
  if (!Object.keys(env).some((name) => name.startsWith('OTEL_'))) return { metrics, started: undefined };
  const { telemetrySettings } = await import('../http/telemetry/settings.js');
  const settings = telemetrySettings(env, version, (problem) => logger.warn(problem));
  if (settings === undefined) return { metrics, started: undefined };
  const { createTelemetry } = await import('../http/telemetry/telemetry.js');
  const started = createTelemetry(settings, metrics, (fields, problem) => logger.warn(fields, problem));
  return { metrics: started.metrics, started };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$|^127\./.test(host);
}

/** Stores that the first line of the log names. */
const MAX_LOGGED = 20;

/** Whether the error belongs to a class of this program, so that its message needs no stack trace. */
export function isExpected(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ListenError || isZarrError(error);
}

/** How long threads or connections may keep the process alive after everything is closed, in ms. */
const LINGER_MS = 100;

/**
 * Ends the process. `process.exit` alone can wait forever: it joins threads of V8, which may wait for a garbage
 * collection of this thread (https://github.com/nodejs/node/issues/54918). The event loop runs that collection.
 */
async function end(log: ProcessLog, code: number): Promise<void> {
  await log.flush();
  process.exitCode = code;
  setTimeout(() => process.exit(code), LINGER_MS).unref();
}
