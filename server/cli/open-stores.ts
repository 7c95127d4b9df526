import type { Logger } from 'pino';
import { type Config, ConfigError, type StoreConfig } from '../config.js';
import type { GatewayStore } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import { type Finding, probeStore, type WatchedStores, watchStores } from './store-health.js';
import { openOptionsOf } from './store-options.js';
import { isZarrError, type KeyStore, type StoreKind, openStoreFromUrl } from '../zarr/index.js';

const notWritable: Readonly<Partial<Record<StoreKind, string>>> = {
  ZIP: 'a store is read-only all the same: an archive that is there cannot be written into, a new one can',
  HTTP: 'a store is read-only all the same: web servers take no writes',
};
const foreignWrite =
  'a program that does not take the lock changed an object during a change of ours; both writes were kept or one was refused, but such programs can lose changes';
const cannotBeUsed =
  'a store cannot be used; it is served all the same, and its fields fail until it can be opened';
const noMetadata = 'a store has no Zarr metadata at its top; is its address right?';

export interface OpenedStores {
  readonly stores: GatewayStore[];
  readonly health: WatchedStores;
}

/**
 * Opens the configured stores and looks once at each. A store that cannot be used is served all the same: requests open
 * it again and get its error. The start ends for mistakes in the configuration, for any such store where `strictStores`
 * says so, and where no store is left but folders and files of this computer that cannot be used: then a path is wrong.
 * @throws ConfigError naming every store that cannot be served
 */
export async function openStores(
  config: Pick<Config, 'stores' | 'requestTimeoutMs' | 'strictStores'>,
  metrics: Pick<Metrics, 'stores'>,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedStores> {
  const mistakes: string[] = [];
  const opened: OpenedStore[] = [];
  await Promise.all(
    config.stores.map(async (one, i) => {
      try {
        opened[i] = await openStore(one, config, metrics, logger, env);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof ConfigError) mistakes.push(...error.problems);
        else mistakes.push(`store "${one.name}": ${isZarrError(error) ? error.detail : error.message}`);
      }
    }),
  );
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const problems = opened.flatMap(({ served, url, finding, isLocal }) =>
    finding.kind !== 'broken'
      ? []
      : [`store "${served.name}": ${finding.problem}${isLocal ? pathHint(served, url) : ''}`],
  );
  const isHopeless = opened.every(({ finding, isLocal }) => finding.kind === 'broken' && isLocal);
  if (problems.length > 0 && (config.strictStores || isHopeless)) throw new ConfigError(problems);
  const health = watchStores(logger);
  for (const { served, finding } of opened) {
    health.add(served.store, finding);
    if (finding.kind === 'broken')
      logger.error({ store: served.name, problem: finding.problem }, cannotBeUsed);
    else if (finding.kind === 'noMetadata' && served.writable !== true)
      logger.warn({ store: served.name }, noMetadata);
  }
  return { stores: opened.map(({ served }) => served), health };
}

interface OpenedStore {
  readonly served: GatewayStore;
  readonly url: string;
  readonly finding: Finding;
  /** A folder or file of this computer. */
  readonly isLocal: boolean;
}

async function openStore(
  config: StoreConfig,
  { requestTimeoutMs }: Pick<Config, 'requestTimeoutMs'>,
  metrics: Pick<Metrics, 'stores'>,
  logger: Pick<Logger, 'warn'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedStore> {
  const { name, url, description, writable, cacheControl, netcdfShuffle } = config;
  const options = openOptionsOf(config, env, requestTimeoutMs);
  const open = (create: boolean): KeyStore =>
    openStoreFromUrl(name, url, {
      ...options,
      filesystem: { ...options.filesystem, create },
      metrics: metrics.stores,
      onForeignWrite: (key) => logger.warn({ store: name, key }, foreignWrite),
    });
  let store: KeyStore;
  let failure: Finding | undefined;
  try {
    // Unless it is said: the disk of a folder that is missing may not be mounted.
    store = open(options.filesystem?.create ?? false);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    failure = { kind: 'broken', problem: `its folder cannot be made: ${error.message}` };
    store = open(false);
  }
  if (writable && !store.can.write) logger.warn({ store: name }, notWritable[store.kind]);
  const served = {
    ...{ name, store, description, cacheControl, netcdfShuffle },
    writable: writable && store.can.write,
  };
  return { served, url, finding: failure ?? (await probeStore(store)), isLocal: isLocal(store, url) };
}

/** The path as it was given: relative paths go wrong most often. */
function pathHint({ store, writable }: GatewayStore, url: string): string {
  const create = store.kind === 'FILESYSTEM' && writable === true;
  return `; check its path (${url})${create ? ', or set filesystem.create to make a missing folder' : ''}`;
}

function isLocal(store: KeyStore, url: string): boolean {
  return store.kind === 'FILESYSTEM' || (store.kind === 'ZIP' && !/^(https?|s3):/i.test(url));
}

/** Of the operating system, such as a folder that may not be made. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
