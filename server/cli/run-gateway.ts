import { availableParallelism } from 'node:os';
import { type Config, ConfigError, suspiciousVariables } from '../config.js';
import { createGateway } from '../gateway.js';
import { readPersistedDocuments } from '../gateway/persisted-documents-file.js';
import { version } from '../gateway/version.js';
import { ListenError } from '../http/listen.js';
import { createMetrics } from '../http/metrics.js';
import { createHttpServer } from '../http/server.js';
import { createPlannedMemory, planMemory } from '../memory/plan-memory.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import { createChunkCache, createCodecPool, isZarrError, type HierarchyOptions } from '../zarr/index.js';
import type { ProcessLog } from './logger.js';
import { openStores } from './open-stores.js';

/**
 * Opens the stores, listens, prints the address and stays until a signal ends the process. A second signal cuts off
 * the requests in flight.
 * @throws ConfigError, ListenError
 */
export async function runGateway(
  config: Config,
  log: ProcessLog,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { logger } = log;
  for (const [name, near] of suspiciousVariables(env))
    logger.warn({ name, near }, 'a variable that is no option; a slip?');
  const metrics = createMetrics();
  const memory = createMemory(config, log);
  metrics.watchMemory(() => memory.stats());
  const { stores, health } = await openStores(config, metrics, logger, env);
  const gateway = createGateway({
    stores,
    limits: config.limits,
    logger,
    graphiql: config.graphiql ? {} : false,
    metrics,
    hrefs: { keys: config.hrefKeys, lifetimeMs: config.hrefLifetimeMs, publicUrl: config.publicUrl },
    persistedDocuments: {
      documents:
        config.persistedDocuments === undefined
          ? undefined
          : readPersistedDocuments(config.persistedDocuments),
      only: config.documentMode === 'listed',
      automaticBytes: config.automaticDocumentBytes,
    },
    engine: createEngine(config),
    memory,
    maxClientSubscriptions: config.maxClientSubscriptions,
  });
  const server = createHttpServer({ config, gateway, logger, metrics, stores: health });
  const address = await server.listen();
  health.watch();

  const finish = async (signal: NodeJS.Signals): Promise<void> => {
    // Balancers send SIGTERM; nobody wants to wait for them after Ctrl-C.
    if (signal === 'SIGTERM') await server.announceEnd(config.shutdownDelayMs);
    // Not before: clients whose streams end connect again, and must not arrive here.
    gateway.endStreams();
    await server.close();
    await gateway.close();
  };
  let finishing: Promise<void> | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, finishing === undefined ? 'draining' : 'ending without waiting');
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
          logger.error({ err: error }, 'closing failed');
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
  // Who read the line may leave.
  process.stdout.on('error', () => {});

  logger.info({ version, address, stores: config.stores.map(({ name }) => name) }, 'listening');
  process.stdout.write(`${address}\n`);
}

/**
 * Where chunks are decoded and kept. All decoding goes to threads, as many as there are processors: this thread is for
 * requests. Run from sources there are no threads, and everything is decoded here.
 */
function createEngine(config: Config): HierarchyOptions {
  const { chunkCacheBytes, decodingThreads, maxMetadataBytes, maxConsolidatedBytes } = config;
  const metadataLimits = { maxDocumentBytes: maxMetadataBytes, maxConsolidatedBytes };
  const decoding = import.meta.url.endsWith('.ts')
    ? {}
    : { pool: createCodecPool({ threads: decodingThreads ?? availableParallelism() }), here: false };
  const chunkCache = chunkCacheBytes === 0 ? undefined : createChunkCache(chunkCacheBytes);
  return { decoding, metadataLimits, ...(chunkCache === undefined ? {} : { chunkCache }) };
}

/** @throws ConfigError where not even one request within the limits would fit */
function createMemory(config: Config, { logger }: ProcessLog): ProcessMemory {
  const options = { ...config, ...config.limits, cacheBytes: cacheBytesOf(config) };
  const plan = planMemory(options);
  const { maxBytes, leastBytes, machineBytes } = plan;
  if (maxBytes < leastBytes)
    throw new ConfigError([
      `requestMemoryBytes is ${maxBytes}, but one request within the limits takes up to ${leastBytes}: raise it, or lower limits.maxOutputBytes or maxBodyBytes`,
    ]);
  if (config.requestMemoryBytes === undefined && maxBytes === leastBytes)
    logger.warn(
      { machineBytes, requestMemoryBytes: maxBytes },
      'little memory for requests: lower limits.maxOutputBytes, chunkCacheBytes or the cacheBytes of stores',
    );
  return createPlannedMemory(options, plan);
}

/** What stores behind a network keep of stored bytes, unless their options say otherwise. */
const REMOTE_CACHE_BYTES = 64 * 2 ** 20;

function isLocal(url: string): boolean {
  return !/^(s3|https?):/i.test(url);
}

/** Everything that is kept between requests. */
function cacheBytesOf({ chunkCacheBytes, automaticDocumentBytes, stores }: Config): number {
  return stores.reduce(
    (sum, { url, cacheBytes = isLocal(url) ? 0 : REMOTE_CACHE_BYTES }) => sum + cacheBytes,
    chunkCacheBytes + automaticDocumentBytes,
  );
}

/** Whether the message says all there is to say: those that this program words itself. */
export function isExpected(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ListenError || isZarrError(error);
}

/** Ends the process whatever still holds it open: threads, connections of stores. */
async function end(log: ProcessLog, code: number): Promise<never> {
  await log.flush();
  process.exit(code);
}
