/** Reloads the configuration of a running gateway: SIGHUP. */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { ConfigError, type StoreConfig } from '../config.js';
import type { Gateway } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import type { HttpServer } from '../http/options.js';
import { readTls, type TlsMaterial } from '../http/tls.js';
import { type OpenedStores, openStores, serveMembers } from './open-stores.js';
import type { PlannedConfig, PlannedOptions } from './plan-config.js';
import { closeLater, type StoreFolder } from './store-folder.js';
import { openOptionsOf } from './store-options.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Reloadable {
  readonly gateway: Gateway;
  readonly server: HttpServer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly env: Environment;
  /** Reads the configuration again. @throws ConfigError */
  readonly load: () => PlannedConfig;
  readonly opened: OpenedStores;
  readonly tls: TlsMaterial | undefined;
}

/** The limits of each client. */
const clientLimits = [
  'maxClientRequests',
  'maxClientCost',
  'maxClientConnections',
  'maxConnectionOperations',
  'maxClientSubscriptions',
] as const;

/** Options that take effect at once. `stores` contains what `allowWrite` says. */
const changeable: ReadonlySet<string> = new Set([
  'stores',
  'allowWrite',
  'strictStores',
  'auth',
  'hrefKeys',
  'limits',
  'logLevel',
  ...clientLimits,
]);

/** What one store is, with its secrets, to notice changes. */
interface ServedConfig {
  readonly store: StoreConfig;
  readonly options: unknown;
}

/**
 * @returns a function that reads the configuration again and applies what changed, or reports why nothing did. Calls do
 * not overlap: one during a reload repeats it
 */
export function createReloader(parts: Reloadable, started: PlannedOptions): () => Promise<void> {
  const { gateway, server, logger, metrics, env, opened } = parts;
  const { health, members } = opened;
  const folders = new Map<string, StoreFolder>(opened.folders.map((folder) => [folder.configured, folder]));
  let current = started;
  let tls = parts.tls;
  let served = describeStores(started);
  let running: Promise<void> | undefined;
  let isRepeated = false;

  function describeStores(config: PlannedOptions): Map<string, ServedConfig> {
    return new Map(
      config.stores.map((store) => [
        store.name,
        { store, options: openOptionsOf(store, env, config.requestTimeoutMs) },
      ]),
    );
  }

  function remove(name: string): void {
    const folder = folders.get(name);
    folders.delete(name);
    if (folder !== undefined) folder.end(gateway);
    members.served.delete(name);
    const removed = gateway.removeStore(name);
    if (removed === undefined) return;
    health.remove(name);
    metrics.forgetStore(name).catch((error: unknown) => logger.error({ err: error }, 'a metric is wrong'));
    closeLater(removed.store, current.requestTimeoutMs);
  }

  async function apply(): Promise<void> {
    const { config } = parts.load();
    if (config.stores.length === 0) throw new ConfigError(['no store is configured']);
    const material = readTls(config);
    const next = describeStores(config);
    const isSame = (name: string): boolean => isDeepStrictEqual(served.get(name), next.get(name));
    const gone = [...served.keys()].filter((name) => !next.has(name));
    const changed = [...next.keys()].filter((name) => served.has(name) && !isSame(name));
    const added = [...next.keys()].filter((name) => !served.has(name));
    const toOpen = new Set([...changed, ...added]);
    const fresh = await openStores(
      { ...config, stores: config.stores.filter(({ name }) => toOpen.has(name)) },
      metrics,
      logger,
      env,
      { beside: { health, members, count: config.stores.length - toOpen.size } },
    );
    // Nothing below fails, so that the change is complete or absent.
    for (const name of [...gone, ...changed]) remove(name);
    serveMembers(members);
    for (const store of fresh.stores) gateway.addStore(store);
    for (const folder of fresh.folders) {
      folders.set(folder.configured, folder);
      folder.watch(gateway);
    }
    health.watch();
    gateway.change({
      limits: config.limits,
      maxClientSubscriptions: config.maxClientSubscriptions,
      hrefs: { keys: config.hrefKeys, lifetimeMs: current.hrefLifetimeMs, publicUrl: current.publicUrl },
    });
    const options = changedOptions(current, config);
    const isNewAuth = options.includes('auth');
    const isNewTls = !isDeepStrictEqual(material, tls);
    const { maxClientRequests, maxClientCost, maxClientConnections, maxConnectionOperations } = config;
    server.change({
      ...(clientLimits.some((name) => options.includes(name))
        ? { limits: { maxClientRequests, maxClientCost, maxClientConnections, maxConnectionOperations } }
        : {}),
      ...(isNewAuth ? { auth: { value: config.auth } } : {}),
      ...(isNewTls && tls !== undefined ? { tls: material } : {}),
    });
    logger.level = config.logLevel;
    served = next;
    tls = material;
    const later = options.filter((name) => !changeable.has(name));
    const now = options.filter((name) => changeable.has(name) && name !== 'stores' && name !== 'allowWrite');
    const stores = { added, changed, removed: gone };
    const hasChanged = now.length > 0 || isNewTls || Object.values(stores).some((names) => names.length > 0);
    const limits = Object.keys(config.limits).filter(
      (name) => !isDeepStrictEqual(Reflect.get(config.limits, name), Reflect.get(current.limits, name)),
    );
    logger.info(
      hasChanged
        ? {
            stores,
            options: now,
            ...(limits.length > 0 ? { limits } : {}),
            ...(isNewTls ? { certificate: 'reloaded' } : {}),
          }
        : {},
      hasChanged ? 'the configuration was reloaded' : 'the configuration was read again; nothing changed',
    );
    if (later.length > 0) logger.warn({ options: later }, 'these options change with the next start');
    current = keepFixed(current, config);
  }

  async function runOnce(): Promise<void> {
    try {
      await apply();
    } catch (error) {
      const problems = error instanceof ConfigError ? { problems: error.problems } : { err: error };
      logger.error(problems, 'the configuration was not reloaded, and nothing changed');
    }
  }

  async function runAll(): Promise<void> {
    do {
      isRepeated = false;
      await runOnce();
    } while (isRepeated);
    running = undefined;
  }

  return () => {
    if (running !== undefined) isRepeated = true;
    running ??= runAll();
    return running;
  };
}

function changedOptions(before: PlannedOptions, after: PlannedOptions): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name)));
}

/** The configuration in effect: options that need a restart keep their values. */
function keepFixed(before: PlannedOptions, after: PlannedOptions): PlannedOptions {
  const { stores, allowWrite, strictStores, auth, hrefKeys, limits, logLevel } = after;
  const { maxClientRequests, maxClientCost, maxClientConnections } = after;
  const { maxConnectionOperations, maxClientSubscriptions } = after;
  return {
    ...before,
    stores,
    allowWrite,
    strictStores,
    auth,
    hrefKeys,
    limits,
    logLevel,
    maxClientRequests,
    maxClientCost,
    maxClientConnections,
    maxConnectionOperations,
    maxClientSubscriptions,
  };
}
