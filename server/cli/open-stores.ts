import type { Logger } from 'pino';
import { type Config, ConfigError, type StoreConfig } from '../config.js';
import type { GatewayStore } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import type { StoreReadiness } from '../http/options.js';
import { isZarrError, type KeyStore, openHierarchy, openStoreFromUrl } from '../zarr/index.js';
import { openOptionsOf } from './store-options.js';
import { archiveName } from './address.js';

const FOREIGN_WRITE =
  'a program without the lock changed an object during a write; changes can be lost while such programs write to the folder';
const CANNOT_BE_USED = 'a store is unavailable; requests that need it fail until it can be opened';
const NO_METADATA = 'a store has no Zarr metadata at its root; check its address';
const FOREIGN = 'a store is not in a Zarr format';

export interface OpenedStores {
  readonly stores: GatewayStore[];
  readonly health: WatchedStores;
}

/**
 * Opens the configured stores and probes each once. A store that is unavailable is still served: requests try
 * to open it again and receive its error. Startup fails for configuration errors, for any unavailable store
 * if `strictStores` is set, and if all stores are local paths that are unavailable, since then a path is
 * probably wrong.
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
    config.stores.map(async (store, i) => {
      try {
        opened[i] = await openStore(store, config, metrics, logger, env);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof ConfigError) mistakes.push(...error.problems);
        else mistakes.push(`store "${store.name}": ${isZarrError(error) ? error.detail : error.message}`);
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
      logger.error({ store: served.name, problem: finding.problem }, CANNOT_BE_USED);
    else if (finding.kind === 'noMetadata' && served.writable !== true)
      logger.warn(...noMetadata(served.name, finding.format));
  }
  return { stores: opened.map(({ served }) => served), health };
}

interface OpenedStore {
  readonly served: GatewayStore;
  readonly url: string;
  readonly finding: Finding;
  /** Whether the store is a local folder or file. */
  readonly isLocal: boolean;
}

