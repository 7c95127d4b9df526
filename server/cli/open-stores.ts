import type { Logger } from 'pino';
import { defined } from '../../wire/guards.js';
import { type Config, ConfigError, isDiscovered, type StoreConfig } from '../config.js';
import type { GatewayStore } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import {
  createCachedParts,
  isZarrError,
  type KeyStore,
  openStoreFromUrl,
  remoteDefaults,
} from '../zarr/index.js';
import { createMemberStores, type MemberStores, openCombined } from './open-combined.js';
import { createStoreFolder, noStores, type StoreFolder } from './store-folder.js';
import { probeEach } from './probes-at-once.js';
import { openOptionsOf } from './store-options.js';
import { type Finding, noMetadata, probeStore, type WatchedStores, watchStores } from './watch-stores.js';
import { bucketScheme, remoteScheme } from './address.js';

const FOREIGN_WRITE =
  'a program without the lock changed an object during a write; changes can be lost while such programs write to the folder';
const CANNOT_BE_USED = 'a store is unavailable; requests that need it fail until it can be opened';

export interface OpenedStores {
  readonly stores: GatewayStore[];
  readonly health: WatchedStores;
  /** Folders whose stores are among `stores`. */
  readonly folders: readonly StoreFolder[];
  /** The stores that combined stores may contain. */
  readonly members: MemberStores;
}

export interface OpenStoresOptions {
  /** Names of stores whose addresses may be folders of stores, because they were not configured otherwise. */
  readonly addresses?: ReadonlySet<string> | undefined;
  /** Stores that are already served: those to open are added to them. */
  readonly beside?: Pick<OpenedStores, 'health' | 'members'> & { readonly count: number };
  /** How combined stores read values of their members. @default on this thread; of stores beside others, as these */
  readonly engine?: MemberStores['engine'];
}

/**
 * Opens the configured stores and probes each once. A store that is unavailable is still served: requests try
 * to open it again and receive its error. Startup fails for configuration errors, for any unavailable store
 * if `strictStores` is set, and if all stores are local paths that are unavailable, since then a path is
 * probably wrong. Of a folder of stores, each store is opened.
 * @throws ConfigError naming every store that cannot be served
 */
export async function openStores(
  config: Pick<Config, 'auth' | 'stores' | 'requestTimeoutMs' | 'strictStores'>,
  metrics: Pick<Metrics, 'stores' | 'forgetStore'>,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  env: Readonly<Record<string, string | undefined>>,
  { addresses = new Set(), beside, engine }: OpenStoresOptions = {},
): Promise<OpenedStores> {
  const mistakes: string[] = [];
  const opened: OpenedStore[] = [];
  const folders: StoreFolder[] = [];
  const ofFolders: GatewayStore[] = [];
  const members = beside?.members ?? createMemberStores(engine);
  const opening: Opening = { config, metrics, logger, env, members };
  members.opened.clear();

  /** @throws ConfigError if there is no store below the address, and it must have some */
  async function openFolder(store: StoreConfig, finding: Finding): Promise<void> {
    const prefix =
      isDiscovered(store) || config.stores.length + (beside?.count ?? 0) > 1 || config.auth !== undefined
        ? `${store.name}/`
        : '';
    const folder = openStoreFolder(store, prefix, opening);
    const { stores, found } = await folder.start();
    if (stores.length === 0 && !isDiscovered(store))
      throw new ConfigError([
        finding.kind === 'noMetadata' && finding.format !== undefined
          ? `store "${store.name}": the address is ${finding.format}`
          : noStores(store, found),
      ]);
    if (stores.length === 0) logger.warn({ store: store.name }, noStores(store, found));
    folders.push(folder);
    ofFolders.push(...stores);
  }

  /** @throws ConfigError, when what was opened is closed */
  async function refuse(problems: readonly string[]): Promise<never> {
    const stores = [...opened.map(({ served }) => served), ...ofFolders];
    members.opened.clear();
    await Promise.all(stores.map(({ store }) => store.close()));
    throw new ConfigError(problems);
  }

  const open = (
    some: readonly StoreConfig[],
    openOne: (store: StoreConfig) => Promise<OpenedStore>,
  ): Promise<void> =>
    probeEach(
      some,
      ({ url }) => !remoteScheme.test(url),
      async (store) => {
        try {
          if (isDiscovered(store)) return await openFolder(store, { kind: 'usable' });
          const one = await openOne(store);
          const { finding, served } = one;
          const isFolder =
            addresses.has(store.name) &&
            finding.kind === 'noMetadata' &&
            served.writable !== true &&
            served.store.can.list;
          if (!isFolder) opened.push(one);
          else {
            await served.store.close();
            await openFolder(store, finding);
          }
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          if (error instanceof ConfigError) mistakes.push(...error.problems);
          else mistakes.push(`store "${store.name}": ${isZarrError(error) ? error.detail : error.message}`);
        }
      },
    );
  // Members first, because a combined store opens them.
  await open(
    config.stores.filter(({ kind }) => kind === undefined),
    (store) => openStore(store, opening),
  );
  for (const { served } of opened) members.opened.set(served.name, served);
  const combined = config.stores.filter(({ kind }) => kind !== undefined);
  // All of them before the first is probed, because they can be members of each other.
  const created = new Map(combined.map((store) => [store.name, createCombined(store, opening)]));
  for (const [name, served] of created) members.opened.set(name, served);
  await open(combined, async ({ name, url }) => {
    const served = defined(created.get(name));
    return { served, url, finding: await probeStore(served.store), isLocal: false };
  });
  if (mistakes.length > 0) await refuse(mistakes);
  // Stores open in any order.
  const order = new Map(config.stores.map(({ name }, i) => [name, i]));
  const placeOf = ({ served }: OpenedStore): number => defined(order.get(served.name));
  opened.sort((a, b) => placeOf(a) - placeOf(b));
  const problems = opened.flatMap(({ served, url, finding, isLocal }) =>
    finding.kind !== 'broken'
      ? []
      : [`store "${served.name}": ${finding.problem}${isLocal ? pathHint(served, url) : ''}`],
  );
  const isHopeless =
    beside === undefined &&
    folders.length === 0 &&
    opened.every(({ finding, isLocal }) => finding.kind === 'broken' && isLocal);
  if (problems.length > 0 && (config.strictStores || isHopeless)) await refuse(problems);
  const health = beside?.health ?? watchStores(logger);
  health.follow(folders);
  for (const { served, finding } of opened) {
    health.add(served.store, finding);
    if (finding.kind === 'broken')
      logger.error({ store: served.name, problem: finding.problem }, CANNOT_BE_USED);
    else if (finding.kind === 'noMetadata' && served.writable !== true)
      logger.warn(...noMetadata(served.name, finding.format));
  }
  const stores = [...opened.map(({ served }) => served), ...ofFolders];
  if (beside === undefined) serveMembers(members);
  return { stores, health, folders, members };
}

