import { inspect } from 'node:util';
import { ConfigError, type ConfigSources, loadConfigWithOrigins } from '../config.js';
import { fail } from './run-command.js';
import { createProcessLog } from './logger.js';
import { type PlannedConfig, planConfig } from './plan-config.js';
import { printConfig } from './print-config.js';
import { restartForJobs, restartWithin } from './restart-within.js';

export interface ServeOptions {
  /** Returns the line to print instead of the endpoint's URL. */
  readonly lineOf?: (endpoint: string, hasExplorer: boolean) => string;
  /** Names of stores whose addresses may be folders of stores. */
  readonly addresses?: ReadonlySet<string>;
  /** Whether to print the value and the origin of every option instead of serving. */
  readonly isPrinted?: boolean;
  /** Whether only tasks of jobs are run: requests are rejected, except health checks and metrics. */
  readonly isWorker?: boolean;
}

/**
 * `zarrql serve`: serves until SIGTERM or SIGINT, then drains and exits with 0. Prints the endpoint's URL
 * as the only line on stdout when it is ready; on a terminal, the explorer's address before it. Startup errors go to stderr, with exit code 1.
 */
export async function serve(
  sources: ConfigSources,
  { lineOf = addressesOf, addresses = new Set(), isPrinted = false, isWorker = false }: ServeOptions = {},
): Promise<void> {
  let planned: PlannedConfig;
  try {
    const { config, origins } = loadConfigWithOrigins(sources);
    planned = planConfig(config, origins);
    if (isPrinted) {
      process.stdout.write(printConfig(planned));
      return;
    }
    if (isWorker && config.redis === undefined)
      throw new ConfigError(['a worker takes its tasks from Redis; add --redis URL']);
    if (config.stores.length === 0)
      throw new ConfigError([
        'no store is configured; name its folder, as in zarrql serve /data/sst.zarr, or add --store NAME=URL',
      ]);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
  restartWithin(planned, sources.env ?? {});
  if (isWorker) restartForJobs(sources.env ?? {});
  const log = createProcessLog(planned.config.logLevel);
  const { isExpected, runGateway } = await import('./run-gateway.js');
  try {
    const load = (): PlannedConfig => {
      const { config, origins } = loadConfigWithOrigins(sources);
      return planConfig(config, origins);
    };
    await runGateway(planned, log, sources.env ?? {}, { lineOf, addresses, isWorker, load });
  } catch (error) {
    await log.flush();
    fail(isExpected(error) ? error.message : inspect(error));
  }
}

/** The explorer's address first on a terminal; programs read the endpoint's URL. */
function addressesOf(endpoint: string, hasExplorer: boolean): string {
  return process.stdout.isTTY && hasExplorer && !endpoint.startsWith('unix:')
    ? `Explorer:  ${new URL('/', endpoint).href}\nGraphQL:   ${endpoint}`
    : endpoint;
}
