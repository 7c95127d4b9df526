import { inspect } from 'node:util';
import { type Config, ConfigError, type ConfigSources, loadConfig, suspiciousVariables } from '../config.js';
import { createGateway } from '../gateway.js';
import { version } from '../gateway/version.js';
import { ListenError } from '../http/listen.js';
import { createMetrics } from '../http/metrics.js';
import { createHttpServer } from '../http/server.js';
import { isZarrError } from '../zarr/index.js';
import { createProcessLog, type ProcessLog } from './logger.js';
import { openStores } from './open-stores.js';

/**
 * `zarrql serve`: serves until SIGTERM or SIGINT, then lets requests end and exits with 0. Prints the address of the
 * endpoint as the one line of stdout when it is ready. What keeps it from starting is said on stderr, exit code 1.
 */
export async function serve(sources: ConfigSources): Promise<void> {
  let config: Config;
  try {
    config = loadConfig(sources);
    if (config.stores.length === 0)
      throw new ConfigError([
        'no store is configured: name one with --store NAME=URL, for example --store sst=/data/sst.zarr',
      ]);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
  const log = createProcessLog(config.logLevel);
  try {
    await run(config, log, sources.env ?? {});
  } catch (error) {
    log.flush();
    // What we say ourselves needs no stack; anything else does.
    fail(
      error instanceof ConfigError || isZarrError(error) || error instanceof ListenError
        ? error.message
        : inspect(error),
    );
  }
}

async function run(config: Config, log: ProcessLog, env: NonNullable<ConfigSources['env']>): Promise<void> {
  const { logger } = log;
  for (const [name, near] of suspiciousVariables(env))
    logger.warn({ name, near }, 'unknown variable; a slip?');
  const metrics = createMetrics();
  const stores = await openStores(config.stores, metrics, logger);
  const gateway = createGateway({
    stores,
    limits: config.limits,
    logger,
    graphiql: config.graphiql ? {} : false,
    metrics,
  });
  const server = createHttpServer({ config, gateway, logger, metrics });
  const address = await server.listen();

  const stop = (signal: string): void => {
    logger.info({ signal }, 'draining');
    server
      .close()
      .then(() => gateway.close())
      .then(
        () => {
          logger.info('closed');
          end(log, 0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'closing failed');
          end(log, 1);
        },
      );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error');
    end(log, 1);
  });

  logger.info({ version, address, stores: config.stores.map(({ name }) => name) }, 'listening');
  process.stdout.write(`${address}\n`);
}

/** Ends the process whatever still holds it open: threads, connections of stores. */
function end(log: ProcessLog, code: number): never {
  log.flush();
  process.exit(code);
}

function fail(message: string): void {
  process.stderr.write(`zarrql: ${message.replaceAll('\n', '\nzarrql: ')}\n`);
  process.exitCode = 1;
}