/** @throws ConfigError for options that are invalid */
function createCombined(
  store: StoreConfig,
  { config: { requestTimeoutMs }, metrics, env, members }: Opening,
): GatewayStore {
  const options = { ...openOptionsOf(store, env, requestTimeoutMs), metrics: metrics.stores };
  return servedStore(store, openCombined(store, { options, stores: members, requestTimeoutMs }));
}

/** The stores that were opened last are served now. */
export function serveMembers({ served, opened }: MemberStores): void {
  for (const [name, store] of opened) served.set(name, store);
  opened.clear();
}

/** What opening a store requires, apart from its options. */
interface Opening {
  readonly config: Pick<Config, 'requestTimeoutMs'>;
  readonly metrics: Pick<Metrics, 'stores' | 'forgetStore'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly members: MemberStores;
}

function openStoreFolder(
  config: StoreConfig,
  prefix: string,
  { config: { requestTimeoutMs }, metrics, logger, env }: Opening,
): StoreFolder {
  const options = openOptionsOf(config, env, requestTimeoutMs);
  const isRemote = bucketScheme.test(config.url);
  // All stores of a remote folder together take the memory of one.
  const { cacheBytes = isRemote ? remoteDefaults.cacheBytes : 0 } = config;
  const cachedParts = cacheBytes > 0 ? createCachedParts(cacheBytes) : undefined;
  return createStoreFolder({
    config,
    prefix,
    logger,
    requestTimeoutMs,
    top: openStoreFromUrl(config.name, config.url, {
      ...options,
      readonly: true,
      maxAgeMs: 0,
      cacheBytes: 0,
    }),
    open(name, url) {
      const store = openStoreFromUrl(name, url, {
        ...options,
        cachedParts,
        metrics: metrics.stores,
        onForeignWrite: (key) => logger.warn({ store: name, key }, FOREIGN_WRITE),
      });
      return servedStore({ ...config, name }, store);
    },
    forget(name) {
      metrics.forgetStore(name).catch((error: unknown) => logger.error({ err: error }, 'a metric is wrong'));
    },
  });
}

function servedStore(config: StoreConfig, store: KeyStore): GatewayStore {
  const { name, description, writable, cacheControl, netcdfShuffle, trustConsolidated, paths, typedSchema, watchMs, searchIndexMs } = config; // prettier-ignore
  return {
    name,
    store,
    description,
    cacheControl,
    netcdfShuffle,
    trustConsolidated,
    paths,
    typedSchema,
    watchMs,
    searchIndexMs,
    identity: `${name} ${config.url}`,
    writable: writable && isWritable(store),
  };
}

/** Repositories are changed by commits only. */
function isWritable({ can, versions }: KeyStore): boolean {
  return can.write || versions?.writing !== undefined;
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
  { config: { requestTimeoutMs }, metrics, logger, env }: Opening,
): Promise<OpenedStore> {
  const { name, url, writable } = config;
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
  if (writable && !isWritable(store))
    logger.warn(
      { store: name, reason: store.readOnlyReason },
      'the store is configured as writable, but it is read-only',
    );
  const served = servedStore(config, store);
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