async function openStore(
  config: StoreConfig,
  { requestTimeoutMs }: Pick<Config, 'requestTimeoutMs'>,
  metrics: Pick<Metrics, 'stores'>,
  logger: Pick<Logger, 'warn'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedStore> {
  const {
    name,
    url,
    description,
    writable,
    cacheControl,
    netcdfShuffle,
    trustConsolidated,
    paths,
    typedSchema,
  } = config;
  const options = openOptionsOf(config, env, requestTimeoutMs);
  const open = (create: boolean): KeyStore =>
    openStoreFromUrl(name, url, {
      ...options,
      filesystem: { ...options.filesystem, create },
      metrics: metrics.stores,
      onForeignWrite: (key) => logger.warn({ store: name, key }, FOREIGN_WRITE),
    });
  let store: KeyStore;
  let failure: Finding | undefined;
  try {
    // Never created by default: a missing folder may be on a disk that is not mounted.
    store = open(options.filesystem?.create ?? false);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    failure = { kind: 'broken', problem: `cannot create the folder of the store: ${error.message}` };
    store = open(false);
  }
  if (writable && !store.can.write)
    logger.warn(
      { store: name, reason: store.readOnlyReason },
      'the store is configured as writable, but it is read-only',
    );
  const served = {
    name,
    store,
    description,
    cacheControl,
    netcdfShuffle,
    trustConsolidated,
    paths,
    typedSchema,
    writable: writable && store.can.write,
  };
  return { served, url, finding: failure ?? (await probeStore(store)), isLocal: store.isLocal };
}

/** Suggests to check the path, as configured, because most mistakes are in relative paths. */
function pathHint({ store, writable }: GatewayStore, url: string): string {
  const create = store.isLocal && writable === true;
  return `; check its path (${url})${create ? ', or set filesystem.create to make a missing folder' : ''}`;
}

/** Whether the error comes from the operating system, for example because a folder cannot be created. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

// Names for stores without a configured name: `zarrql serve data/sst.zarr`.

/**
 * Creates `--store` values for addresses. Each store is named after the last part of its address, without
 * `.zarr` and `.zip`; names that are taken get a number.
 * @param configured other values of `--store`, whose names are taken
 */
export function namedStores(addresses: readonly string[], configured: readonly string[] = []): string[] {
  const taken = new Set(configured.map((text) => text.slice(0, text.indexOf('='))));
  return addresses.map((address) => {
    const base = storeNameOf(address);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return `${name}=${address}`;
  });
}

/** The last part of an address as a store name. Characters that are not allowed become underscores. */
export function storeNameOf(address: string): string {
  if (/^memory:/i.test(address)) return 'memory';
  const path = /^[a-z][a-z0-9+.-]+:/i.test(address) ? address.replace(/[?#].*$/s, '') : address;
  const last = path.split(/[/\\]/).findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '';
  const name = last
    .replace(archiveName, '')
    .replace(/\.zarr$/i, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^\.+/, '');
  return name === '' || /^_+$/.test(name) ? 'store' : name;
}

/** Result of probing a store. */
type Finding =
  | { readonly kind: 'usable' }
  /** `format` is the format of the store if it is not Zarr, and what to do. */
  | { readonly kind: 'noMetadata'; readonly format: string | undefined }
  | { readonly kind: 'broken'; readonly problem: string };

interface WatchedStores extends StoreReadiness {
  add(store: KeyStore, finding: Finding): void;
  /** Probes the unavailable stores again. */
  recheck(): Promise<void>;
  /** Repeats `recheck` every 10 seconds while a store is unavailable. */
  watch(): void;
}

function noMetadata(store: string, format: string | undefined): [fields: object, message: string] {
  return format === undefined ? [{ store }, NO_METADATA] : [{ store, format }, FOREIGN];
}

/** Time limit of one probe. */
const PROBE_TIMEOUT_MS = 5000;
const RECHECK_MS = 10_000;
const topDocuments = ['zarr.json', '.zgroup', '.zarray', 'meta'];

async function probeStore(store: KeyStore): Promise<Finding> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  let hasDocument = false;
  try {
    await store.getMany(
      topDocuments.map((key) => ({ key })),
      (_, result) => {
        hasDocument ||= result !== undefined;
      },
      { signal },
    );
    if (hasDocument) return { kind: 'usable' };
    return { kind: 'noMetadata', format: await openHierarchy(store).foreignFormat({ signal }) };
  } catch (error) {
    if (isZarrError(error, 'ABORTED'))
      return { kind: 'broken', problem: `no response within ${PROBE_TIMEOUT_MS} ms` };
    if (isZarrError(error)) return { kind: 'broken', problem: error.detail };
    throw error;
  }
}

/**
 * Tracks which stores are unavailable. Requests still try to open these stores, and fail with the error of
 * the store.
 */
function watchStores(logger: Pick<Logger, 'info' | 'error'>): WatchedStores {
  const broken = new Map<string, KeyStore>();
  let count = 0;

  async function recheckOne(name: string, store: KeyStore): Promise<void> {
    const { kind } = await probeStore(store);
    if (kind === 'broken' || !broken.delete(name)) return;
    logger.info({ store: name }, 'the store is available');
  }

  const watched: WatchedStores = {
    get count() {
      return count;
    },
    unusable: () => [...broken.keys()],
    add(store, finding) {
      count++;
      if (finding.kind === 'broken') broken.set(store.label, store);
    },
    async recheck() {
      await Promise.all([...broken].map(([name, store]) => recheckOne(name, store)));
    },
    watch() {
      const schedule = (): void => {
        if (broken.size === 0) return;
        setTimeout(() => {
          watched
            .recheck()
            .catch((error: unknown) => logger.error({ err: error }, 'probing the stores failed'))
            .finally(schedule);
        }, RECHECK_MS).unref();
      };
      schedule();
    },
  };
  return watched;
}
